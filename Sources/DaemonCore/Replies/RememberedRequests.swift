import DequeModule
import JSON
import JSONRPC
import Timekeeping

/// A request with an idempotency key, as it is known again.
struct RequestName: Hashable, Sendable {
  /// The app that the client registered as; empty for a client that is no app.
  var client: String
  var key: String

  /// The key of its row; an app's id has no line feed.
  var text: String { "\(client)\n\(key)" }

  init(client: String, key: String) {
    self.client = client
    self.key = key
  }

  init?(text: String) {
    guard let end = text.firstIndex(of: "\n") else { return nil }
    client = String(text[..<end])
    key = String(text[text.index(after: end)...])
  }
}

/// The requests that came with an idempotency key in the last hour, and their answers.
///
/// A client that does not know what became of a request sends it again with the same key: it gets
/// the first answer, and nothing is done twice. Requests that were refused are not remembered,
/// since nothing was done. The store has a row for each, so a restart knows them too.
struct RememberedRequests: Sendable {
  /// The state in which a request is remembered.
  enum Outcome: Hashable, Sendable {
    /// It has no answer yet; `joined` wait for it, too.
    case underWay(joined: [ReplyAddress])
    /// Its answer as JSON; `nil`: it was too long to be kept.
    ///
    /// `transaction` is the one that has it; 0 after a restart.
    case given([UInt8]?, transaction: UInt64)
  }

  private struct Entry: Sendable {
    var name: RequestName
    /// The hash of its method and parameters.
    var fingerprint: UInt64
    /// When it came; `Limits.requestMemoryInterval` counts from here.
    var at: WallTime
    var outcome: Outcome
  }

  /// The next step for a request that has a key.
  enum Beginning: Hashable, Sendable {
    /// It is new, and is carried out; the number goes into `ReplyAddress.request`.
    case new(UInt64)
    /// It is under way, or has its answer.
    case known(Outcome, number: UInt64)
    /// Its key came with another method or other parameters before.
    case keyReused
  }

  private var entries: [UInt64: Entry] = [:]
  private var numbers: [RequestName: UInt64] = [:]
  /// The numbers of the entries, oldest first, and some of entries that are gone: at most
  /// `Limits.forgottenRequestNumberMax` more than there are entries.
  private var order = Deque<UInt64>()
  /// The number of entries of each client.
  private var counts: [String: Int] = [:]
  /// Bytes of all kept answers.
  private var answerBytes = 0
  private var lastNumber: UInt64 = 0

  var count: Int { entries.count }

  // MARK: Requests

  /// Looks a request up, and remembers it if it is new.
  ///
  /// - Returns: what is done with it, and the rows of requests that are forgotten for it.
  mutating func begin(
    _ name: RequestName, fingerprint: UInt64, at now: WallTime
  ) -> (Beginning, forgotten: [String]) {
    var forgotten = expire(at: now)
    if let number = numbers[name], let entry = entries[number] {
      guard entry.fingerprint == fingerprint else { return (.keyReused, forgotten) }
      return (.known(entry.outcome, number: number), forgotten)
    }
    forgotten += makeRoom(for: name.client)
    lastNumber += 1
    insert(
      Entry(name: name, fingerprint: fingerprint, at: now, outcome: .underWay(joined: [])),
      lastNumber)
    return (.new(lastNumber), forgotten)
  }

  /// Lets another request wait for the answer of one that is under way.
  mutating func join(_ address: ReplyAddress, to number: UInt64) {
    guard case .underWay(let joined)? = entries[number]?.outcome else { return }
    entries[number]?.outcome = .underWay(joined: joined + [address])
  }

  /// Ends a request with an answer that stands.
  ///
  /// With `isPrivate` its row does not have the answer, which tells of an act of the person.
  ///
  /// - Returns: those that waited for it, and its row.
  mutating func end(
    _ number: UInt64, _ answer: [UInt8], transaction: UInt64, isPrivate: Bool
  ) -> (joined: [ReplyAddress], row: (key: String, bytes: [UInt8]))? {
    guard let entry = entries[number], case .underWay(let joined) = entry.outcome else {
      return nil
    }
    let kept = answer.count <= Limits.rememberedAnswerBytesMax ? answer : nil
    entries[number]?.outcome = .given(kept, transaction: transaction)
    answerBytes += kept?.count ?? 0
    while answerBytes > Limits.rememberedAnswerBytesSumMax, dropOldestAnswer() {}
    return (joined, (entry.name.text, Self.row(entry, answer: isPrivate ? nil : kept)))
  }

