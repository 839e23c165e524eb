import DequeModule
package import JSON
import Plugins
import Timekeeping

/// One preview: a kind in a family and a language.
package struct PreviewKey: Hashable, Comparable, Sendable {
  package var kind: String
  package var family: WidgetFamily
  /// A language and perhaps a region, such as `en_US`.
  package var locale: String

  package init(kind: String, family: WidgetFamily, locale: String) {
    self.kind = kind
    self.family = family
    self.locale = locale
  }

  /// Reads `text`; `nil`: it is none.
  package init?(text: String) {
    let parts = text.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, let family = WidgetFamily(rawValue: String(parts[0])),
      !parts[1].isEmpty, !parts[2].isEmpty
    else { return nil }
    self.init(kind: String(parts[2]), family: family, locale: String(parts[1]))
  }

  /// The name of its row in the store: family, language, kind.
  package var text: String { "\(family.rawValue)/\(locale)/\(kind)" }

  package static func < (left: Self, right: Self) -> Bool {
    (left.kind, left.family.place, left.locale) < (right.kind, right.family.place, right.locale)
  }
}

/// The identity of what makes a preview: the provider as its manifest declares it, and the
/// configuration that it is asked for.
///
/// It is the same in every run of the program, since the store keeps it.
package struct PreviewOrigin: Hashable, Sendable {
  package var number: UInt64

  init(_ number: UInt64) { self.number = number }

  /// The origin of what `kind` shows of an intent, as FNV-1a hashes it.
  package init(_ kind: WidgetKind, intent: JSONValue) {
    var hash: UInt64 = 14_695_981_039_346_656_037
    func add(_ text: String) {
      for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 1_099_511_628_211 }
      // No text has this byte, so that "a", "b" differs from "ab".
      hash = (hash ^ 0xFF) &* 1_099_511_628_211
    }
    let provider = kind.provider
    add(provider.providerProtocol.rawValue)
    add(provider.directory)
    add(String(provider.exec.count))
    for argument in provider.exec { add(argument) }
    for variable in provider.environment { add("\(variable.name)=\(variable.value)") }
    if let plugin = provider.plugin {
      for text in [plugin.format.rawValue, plugin.emptyTitle ?? ""] + plugin.condition { add(text) }
      let look = plugin.look
      for text in [look?.text, look?.shortText, look?.format] { add(text ?? "") }
      for (name, icons) in (look?.icons ?? [:]).sorted(by: { $0.key < $1.key }) {
        for text in [name] + icons { add(text) }
      }
    }
    for file in provider.pin?.files ?? [] { add(file.digest) }
    add(kind.granted.json.serialized)
    add(intent.serialized)
    number = hash
  }
}

/// The content of a preview, as its provider gave it, or its shape.
struct KeptPreview: Hashable, Sendable {
  var content: JSONObject
  /// Whether `content` is a shape without data.
  var isShape: Bool
  var origin: PreviewOrigin
  var madeAt: WallTime

  /// The record of the store.
  var record: JSONValue {
    [
      "content": .object(content), "isShape": .bool(isShape),
      "origin": .string(String(origin.number, radix: 16)), "madeAt": .string(madeAt.rfc3339),
    ]
  }

  init(content: JSONObject, isShape: Bool, origin: PreviewOrigin, madeAt: WallTime) {
    self.content = content
    self.isShape = isShape
    self.origin = origin
    self.madeAt = madeAt
  }

  /// Reads a record; `nil`: it is none.
  init?(record: JSONValue) {
    guard let content = record["content"]?.objectValue,
      !JSONValue.object(content).isLarger(than: Limits.previewBytesMax),
      let isShape = record["isShape"]?.boolValue,
      let number = record["origin"]?.stringValue.flatMap({ UInt64($0, radix: 16) }),
      let madeAt = record["madeAt"]?.stringValue.flatMap({ WallTime(rfc3339: $0) })
    else { return nil }
    self.init(
      content: content, isShape: isShape, origin: PreviewOrigin(number), madeAt: madeAt)
  }
}

