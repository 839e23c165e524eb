/// A method to call on a bus.
package struct BusRequest: Hashable, Sendable {
  package var destination: String
  package var path: String
  package var interface: String
  package var member: String
  package var arguments: [BusValue]
  /// Whether the bus may start the service that has the name.
  package var startsService = true
  /// Whether the callee is to answer; if not, nobody hears what became of the call.
  package var wantsAnswer = true
  /// Milliseconds until the answer counts as lost.
  ///
  /// Starting an application over the bus may start its whole toolkit first.
  package var timeout: Int64 = 20_000
  /// The limits of the answer.
  package var limits = BusLimits()

  package init(
    _ destination: String, _ path: String, _ interface: String, _ member: String,
    _ arguments: [BusValue] = []
  ) {
    self.destination = destination
    self.path = path
    self.interface = interface
    self.member = member
    self.arguments = arguments
  }

  /// A method of the bus itself.
  package static func ofBus(_ member: String, _ arguments: [BusValue] = []) -> BusRequest {
    BusRequest(
      "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", member, arguments)
  }

  /// Reads a property; its answer has a variant.
  package static func property(
    _ name: String, of interface: String, _ destination: String, _ path: String
  ) -> BusRequest {
    BusRequest(
      destination, path, "org.freedesktop.DBus.Properties", "Get",
      [.string(interface), .string(name)])
  }
}

/// The answer to a call.
package enum BusAnswer: Hashable, Sendable {
  case answered([BusValue])
  /// `name` is the error's name on the bus, such as `org.freedesktop.DBus.Error.ServiceUnknown`.
  case refused(name: String, message: String)

  /// Whether nobody has the name that was called, so that nothing was done.
  package var isFromNobody: Bool {
    guard case .refused(let name, _) = self else { return false }
    return name == "org.freedesktop.DBus.Error.ServiceUnknown"
      || name == "org.freedesktop.DBus.Error.NameHasNoOwner"
  }

  /// Whether no answer came in time, so that it is unknown what was done.
  package var isLate: Bool {
    guard case .refused(let name, _) = self else { return false }
    return name == "org.freedesktop.DBus.Error.NoReply"
      || name == "org.freedesktop.DBus.Error.Timeout"
  }
}

/// A call that somebody on the bus made to an object of ours.
package struct BusInvocation: Hashable, Sendable {
  /// The unique name of the caller's connection, such as `:1.42`.
  package var sender: String
  package var path: String
  /// Empty: the caller named none.
  package var interface: String
  package var member: String
  package var signature: String
  package var arguments: [BusValue]
  package var expectsAnswer: Bool

  package init(
    sender: String, path: String, interface: String, member: String, signature: String = "",
    arguments: [BusValue] = [], expectsAnswer: Bool = true
  ) {
    self.sender = sender
    self.path = path
    self.interface = interface
    self.member = member
    self.signature = signature
    self.arguments = arguments
    self.expectsAnswer = expectsAnswer
  }
}

/// The signals that are heard; a member that is `nil` may have any value.
package struct BusSignalRule: Hashable, Sendable {
  package var sender: String?
  package var path: String?
  package var interface: String?
  package var member: String?
  /// The first argument, if it is a string.
  package var firstArgument: String?

  package init(
    sender: String? = nil, path: String? = nil, interface: String? = nil, member: String? = nil,
    firstArgument: String? = nil
  ) {
    self.sender = sender
    self.path = path
    self.interface = interface
    self.member = member
    self.firstArgument = firstArgument
  }

  /// The rule as the bus reads it; `nil`: a member has a quotation mark, which no name has.
  package var text: String? {
    var text = "type='signal'"
    for (key, value) in [
      ("sender", sender), ("path", path), ("interface", interface), ("member", member),
      ("arg0", firstArgument),
    ] {
      guard let value else { continue }
      guard !value.utf8.contains(UInt8(ascii: "'")) else { return nil }
      text += ",\(key)='\(value)'"
    }
    return text
  }
}

/// A signal that came.
package struct BusSignal: Hashable, Sendable {
  package var sender: String
  package var path: String
  package var interface: String
  package var member: String
  package var arguments: [BusValue]

  package init(
    sender: String, path: String, interface: String, member: String, arguments: [BusValue]
  ) {
    self.sender = sender
    self.path = path
    self.interface = interface
    self.member = member
    self.arguments = arguments
  }
}
