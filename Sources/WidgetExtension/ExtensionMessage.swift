import JSON
package import JSONRPC

/// A line of the extension protocol that the daemon wrote.
package enum ExtensionMessage: Hashable, Sendable {
  /// A request, whose answer has this id.
  case request(id: RequestID, ProviderRequest)
  /// Nobody waits for the answer of this id any more.
  case cancel(id: RequestID)
  /// A request that cannot be answered, and the reason.
  case refusal(id: RequestID, ExtensionError)
  /// A notification that needs nothing.
  case ignored

  /// Reads a line.
  ///
  /// `kinds` are the kinds of this program; a request for another one is refused.
  package static func read(_ line: [UInt8], kinds: KindNames) -> ExtensionMessage {
    let message: JSONValue
    do {
      message = try JSONValue(parsing: line)
    } catch {
      return .refusal(id: .null, ExtensionError(.parseError, "not a request: \(error.message)"))
    }
    guard let method = message["method"]?.stringValue else {
      return .refusal(id: .null, ExtensionError(.invalidRequest, "a request without a method"))
    }
    guard let id = message["id"].flatMap({ RequestID($0) }) else {
      guard method == "provider.cancel",
        let cancelled = message["params"]?["id"].flatMap({ RequestID($0) })
      else { return .ignored }
      return .cancel(id: cancelled)
    }
    guard let sort = ProviderRequest.Sort(method: method) else {
      return .refusal(id: id, ExtensionError(.methodNotFound, "no method '\(method)'"))
    }
    do throws(ExtensionError) {
      let params = message["params"] ?? .null
      return .request(id: id, try ProviderRequest(sort, params, kinds: kinds))
    } catch {
      return .refusal(id: id, error)
    }
  }
}

/// Why a request is not answered.
package struct ExtensionError: Error, Hashable, Sendable {
  /// Source: JSON-RPC 2.0 §5.1; the last two are of intentd.
  package enum Code: Int, Hashable, Sendable {
    case parseError = -32700
    case invalidRequest = -32600
    case methodNotFound = -32601
    case invalidParams = -32602
    /// The provider or the intent could not do its work.
    case failed = -32000
    /// Nobody waited any more.
    case cancelled = -32001
  }

  package var code: Code
  /// A sentence for a person, lower case at the start, without a full stop.
  package var message: String

  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
}

/// The kinds of a program, by the names that a manifest may have for them.
package struct KindNames: Hashable, Sendable {
  private let kinds: [String]

  package init(_ kinds: [String]) { self.kinds = kinds }

  /// Returns the kind in the code that a request means.
  package func kind(_ wanted: String) throws(ExtensionError) -> String {
    if let kind = kinds.first(where: { $0 == wanted || Self.manifestName(of: $0) == wanted }) {
      return kind
    }
    let near = nearest(to: wanted, among: kinds)
    let hint = near.isEmpty ? "; it has \(kinds.joined(separator: ", "))" : didYouMean(near)
    throw ExtensionError(.invalidParams, "this program has no kind '\(wanted)'\(hint)")
  }

  /// Returns a kind as a manifest may name it: of letters, digits, `.`, `-` and `_`.
  ///
  /// On iOS a kind is any text.
  package static func manifestName(of kind: String) -> String {
    let name = String(
      kind.unicodeScalars.map { scalar in
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", ".", "-", "_": Character(scalar)
        default: "-"
        }
      })
    return name.isEmpty ? "widget" : name
  }
}