/// Previews of kinds: what nobody has placed can be looked at before it is placed.
///
/// ```
/// ask ─► waiting ──next──► running ──snapshot──► kept, until its origin changes
///                             │
///                             └── failed ──► waiting for a placeholder ──► kept as a shape
/// ```
///
/// It is a cache of `Limits.previewCountMax` previews: the oldest goes first. A failure is remembered
/// in memory alone, and for `Limits.previewPause`, so that a client which asks again and again does
/// not start a failing program each time.
struct Previews: Sendable {
  /// A preview that a provider is to be asked for.
  struct Ask: Hashable, Sendable {
    var key: PreviewKey
    var origin: PreviewOrigin
    /// The provider at the moment of asking: if the manifest offers another one when its turn
    /// comes, it is not run.
    var provider: ProviderDeclaration
    var intent: JSONValue
    /// `.snapshot`, or `.placeholder` after that failed.
    var request = ProviderRequest.Request.snapshot
    /// Why there is no snapshot, when this asks for the placeholder.
    var problem: String?
  }

  /// Why there is no preview, and until when nobody is asked again.
  struct Problem: Hashable, Sendable {
    var message: String
    var origin: PreviewOrigin
    var until: Instant
  }

  private struct Entry: Hashable, Sendable {
    var kept: KeptPreview
    /// Ascends with the moments of keeping.
    var number: UInt64
    /// Bytes that its content counts as.
    var bytes: Int
  }

  private var entries: [PreviewKey: Entry] = [:]
  private var waiting = Deque<Ask>()
  /// The previews that wait or are being made.
  private var underWay: Set<PreviewKey> = []
  private var running: [RunToken: Ask] = [:]
  private var problems: [PreviewKey: Problem] = [:]
  /// The asks of each kind in its present span.
  private var asks: [String: (end: Instant, count: Int)] = [:]
  private var lastNumber: UInt64 = 0
  private var keptBytes = 0

  subscript(key: PreviewKey) -> KeptPreview? { entries[key]?.kept }
  /// The previews that are kept, in ascending order.
  var keys: [PreviewKey] { entries.keys.sorted() }
  var runningCount: Int { running.count }
  var waitingCount: Int { waiting.count }
  /// The tokens of the runs that make previews.
  var tokens: Set<RunToken> { Set(running.keys) }

  /// Whether a preview waits for its run, or is being made.
  func isUnderWay(_ key: PreviewKey) -> Bool { underWay.contains(key) }

  /// Why there is no preview; `nil`: there is one, or nobody was asked.
  func problem(of key: PreviewKey, _ origin: PreviewOrigin) -> Problem? {
    problems[key].flatMap { $0.origin == origin ? $0 : nil }
  }

  /// The shape of a kind in a family that was kept of any language, as that differs little.
  func otherShape(of key: PreviewKey) -> KeptPreview? {
    entries.filter { $0.key.kind == key.kind && $0.key.family == key.family }
      .min { $0.key < $1.key }?.value.kept
  }

  // MARK: Asking

  /// Counts an ask of a kind, which is one of `Limits.previewAskCountMax` in a span.
  ///
  /// - Returns: until when the provider is not asked any more; `nil`: it may be asked.
  mutating func countAsk(of kind: String, at now: Instant) -> Instant? {
    var span = asks[kind] ?? (end: now, count: 0)
    if now >= span.end {
      span = (end: now.advanced(byMilliseconds: Limits.previewSpan), count: 0)
    }
    guard span.count < Limits.previewAskCountMax else { return span.end }
    span.count += 1
    asks[kind] = span
    return nil
  }

  /// Puts an ask at the end of the queue; `false`: too many wait.
  mutating func enqueue(_ ask: Ask) -> Bool {
    guard waiting.count < Limits.previewQueueMax else { return false }
    underWay.insert(ask.key)
    waiting.append(ask)
    return true
  }

  /// Takes the ask whose turn it is; `nil`: none waits.
  mutating func popNext() -> Ask? { waiting.popFirst() }

  /// Notes that the run of an ask began.
  mutating func begin(_ token: RunToken, _ ask: Ask) {
    precondition(running[token] == nil, "a run makes one preview")
    running[token] = ask
  }

  /// Takes the ask of a run that ended; `nil`: the run made no preview.
  ///
  /// It stays under way until its preview is kept, or a problem is noted.
  mutating func end(_ token: RunToken) -> Ask? { running.removeValue(forKey: token) }

