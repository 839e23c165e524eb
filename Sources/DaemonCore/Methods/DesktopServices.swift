import JSON

/// A service of the desktop that the shell speaks to, and whether it can.
///
/// One that is absent costs what it does, and nothing else; the status says so.
package struct DesktopService: Hashable, Sendable {
  package enum State: Hashable, Sendable {
    case connected
    /// There is none on this machine, or none yet.
    case absent(reason: String)
    /// It was there, or something is wrong with it.
    case failing(reason: String)
  }

  /// A word for what it does here, such as `search`.
  package var name: String
  package var state: State

  package init(name: String, state: State) {
    self.name = name
    self.state = state
  }

  fileprivate var view: JSONObject {
    switch state {
    case .connected: ["name": .string(name), "state": "connected"]
    case .absent(let reason):
      ["name": .string(name), "state": "absent", "reason": .string(reason)]
    case .failing(let reason):
      ["name": .string(name), "state": "failing", "reason": .string(reason)]
    }
  }
}

/// The services that were noted, in the order of their names.
struct DesktopServices: Sendable {
  private var services: [DesktopService] = []

  var view: [JSONValue] { services.map { .object($0.view) } }

  mutating func note(_ service: DesktopService) {
    services.removeAll { $0.name == service.name }
    services.append(service)
    services.sort { $0.name < $1.name }
  }
}

extension Daemon {
  /// Notes whether a service is connected; no decision depends on it.
  package mutating func note(_ service: DesktopService) { services.note(service) }
}
