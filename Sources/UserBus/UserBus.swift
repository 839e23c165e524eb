package import BusMessages
import CUserBus
package import EventLoop
import Glibc
import Timekeeping

/// A connection to a bus, on the loop: it calls methods, hears signals, and serves objects.
///
/// It belongs to the loop's thread. Each call of a method is answered exactly once, in a later
/// iteration of the loop, unless the connection is closed before. A bus that goes away refuses the
/// calls under way (`NoReply`), and then `onLost` is called.
@safe
package final class UserBus {
  /// Is called once when the connection ends by itself; it is closed then.
  package var onLost: ((_ reason: String) -> Void)?

  private let loop: Loop
  private let name: String
  private var bus: OpaquePointer?
  private var watcher: DescriptorWatcher?
  private let timer: LoopTimer
  /// Numbers calls, rules and served paths, together.
  private var lastNumber: UInt64 = 0
  private var waiting: [UInt64: (limits: BusLimits, answer: (BusAnswer) -> Void)] = [:]
  private var heardSignals: [UInt64: (sender: String?, handler: (BusSignal) -> Void)] = [:]
  /// The owners of the names whose signals are heard; `nil`: nobody has the name, or it is not known
  /// yet.
  private var owners: [String: String?] = [:]
  private var served: [UInt64: BusService] = [:]
  private var slots: [UInt64: BusSlot] = [:]
  private(set) lazy var callers = BusCallers(bus: self, userID: userID)
  private let userID: UInt32
  /// Calls of others that are not answered yet.
  var heldCallCount = 0
  /// Whether libsystemd handles a message now; it must not be entered again, nor be closed.
  private var isPumping = false
  /// Whether `close` was called meanwhile.
  private var isEnding = false

  /// Messages handled before the loop gets its turn, so that a flood on the bus cannot keep it.
  private static let messageCountMax = 64
  /// Calls of others that wait for an answer; more are refused.
  private static let heldCallCountMax = 256

  /// Begins to connect to a bus at an address in D-Bus' own syntax (`unix:path=…`).
  ///
  /// `isSession` is false for the system's bus. `userID` is the user whose calls are answered. Fails
  /// if there is no libsystemd, or nobody listens there.
  package init(
    loop: Loop, address: String, isSession: Bool = true, userID: UInt32 = getuid()
  ) throws(UserBusError) {
    self.loop = loop
    self.userID = userID
    name = isSession ? "the session bus" : "the system bus"
    timer = LoopTimer(loop: loop)
    let handler: cuserbus_handler = { context, event, number, message in
      guard let context = unsafe context else { return }
      let owner = unsafe Unmanaged<UserBus>.fromOpaque(context).takeUnretainedValue()
      unsafe owner.heard(event, number, message)
    }
    var opened: OpaquePointer?
    let status = unsafe cuserbus_open(
      address, handler, Unmanaged.passUnretained(self).toOpaque(), &opened)
    guard status >= 0, let opened = unsafe opened else {
      timer.close()
      throw UserBusError(status: status, "\(name) cannot be reached")
    }
    unsafe bus = opened
    pump()
  }

  deinit { precondition(unsafe bus == nil, "a bus was dropped before it was closed") }

  /// Ends the connection; calls under way are not answered.
  package func close() {
    waiting = [:]
    heardSignals = [:]
    owners = [:]
    served = [:]
    callers.forgetAll()
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
    for slot in slots.values { slot.cancel() }
    slots = [:]
    unsafe cuserbus_close(old)
  }

  // MARK: - Calling

  /// Calls a method; the answer comes later, if one is wanted.
  package func call(
    _ request: BusRequest, then answer: @escaping (BusAnswer) -> Void
  ) throws(UserBusError) {
    let bus = try unsafe open(to: "call \(request.member) of \(request.destination)")
    var made: OpaquePointer?
    var status = unsafe cuserbus_new_call(
      bus, request.destination, request.path, request.interface, request.member,
      request.startsService, &made)
    if status >= 0, let message = unsafe made {
      lastNumber += 1
      status = unsafe BusWriter.append(request.arguments, to: message)
      if status >= 0, request.wantsAnswer {
        status = unsafe cuserbus_send_call(
          bus, message, lastNumber, UInt64(max(1, request.timeout)) * 1_000)
      } else if status >= 0 {
        status = unsafe cuserbus_want_no_answer(message)
        if status >= 0 { status = unsafe cuserbus_send(bus, message) }
      }
      unsafe cuserbus_drop(message)
    }
    guard status >= 0 else {
      throw UserBusError(
        status: status, "\(request.member) of \(request.destination) cannot be called")
    }
    if request.wantsAnswer { waiting[lastNumber] = (request.limits, answer) }
    if !isPumping { rearm() }
  }

  // MARK: - Hearing

  /// Calls `handler` with each signal of a rule, until the subscription is cancelled.
  ///
  /// Signals are heard as soon as the bus knows the rule: later than this call, and before the
  /// answer to any call that is made after it.
  package func onSignal(
    _ rule: BusSignalRule, _ handler: @escaping (BusSignal) -> Void
  ) throws(UserBusError) -> BusSubscription {
    let bus = try unsafe open(to: "hear signals")
    guard let text = rule.text else {
      throw UserBusError(status: -EINVAL, "signals cannot be heard")
    }
    lastNumber += 1
    var slot: OpaquePointer?
    let status = unsafe cuserbus_match(bus, text, lastNumber, &slot)
    guard status >= 0, let slot = unsafe slot else {
      throw UserBusError(status: status, "signals cannot be heard")
    }
    slots[lastNumber] = unsafe BusSlot(slot)
    heardSignals[lastNumber] = (rule.sender, handler)
    let subscription = BusSubscription(bus: self, number: lastNumber)
    if let name = rule.sender { try learnOwner(of: name) }
    if !isPumping { rearm() }
    return subscription
  }

  private static let busName = "org.freedesktop.DBus"

  /// Learns who has a name, from now on.
  private func learnOwner(of name: String) throws(UserBusError) {
    guard name != Self.busName, !name.hasPrefix(":"), owners[name] == nil else { return }
    owners[name] = .some(nil)
    _ = try watchOwner(of: name) { [unowned self] in owners[name] = .some($0) }
  }

  /// Whether a signal is from who has the name of a rule.
  ///
  /// The rule alone does not say so: whoever sends a signal to this connection alone is heard by
  /// every rule, and the bus lets all users do that.
  private func isHeard(from sender: String, by name: String?) -> Bool {
    guard let name, name != Self.busName, !name.hasPrefix(":") else {
      return name == nil || name == sender
    }
    return owners[name] == .some(sender)
  }

  /// Calls `changed` with the owner of a name, or `nil`: once when it is known, and whenever it
  /// changes.
  package func watchOwner(
    of name: String, _ changed: @escaping (_ owner: String?) -> Void
  ) throws(UserBusError) -> BusSubscription {
    let rule = BusSignalRule(
      sender: "org.freedesktop.DBus", path: "/org/freedesktop/DBus",
      interface: "org.freedesktop.DBus", member: "NameOwnerChanged", firstArgument: name)
    let subscription = try onSignal(rule) { signal in
      guard signal.arguments.count == 3, let owner = signal.arguments[2].text else { return }
      changed(owner.isEmpty ? nil : owner)
    }
    let number = subscription.number
    try call(.ofBus("GetNameOwner", [.string(name)])) { [unowned self] answer in
      guard heardSignals[number] != nil else { return }
      if case .answered(let values) = answer { changed(values.first?.text) } else { changed(nil) }
    }
    return subscription
  }

  func cancel(_ number: UInt64) {
    heardSignals[number] = nil
    guard let slot = slots.removeValue(forKey: number) else { return }
    slot.cancel()
    if !isPumping { rearm() }
  }

  // MARK: - Serving

  /// Answers the calls of this user to the objects at `path` and below it.
  ///
  /// Calls of other users are refused. `introspection` describes an object of a path in XML;
  /// `callerLeft` is called with the name of a caller that has gone from the bus.
  package func serve(
    _ path: String, introspection: @escaping (_ path: String) -> String,
    handler: @escaping (BusCall) -> Void,
    callerLeft: @escaping (_ sender: String) -> Void = { _ in }
  ) throws(UserBusError) {
    let bus = try unsafe open(to: "serve \(path)")
    lastNumber += 1
    var slot: OpaquePointer?
    let status = unsafe cuserbus_serve(bus, path, lastNumber, &slot)
    guard status >= 0, let slot = unsafe slot else {
      throw UserBusError(status: status, "\(path) cannot be served")
    }
    slots[lastNumber] = unsafe BusSlot(slot)
    served[lastNumber] = BusService(
      introspection: introspection, callerLeft: callerLeft, handler: handler)
    if !isPumping { rearm() }
  }

  /// Tells those who serve that a caller has gone.
  func callerLeft(_ sender: String) {
    for (_, service) in served.sorted(by: { $0.key < $1.key }) { service.callerLeft(sender) }
  }

  /// Sends an answer or a refusal to a call.
  func send(_ message: OpaquePointer) {
    guard !isEnding, let bus = unsafe bus else { return }
    _ = unsafe cuserbus_send(bus, message)
    if !isPumping { rearm() }
  }

  private func open(to what: String) throws(UserBusError) -> OpaquePointer {
    guard !isEnding, let bus = unsafe bus else {
      throw UserBusError(status: -ENOTCONN, "cannot \(what)")
    }
    return unsafe bus
  }

  // MARK: - Messages

  private func heard(_ event: cuserbus_event, _ number: UInt64, _ message: OpaquePointer) {
    let head = unsafe BusHead(of: message)
    switch event {
    case CUSERBUS_ANSWER:
      guard let (limits, answer) = waiting.removeValue(forKey: number) else { return }
      if let name = head.errorName {
        return answer(.refused(name: name, message: head.errorText ?? ""))
      }
      do throws(BusReadError) {
        answer(.answered(try unsafe BusReader.read(message, limits)))
      } catch {
        answer(.refused(name: error.name, message: error.message))
      }
    case CUSERBUS_SIGNAL:
      guard let (name, handler) = heardSignals[number], isHeard(from: head.sender, by: name) else {
        return
      }
      do throws(BusReadError) {
        handler(
          BusSignal(
            sender: head.sender, path: head.path, interface: head.interface, member: head.member,
            arguments: try unsafe BusReader.read(message, BusLimits())))
      } catch {
        // A signal that cannot be read says nothing.
      }
    case CUSERBUS_CALL:
      guard let service = served[number] else { return }
      unsafe called(service, head, message)
    default: break
    }
  }

  private func called(_ service: BusService, _ head: BusHead, _ message: OpaquePointer) {
    let call = unsafe BusCall(bus: self, head: head, message: message)
    guard heldCallCount <= Self.heldCallCountMax else {
      return call.refuse(
        "org.freedesktop.DBus.Error.LimitsExceeded", "too many calls wait for their answers")
    }
    do throws(BusReadError) {
      call.invocation.arguments = try unsafe BusReader.read(message, BusLimits())
    } catch {
      return call.refuse(error.name, error.message)
    }
    callers.whenOurs(call) { service.take(call) }
  }

  /// Handles what is there, up to a turn's share.
  ///
  /// While more waits, the timer alone goes on with it: else the poll and the timer would each take
  /// a share of one turn.
  private func pump(isGoingOn: Bool = false) {
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
      rearm(isSoon: status > 0 || isGoingOn && count > 1)
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
    watcher?.resume(
      forReading: wait.readable && !isSoon, forWriting: wait.writable && !isSoon)
    if isSoon {
      timer.arm(at: loop.readNow().monotonic) { [unowned self] in pump(isGoingOn: true) }
    } else if wait.deadline < UInt64(Int64.max) / 1_000 {
      timer.arm(at: Instant(nanoseconds: Int64(wait.deadline) * 1_000)) { [unowned self] in pump() }
    } else {
      timer.disarm()
    }
  }

  private func lose(_ status: Int32) {
    let reason = UserBusError(status: status, "\(name) is gone").message
    let onLost = onLost
    close()
    onLost?(reason)
  }
}

/// Something that libsystemd listens for; it is cancelled once.
@safe
private struct BusSlot {
  private let pointer: OpaquePointer

  init(_ pointer: OpaquePointer) { unsafe self.pointer = pointer }

  func cancel() { unsafe cuserbus_cancel(pointer) }
}

/// An error of a bus, in words for a person.
package struct UserBusError: Error, Sendable {
  package var message: String

  init(_ message: String) { self.message = message }

  init(status: Int32, _ what: String) {
    let reason =
      status == -ENOSYS
      ? "libsystemd.so.0 is not installed" : unsafe String(cString: strerror(-status))
    message = "\(what): \(reason)"
  }
}

/// Signals that are heard until `cancel`, or the end of the connection.
package final class BusSubscription {
  private weak var bus: UserBus?
  fileprivate let number: UInt64

  init(bus: UserBus, number: UInt64) {
    self.bus = bus
    self.number = number
  }

  package func cancel() { bus?.cancel(number) }
}