  /// Lets an ask wait again, as the first: of its placeholder, or after its run did not begin.
  mutating func askAgain(_ ask: Ask) { waiting.prepend(ask) }

  // MARK: Outcomes

  /// Keeps a preview in place of the one before.
  ///
  /// - Returns: the previews that changed: this one, and those that went to make room.
  mutating func keep(_ key: PreviewKey, _ preview: KeptPreview) -> Set<PreviewKey> {
    if !preview.isShape { problems[key] = nil }
    underWay.remove(key)
    take(key, preview)
    var changed: Set<PreviewKey> = [key]
    while entries.count > Limits.previewCountMax || keptBytes > Limits.previewsBytesMax {
      guard let oldest = entries.min(by: { $0.value.number < $1.value.number })?.key else { break }
      forget(oldest)
      changed.insert(oldest)
    }
    return changed
  }

  private mutating func take(_ key: PreviewKey, _ preview: KeptPreview) {
    forget(key)
    lastNumber += 1
    let bytes = JSONValue.object(preview.content).serialized.utf8.count
    entries[key] = Entry(kept: preview, number: lastNumber, bytes: bytes)
    keptBytes += bytes
  }

  private mutating func forget(_ key: PreviewKey) {
    guard let entry = entries.removeValue(forKey: key) else { return }
    keptBytes -= entry.bytes
  }

  /// Remembers why there is no preview; of too many problems it forgets all others.
  mutating func note(_ problem: Problem, of key: PreviewKey) {
    underWay.remove(key)
    if problems.count >= Limits.previewCountMax, problems[key] == nil { problems = [:] }
    problems[key] = problem
  }

  /// Forgets everything about kinds that are not offered any more.
  ///
  /// - Returns: the previews that went.
  mutating func forget(exceptOf isOffered: (String) -> Bool) -> Set<PreviewKey> {
    let gone = entries.keys.filter { !isOffered($0.kind) }
    for key in gone { forget(key) }
    problems = problems.filter { isOffered($0.key.kind) }
    asks = asks.filter { isOffered($0.key) }
    return Set(gone)
  }

  // MARK: Restoring

  /// Takes a preview that the store kept; of more than there may be, those that come first stay.
  ///
  /// - Returns: whether it was taken.
  mutating func restore(_ key: PreviewKey, _ preview: KeptPreview) -> Bool {
    guard entries.count < Limits.previewCountMax, keptBytes < Limits.previewsBytesMax else {
      return false
    }
    take(key, preview)
    return true
  }

  /// Takes over the previews of the engine before, which no refusal is about; runs that never began
  /// wait again.
  ///
  /// - Returns: the previews that the store does not have so.
  mutating func takeBack(from before: Previews, hasRun: (RunToken) -> Bool) -> Set<PreviewKey> {
    let stored = entries
    self = before
    for (token, ask) in running.sorted(by: { $0.key > $1.key }) where !hasRun(token) {
      running[token] = nil
      waiting.prepend(ask)
    }
    let all = Set(stored.keys).union(entries.keys)
    return all.filter { stored[$0]?.kept != entries[$0]?.kept }
  }

  /// A sentence for everything that is wrong; empty in a sound cache.
  func checkInvariants() -> [String] {
    var wrong: [String] = []
    func check(_ count: Int, _ most: Int, _ what: String) {
      if count > most { wrong.append("\(count) \(what), of \(most) at most") }
    }
    check(entries.count, Limits.previewCountMax, "previews are kept")
    check(keptBytes, Limits.previewsBytesMax, "bytes of previews are kept")
    // An ask for a placeholder goes to the front of a full queue.
    check(waiting.count, Limits.previewQueueMax + Limits.previewRunCountMax, "previews wait")
    check(running.count, Limits.previewRunCountMax, "previews are made at once")
    check(problems.count, Limits.previewCountMax, "problems of previews are remembered")
    if keptBytes != entries.values.reduce(0, { $0 + $1.bytes }) {
      wrong.append("the bytes of previews are counted wrongly")
    }
    let asked = waiting.map(\.key) + running.values.map(\.key)
    if Set(asked).count != asked.count { wrong.append("a preview is asked for twice at once") }
    if Set(asked) != underWay { wrong.append("a preview is under way that nobody makes") }
    return wrong
  }
}
