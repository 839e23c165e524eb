import JSON

/// Reads a sentence that matches nothing: finds sentences of the templates that it nearly is, and
/// lets exact recognition say what these mean.
struct NearReader {
  /// One meaning, by the cheapest sentence that has it.
  struct Reading {
    var sentence: String
    var meaning: NearMeaning
    var way: NearWay
  }

  let near: NearGrammar
  let lists: [ValueList]
  /// What exact recognition says about a sentence; `nil` if it means nothing.
  let meaning: (String) -> NearMeaning?

  /// The words of a sentence; `nil` where it is too long to be read nearly, or is nothing to read.
  func tokens(of text: NormalizedText) -> [Range<Int>]? {
    guard text.count <= Limits.nearScalarsMax else { return nil }
    // Joiners and marks of direction alone are no word.
    let tokens = nearWords(of: text.folded).filter { word in
      text.folded[word].contains { $0 &- 0x200B >= 5 }
    }
    return (1...Limits.nearWordsMax).contains(tokens.count) ? tokens : nil
  }

  /// The readings of a sentence, each of another meaning, the cheapest first.
  ///
  /// Most sentences have words that are none; only where that finds little are words that are known
  /// taken for others: `search` is then one that does.
  func readings(_ typed: inout Typed, _ search: inout NearSearch) -> [Reading] {
    var least: Float = 0
    var leastExchanged: Float = 0
    var found = laidOut(&search, least: &least)
    if let cost = found.first?.cost, cost > NearSearch.Price.exchanged * 1.5, cost < 2.2 {
      search = prepared(&typed, exchanging: true)
      found = laidOut(&search, least: &leastExchanged)
    }
    var readings = readings(found, search)
    // Where no template has all of the words, none has them in another order.
    if least < NearSearch.Price.omitted,
      readings.first.map({ $0.way.cost > NearSearch.Price.order / 2 }) ?? true
    {
      addMoved(typed.sentence, search.sentence.skips, &readings)
    }
    return readings
  }

  /// Adds readings of the sentence with its first or last words elsewhere.
  ///
  /// Only where every word is known, so that another order alone can be what is wrong.
  func addMoved(
    _ sentence: NearSentence, _ skips: [NearSentence.Skip], _ readings: inout [Reading]
  ) {
    let count = sentence.tokens.count
    guard (3...Limits.nearMovedWordsMax).contains(count),
      sentence.tokens.indices.allSatisfy({
        sentence.words[$0].id != nil || sentence.words[$0].isName || sentence.words[$0].isNumber
      }),
      !skips.contains(where: { $0.kind == .blocker })
    else { return }
    let isCharacters = isUnspaced(sentence.text.folded[sentence.tokens[0].lowerBound])
    let pieces = sentence.tokens.indices.map { Array(sentence.text.cased[sentence.tokens[$0]]) }
    var seen: Set<[[UInt32]]> = [pieces]
    var added: [Reading] = []
    for length in 1...min(isCharacters ? 6 : 4, count - 1) {
      for isFront in [true, false] {
        let moved = isFront ? pieces[..<length] : pieces[(count - length)...]
        let rest = isFront ? pieces[length...] : pieces[..<(count - length)]
        for place in 0...rest.count {
          let words = rest.prefix(place) + moved + rest.dropFirst(place)
          guard seen.insert(Array(words)).inserted else { continue }
          let text = isCharacters ? Array(words.joined()) : Array(words.joined(separator: [space]))
          let sentence = NormalizedText.string(text)
          // Free words would take in whatever was moved.
          guard let meaning = meaning(sentence), meaning.wildcards == 0 else { continue }
          var way = NearWay(
            cost: NearSearch.Price.order + 0.05 * Float(length - 1), source: 0)
          way.isMoved = true
          way.takenWeight = Float(count) / 2
          way.changes = [
            NearChange(
              said: NormalizedText.string(
                Array(moved.joined(separator: isCharacters ? [] : [space]))), taken: "",
              why: .order)
          ]
          added.append(Reading(sentence: sentence, meaning: meaning, way: way))
        }
      }
    }
    for reading in added.sorted(by: { $0.way.cost < $1.way.cost }) {
      if let known = readings.firstIndex(where: { $0.meaning == reading.meaning }) {
        if readings[known].way.cost > reading.way.cost { readings[known] = reading }
      } else {
        readings.append(reading)
      }
    }
    readings.sort { $0.way.cost < $1.way.cost }
    if readings.count > 4 { readings.removeLast(readings.count - 4) }
  }

  private func readings(
    _ found: [(source: Int, table: Int32, cost: Float)], _ search: borrowing NearSearch
  ) -> [Reading] {
    guard let best = found.first else { return [] }
    var ways: [NearWay] = []
    for (source, table, cost) in found.prefix(12)
    where cost <= best.cost + NearSearch.Price.window {
      let way = search.way(of: source, table: table)
      ways.append(way)
      for name in way.names {
        let chosen = search.names.named[name.choice]
        for choice in search.names(of: name.list, at: name.place) where choice != name.choice {
          let other = search.names.named[choice]
          guard other.to == chosen.to, other.value != chosen.value,
            other.cost <= chosen.cost + 0.8
          else { continue }
          var variant = search.way(of: source, table: table, replacing: (name.cell, choice))
          variant.cost += other.cost - chosen.cost
          ways.append(variant)
        }
      }
    }
    ways = ways.enumerated().sorted { ($0.1.cost, $0.0) < ($1.1.cost, $1.0) }.map(\.1)
    var readings: [Reading] = []
    var seen: Set<[UInt32]> = []
    for way in ways {
      guard readings.count < 4, seen.count < 12 else { break }
      guard seen.insert(way.text).inserted else { continue }
      let sentence = NormalizedText.string(way.text)
      guard let meaning = meaning(sentence), !readings.contains(where: { $0.meaning == meaning })
      else { continue }
      readings.append(Reading(sentence: sentence, meaning: meaning, way: way))
    }
    return readings
  }
}
