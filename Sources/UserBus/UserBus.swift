import CUserBus
package import EventLoop
import Glibc
import Timekeeping

/// A connection to a bus, on the loop.
///
/// On the person's session bus it starts services of the user manager, asks for its variables, and
/// opens applications; on the system's it asks whether the network costs.
///
/// It belongs to the loop's thread. Each call of a method is answered exactly once, in a later
/// iteration of the loop, unless the connection is lost or closed before: then `onLost` is called,
/// or nothing is.
@safe
package final class UserBus {
  /// The answer to one call.
  package enum Answer: Hashable, Sendable {
    /// `text` is the number that was asked for, or lines, else empty.
    case answered(text: String)
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

  /// Is called when a job of the user manager has ended: its unit, and `done` or another result.
  package var onJobEnded: ((_ unit: String, _ result: String) -> Void)?
  /// Is called once when the connection ends by itself; it is closed then.
  package var onLost: ((_ reason: String) -> Void)?

  private let loop: Loop
  private var bus: OpaquePointer?
  private var watcher: DescriptorWatcher?
  private let timer: LoopTimer
  private var lastNumber: UInt64 = 0
  private var waiting: [UInt64: (Answer) -> Void] = [:]
  /// Whether libsystemd handles a message now; it must not be entered again, nor be closed.
  private var isPumping = false
  /// Whether `close` was called meanwhile.
  private var isEnding = false

  /// Messages handled before the loop gets its turn, so that a flood on the bus cannot keep it.
  private static let messageCountMax = 64

  /// Begins to connect to a bus at an address in D-Bus' own syntax (`unix:path=…`).
  ///
  /// `isSession` is false for a bus without a user manager, such as the system's. Fails if there is
  /// no libsystemd, or nobody listens there.
  package init(loop: Loop, address: String, isSession: Bool = true) throws(UserBusError) {
    self.loop = loop
    timer = LoopTimer(loop: loop)
    let handler: cuserbus_handler = { context, event, number, name, text in
      guard let context = unsafe context else { return }
      let owner = unsafe Unmanaged<UserBus>.fromOpaque(context).takeUnretainedValue()
      owner.heard(
        event, number, name: unsafe String(cString: name), text: unsafe String(cString: text))
    }
    var opened: OpaquePointer?
    let status = unsafe cuserbus_open(
      address, isSession, handler, Unmanaged.passUnretained(self).toOpaque(), &opened)
    guard status >= 0, let opened = unsafe opened else {
      timer.close()
      throw UserBusError(
        status: status, "the \(isSession ? "session" : "system") bus cannot be reached")
    }
    unsafe bus = opened
    pump()
  }

  deinit { precondition(unsafe bus == nil, "a bus was dropped before it was closed") }

  /// Ends the connection; calls under way are not answered.
  package func close() {
    waiting = [:]
    onJobEnded = nil
    onLost = nil
    guard !isPumping else {
      isEnding = true
      return
    }
    guard let old = unsafe bus else { return }
    unsafe bus = nil
    // Before the connection: the loop must not watch a descriptor that is closed.
    watcher?.close()
    watcher = nil
    timer.close()
    unsafe cuserbus_close(old)
  }

  // MARK: - Calls

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
    /// The desktop entry; an absolute path.
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
  }

  /// Asks the user manager to start a service in `app.slice`.
  ///
  /// The answer says that it will try; `onJobEnded` says how that ended.
  package func start(
    _ service: Service, then answer: @escaping (Answer) -> Void
  ) throws(UserBusError) {
    let arguments = CStrings(service.arguments)
    let environment = CStrings(service.environment.map { "\($0.0)=\($0.1)" })
    try unsafe call("start \(service.program)", answer) { bus, number in
      unsafe service.name.withCString { name in
        unsafe service.description.withCString { description in
          unsafe service.program.withCString { program in
            unsafe service.workingDirectory.withCString { directory in
              unsafe service.source.withCString { source in
                var unit = unsafe cuserbus_unit(
                  name: name, description: description, program: program,
                  arguments: arguments.pointers, directory: directory,
                  environment: environment.pointers, source: source)
                return unsafe cuserbus_start_unit(bus, &unit, number)
              }
            }
          }
        }
      }
    }
  }

  /// Asks for the main process of a service of the user manager.
  package func mainProcess(
    of unit: String, then answer: @escaping (Answer) -> Void
  ) throws(UserBusError) {
    try unsafe call("ask for \(unit)", answer) { bus, number in
      unsafe cuserbus_main_process(bus, unit, number)
    }
  }

  /// Asks for the variables of the user manager: the answer has a line `NAME=value` for each,
  /// except those with a line break.
  package func environment(then answer: @escaping (Answer) -> Void) throws(UserBusError) {
    try unsafe call("ask for the variables of the session", answer) { bus, number in
      unsafe cuserbus_environment(bus, number)
    }
  }

  /// Opens a URL in the application that has this name on the bus, which starts it if need be;
  /// without a URL the application comes to the front.
  package func open(
    application name: String, url: String?, token: String?, then answer: @escaping (Answer) -> Void
  ) throws(UserBusError) {
    let path = "/" + name.map { $0 == "." ? "/" : $0 == "-" ? "_" : String($0) }.joined()
    try unsafe call("open \(name)", answer) { bus, number in
      unsafe cuserbus_open_application(bus, name, path, url, token, number)
    }
  }

  /// Asks NetworkManager whether the network costs: the answer has the number of its property
  /// `Metered`.
  ///
  /// Source: NMMetered of NetworkManager: 1 is yes, 3 a guess that it is.
  package func metered(then answer: @escaping (Answer) -> Void) throws(UserBusError) {
    try unsafe call("ask NetworkManager", answer) { bus, number in
      unsafe cuserbus_metered(bus, number)
    }
  }

  private func call(
    _ what: String, _ answer: @escaping (Answer) -> Void,
    _ send: (OpaquePointer, UInt64) -> Int32
  ) throws(UserBusError) {
    guard !isEnding, let bus = unsafe bus else {
      throw UserBusError(status: -ENOTCONN, "cannot \(what)")
    }
    lastNumber += 1
    let status = unsafe send(bus, lastNumber)
    guard status >= 0 else { throw UserBusError(status: status, "cannot \(what)") }
    waiting[lastNumber] = answer
    if !isPumping { rearm() }
  }

  // MARK: - Messages

  private func heard(_ event: cuserbus_event, _ number: UInt64, name: String, text: String) {
    switch event {
    case CUSERBUS_ANSWERED: waiting.removeValue(forKey: number)?(.answered(text: text))
    case CUSERBUS_REFUSED:
      waiting.removeValue(forKey: number)?(.refused(name: name, message: text))
    case CUSERBUS_JOB_ENDED: onJobEnded?(name, text)
    default: break
    }
  }

  private func pump() {
    isPumping = true
    var status: Int32 = 1
    var count = 0
    while count < Self.messageCountMax, status > 0, !isEnding, let bus = unsafe bus {
      status = unsafe cuserbus_process(bus)
      count += 1
    }
    isPumping = false
    if isEnding {
      close()
    } else if status < 0 {
      lose(status)
    } else {
      rearm(isSoon: status > 0)
    }
  }

  private func rearm(isSoon: Bool = false) {
    guard let bus = unsafe bus else { return }
    var wait = cuserbus_wait()
    let status = unsafe cuserbus_wait(bus, &wait)
    guard status >= 0 else { return lose(status) }
    do throws(LoopError) {
      if watcher == nil {
        watcher = try DescriptorWatcher(
          loop: loop, descriptor: wait.descriptor, isOwner: false
        ) { [unowned self] in pump() }
      }
    } catch {
      return lose(-error.errno)
    }
    watcher?.resume(forReading: wait.readable, forWriting: wait.writable)
    if isSoon {
      timer.arm(at: loop.readNow().monotonic) { [unowned self] in pump() }
    } else if wait.deadline < UInt64(Int64.max) / 1_000 {
      timer.arm(at: Instant(nanoseconds: Int64(wait.deadline) * 1_000)) { [unowned self] in pump() }
    } else {
      timer.disarm()
    }
  }

  private func lose(_ status: Int32) {
    let reason = UserBusError(status: status, "the session bus is gone").message
    let onLost = onLost
    close()
    onLost?(reason)
  }
}

/// An error of the session bus, in words for a person.
package struct UserBusError: Error, Sendable {
  package var message: String

  init(status: Int32, _ what: String) {
    let reason =
      status == -ENOSYS
      ? "libsystemd.so.0 is not installed" : unsafe String(cString: strerror(-status))
    message = "\(what): \(reason)"
  }
}

/// A NULL-terminated list of C strings, freed with this object.
@safe
private final class CStrings {
  let pointers: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
  private let count: Int

  init(_ strings: [String]) {
    count = strings.count
    unsafe pointers = .allocate(capacity: count + 1)
    for (index, string) in strings.enumerated() { unsafe pointers[index] = strdup(string) }
    unsafe pointers[count] = nil
  }

  deinit {
    for index in 0..<count { unsafe free(pointers[index]) }
    unsafe pointers.deallocate()
  }
}
