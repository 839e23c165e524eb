package import BusMessages
import CUserBus

/// A call that somebody made to an object of ours; it is answered once, at once or later.
///
/// A call that is dropped without an answer is refused, so that nobody waits for it.
@safe
package final class BusCall {
  package internal(set) var invocation: BusInvocation

  private weak var bus: UserBus?
  /// The message, which is kept until the answer is sent.
  private var message: OpaquePointer?

  init(bus: UserBus, head: BusHead, message: OpaquePointer) {
    self.bus = bus
    invocation = BusInvocation(
      sender: head.sender, path: head.path, interface: head.interface, member: head.member,
      signature: head.signature, expectsAnswer: head.expectsAnswer)
    unsafe self.message = unsafe cuserbus_keep(message)
    bus.heldCallCount += 1
  }

  deinit {
    guard unsafe message != nil else { return }
    refuse("org.freedesktop.DBus.Error.Failed", "the call was given up")
  }

  /// Sends the answer, unless the caller wants none.
  package func reply(_ values: [BusValue] = []) {
    guard let call = unsafe end() else { return }
    var answer: OpaquePointer?
    var status: Int32 = 0
    if invocation.expectsAnswer {
      status = unsafe cuserbus_new_answer(call, &answer)
      if status >= 0, let answer = unsafe answer {
        status = unsafe BusWriter.append(values, to: answer)
        if status >= 0 { unsafe bus?.send(answer) }
        unsafe cuserbus_drop(answer)
      }
    }
    if status < 0 {
      unsafe refuse(call, "org.freedesktop.DBus.Error.Failed", "the answer could not be made")
    }
    unsafe cuserbus_drop(call)
  }

  /// Refuses the call, with an error's name on the bus and a sentence.
  package func refuse(_ name: String, _ text: String) {
    guard let call = unsafe end() else { return }
    if invocation.expectsAnswer { unsafe refuse(call, name, text) }
    unsafe cuserbus_drop(call)
  }

  private func refuse(_ call: OpaquePointer, _ name: String, _ text: String) {
    var refusal: OpaquePointer?
    guard unsafe cuserbus_new_refusal(call, name, text, &refusal) >= 0,
      let refusal = unsafe refusal
    else { return }
    unsafe bus?.send(refusal)
    unsafe cuserbus_drop(refusal)
  }

  /// Ends the call without an answer: its caller is gone.
  func giveUp() {
    guard let call = unsafe end() else { return }
    unsafe cuserbus_drop(call)
  }

  private func end() -> OpaquePointer? {
    guard let call = unsafe message else { return nil }
    unsafe message = nil
    bus?.heldCallCount -= 1
    return unsafe call
  }
}

/// The objects of a path, and what answers their calls.
struct BusService {
  var introspection: (_ path: String) -> String
  var callerLeft: (_ sender: String) -> Void
  var handler: (BusCall) -> Void

  /// Answers what every object is asked, and hands on everything else.
  func take(_ call: BusCall) {
    let invocation = call.invocation
    switch (invocation.interface, invocation.member) {
    case ("org.freedesktop.DBus.Introspectable", "Introspect"):
      call.reply([.string(introspection(invocation.path))])
    case ("org.freedesktop.DBus.Properties", "GetAll"):
      // Programs ask for all of them when they make a proxy, and there are none.
      call.reply([.dictionary([:])])
    default: handler(call)
    }
  }
}