  /// Makes the row of a request that was taken and waits for its outcome; `nil`: the request is not
  /// known.
  ///
  /// `answer` is the one that it would have without waiting: a restart meanwhile gives it.
  func rowOfTaken(
    _ number: UInt64, _ answer: [UInt8], isPrivate: Bool
  ) -> (key: String, bytes: [UInt8])? {
    guard let entry = entries[number] else { return nil }
    let isKept = !isPrivate && answer.count <= Limits.rememberedAnswerBytesMax
    let kept = isKept ? answer : nil
    return (entry.name.text, Self.row(entry, answer: kept))
  }

  /// Forgets a request that was refused, or answered with a question; returns those that waited for
  /// it.
  ///
  /// Nothing was done, so the same request may come again and be carried out.
  mutating func forget(_ number: UInt64) -> [ReplyAddress] {
    guard let entry = remove(number), case .underWay(let joined) = entry.outcome else { return [] }
    return joined
  }

  /// Takes the addresses of all repeated requests that wait for the answer to the first one, in the
  /// order of the first ones.
  mutating func takeJoined() -> [ReplyAddress] {
    var all: [ReplyAddress] = []
    for number in order {
      guard case .underWay(let joined)? = entries[number]?.outcome else { continue }
      all += joined
      entries[number]?.outcome = .underWay(joined: [])
    }
    return all
  }

  /// Forgets every answer, but not that it was given: the person's acts are to be forgotten.
  ///
  /// - Returns: the rows to be written instead.
  mutating func forgetAnswers() -> [(key: String, bytes: [UInt8])] {
    var rows: [(key: String, bytes: [UInt8])] = []
    for number in order {
      guard let entry = entries[number], case .given(.some, let transaction) = entry.outcome else {
        continue
      }
      entries[number]?.outcome = .given(nil, transaction: transaction)
      rows.append((entry.name.text, Self.row(entry, answer: nil)))
    }
    answerBytes = 0
    return rows
  }

  // MARK: Starting

  /// Replaces everything by what the store has.
  mutating func restore(_ rows: [(key: String, record: JSONValue)], at now: WallTime) {
    let number = lastNumber
    self = RememberedRequests()
    lastNumber = number
    var found: [Entry] = []
    for row in rows {
      guard let name = RequestName(text: row.key), let at = row.record["at"]?.intValue,
        let hash = row.record["hash"]?.stringValue.flatMap({ UInt64($0, radix: 16) })
      else { continue }
      let answer = row.record["answer"].map { Array($0.serialized.utf8) }
      found.append(
        Entry(
          name: name, fingerprint: hash, at: WallTime(milliseconds: at),
          outcome: .given(answer, transaction: 0)))
    }
    for entry in found.sorted(by: { ($0.at, $0.name.text) < ($1.at, $1.name.text) }) {
      lastNumber += 1
      insert(entry, lastNumber)
      if case .given(let answer?, _) = entry.outcome { answerBytes += answer.count }
    }
  }

  /// Takes over requests that are still under way after memory started over.
  ///
  /// - Returns: those that waited for one that is not.
  mutating func takeOver(
    _ alive: Set<UInt64>, from before: RememberedRequests
  ) -> [ReplyAddress] {
    lastNumber = max(lastNumber, before.lastNumber)
    var left: [ReplyAddress] = []
    for number in before.order {
      guard var entry = before.entries[number] else { continue }
      var joined: [ReplyAddress] = []
      if case .underWay(let waiting) = entry.outcome { joined = waiting }
      guard alive.contains(number) else {
        left += joined
        continue
      }
      // The row on disk has the answer that it would have without waiting.
      if let known = numbers[entry.name] { _ = remove(known) }
      entry.outcome = .underWay(joined: joined)
      insert(entry, number)
    }
    return left
  }

