@_spi(_Unicode) import Swift

/// Spoils sentences of a grammar's templates as people do, to fit how sure near reading is.
///
/// Deterministic: the same seed and samples give the same sentences.
struct NearNoise {
  /// SplitMix64.
  struct Generator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = state
      mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
      return mixed ^ (mixed >> 31)
    }
  }

  struct Spoiled {
    var sentence: String
    var kind: String
    /// Whether it still means what it did; a word too many makes a question of it.
    var isMeant: Bool
  }

  var generator: Generator
  let samples: [String]
  /// Sentences of other languages.
  private let foreign: [String]
  private let fillers: [String]
  private let blockers: [String]
  private let letters: [Character]
  private let words: [String]
  /// Whether the language is written without spaces.
  private let isUnspaced: Bool

  init(seed: String, samples: [String], foreign: [String], fillers: [String], blockers: [String]) {
    generator = Generator(state: seed.utf8.reduce(1) { $0 &* 31 &+ UInt64($1) })
    self.samples = samples
    self.foreign = foreign
    self.fillers = fillers
    self.blockers = blockers
    letters = Set(samples.prefix(500).joined().filter(\.isLetter)).sorted()
    words = Set(samples.flatMap { $0.split(separator: " ").map(String.init) }).sorted()
    let text = samples.joined()
    isUnspaced = text.filter { $0 == " " }.count * 25 < text.count
  }

  private static let kinds = [
    "typo1", "typo1", "typo2", "filler", "typo_filler", "join", "split", "drop", "ending", "order",
    "marks", "extra", "place", "foreign", "salad", "name", "own", "own", "negation", "exchange",
  ]

  /// `names`: what stands for values of lists and numbers, and free words.
  mutating func spoiled(_ base: String, names texts: [String]) -> Spoiled {
    let kind = pick(Self.kinds)
    var words = words(of: base)
    let names = Set(texts.flatMap { self.words(of: $0) })
    var isMeant = true
    switch kind {
    case "typo1": return Spoiled(sentence: typo(base), kind: kind, isMeant: true)
    case "typo2": return Spoiled(sentence: typo(typo(base)), kind: kind, isMeant: true)
    case "filler": return Spoiled(sentence: filled(base), kind: kind, isMeant: true)
    case "typo_filler": return Spoiled(sentence: filled(typo(base)), kind: kind, isMeant: true)
    case "marks":
      var scalars = String.UnicodeScalarView()
      for scalar in base._nfd where scalar.properties.canonicalCombiningClass == .notReordered {
        scalars.append(scalar)
      }
      return Spoiled(sentence: String(scalars), kind: kind, isMeant: true)
    case "split":
      var characters = Array(base)
      guard characters.count > 3 else { break }
      characters.insert(" ", at: Int.random(in: 1..<(characters.count - 1), using: &generator))
      return Spoiled(sentence: String(characters), kind: kind, isMeant: true)
    case "join":
      guard words.count > 1 else { break }
      let place = Int.random(in: 0..<(words.count - 1), using: &generator)
      words[place] += words.remove(at: place + 1)
      return Spoiled(sentence: words.joined(separator: " "), kind: kind, isMeant: true)
    case "drop":
      let short = words.indices.filter {
        words[$0].count <= 4 && !words[$0].contains(where: \.isNumber)
      }
      if words.count > 2, !short.isEmpty { words.remove(at: pick(short)) }
    case "ending":
      let long = words.indices.filter { words[$0].count >= 5 }
      guard !isUnspaced, !long.isEmpty else { break }
      let place = pick(long)
      words[place].removeLast(Int.random(in: 1...2, using: &generator))
      for _ in 0..<Int.random(in: 0...2, using: &generator) { words[place].append(pick(letters)) }
    case "order":
      guard words.count > 2 else { break }
      let count = Int.random(in: 1...min(3, words.count - 1), using: &generator)
      let from = Int.random(in: 0...(words.count - count), using: &generator)
      let piece = Array(words[from..<(from + count)])
      words.removeSubrange(from..<(from + count))
      words = Bool.random(using: &generator) ? piece + words : words + piece
    case "extra", "place":
      // A word too many is as often a place that is nobody's as it is one of politeness.
      words.insert(foreignWord(), at: Int.random(in: 0...words.count, using: &generator))
      isMeant = kind == "extra"
    case "foreign":
      return Spoiled(
        sentence: foreign.isEmpty ? "zork" : pick(foreign), kind: kind, isMeant: false)
    case "salad":
      words = (0..<Int.random(in: 2...6, using: &generator)).map { _ in pick(self.words) }
      isMeant = false
    case "name":
      // Somebody else's name.
      let named = words.indices.filter { names.contains(words[$0]) }
      words[named.isEmpty ? Int.random(in: words.indices, using: &generator) : pick(named)] =
        foreignWord()
      isMeant = false
    case "own":
      // Words of one's own for all but names.
      var others = words.indices.filter { !names.contains(words[$0]) }.shuffled(using: &generator)
      guard others.count < words.count else { break }
      others = Array(others.prefix(Int.random(in: 1...3, using: &generator)))
      for place in others { words[place] = foreignWord() }
    case "exchange":
      words[Int.random(in: words.indices, using: &generator)] = pick(self.words)
      isMeant = false
    default:
      let places = [0, words.count, Int.random(in: 0...words.count, using: &generator)]
      words.insert(blockers.isEmpty ? "zork" : pick(blockers), at: pick(places))
      isMeant = false
    }
    return Spoiled(
      sentence: words.joined(separator: isUnspaced ? "" : " "), kind: kind, isMeant: isMeant)
  }

  private mutating func pick<Element>(_ values: [Element]) -> Element {
    values[Int.random(in: values.indices, using: &generator)]
  }

  private mutating func foreignWord() -> String {
    guard !foreign.isEmpty else { return "zork" }
    return pick(pick(foreign).split(separator: " ").map(String.init))
  }

  private func words(of text: String) -> [String] {
    isUnspaced ? text.map { String($0) } : text.split(separator: " ").map(String.init)
  }

  private mutating func filled(_ text: String) -> String {
    guard !fillers.isEmpty else { return text }
    let parts = [pick(fillers), text]
    return (Bool.random(using: &generator) ? parts : parts.reversed())
      .joined(separator: isUnspaced ? "" : " ")
  }

  private mutating func typo(_ text: String) -> String {
    var characters = Array(text)
    let places = characters.indices.filter { characters[$0].isLetter && isLong(characters, $0) }
    guard !places.isEmpty, !letters.isEmpty else { return text }
    let place = pick(places)
    switch Int.random(in: 0..<4, using: &generator) {
    case 0: characters.remove(at: place)
    case 1: characters.insert(characters[place], at: place)
    case 2: characters[place] = pick(letters)
    default:
      if place + 1 < characters.count, characters[place + 1].isLetter {
        characters.swapAt(place, place + 1)
      } else {
        characters.insert(pick(letters), at: place)
      }
    }
    return String(characters)
  }

  /// Whether the word at a place has four letters at least.
  private func isLong(_ characters: [Character], _ place: Int) -> Bool {
    guard !isUnspaced else { return true }
    var (start, end) = (place, place)
    while start > 0, characters[start - 1].isLetter { start -= 1 }
    while end < characters.count, characters[end].isLetter { end += 1 }
    return end - start >= 4
  }
}
