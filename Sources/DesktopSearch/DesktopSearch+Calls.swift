package import BusMessages
package import Timekeeping

/// The three interfaces of the daemon on the session's bus.
extension DesktopSearch {
  /// The name on the bus, and the object that has the interfaces.
  package static let name = "org.intentd.Daemon"
  package static let path = "/org/intentd/Daemon"

  private static let shell = "org.gnome.Shell.SearchProvider2"
  private static let runner = "org.kde.krunner1"
  private static let application = "org.freedesktop.Application"

  /// A method and the signature of its arguments.
  private static let methods: [String: [String: (takes: String, gives: String)]] = [
    shell: [
      "GetInitialResultSet": ("as", "as"), "GetSubsearchResultSet": ("asas", "as"),
      "GetResultMetas": ("as", "aa{sv}"), "ActivateResult": ("sasu", ""),
      "LaunchSearch": ("asu", ""),
    ],
    runner: [
      "Actions": ("", "a(sss)"), "Match": ("s", "a(sssida{sv})"), "Run": ("ss", ""),
      "Teardown": ("", ""), "Config": ("", "a{sv}"), "SetActivationToken": ("s", ""),
    ],
    application: [
      "Activate": ("a{sv}", ""), "Open": ("asa{sv}", ""), "ActivateAction": ("sava{sv}", ""),
    ],
  ]

  /// Describes an object in XML, as `Introspect` answers.
  package static func introspection(of path: String) -> String {
    var xml = "<node>"
    if path == Self.path {
      for (interface, members) in methods.sorted(by: { $0.key < $1.key }) {
        xml += "<interface name=\"\(interface)\">"
        for (member, types) in members.sorted(by: { $0.key < $1.key }) {
          xml += "<method name=\"\(member)\">"
          var rest = types.takes[...]
          while let type = completeType(&rest) {
            xml += "<arg type=\"\(type)\" direction=\"in\"/>"
          }
          if !types.gives.isEmpty { xml += "<arg type=\"\(types.gives)\" direction=\"out\"/>" }
          xml += "</method>"
        }
        xml += "</interface>"
      }
    }
    return xml + "</node>"
  }

  /// Takes the first complete type off a signature of the table above.
  private static func completeType(_ rest: inout Substring) -> Substring? {
    guard let first = rest.first else { return nil }
    var end = rest.index(after: rest.startIndex)
    if first == "a" {
      var element = rest[end...]
      end = completeType(&element)?.endIndex ?? rest.endIndex
    } else if first == "(" || first == "{" {
      var depth = 1
      while depth > 0, end < rest.endIndex {
        depth += "({".contains(rest[end]) ? 1 : ")}".contains(rest[end]) ? -1 : 0
        end = rest.index(after: end)
      }
    }
    defer { rest = rest[end...] }
    return rest[..<end]
  }

