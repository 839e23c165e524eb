import EventLoop
import Glibc
import Timekeeping
import UserBus

/// Asks NetworkManager whether the network costs.
///
/// Without NetworkManager, a bus or libsystemd it does not.
enum MeteredNetwork {
  /// Seconds that the answer may take: it comes from another process of this machine.
  private static let patienceSeconds: Int64 = 2

  /// Calls `done` once, in a later iteration of the loop or at once.
  static func ask(loop: Loop, address: String, then done: @escaping (Bool) -> Void) {
    let timer = LoopTimer(loop: loop)
    var bus: UserBus?
    var isAnswered = false
    func answer(_ isMetered: Bool) {
      guard !isAnswered else { return }
      isAnswered = true
      timer.close()
      bus?.close()
      bus = nil
      done(isMetered)
    }
    do throws(UserBusError) {
      let opened = try UserBus(loop: loop, address: address, isSession: false)
      bus = opened
      opened.onLost = { _ in answer(false) }
      try opened.metered { number in answer(number == 1 || number == 3) }
      let latest = loop.readNow().monotonic.advanced(byMilliseconds: patienceSeconds * 1_000)
      timer.arm(at: latest) { answer(false) }
    } catch {
      answer(false)
    }
  }
}
