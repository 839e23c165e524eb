import ClientTestSupport
import Foundation
import JSON

/// Poisoned answers to every method of the wire.
///
/// The answers are those of the examples in docs/PROTOCOL.md and of the files in
/// `Tests/IntentSendTests/Golden`. `ProtocolTests` of the daemon's core see to it that each method
/// has an example.
struct HostileAnswers {
  /// The answers to each method, not poisoned yet.
  private var answers: [String: [JSONValue]] = [:]

  /// The number of answers to the method that has most of them.
  var countMax: Int { answers.values.map(\.count).max() ?? 0 }

  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// The method that the answer in a file of `Golden` belongs to.
  private static let goldenMethods = [
    "status": "daemon.status", "widgets": "widget.list", "stack": "stack.order",
    "explain": "stack.explain", "history": "daemon.history", "budget": "widget.budget",
    "gallery": "gallery.list", "gallery-previews": "gallery.list", "timeline": "widget.timeline",
  ]

  init() throws {
    let document = try String(
      contentsOf: Self.root.appending(path: "docs/PROTOCOL.md"), encoding: .utf8)
    var methods: [String: String] = [:]
    for line in document.split(separator: "\n") {
      guard line.hasPrefix("→ ") || line.hasPrefix("← "), line.hasSuffix("}") else { continue }
      let message: JSONValue
      do throws(JSONError) {
        message = try JSONValue(parsing: String(line.dropFirst(2)))
      } catch {
        continue  // An example of a line that is no JSON.
      }
      guard let id = message["id"]?.serialized else { continue }
      if let method = message["method"]?.stringValue {
        methods[id] = method
      } else if let result = message["result"], let method = methods[id] {
        answers[method, default: []].append(result)
      }
    }
    let golden = Self.root.appending(path: "Tests/IntentSendTests/Golden")
    for (name, method) in Self.goldenMethods {
      let text = try String(
        contentsOf: golden.appending(path: "\(name).json"), encoding: .utf8)
      answers[method, default: []].append(try JSONValue(parsing: text))
    }
    // A surface with all those widgets, for `watch` and `follow`.
    let widgets = answers["widget.list"]?.last?["widgets"]?.arrayValue ?? []
    let surface: JSONValue = [
      "surface": "s1", "widgets": .array(widgets), "stack": .array(widgets.compactMap { $0["id"] }),
    ]
    answers["surface.attach", default: []].insert(surface, at: 0)
  }

  /// Starts a daemon that gives the poisoned answer number `index` to each method; a method that has
  /// fewer answers begins again.
  ///
  /// With `keepsWords` the words that decide how something is shown are not poisoned.
  func daemon(_ index: Int, keepsWords: Bool) -> FakeDaemon {
    let answers = answers
    return FakeDaemon { request in
      guard let known = answers[request.method], !known.isEmpty else {
        return [.result([:])]
      }
      return [.result(Poison.into(known[index % known.count], keepsWords: keepsWords))]
    }
  }

  /// Starts a daemon that refuses everything, in poisoned words.
  static func refusingDaemon(code: Int) -> FakeDaemon {
    let near = "near" + Poison.text
    let data: JSONValue = [
      "name": "invalidParameter", "suggestions": [.string(near), ["text": .string(near)]],
      "parameter": .string(near), "meant": .string(near), "families": [.string(near)],
      "folders": [.string("/" + near)], "path": .string(near), "reason": .string(near),
      "limit": .string(near),
    ]
    return FakeDaemon { _ in
      [.refusal(code: code, message: "refused" + Poison.text, data: data)]
    }
  }
}
