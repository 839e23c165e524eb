import BusMessages

extension UserBus {
  /// The place that a client has among those who want a name.
  package enum NamePlace: Hashable, Sendable {
    /// Calls to the name come here.
    case owner
    /// Another client has it; this one gets it when that goes, unless it is given up.
    case queued
  }

  /// Asks for a name on the bus, which nobody can take away.
  package func requestName(
    _ name: String, then done: @escaping (Result<NamePlace, UserBusError>) -> Void
  ) throws(UserBusError) {
    try call(.ofBus("RequestName", [.string(name), .uint32(0)])) { answer in
      switch answer {
      case .refused(_, let message):
        done(.failure(UserBusError("\(name) was refused: \(message)")))
      case .answered(let values):
        // 1: the owner; 2: in the queue; 4: the owner already.
        done(.success(values.first?.integer == 2 ? .queued : .owner))
      }
    }
  }

  /// Gives a name up; nobody calls by it any more once `done` was called.
  package func releaseName(
    _ name: String, then done: @escaping () -> Void = {}
  ) throws(UserBusError) {
    try call(.ofBus("ReleaseName", [.string(name)])) { _ in done() }
  }
}
