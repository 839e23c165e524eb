import BusMessages

/// The users of those who call, so that other users are refused.
///
/// A message does not say whose it is. libsystemd's own question blocks, so the bus is asked, once
/// for each caller, and its calls wait meanwhile. What is known is forgotten when the caller goes.
final class BusCallers {
  private enum Standing {
    /// The bus was asked; these calls wait for its answer.
    case asked([(call: BusCall, take: () -> Void)])
    case ours
    case foreign
  }

  private struct Known {
    var standing: Standing
    var departure: BusSubscription?
  }

  private unowned let bus: UserBus
  private let userID: UInt32
  private var known: [String: Known] = [:]
  /// The callers, the one that is known longest first.
  private var order: [String] = []

  /// Callers that are remembered; beyond them the oldest is forgotten, and asked about again.
  private static let callerCountMax = 64

  init(bus: UserBus, userID: UInt32) {
    self.bus = bus
    self.userID = userID
  }

  func forgetAll() {
    // The calls are refused when they are dropped.
    known = [:]
    order = []
  }

  /// Calls `take` when the caller is known to be this user; else refuses the call.
  func whenOurs(_ call: BusCall, _ take: @escaping () -> Void) {
    let sender = call.invocation.sender
    switch known[sender]?.standing {
    case .ours: take()
    case .foreign: refuse(call)
    case .asked(let calls):
      known[sender]?.standing = .asked(calls + [(call, take)])
    case nil:
      known[sender] = Known(standing: .asked([(call, take)]))
      order.append(sender)
      ask(about: sender)
      forgetOldest()
    }
  }

  private func ask(about sender: String) {
    do throws(UserBusError) {
      // Heard first: a caller that goes now is reported, or has no credentials any more.
      known[sender]?.departure = try bus.onSignal(
        BusSignalRule(
          sender: "org.freedesktop.DBus", path: "/org/freedesktop/DBus",
          interface: "org.freedesktop.DBus", member: "NameOwnerChanged", firstArgument: sender)
      ) { [unowned self] signal in
        guard signal.arguments.count == 3, signal.arguments[2].text == "" else { return }
        left(sender)
      }
      try bus.call(.ofBus("GetConnectionCredentials", [.string(sender)])) {
        [unowned self] in learned(sender, $0)
      }
    } catch {
      learned(sender, .refused(name: "", message: error.message))
    }
  }

  private func learned(_ sender: String, _ answer: BusAnswer) {
    guard case .asked(let calls)? = known[sender]?.standing else { return }
    if answer.isFromNobody { return left(sender) }
    guard case .answered(let values) = answer,
      let user = values.first?["UnixUserID"]?.integer
    else {
      // An unknown user is no foreign one: the next call asks the bus again.
      forget(sender)
      for (call, _) in calls {
        call.refuse("org.freedesktop.DBus.Error.Failed", "the bus did not say whose this call is")
      }
      return
    }
    let isOurs = user == Int64(userID)
    known[sender]?.standing = isOurs ? .ours : .foreign
    for (call, take) in calls { if isOurs { take() } else { refuse(call) } }
  }

  private func left(_ sender: String) {
    guard let caller = known[sender] else { return }
    forget(sender)
    if case .asked(let calls) = caller.standing { for (call, _) in calls { call.giveUp() } }
    bus.callerLeft(sender)
  }

  /// A caller that is asked about is not forgotten: its calls wait.
  private func forgetOldest() {
    guard order.count > Self.callerCountMax,
      let oldest = order.first(where: { sender in
        if case .asked? = known[sender]?.standing { false } else { true }
      })
    else { return }
    forget(oldest)
    bus.callerLeft(oldest)
  }

  private func forget(_ sender: String) {
    known.removeValue(forKey: sender)?.departure?.cancel()
    order.removeAll { $0 == sender }
  }

  private func refuse(_ call: BusCall) {
    call.refuse(
      "org.freedesktop.DBus.Error.AccessDenied", "this object answers its own user alone")
  }
}
