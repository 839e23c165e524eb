import JSON

/// The meaning of a list reference: the values of a text list, a range of numbers, or any text.
enum ValueList: Sendable {
  case text(TextList)
  /// Indirect: the other cases are copied for each place in a sentence where a list may stand.
  indirect case range(NumberRange)
  case wildcard
  /// Named by a template and supplied with each request.
  case absent(String)
}

/// One value of a text list.
struct ListValue: Hashable, Sendable {
  /// The text that a person says, as written.
  var spoken: String
  /// The value that the intent carries; `nil`: the words that were matched.
  var out: JSONValue?
  /// Set when `spoken` is a template and not plain text.
  var template: PhraseTemplate?
  /// Laid over the context of a match that has this value.
  var context: [String: JSONValue] = [:]
  /// The document's own; an entity of this value carries it.
  var metadata: JSONValue?

  /// The value that an intent carries when a direct call or a URL chose it, without words.
  var canonical: JSONValue { out ?? .string(spoken) }
}

/// Immutable and shared: a matcher holds it without copying.
final class TextList: Sendable {
  let values: [ListValue]
  /// Indices of the values that are templates.
  let templateIndices: [Int]
  /// Whether some value has a context.
  let hasContext: Bool
  /// Plain values whose full case folding is longer than they are: the document format tries them
  /// after the others, with the templates.
  let lateIndices: Set<Int32>
  private let spacedIndex: ValueIndex
  /// Without white space inside ideographic text; `nil` when that changes no value.
  private let unspacedIndex: ValueIndex?
  /// Without white space beside ideographs; `nil` when that changes no value.
  private let looseIndex: ValueIndex?
  /// Value index by folded canonical value, for direct calls and URLs.
  private let indexByCanonical: [String: Int]
  private let madeNames = MadeOnce<NearNames>()
  private let madeKinds = MadeOnce<[Int32]>()

  /// The list for near reading; made when it is first asked for.
  var nearNames: NearNames { madeNames.get { NearNames(values) } }

  /// By value, a number for its context, the same for equal ones; empty where no value has one.
  ///
  /// Linear in the values when it is first asked for.
  var kinds: [Int32] {
    guard hasContext else { return [] }
    return madeKinds.get {
      var known: [[String: JSONValue]: Int32] = [:]
      return values.map { value in
        if let kind = known[value.context] { return kind }
        known[value.context] = Int32(known.count)
        return Int32(known.count - 1)
      }
    }
  }

  init(_ values: [ListValue]) {
    precondition(values.count <= Limits.listValuesMax)
    self.values = values
    templateIndices = values.indices.filter { values[$0].template != nil }
    hasContext = values.contains { !$0.context.isEmpty }
    lateIndices = Set(
      values.indices.filter { values[$0].template == nil && foldsLonger(values[$0].spoken) }
        .map(Int32.init))
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
    let loose = folded.map(strippingSpacesBesideIdeographs)
    looseIndex = loose == unspaced ? nil : ValueIndex(loose)
  }

  /// The index for texts of a script that is written without white space, or for others.
  func index(for ignoringWhitespace: Bool, isLoose: Bool) -> ValueIndex {
    isLoose
      ? looseIndex ?? index(ignoringWhitespace: true)
      : index(ignoringWhitespace: ignoringWhitespace)
  }

  func index(ignoringWhitespace: Bool) -> ValueIndex {
    ignoringWhitespace ? unspacedIndex ?? spacedIndex : spacedIndex
  }

  /// How many values there are that differ in what an intent carries.
  var canonicalCount: Int { indexByCanonical.count }

  /// The canonical text of the value that `text` is the canonical value of; `nil` when there is
  /// none, or when one of the two texts is not `isNormalizedASCII`.
  func canonicalText(named text: String) -> String? {
    guard isNormalizedASCII(text), let folded = foldedASCII(text),
      let index = indexByCanonical[folded],
      case .string(let canonical) = values[index].canonical, isNormalizedASCII(canonical)
    else { return nil }
    return canonical
  }

