package import BusMessages
import Glibc

/// The user manager, which starts services and knows the variables of the session.
extension UserBus {
  private static let manager = "org.freedesktop.systemd1"
  private static let managerPath = "/org/freedesktop/systemd1"
  private static let managerInterface = "org.freedesktop.systemd1.Manager"

  /// A service to start.
  ///
  /// Its arguments reach the program byte for byte.
  package struct Service {
    package var name: String
    package var description: String
    /// An absolute path.
    package var program: String
    package var arguments: [String]
    /// An absolute path.
    package var workingDirectory: String
    /// Variables beside those of the user manager.
    package var environment: [(String, String)]
    /// The desktop entry, an absolute path; empty: there is none.
    package var source: String

    package init(
      name: String, description: String, program: String, arguments: [String],
      workingDirectory: String, environment: [(String, String)], source: String
    ) {
      self.name = name
      self.description = description
      self.program = program
      self.arguments = arguments
      self.workingDirectory = workingDirectory
      self.environment = environment
      self.source = source
    }

    /// Its properties, as `StartTransientUnit` takes them.
    fileprivate var properties: BusValue {
      let command: BusValue = .structure([
        .string(program), .strings(arguments), .strings(["no-env-expand"]),
      ])
      var properties: [(key: String, value: BusValue)] = [

        ("Description", .string(description)), ("Slice", .string("app.slice")),
        ("Type", .string("exec")), ("ExitType", .string("cgroup")),
        ("CollectMode", .string("inactive-or-failed")),
        ("WorkingDirectory", .string(workingDirectory)),
        ("Environment", .strings(environment.map { "\($0.0)=\($0.1)" })),
        // With this flag it expands neither `$` nor `%`; ExecStart would.
        ("ExecStartEx", .array([command], of: "(sasas)")),
      ]
      if !source.isEmpty { properties.append(("SourcePath", .string(source))) }
      return .array(
        properties.map { .structure([.string($0.key), .variant($0.value)]) }, of: "(sv)")
    }
  }

  /// Hears when a job of the user manager has ended: its unit, and `done` or another result.
  package func hearJobs(
    _ ended: @escaping (_ unit: String, _ result: String) -> Void
  ) throws(UserBusError) {
    // Lasts as long as the connection.
    _ = try onSignal(
      BusSignalRule(
        sender: Self.manager, path: Self.managerPath, interface: Self.managerInterface,
        member: "JobRemoved")
    ) { signal in
      guard signal.arguments.count == 4, let unit = signal.arguments[2].text,
        let result = signal.arguments[3].text
      else { return }
      ended(unit, result)
    }
    // Without this call the manager sends no signals.
    try call(request("Subscribe")) { _ in }
  }

  /// Asks the user manager to start a service in `app.slice`.
  ///
  /// The answer says that it will try; `hearJobs` says how that ended.
  package func start(
    _ service: Service, then answer: @escaping (BusAnswer) -> Void
  ) throws(UserBusError) {
    let noOtherUnits = BusValue.array([], of: "(sa(sv))")
    try call(
      request(
        "StartTransientUnit",
        [.string(service.name), .string("fail"), service.properties, noOtherUnits]),
      then: answer)
  }

  /// Asks for the main process of a service of the user manager; `nil`: it has none any more.
  package func mainProcess(
    of unit: String, then done: @escaping (Int32?) -> Void
  ) throws(UserBusError) {
    let path = "\(Self.managerPath)/unit/\(Self.pathElement(unit))"
    let property = BusRequest.property(
      "MainPID", of: "org.freedesktop.systemd1.Service", Self.manager, path)
    try call(property) { answer in
      guard case .answered(let values) = answer, let number = values.first?.unwrapped.integer
      else { return done(nil) }
      done(Int32(exactly: number).flatMap { $0 > 0 ? $0 : nil })
    }
  }

  /// Asks for the variables of the user manager, each as `NAME=value`, without those that have a
  /// line break; there are none when nobody answers.
  package func environment(
    then done: @escaping ([String]) -> Void
  ) throws(UserBusError) {
    var property = BusRequest.property(
      "Environment", of: Self.managerInterface, Self.manager, Self.managerPath)
    property.limits.bytesMax = 256 << 10
    try call(property) { answer in
      guard case .answered(let values) = answer else { return done([]) }
      done((values.first?.unwrapped.texts ?? []).filter { !$0.contains("\n") })
    }
  }

  /// Opens a URL in the application that has this name on the bus, which starts it if need be;
  /// without a URL the application comes to the front.
  package func open(
    application name: String, url: String?, token: String?,
    then answer: @escaping (BusAnswer) -> Void
  ) throws(UserBusError) {
    let path = "/" + name.map { $0 == "." ? "/" : $0 == "-" ? "_" : String($0) }.joined()
    // Both names of the token: the second is the one of X11.
    let platformData: BusValue =
      token.map {
        .dictionary(["activation-token": .string($0), "desktop-startup-id": .string($0)])
      } ?? .dictionary([:])
    try call(
      BusRequest(
        name, path, "org.freedesktop.Application", url == nil ? "Activate" : "Open",
        (url.map { [.strings([$0])] } ?? []) + [platformData]),
      then: answer)
  }

  private func request(_ member: String, _ arguments: [BusValue] = []) -> BusRequest {
    BusRequest(Self.manager, Self.managerPath, Self.managerInterface, member, arguments)
  }

  /// Writes a name as an element of an object's path, as systemd does: other characters than ASCII
  /// letters and digits, and a digit at the beginning, as `_` and two hexadecimal digits.
  static func pathElement(_ name: String) -> String {
    guard !name.isEmpty else { return "_" }
    var element = ""
    for (index, byte) in name.utf8.enumerated() {
      let scalar = Unicode.Scalar(byte)
      switch scalar {
      case "a"..."z", "A"..."Z": element.unicodeScalars.append(scalar)
      case "0"..."9" where index > 0: element.unicodeScalars.append(scalar)
      default:
        let digits = String(byte, radix: 16)
        element += "_" + (digits.count < 2 ? "0" : "") + digits
      }
    }
    return element
  }
}

/// NetworkManager, on the system's bus.
extension UserBus {
  /// Asks whether the network costs: the number of NetworkManager's property `Metered`.
  ///
  /// Source: NMMetered of NetworkManager: 1 is yes, 3 a guess that it is. One that does not run is
  /// not started for it.
  package func metered(then done: @escaping (Int64?) -> Void) throws(UserBusError) {
    var property = BusRequest.property(
      "Metered", of: "org.freedesktop.NetworkManager", "org.freedesktop.NetworkManager",
      "/org/freedesktop/NetworkManager")
    property.startsService = false
    try call(property) { answer in
      guard case .answered(let values) = answer else { return done(nil) }
      done(values.first?.unwrapped.integer)
    }
  }
}