  /// Takes a call; it is answered in `outputs` now or later, once.
  package mutating func take(
    _ call: BusInvocation, _ number: CallNumber, at now: Instant, into outputs: inout [Output]
  ) {
    func refuse(_ error: String, _ message: String) {
      outputs.append(
        .refuse(number, name: "org.freedesktop.DBus.Error.\(error)", message: message))
    }
    guard call.path == Self.path else { return refuse("UnknownObject", "there is no such object") }
    guard let members = Self.methods[call.interface] else {
      return refuse("UnknownInterface", "the object has no such interface")
    }
    guard let types = members[call.member] else {
      return refuse("UnknownMethod", "the interface has no such method")
    }
    // The values decide, as they were read; their signature is that of the message.
    guard call.arguments.map(\.typeSignature).joined() == types.takes else {
      return refuse(
        "InvalidArgs", "\(call.member) takes \(types.takes.isEmpty ? "nothing" : types.takes)")
    }
    let arguments = call.arguments
    switch (call.interface, call.member) {
    case (Self.shell, "GetInitialResultSet"):
      search(
        Self.text(of: arguments[0]), number, call.sender, .shell, at: now, into: &outputs)
    case (Self.shell, "GetSubsearchResultSet"):
      // The older results do not matter: the core answers from all sentences in no more time.
      search(
        Self.text(of: arguments[1]), number, call.sender, .shell, at: now, into: &outputs)
    case (Self.shell, "GetResultMetas"):
      outputs.append(.reply(number, [metas(of: arguments[0].texts ?? [], call.sender)]))
    case (Self.shell, "ActivateResult"):
      _ = act(on: arguments[0].text ?? "", call.sender, at: now, into: &outputs)
      outputs.append(.reply(number, []))
    case (Self.shell, "LaunchSearch"):
      if !isLocked { outputs.append(.openPage(activationToken: nil)) }
      outputs.append(.reply(number, []))
    case (Self.runner, "Match"):
      search(arguments[0].text ?? "", number, call.sender, .runner, at: now, into: &outputs)
    case (Self.runner, "Actions"): outputs.append(.reply(number, [.array([], of: "(sss)")]))
    case (Self.runner, "Config"): outputs.append(.reply(number, [.dictionary([:])]))
    case (Self.runner, "Teardown"):
      endSearch(call.sender)
      outputs.append(.reply(number, []))
    case (Self.runner, "SetActivationToken"):
      setToken(arguments[0].text ?? "", of: call.sender)
      outputs.append(.reply(number, []))
    case (Self.runner, "Run"):
      _ = act(on: arguments[0].text ?? "", call.sender, at: now, into: &outputs)
      outputs.append(.reply(number, []))
    case (Self.application, "Activate"):
      if !isLocked {
        outputs.append(.openPage(activationToken: Self.token(in: arguments[0])))
      }
      outputs.append(.reply(number, []))
    case (Self.application, "Open"):
      open(
        arguments[0].texts ?? [], number, call.sender, token: Self.token(in: arguments[1]), at: now,
        into: &outputs)
    default: refuse("InvalidArgs", "there is no such action")
    }
  }

  /// The query of GNOME Shell, which splits it at its spaces.
  private static func text(of terms: BusValue) -> String {
    (terms.texts ?? []).joined(separator: " ")
  }

  private static func token(in platformData: BusValue) -> String? {
    activationToken(
      platformData["activation-token"]?.text ?? platformData["desktop-startup-id"]?.text)
  }

  // MARK: - Answers

  /// The answer with no results.
  static func nothing(for asker: Asker) -> [BusValue] { answer([], for: asker) }

  static func answer(_ results: [SearchResult], for asker: Asker) -> [BusValue] {
    switch asker {
    case .shell: [.strings(results.map(\.id))]
    case .runner:
      [
        .array(
          results.enumerated().map { place, result in
            var properties: BusValue = .dictionary([:])
            if !result.description.isEmpty {
              properties = .dictionary(["subtext": .string(result.description)])
            }
            return .structure([
              .string(result.id), .string(result.name), .string(result.icon),
              .int32(result.isExact ? 100 : 30),
              // KRunner orders by this number; it has the best first.
              .double(max(0.1, 0.9 - Double(place) * 0.05)), properties,
            ])
          }, of: "(sssida{sv})")
      ]
    }
  }

  private func metas(of ids: [String], _ sender: String) -> BusValue {
    guard !isLocked else { return .array([], of: "a{sv}") }
    let known = callers[sender]?.results ?? []
    return .array(
      ids.prefix(DesktopLimits.resultCountMax).compactMap { id in
        // One that this process has not found, such as before its start, says what it does.
        guard let result = known.first(where: { $0.id == id }) ?? SearchResult(id: id) else {
          return nil
        }
        return .dictionary([
          "id": .string(result.id), "name": .string(result.name),
          "description": .string(result.description), "gicon": .string(result.icon),
        ])
      }, of: "a{sv}")
  }
}
