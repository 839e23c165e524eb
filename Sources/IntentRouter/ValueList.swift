/// What a list reference may stand for: the values of a text list, a range of numbers, or anything.
///
/// A text list finds its values by hash, one look-up for each distinct value length, so that ten
/// thousand names cost as much as ten.
import JSON

enum ValueList: Sendable {
  case text(TextList)
  case range(NumberRange)
  case wildcard
}

/// One value of a text list.
struct ListValue: Hashable, Sendable {
  /// What a person says, as written.
  var spoken: String
  /// What the intent carries; `nil`: the words that were matched.
  var out: JSONValue?
  /// Set when `spoken` is a template and not plain text.
  var template: PhraseTemplate?

  /// What an intent carries when the value is chosen without words: by a direct call or a URL.
  var canonical: JSONValue { out ?? .string(spoken) }
}

/// Immutable and shared: a matcher holds it without copying.
final class TextList: Sendable {
  let values: [ListValue]
  /// Indices of the values that are templates.
  let templateIndices: [Int]
  private let spacedIndex: ValueIndex
  /// Without white space inside ideographic text; `nil` when that changes no value.
  private let unspacedIndex: ValueIndex?
  /// Value index by folded canonical value, for direct calls and URLs.
  private let indexByCanonical: [String: Int]

  init(_ values: [ListValue]) {
    precondition(values.count <= Limits.listValuesMax)
    self.values = values
    templateIndices = values.indices.filter { values[$0].template != nil }
    var byCanonical: [String: Int] = [:]
    for (index, value) in values.enumerated() {
      let canonical = Self.key(of: value.canonical)
      if byCanonical[canonical] == nil { byCanonical[canonical] = index }
    }
    indexByCanonical = byCanonical
    let folded = values.map { value in
      value.template == nil ? NormalizedText(value: value.spoken).folded : []
    }
    let unspaced = folded.map(strippingIdeographicSpaces)
    spacedIndex = ValueIndex(folded)
    unspacedIndex = unspaced == folded ? nil : ValueIndex(unspaced)
  }

  func index(ignoringWhitespace: Bool) -> ValueIndex {
    ignoringWhitespace ? unspacedIndex ?? spacedIndex : spacedIndex
  }

  /// The plain value that is exactly `text`, or whose canonical value is, without regard to case.
  func value(named text: String) -> ListValue? {
    let folded = NormalizedText(value: text).folded
    if let index = indexByCanonical[NormalizedText.string(folded)] { return values[index] }
    var found: Int?
    spacedIndex.forEachValue(in: folded, at: 0) { value, length in
      if length == folded.count, found == nil { found = value }
    }
    return found.map { values[$0] }
  }

  private static func key(of value: JSONValue) -> String {
    switch value {
    case .string(let text): NormalizedText.string(NormalizedText(value: text).folded)
    case .int(let number): "\(number)"
    case .bool(let flag): flag ? "true" : "false"
    case .null, .double, .array, .object: "\(value)"
    }
  }
}

/// Plain values by the hash of their folded text: an open hash table, at most half full, of the
/// values' indices. The hash of a text grows scalar by scalar, so one walk over a sentence looks up
/// every length.
struct ValueIndex: Sendable {
  /// Folded text of each value; empty for what is no plain value.
  let folded: [[UInt32]]
  /// Which characters each value has: values that cannot be near a word are passed by this alone.
  let characters: [UInt64]
  private let hashes: [UInt64]
  /// Value indices by hash, −1 where there is none; the count is a power of two.
  private let table: [Int32]
  /// Distinct lengths, ascending.
  private let lengths: [Int]

