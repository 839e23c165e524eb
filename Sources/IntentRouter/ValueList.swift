/// What a list reference may stand for: the values of a text list, a range of numbers, or anything.
///
/// A text list finds its values by hash, one look-up for each distinct value length, so that ten thousand names cost as
/// much as ten.
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

/// Plain values by the hash of their folded text.
struct ValueIndex: Sendable {
  /// Folded text of each value; empty for what is no plain value.
  let folded: [[UInt32]]
  /// Values with the same hash are compared.
  private let indicesByHash: [UInt64: [Int32]]
  /// Distinct lengths, ascending.
  private let lengths: [Int]

  init(_ folded: [[UInt32]]) {
    self.folded = folded
    var byHash: [UInt64: [Int32]] = [:]
    byHash.reserveCapacity(folded.count)
    var lengthSet: Set<Int> = []
    for (index, text) in folded.enumerated() where !text.isEmpty {
      lengthSet.insert(text.count)
      var hash = ScalarHash()
      for scalar in text { hash.combine(scalar) }
      byHash[hash.value, default: []].append(Int32(index))
    }
    indicesByHash = byHash
    lengths = lengthSet.sorted()
  }

  /// Calls `body` with each value that `text` has at `start`, shortest first, in list order for equal lengths.
  @inline(__always)
  func forEachValue(
    in text: [UInt32], at start: Int, _ body: (_ value: Int, _ length: Int) -> Void
  ) {
    var hash = ScalarHash()
    var position = 0
    let available = text.count - start
    for length in lengths {
      guard length <= available else { return }
      while position < length {
        hash.combine(text[start + position])
        position += 1
      }
      guard let candidates = indicesByHash[hash.value] else { continue }
      for candidate in candidates {
        let value = folded[Int(candidate)]
        guard value.count == length else { continue }
        var isEqual = true
        for offset in 0..<length where value[offset] != text[start + offset] {
          isEqual = false
          break
        }
        if isEqual { body(Int(candidate), length) }
      }
    }
  }
}

/// FNV-1a over scalars: cheap, and extended one scalar at a time. Collisions are compared away.
struct ScalarHash {
  private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

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
