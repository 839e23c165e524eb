import DaemonCore
import EventLoop
import Synchronization

/// Events from other threads: the store's replies on their way to the loop.
///
/// `Sendable` by its parts: the events stand under a mutex, the wake handle may be used from any thread.
/// Wake-ups coalesce, so whoever is woken takes everything.
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