  init(_ folded: [[UInt32]]) {
    self.folded = folded
    var capacity = 16
    while capacity < folded.count * 2 { capacity *= 2 }
    var table = [Int32](repeating: -1, count: capacity)
    var hashes: [UInt64] = []
    hashes.reserveCapacity(folded.count)
    var lengthSet: Set<Int> = []
    for (index, text) in folded.enumerated() {
      var hash = ScalarHash()
      for scalar in text { hash.combine(scalar) }
      hashes.append(hash.value)
      guard !text.isEmpty else { continue }
      lengthSet.insert(text.count)
      var slot = hash.slot & (capacity - 1)
      while table[slot] >= 0 { slot = (slot + 1) & (capacity - 1) }
      table[slot] = Int32(index)
    }
    self.table = table
    self.hashes = hashes
    characters = folded.map { RequiredText($0).characters }
    lengths = lengthSet.sorted()
  }

  /// Calls `body` with each value that `text` has at `start`, shortest first, in list order for
  /// equal lengths.
  @inline(__always)
  func forEachValue(
    in text: [UInt32], at start: Int, _ body: (_ value: Int, _ length: Int) -> Void
  ) {
    var hash = ScalarHash()
    var position = 0
    let available = text.count - start
    let mask = table.count - 1
    for length in lengths {
      guard length <= available else { return }
      while position < length {
        hash.combine(text[start + position])
        position += 1
      }
      var slot = hash.slot & mask
      while table[slot] >= 0 {
        let value = Int(table[slot])
        if hashes[value] == hash.value, isEqual(value, text, start, length) { body(value, length) }
        slot = (slot + 1) & mask
      }
    }
  }

  private func isEqual(_ value: Int, _ text: [UInt32], _ start: Int, _ length: Int) -> Bool {
    let candidate = folded[value]
    guard candidate.count == length else { return false }
    for offset in 0..<length where candidate[offset] != text[start + offset] { return false }
    return true
  }
}

/// FNV-1a over scalars: cheap, and extended one scalar at a time. Collisions are compared away.
struct ScalarHash {
  private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  /// The bits that a table uses: FNV's low bits alone depend on the low bits of the text alone.
  @inline(__always)
  var slot: Int { Int(truncatingIfNeeded: value ^ (value >> 32)) }

  @inline(__always)
  mutating func combine(_ scalar: UInt32) {
    value = (value ^ UInt64(scalar)) &* 0x100_0000_01B3
  }
}

/// `from…to` in steps, spoken in digits.
struct NumberRange: Hashable, Sendable {
  enum Fractions: String, Hashable, Sendable, CaseIterable { case halves, tenths }

  var from: Int
  var to: Int
  var step = 1
  var fractions: Fractions?
  var multiplier: Double?
  var acceptsDigits = true

  /// The value of a number in tenths, or `nil` when it is not in the range.
  func value(tenths: Int) -> JSONValue? {
    let (whole, rest) = floorDivide(tenths)
    switch fractions {
    case nil: guard rest == 0 else { return nil }
    case .halves: guard rest == 0 || rest == 5 else { return nil }
    case .tenths: break
    }
    guard whole >= from, whole <= to, (whole - from) % step == 0 else { return nil }
    if multiplier == nil, rest == 0 { return .int(Int64(whole)) }
    return .double(Double(tenths) / 10 * (multiplier ?? 1))
  }

  private func floorDivide(_ tenths: Int) -> (whole: Int, rest: Int) {
    let rest = ((tenths % 10) + 10) % 10
    return ((tenths - rest) / 10, rest)
  }
}

extension NumberRange {
  /// `from..to` or `from..to,step`, as written inside a reference.
  init?(inline text: String) {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count <= 2, let range = parts.first else { return nil }
    let ends = range.split(separator: ".", omittingEmptySubsequences: false)
    guard ends.count == 3, ends[1].isEmpty, let from = Self.digits(ends[0]),
      let to = Self.digits(ends[2]), from <= to
    else { return nil }
    self.init(from: from, to: to)
    guard parts.count == 2 else { return }
    guard let step = Self.digits(parts[1]), step > 0 else { return nil }
    self.step = step
  }

  private static func digits(_ text: Substring) -> Int? {
    guard text.utf8.allSatisfy({ $0 &- 0x30 < 10 }), text.utf8.count <= 9 else { return nil }
    return Int(text)
  }
}
