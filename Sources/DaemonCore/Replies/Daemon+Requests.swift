import IntentProtocol
import JSON
import JSONRPC
import Timekeeping
import WidgetCenter

/// Requests with an idempotency key: each takes effect once, however often it is sent.
///
/// Here the outbox, which notes the answers, and the memory of requests meet.
extension Daemon {
  static let idempotencyKey = "idempotencyKey"

  /// The verdict of the memory of requests on a request.
  enum KeyedRequest {
    /// It is carried out, and answered at this address.
    case carryOut(ReplyAddress)
    /// It was answered, or waits for the answer to the first.
    case handled
  }

  /// Takes the key out of the parameters of a request that changes something, and looks whether it
  /// came before.
  ///
  /// A repeated request is answered here, or waits for the answer to the first one. Throws
  /// `keyReused` if the key came with another request, `alreadyDone` if the answer is not kept.
  mutating func recognize(
    _ method: Method, _ params: inout JSONValue?, _ address: ReplyAddress, at now: Now
  ) throws(RPCError) -> KeyedRequest {
    guard case .object(var object)? = params, let given = object[Self.idempotencyKey] else {
      return .carryOut(address)
    }
    let key = try Self.readKey(given)
    object.members.removeAll { $0.key == Self.idempotencyKey }
    params = .object(object)
    let name = RequestName(client: sessions.app(of: address.connection)?.id ?? "", key: key)
    let (beginning, forgotten) = requests.begin(
      name, fingerprint: Self.fingerprint(method, object), at: now.wall)
    for row in forgotten { writes.remove(.request, row) }
    switch beginning {
    case .new(let number):
      var address = address
      address.request = number
      return .carryOut(address)
    case .keyReused:
      throw RPCError(
        .keyReused,
        "the idempotency key '\(key)' came with another request in the last hour; use a new key"
          + " for each request, and the same only to send one again")
    case .known(.underWay, let number):
      try outbox.reserveWaiting(address)
      requests.join(address, to: number)
    case .known(.given(let answer?, let transaction), _):
      // While its transaction is under way, the answer may still become a refusal.
      if transaction <= writes.committedNumber {
        outbox.answer(address) { $0 += answer }
      } else {
        outbox.answerWhenDurable(address, answer)
      }
    case .known(.given(nil, _), _):
      throw RPCError(
        .alreadyDone,
        "this request was carried out before, and its answer is not kept; ask for the state instead"
          + " of sending it again")
    }
    return .handled
  }

  /// Forgets a request that was refused at once.
  mutating func forgetRequest(_ address: ReplyAddress) {
    guard let number = address.request else { return }
    _ = requests.forget(number)
  }

  /// Notes the answers of this turn to requests with a key, and passes them on to those that came
  /// again meanwhile.
  mutating func settleRequests(at now: Now) {
    for (number, outcome) in outbox.takeOutcomes() {
      switch outcome {
      case .taken(let answer):
        let row = requests.rowOfTaken(number, answer, isPrivate: engine.isPrivate)
        if let row { writes.put(.request, row.key, row.bytes) }
      case .durable(let answer):
        let ended = requests.end(
          number, answer, transaction: writes.nextNumber, isPrivate: engine.isPrivate)
        guard let ended else { continue }
        writes.put(.request, ended.row.key, ended.row.bytes)
        for address in ended.joined {
          outbox.releaseWaiting(address)
          outbox.answerWhenDurable(address, answer)
        }
      case .passing(let answer):
        for address in requests.forget(number) {
          outbox.releaseWaiting(address)
          outbox.answer(address) { $0 += answer }
        }
      case .refused(let error):
        for address in requests.forget(number) { refuseWaiting(address, error) }
      }
    }
    guard phase == .running else { return }
    for row in requests.expire(at: now.wall) { writes.remove(.request, row) }
  }

  /// The requests with a key that wait for something.
  var requestsUnderWay: Set<UInt64> {
    var addresses = receiptWaiters.addresses + launches.addresses + questions.addresses
    addresses += performs.addresses
    addresses += openMenus.addresses + bulkReloads.addresses + configuration.refusedAddresses
    return Set(addresses.compactMap(\.request))
  }

  private static func readKey(_ given: JSONValue) throws(RPCError) -> String {
    let expected = "a text of 1 to \(WireLimits.idempotencyKeyBytesMax) bytes"
    guard let key = given.stringValue else {
      throw Params.refusal(
        idempotencyKey, "parameter '\(idempotencyKey)' is \(given.typeName)", expected: expected)
    }
    guard (1...WireLimits.idempotencyKeyBytesMax).contains(key.utf8.count) else {
      throw Params.refusal(
        idempotencyKey, "parameter '\(idempotencyKey)' has \(key.utf8.count) bytes",
        expected: expected)
    }
    return key
  }

  /// Hashes a request, the same in every process (FNV-1a, 64 bits).
  ///
  /// The order of its parameters does not count; that of members inside a parameter does.
  private static func fingerprint(_ method: Method, _ params: JSONObject) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    func add(_ bytes: [UInt8]) {
      for byte in bytes + [0] { hash = (hash ^ UInt64(byte)) &* 0x0100_0000_01b3 }
    }
    add(Array(method.rawValue.utf8))
    for member in params.members.sorted(by: { $0.key < $1.key }) {
      add(Array(member.key.utf8))
      add(Array(member.value.serialized.utf8))
    }
    return hash
  }
}
