import Foundation

/// World clock: a long-lived provider with the `extension` protocol.
///
/// The daemon starts it once and writes JSON-RPC requests to its input, one a line; it writes
/// answers to its output, one a line. At the end of input it exits. Unlike a one-shot provider it
/// starts once for many requests, it can send errors to the person who asked, and it can offer
/// options for a parameter.
///
///     {"jsonrpc":"2.0","id":1,"method":"provider.timeline","params":{"request":"timeline",…}}
///     {"jsonrpc":"2.0","id":1,"result":{"entries":[…],"policy":"atEnd"}}
@main
struct Clock {
  static func main() {
    while let line = readLine() {
      guard let answer = answer(to: Data(line.utf8)) else { continue }
      // Write to the descriptor: a buffer would keep the answer in this process until the next one.
      do {
        try FileHandle.standardOutput.write(contentsOf: answer + Data("\n".utf8))
      } catch {
        return  // The daemon is gone, and so is the reason to be here.
      }
    }
  }

  /// Returns the answer to a line; `nil` for a notification, which has no answer.
  static func answer(to line: Data) -> Data? {
    let request: Request
    do {
      request = try JSONDecoder().decode(Request.self, from: line)
    } catch {
      return encode(Refusal(id: nil, code: -32700, message: "not a request: \(error)"))
    }
    // `provider.cancel` is a notification. This provider answers at once, so nothing is left to
    // cancel when it arrives; a provider that waits for a network would drop its request.
    guard let id = request.id else { return nil }
    switch request.method {
    case "provider.placeholder", "provider.snapshot", "provider.timeline":
      let now: Date
      do {
        now = try Date(request.params?.now ?? "", strategy: .iso8601)
      } catch {
        return encode(Refusal(id: id, code: -32602, message: "params.now is no RFC 3339 date"))
      }
      let city = request.params?.intent?.parameters?.city ?? "Beijing"
      var timeline = WorldClock(city: city).timeline(from: now)
      if request.method != "provider.timeline" {
        timeline.entries = Array(timeline.entries.prefix(1))  // one moment
      }
      return encode(Response(id: id, result: timeline))
    case "provider.options":
      return encode(Response(id: id, result: Options(options: CityList.read().map(\.name))))
    default:
      return encode(Refusal(id: id, code: -32601, message: "no method \(request.method)"))
    }
  }

  private static func encode(_ value: some Encodable) -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
    do {
      return try encoder.encode(value)
    } catch {
      preconditionFailure("strings, numbers and lists always encode: \(error)")
    }
  }
}
