import DaemonCore
import EventLoop
import Synchronization

/// Hands events from other threads, the store's replies, to the loop.
///
/// `Sendable` by its parts: a mutex guards the events, and any thread may use the wake handle.
/// Wake-ups coalesce, so the loop takes all events at each one.
final class Mailbox: Sendable {
  private let events = Mutex<[Event]>([])
  private let wakeHandle: WakeHandle

  init(wakeHandle: WakeHandle) { self.wakeHandle = wakeHandle }

  func post(_ event: Event) {
    events.withLock { $0.append(event) }
    wakeHandle.wake()
  }

  func takeAll() -> [Event] {
    events.withLock { events in
      let taken = events
      events = []
      return taken
    }
  }
}