  /// Forgets requests whose time is over; returns the keys of their rows.
  ///
  /// A request that is under way stays, and with it those that came after it.
  mutating func expire(at now: WallTime) -> [String] {
    var keys: [String] = []
    while let first = order.first {
      let entry = entries[first]
      if let entry {
        guard entry.at.advanced(byMilliseconds: Limits.requestMemoryInterval) <= now else { break }
        guard case .given = entry.outcome else { break }
      }
      order.removeFirst()
      guard let entry else { continue }
      _ = remove(first)
      keys.append(entry.name.text)
    }
    return keys
  }

  // MARK: Details

  private mutating func insert(_ entry: Entry, _ number: UInt64) {
    entries[number] = entry
    numbers[entry.name] = number
    order.append(number)
    counts[entry.name.client, default: 0] += 1
  }

  private mutating func remove(_ number: UInt64) -> Entry? {
    guard let entry = entries.removeValue(forKey: number) else { return nil }
    numbers[entry.name] = nil
    let count = (counts[entry.name.client] ?? 1) - 1
    counts[entry.name.client] = count > 0 ? count : nil
    if case .given(let answer?, _) = entry.outcome { answerBytes -= answer.count }
    // A client whose requests are all refused leaves nothing but numbers: they must not add up for
    // an hour behind one request that is remembered.
    if order.count > orderCountMax { order.removeAll { entries[$0] == nil } }
    return entry
  }

  private var orderCountMax: Int { 2 * entries.count + Limits.forgottenRequestNumberMax }

  /// Forgets the oldest answered request of the client, or of all, if there is no room for one
  /// more.
  ///
  /// Requests that are under way are never forgotten. O(requests) when there is no room.
  ///
  /// - Returns: the key of its row, if there was one to forget.
  private mutating func makeRoom(for client: String) -> [String] {
    let isFull = counts[client, default: 0] >= Limits.rememberedRequestCountMax
    guard isFull || entries.count >= Limits.rememberedRequestSumMax else { return [] }
    for number in order {
      guard let entry = entries[number], !isFull || entry.name.client == client,
        case .given = entry.outcome
      else { continue }
      _ = remove(number)
      if order.first == number { order.removeFirst() }
      return [entry.name.text]
    }
    return []
  }

  /// Forgets the oldest answer that is kept, but not that it was given; `false`: none is kept.
  private mutating func dropOldestAnswer() -> Bool {
    for number in order {
      guard case .given(let answer?, let transaction)? = entries[number]?.outcome else { continue }
      answerBytes -= answer.count
      entries[number]?.outcome = .given(nil, transaction: transaction)
      return true
    }
    return false
  }

  private static func row(_ entry: Entry, answer: [UInt8]?) -> [UInt8] {
    var bytes: [UInt8] = []
    appendJSON(to: &bytes) { writer in
      writer.beginObject()
      writer.key("at")
      writer.int(entry.at.milliseconds)
      writer.key("hash")
      writer.string(String(entry.fingerprint, radix: 16))
      if let answer {
        writer.key("answer")
        writer.raw(answer)
      }
      writer.endObject()
    }
    return bytes
  }

  /// The clients of repeated requests that wait for the answer to the first one, a client once for
  /// each such request.
  var connections: [ConnectionID] {
    entries.values.flatMap { entry -> [ConnectionID] in
      if case .underWay(let joined) = entry.outcome { joined.map(\.connection) } else { [] }
    }
  }

  /// Sentences about everything that is wrong after a turn; O(requests).
  func checkInvariants(alive: Set<UInt64>) -> [String] {
    var wrong: [String] = []
    for (number, entry) in entries {
      guard case .underWay = entry.outcome, !alive.contains(number) else { continue }
      wrong.append("the request '\(entry.name.key)' is under way, and nothing will answer it")
    }
    if numbers.count != entries.count { wrong.append("a request is remembered twice") }
    if order.count > orderCountMax {
      wrong.append("\(order.count) numbers are kept for \(entries.count) requests")
    }
    let bytes = entries.values.reduce(0) { sum, entry in
      if case .given(let answer?, _) = entry.outcome { sum + answer.count } else { sum }
    }
    if bytes != answerBytes {
      wrong.append("answers of \(bytes) bytes are kept, and \(answerBytes) are counted")
    }
    if entries.count > Limits.rememberedRequestSumMax {
      wrong.append("\(entries.count) requests are remembered")
    }
    return wrong
  }
}
