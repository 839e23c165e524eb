import DaemonCore
import Glibc

/// Hands requests from the loop thread to the store's thread, in order.
///
/// A pthread mutex and condition, not `Synchronization.Mutex`: the taker sleeps until there is
/// work, and the thread sanitizer understands them. `@unchecked Sendable`: `requests` and
/// `isFinished` are only touched while `mutex` is held; nothing slow happens under it, so `append`
/// never waits on I/O.
@safe final class RequestQueue: @unchecked Sendable {
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let condition: UnsafeMutablePointer<pthread_cond_t>
  private var requests: [StoreRequest] = []
  private var isFinished = false

  init() {
    unsafe mutex = .allocate(capacity: 1)
    unsafe condition = .allocate(capacity: 1)
    let mutexCode = unsafe pthread_mutex_init(mutex, nil)
    let conditionCode = unsafe pthread_cond_init(condition, nil)
    precondition(mutexCode == 0 && conditionCode == 0, "no memory for a mutex")
  }

  deinit {
    unsafe pthread_cond_destroy(condition)
    unsafe pthread_mutex_destroy(mutex)
    unsafe condition.deallocate()
    unsafe mutex.deallocate()
  }

  func append(_ request: StoreRequest) {
    unsafe pthread_mutex_lock(mutex)
    requests.append(request)
    let count = requests.count
    unsafe pthread_mutex_unlock(mutex)
    // After unlocking: the taker would only wake to wait for the mutex.
    unsafe pthread_cond_signal(condition)
    precondition(
      count <= StoreLimits.waitingRequestsMax,
      "\(count) requests wait for the store: commit one transaction at a time")
  }

  /// No request comes after this.
  func finish() {
    unsafe pthread_mutex_lock(mutex)
    isFinished = true
    unsafe pthread_mutex_unlock(mutex)
    unsafe pthread_cond_signal(condition)
  }

  /// Waits for requests and moves them all into `taken`; false when there will be none any more.
  func takeAll(into taken: inout [StoreRequest]) -> Bool {
    taken.removeAll(keepingCapacity: true)
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    while requests.isEmpty, !isFinished {
      unsafe pthread_cond_wait(condition, mutex)
    }
    swap(&requests, &taken)
    return !taken.isEmpty
  }
}
