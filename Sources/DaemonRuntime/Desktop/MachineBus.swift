import BusMessages
import DaemonCore
import EventLoop
import Glibc
import Timekeeping
import UserBus
import WidgetCenter

/// The services of the machine on the system's bus: logind, UPower, NetworkManager, and the one that
/// sets the time zone.
///
/// | service | what is heard | what becomes of it |
/// |---|---|---|
/// | logind | `PrepareForSleep` | `willSleep`, `didWake`; sleep waits for a descriptor that is kept |
/// | logind | `LockedHint` of the session that has the person's display | `sessionLocked` |
/// | UPower | `OnBattery`, and then `Percentage` | `supplyChanged` |
/// | NetworkManager | `Metered` | `supplyChanged` |
/// | timedate1 | its properties | a look at the zone |
///
/// A service that is absent, dies, hangs or comes back costs what it tells, and one line of the log.
/// When logind is gone for longer than a restart of it takes, the session counts as unlocked, and
/// sleep comes unannounced. No service is started for this.
final class MachineBus {
  /// A service, as the status names it.
  private enum Service: String, CaseIterable {
    case logind
    case power = "upower"
    case network = "networkmanager"

    var busName: String {
      switch self {
      case .logind: "org.freedesktop.login1"
      case .power: "org.freedesktop.UPower"
      case .network: "org.freedesktop.NetworkManager"
      }
    }

    var effect: String {
      switch self {
      case .logind: "sleep comes unannounced, and a locked session is not noticed"
      case .power: "a nearly empty battery is not noticed"
      case .network: "a network that costs is not noticed"
      }
    }
  }

  /// Is called when the time zone may be another one.
  var onZone: () -> Void = {}
  /// Is called when the session is locked or unlocked, beside the event, and when it is first known
  /// that it is neither.
  var onLock: (Bool) -> Void = { _ in }

  private let loop: Loop
  private let userID: UInt32
  private let link: BusLink
  private let log: (LogLine) -> Void
  private let report: (MachineEvent) -> Void
  private let note: (DesktopService) -> Void

  private var noted: [Service: DesktopService.State] = [:]
  private var subscriptions: [BusSubscription] = []
  /// The signals of the objects that a service has now.
  private var ofService: [Service: [BusSubscription]] = [:]
  /// Runs out when logind has been gone for longer than its restart takes.
  private let goneTimer: LoopTimer

  /// Sleep waits while this is kept; `nil`: it does not wait for the daemon.
  private var inhibitor: BusDescriptor?
  private var sessionPath: String?
  private var isLocked = false
  /// Whether logind, or its absence, has said whether the session is locked.
  private var knowsLock = false
  private var supply = MachineSupply()
  /// When UPower was last asked how full the battery is.
  private var askedAt: Instant?

  init(
    loop: Loop, userID: UInt32, address: String, log: @escaping (LogLine) -> Void,
    report: @escaping (MachineEvent) -> Void, note: @escaping (DesktopService) -> Void
  ) {
    self.loop = loop
    self.userID = userID
    self.log = log
    self.report = report
    self.note = note
    link = BusLink(loop: loop, address: address, isSession: false)
    goneTimer = LoopTimer(loop: loop)
  }

  /// Returns the address of the system's bus.
  static func address(environment: (String) -> String?) -> String {
    if let address = environment("DBUS_SYSTEM_BUS_ADDRESS"), !address.isEmpty { return address }
    return "unix:path=/run/dbus/system_bus_socket"
  }

  func start() {
    link.onUp = { [unowned self] in listen(on: $0) }
    link.onDown = { [unowned self] state in
      subscriptions = []
      ofService = [:]
      for service in Service.allCases { lost(service, state) }
    }
    link.start()
  }

  func close() {
    inhibitor = nil
    link.close()
    goneTimer.close()
  }

  // MARK: - Services

  private func listen(on bus: UserBus) {
    do throws(UserBusError) {
      for service in Service.allCases {
        subscriptions.append(
          try bus.watchOwner(of: service.busName) { [unowned self, unowned bus] owner in
            ofService[service]?.forEach { $0.cancel() }
            ofService[service] = nil
            guard owner != nil else {
              return lost(service, .absent(reason: "nobody has the name \(service.busName)"))
            }
            found(service, on: bus)
          })
      }
      let zone = BusSignalRule(
        sender: "org.freedesktop.timedate1", path: "/org/freedesktop/timedate1",
        interface: Self.properties, member: "PropertiesChanged")
      subscriptions.append(try bus.onSignal(zone) { [unowned self] _ in onZone() })
    } catch {
      for service in Service.allCases { become(service, .failing(reason: error.message)) }
    }
  }