  /// The values that a text may mean: the one that it is the canonical value of, else every one
  /// that is said so and stands for something else.
  func values(named text: String) -> [ListValue] {
    if isNormalizedASCII(text), let index = foldedASCII(text).flatMap({ indexByCanonical[$0] }) {
      return [values[index]]
    }
    let folded = NormalizedText(value: text).folded
    if let index = indexByCanonical[NormalizedText.string(folded)] { return [values[index]] }
    var found: [ListValue] = []
    spacedIndex.forEachValue(in: folded, at: 0) { value, length in
      // Values beyond the number of choices need not be told apart.
      guard length == folded.count, found.count < Limits.choicesMax,
        !found.contains(where: { $0.canonical == values[value].canonical })
      else { return }
      found.append(values[value])
    }
    return found
  }

  /// The place of the first value that an intent carries as `value`; `nil` if there is none.
  func index(ofCanonical value: JSONValue) -> Int? { indexByCanonical[Self.key(of: value)] }

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

/// `from…to` in steps, spoken in digits or in words.
struct NumberRange: Sendable {
  enum Fractions: String, Hashable, Sendable, CaseIterable { case halves, tenths }

  var from: Int
  var to: Int
  var step = 1
  var fractions: Fractions?
  var multiplier: Double?
  var acceptsDigits = true
  var acceptsWords = true
  /// The language of the words when it is not the document's.
  var wordsLanguage: String?
  /// `nil` when words are off or the language has none.
  var words: NumberWordIndex?

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

  /// The numbers of the range, in tenths; `nil` if there are too many to spell.
  var tenths: [Int]? {
    guard (to - from) / step < Limits.spelledNumbersMax else { return nil }
    let whole = stride(from: from, through: to, by: step).map { $0 * 10 }
    switch fractions {
    case nil: return whole
    case .halves: return whole.flatMap { [$0, $0 + 5] }
    case .tenths: return whole.flatMap { first in (0..<10).map { first + $0 } }
    }
  }
}

extension NumberRange {
  /// `from..to` or `from..to,step`, as written inside a reference.
  ///
  /// The two dots may be any two characters, as in the document format.
  init?(inline text: String) {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count <= 2, let range = parts.first else { return nil }
    let digits = range.prefix { $0.isASCII && $0.isNumber }
    let rest = range[digits.endIndex...]
    guard rest.unicodeScalars.count > 2 else { return nil }
    let second = rest.unicodeScalars.index(rest.unicodeScalars.startIndex, offsetBy: 2)
    guard let from = Self.digits(digits), let to = Self.digits(rest[second...]), from <= to
    else { return nil }
    self.init(from: from, to: to)
    guard parts.count == 2 else { return }
    guard let step = Self.digits(parts[1]), step > 0 else { return nil }
    self.step = step
  }

  private static func digits(_ text: Substring) -> Int? {
    guard !text.isEmpty, text.utf8.allSatisfy({ $0 &- 0x30 < 10 }), text.utf8.count <= 8 else {
      return nil
    }
    return Int(text)
  }
}

/// How a language spells numbers, as a value: texts for each number in tenths (15 is 1.5); `nil`
/// for a language without rules.
///
/// It must be the same for equal arguments.
package typealias NumberSpelling = @Sendable (_ tenths: [Int], _ language: String) -> [[String]]?

/// The spelled numbers of a range.
///
/// All lists of the same numbers share it; each list decides the value of a number.
final class NumberWordIndex: Sendable {
  /// As written, one for each text of `index`.
  let words: [String]
  /// The number of each text, in tenths.
  let tenths: [Int]
  let index: ValueIndex

  init(_ texts: [[String]], of numbers: [Int]) {
    var words: [String] = []
    var tenths: [Int] = []
    for (number, spellings) in zip(numbers, texts) {
      for spelling in spellings {
        words.append(spelling)
        tenths.append(number)
      }
    }
    self.words = words
    self.tenths = tenths
    // A space at the end of a word, which Hebrew fractions have, ends it as spaces do.
    index = ValueIndex(words.map { NormalizedText(cased: normalizedScalars($0)).folded })
  }
}
