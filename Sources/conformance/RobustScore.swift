import IntentRouter
import JSON

/// What was done for one row.
struct RobustPrediction {
  struct Meaning {
    var intent: String
    var slots: [String: JSONValue]
    var sentence: String
  }

  var id: JSONValue
  var decision: NearAnswer.Decision
  /// 1 for a sentence that exact recognition understood.
  var confidence = 0.0
  var isExact = false
  /// The first is what is done, or asked about first.
  var meanings: [Meaning] = []
  /// What near reading weighed; also where it decided that nothing was meant.
  var features: [Double] = []

  init(_ row: JSONObject, _ grammar: SentenceGrammar, _ speed: inout RobustSpeed) {
    id = row["id"] ?? .null
    decision = .none
    let sentence = row["sentence"]?.stringValue ?? ""
    let context = members(of: row["context"])
    var start = microseconds()
    let exact = grammar.recognizeAll(sentence, .init(context: context))
    speed.exact.append(microseconds() - start)
    guard case .success(let matches) = exact else { return }
    if let best = matches.best(slot: "name") {
      decision = .act
      isExact = true
      confidence = 1
      meanings = [Meaning(intent: best.intent, slots: best.slots, sentence: sentence)]
      return
    }
    start = microseconds()
    let near = grammar.readNearly(sentence, context: context)
    speed.near.append(microseconds() - start)
    guard case .success(let answer) = near else { return }
    decision = answer.decision
    features = answer.features
    confidence = answer.readings.first?.confidence ?? 0
    meanings = answer.readings.map {
      Meaning(intent: $0.meaning.intent, slots: $0.meaning.slots, sentence: $0.sentence)
    }
  }

  var view: JSONObject {
    var view: JSONObject = ["id": id, "decision": .string(decision.rawValue)]
    if let first = meanings.first {
      view["intent"] = .string(first.intent)
      view["slots"] = slots(of: first)
      view["confidence"] = .double(confidence)
      if !features.isEmpty { view["features"] = .array(features.map { .double($0) }) }
      view["sentence"] = .string(first.sentence)
      view["options"] = .array(
        meanings.map {
          .object([
            "intent": .string($0.intent), "slots": slots(of: $0), "sentence": .string($0.sentence),
          ])
        })
    }
    return view
  }

  private func slots(of meaning: Meaning) -> JSONValue {
    .object(
      JSONObject(
        meaning.slots.sorted { $0.key < $1.key }.map { .init(key: $0.key, value: $0.value) }))
  }

  /// The place of the expected meaning among the meanings; `nil` if it is not there.
  func place(ofExpected row: JSONObject) -> Int? {
    var expected: [JSONObject] = [row]
    expected += (row["accept"]?.arrayValue ?? []).compactMap(\.objectValue)
    return meanings.firstIndex { meaning in
      expected.contains { wanted in
        wanted["intent"]?.stringValue == meaning.intent
          && isEqual(
            .object(lowercased(members(of: wanted["slots"]))), .object(lowercased(meaning.slots)))
      }
    }
  }

  /// Slots whose texts are compared without case, since a corrected sentence has a name as its list
  /// does.
  private func lowercased(_ slots: [String: JSONValue]) -> JSONObject {
    JSONObject(
      slots.sorted { $0.key < $1.key }.map { key, value in
        guard let text = value.stringValue else { return .init(key: key, value: value) }
        // A number that free words took is a text.
        let number = Double(text).map { JSONValue.double($0) }
        return .init(key: key, value: number ?? .string(text.lowercased()))
      })
  }
}

/// Counts what was done, by set and by group.
struct RobustScore {
  enum Outcome: Int, CaseIterable {
    case right, wrong, askedRight, askedWrong, askedInVain, nothing

    var title: String {
      switch self {
      case .right: "right"
      case .wrong: "wrong"
      case .askedRight: "ask+"
      case .askedWrong: "ask-"
      case .askedInVain: "ask"
      case .nothing: "none"
      }
    }
  }

  private var counts: [String: [Int]] = [:]
  /// By tenth of confidence: rows, the sum of confidence, and how many first readings were right.
  private var tenths = [(rows: Int, said: Double, right: Int)](repeating: (0, 0, 0), count: 10)

  mutating func add(_ row: JSONObject, _ prediction: RobustPrediction, group: String?) {
    let set = row["set"]?.stringValue ?? "?"
    let outcome = Self.outcome(of: prediction, row)
    for name in [set] + (group.map { ["\(set) \($0)"] } ?? []) {
      counts[name, default: [Int](repeating: 0, count: Outcome.allCases.count)][
        outcome.rawValue] += 1
    }
    guard !prediction.isExact, prediction.decision != .none else { return }
    let tenth = min(9, Int(prediction.confidence * 10))
    tenths[tenth].rows += 1
    tenths[tenth].said += prediction.confidence
    if row["intent"]?.stringValue != nil, prediction.place(ofExpected: row) == 0 {
      tenths[tenth].right += 1
    }
  }

  private static func outcome(of prediction: RobustPrediction, _ row: JSONObject) -> Outcome {
    let isMeant = row["intent"]?.stringValue != nil
    let place = isMeant ? prediction.place(ofExpected: row) : nil
    switch prediction.decision {
    case .none: return .nothing
    case .act: return place == 0 ? .right : .wrong
    case .ask: return isMeant ? (place == nil ? .askedWrong : .askedRight) : .askedInVain
    }
  }

  var lines: [String] {
    let head = column("", 28) + column("rows", 7)
    return [head + Outcome.allCases.map { column($0.title, 7) }.joined()]
      + counts.keys.sorted().map { name in
        let numbers = counts[name] ?? []
        let all = numbers.reduce(0, +)
        return column(name, 28) + column("\(all)", 7)
          + numbers.map { column(percent($0, of: all), 7) }.joined()
      }
  }

  /// Confidence beside the share of first readings that were right; tenths with few rows say little.
  var confidenceLines: [String] {
    [column("confidence", 28) + column("rows", 7) + column("said", 7) + column("right", 7)]
      + tenths.indices.filter { tenths[$0].rows > 0 }.map { index in
        let tenth = tenths[index]
        return column("0.\(index)", 28) + column("\(tenth.rows)", 7)
          + column(percent(tenth.said, of: Double(tenth.rows)), 7)
          + column(percent(tenth.right, of: tenth.rows), 7)
      }
  }
}

/// Times of one language, in microseconds.
struct RobustSpeed {
  var exact: [Double] = []
  var near: [Double] = []

  func line(for language: String) -> String {
    guard !near.isEmpty, !exact.isEmpty else { return "\(language): no near reading" }
    let middle = near.quantile(0.5)
    let ratio = middle / max(exact.quantile(0.5), 0.001)
    return "\(language): near p50 \(Int(middle)) µs, \(Int(ratio.rounded())) times exact, p99 "
      + "\(Int(near.quantile(0.99))) µs"
  }
}

private func column(_ text: String, _ width: Int) -> String {
  let gap = String(repeating: " ", count: max(0, width - text.count))
  return width > 20 ? text + gap : gap + text
}

private func percent(_ part: Int, of all: Int) -> String {
  percent(Double(part), of: Double(all))
}

private func percent(_ part: Double, of all: Double) -> String {
  guard all > 0 else { return "-" }
  let tenths = Int((part / all * 1_000).rounded())
  return "\(tenths / 10).\(tenths % 10)"
}