  private func found(_ service: Service, on bus: UserBus) {
    do throws(UserBusError) {
      switch service {
      case .logind: try followLogind(on: bus)
      case .power: try followPower(on: bus)
      case .network: try followNetwork(on: bus)
      }
    } catch {
      become(service, .failing(reason: error.message))
    }
  }

  private func lost(_ service: Service, _ state: DesktopService.State) {
    let wasThere = noted[service] == .connected
    become(service, state)
    switch service {
    case .logind:
      inhibitor = nil
      sessionPath = nil
      // Its restart takes a moment, in which a locked session stays locked.
      let latest = loop.readNow().monotonic.advanced(byMilliseconds: RuntimeLimits.logindGoneMax)
      if isLocked {
        goneTimer.arm(at: latest) { [unowned self] in setLocked(false) }
      } else {
        setLocked(false)
      }
      // Its end of the sleep would not come.
      if wasThere { report(.didWake) }
    case .power: change { $0 = MachineSupply(isMetered: $0.isMetered) }
    case .network: change { $0.isMetered = false }
    }
  }

  /// Notes the state, and logs it when a service that was there fails.
  private func become(_ service: Service, _ state: DesktopService.State) {
    guard noted[service] != state else { return }
    let before = noted.updateValue(state, forKey: service)
    note(DesktopService(name: service.rawValue, state: state))
    switch (before, state) {
    case (.connected?, .absent(let reason)), (.connected?, .failing(let reason)),
      (nil, .failing(let reason)):
      log(
        LogLine(
          .notice, "machine.unheard",
          ["service": service.rawValue, "reason": reason, "effect": service.effect]))
    default: break
    }
  }

  private static let properties = "org.freedesktop.DBus.Properties"

  /// Asks a service, and says whether it answers.
  private func ask(
    _ service: Service, _ request: BusRequest, on bus: UserBus,
    then take: @escaping ([BusValue]) -> Void
  ) throws(UserBusError) {
    var request = request
    request.startsService = false
    request.timeout = RuntimeLimits.machineAnswerMax
    try bus.call(request) { [unowned self] answer in
      switch answer {
      case .answered(let values):
        become(service, .connected)
        take(values)
      case .refused(_, let message):
        become(
          service,
          .failing(reason: answer.isLate ? "\(service.busName) does not answer" : message))
        // Nobody else will say it.
        if service == .logind, !knowsLock { setLocked(false) }
      }
    }
  }

  private func hear(
    _ service: Service, _ path: String, _ interface: String, _ member: String, on bus: UserBus,
    _ heard: @escaping (BusSignal) -> Void
  ) throws(UserBusError) {
    ofService[service, default: []].append(
      try bus.onSignal(
        BusSignalRule(
          sender: service.busName, path: path, interface: interface, member: member), heard))
  }

  // MARK: - logind

  private static let loginPath = "/org/freedesktop/login1"

  private func followLogind(on bus: UserBus) throws(UserBusError) {
    goneTimer.disarm()
    try hear(
      .logind, Self.loginPath, "org.freedesktop.login1.Manager", "PrepareForSleep", on: bus
    ) { [unowned self, unowned bus] signal in
      guard let isComing = signal.arguments.first?.boolean else { return }
      if isComing {
        report(.willSleep)
      } else {
        report(.didWake)
        takeInhibitor(on: bus)
      }
    }
    takeInhibitor(on: bus)
    try ask(
      .logind,
      BusRequest(
        Service.logind.busName, Self.loginPath, "org.freedesktop.login1.Manager", "GetUser",
        [.uint32(userID)]), on: bus
    ) { [unowned self, unowned bus] values in
      guard let path = values.first?.text else { return }
      followUser(path, on: bus)
    }
  }

  /// Lets sleep wait until everything is written.
  private func takeInhibitor(on bus: UserBus) {
    attempt(.logind) { [unowned self] () throws(UserBusError) in
      try ask(
        .logind,
        BusRequest(
          Service.logind.busName, Self.loginPath, "org.freedesktop.login1.Manager", "Inhibit",
          [
            .string("sleep"), .string("intentd"), .string("write what is not on disk yet"),
            .string("delay"),
          ]), on: bus
      ) { [unowned self] values in
        if case .descriptor(let descriptor)? = values.first { inhibitor = descriptor }
      }
    }
  }

  /// Lets the machine sleep: everything is on disk.
  func letSleep() { inhibitor = nil }

  /// Follows the session that has the person's display, which may be another one later.
  ///
  /// A service of the user manager is in no session, so the user is asked which one it is.
  private func followUser(_ path: String, on bus: UserBus) {
    let look = { [unowned self, unowned bus] in
      attempt(.logind) { [unowned self] () throws(UserBusError) in
        try ask(
          .logind,
          .property("Display", of: "org.freedesktop.login1.User", Service.logind.busName, path),
          on: bus
        ) { [unowned self, unowned bus] values in
          guard case .structure(let members)? = values.first?.unwrapped, members.count == 2,
            let id = members[0].text, let session = members[1].text
          else { return }
          follow(session: id.isEmpty ? nil : session, on: bus)
        }
      }
    }
    attempt(.logind) { [unowned self] () throws(UserBusError) in
      try hear(.logind, path, Self.properties, "PropertiesChanged", on: bus) { _ in look() }
    }
    look()
  }

  private func follow(session path: String?, on bus: UserBus) {
    guard let path else {
      sessionPath = nil
      return setLocked(false)
    }
    guard path != sessionPath else { return }
    sessionPath = path
    let look = { [unowned self, unowned bus] in
      attempt(.logind) { [unowned self] () throws(UserBusError) in
        try ask(
          .logind,
          .property(
            "LockedHint", of: "org.freedesktop.login1.Session", Service.logind.busName, path),
          on: bus
        ) { [unowned self] values in
          guard path == sessionPath, let isLocked = values.first?.unwrapped.boolean else { return }
          setLocked(isLocked)
        }
      }
    }
    attempt(.logind) { [unowned self] () throws(UserBusError) in
      try hear(.logind, path, Self.properties, "PropertiesChanged", on: bus) { _ in
        look()
      }
    }
    look()
  }

  private func setLocked(_ new: Bool) {
    guard new != isLocked || !knowsLock else { return }
    let isChange = new != isLocked
    (isLocked, knowsLock) = (new, true)
    onLock(new)
    if isChange { report(.sessionLocked(new)) }
  }

  // MARK: - Power and price

  private static let powerPath = "/org/freedesktop/UPower"

  private func followPower(on bus: UserBus) throws(UserBusError) {
    let look = { [unowned self, unowned bus] in
      attempt(.power) { [unowned self] () throws(UserBusError) in
        try ask(
          .power,
          .property("OnBattery", of: Service.power.busName, Service.power.busName, Self.powerPath),
          on: bus
        ) { [unowned self] values in
          guard let isOnBattery = values.first?.unwrapped.boolean else { return }
          change { $0.isOnBattery = isOnBattery }
          askedAt = nil
          lookAtBattery()
        }
      }
    }
    try hear(.power, Self.powerPath, Self.properties, "PropertiesChanged", on: bus) { _ in look() }
    look()
  }

  /// Asks how full the battery is, if the machine runs on it and nobody asked for a while.
  ///
  /// UPower tells it twice a minute, which would wake an idle daemon; so it is asked in turns that
  /// something else causes.
  func lookAtBattery() {
    guard supply.isOnBattery, let bus = link.bus else { return }
    let now = loop.readNow().monotonic
    if let askedAt, now.milliseconds(since: askedAt) < RuntimeLimits.batteryLookInterval { return }
    askedAt = now
    attempt(.power) { [unowned self] () throws(UserBusError) in
      try ask(
        .power,
        .property(
          "Percentage", of: "org.freedesktop.UPower.Device", Service.power.busName,
          Self.powerPath + "/devices/DisplayDevice"), on: bus
      ) { [unowned self] values in
        guard let percent = values.first?.unwrapped.number else { return }
        change { $0.batteryPercent = percent }
      }
    }
  }

  private func followNetwork(on bus: UserBus) throws(UserBusError) {
    let path = "/org/freedesktop/NetworkManager"
    let look = { [unowned self, unowned bus] in
      attempt(.network) { [unowned self] () throws(UserBusError) in
        try ask(
          .network,
          .property("Metered", of: Service.network.busName, Service.network.busName, path), on: bus
        ) { [unowned self] values in
          guard let metered = values.first?.unwrapped.integer else { return }
          // NMMetered: 1 is yes, 3 a guess that it is.
          change { $0.isMetered = metered == 1 || metered == 3 }
        }
      }
    }
    try hear(.network, path, Self.properties, "PropertiesChanged", on: bus) { _ in look() }
    look()
  }

  private func change(_ body: (inout MachineSupply) -> Void) {
    var new = supply
    body(&new)
    guard new != supply else { return }
    supply = new
    report(.supplyChanged(new))
  }

  private func attempt(_ service: Service, _ body: () throws(UserBusError) -> Void) {
    do throws(UserBusError) {
      try body()
    } catch {
      become(service, .failing(reason: error.message))
    }
  }
}
