import ArgumentParser
import Glibc
import IntentRouter
import JSON
import NumberWords

/// `conformance speed DIR`: how fast the sentences of a corpus are recognised.
///
/// One JSON object a language: `load` and `memory` of its document; over all cases with the names
/// of their own and with all names of the language `mean`, `median` and `p99` of a sentence; and
/// `names`: the mean with few and with many names, for sentences that match and that do not.
/// Times in microseconds, memory in KiB.
struct SpeedCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "speed", abstract: "Times recognition on the cases of a corpus.")

  @Argument(help: "The folder that has one folder for each language.")
  var directory: String

  @Option(help: "Languages, separated by commas.")
  var languages = "en,de,zh-CN"

  @Option(help: "Rounds over the cases.")
  var rounds = 5

  func run() throws {
    for language in languages.split(separator: ",") {
      print(try measure(String(language)).serialized)
    }
  }

  private func measure(_ language: String) throws -> JSONValue {
    let folder = "\(directory)/\(language)"
    let document = located(try json("\(folder)/intents.json"))
    let spelling: NumberSpelling = { NumberWords.words(forTenths: $0, language: $1) }
    var loads: [Double] = []
    let before = try residentKiB()
    var grammar = SentenceGrammar.load(document, file: folder, spelling: spelling).grammar
    let memory = try residentKiB() - before
    for _ in 0..<5 {
      let start = now()
      grammar = SentenceGrammar.load(document, file: folder, spelling: spelling).grammar
      loads.append(now() - start)
    }
    let fixtures = try json("\(folder)/fixtures.json").objectValue ?? [:]
    var bound: [String: SentenceGrammar] = [:]
    for fixture in fixtures.members {
      if let lists = fixture.value.objectValue?["lists"] {
        bound[fixture.key] = grammar.binding(located(lists)).grammar
      }
    }
    let cases = try rows(of: "\(folder)/cases.jsonl").map { row in
      SentenceCheck.checks(of: row, in: "cases")[0]
    }
    let all = bound["_all"] ?? grammar
    var result: JSONObject = [
      "language": .string(language), "load": .double(loads.sorted()[2]),
      "memory": .int(Int64(memory)), "sentences": .int(Int64(cases.count)),
    ]
    result["own"] = times(cases) { bound[$0.fixture] ?? grammar }
    result["all"] = times(cases) { _ in all }

    let sentences = cases.map(\.sentence)
    let few = grammar.binding(names(10, language, document)).grammar
    let many = grammar.binding(names(10_000, language, document)).grammar
    let said = [3, 5, 8].map { "\(name($0, language))" }
    let matching = sentences.prefix(400).enumerated().map { index, sentence in
      template(language).replacing("NAME", with: said[index % said.count])
    }
    let failing = sentences.prefix(400).map { "\($0) \(said[0]) xyz" }
    result["names"] = [
      "matching": .double(mean(matching, many) / mean(matching, few)),
      "failing": .double(mean(failing, many) / mean(failing, few)),
      "cases": .double(mean(sentences, many) / mean(sentences, few)),
      "failingMean": .double(mean(failing, many)),
    ]
    return .object(result)
  }

  private func template(_ language: String) -> String {
    language.hasPrefix("zh") ? "打开NAME" : language == "de" ? "schalte NAME ein" : "turn on NAME"
  }

  private func name(_ number: Int, _ language: String) -> String {
    let syllables =
      language.hasPrefix("zh")
      ? ["客", "厅", "灯", "卧", "室", "书", "房", "台", "大", "小"]
      : ["ka", "li", "mo", "ne", "ru", "sta", "vo", "wen", "zi", "tor"]
    var text = ""
    var rest = number &* 7_919 &+ 104_729
    for _ in 0..<6 {
      text += syllables[rest % 10]
      rest /= 10
    }
    return text
  }

  private func names(_ count: Int, _ language: String, _ document: LocatedValue) -> LocatedValue {
    let values = (0..<count).map { number -> JSONValue in
      [
        "in": .string(name(number, language)), "out": .string("name \(number)"),
        "context": ["domain": "light"],
      ]
    }
    return located([
      "name": ["values": .array(values)], "area": ["values": ["qqq"]], "floor": ["values": ["qqz"]],
    ])
  }

  private func times(
    _ checks: [SentenceCheck], _ grammar: (SentenceCheck) -> SentenceGrammar
  ) -> JSONValue {
    var best = [Double](repeating: .infinity, count: checks.count)
    var total = Double.infinity
    for _ in 0..<rounds {
      var sum = 0.0
      for (index, check) in checks.enumerated() {
        let grammar = grammar(check)
        let request = SentenceGrammar.Request(context: check.context)
        let start = now()
        let matches = grammar.recognizeAll(check.sentence, request)
        if case .success(let matches) = matches { _ = matches.best(slot: "name") }
        let time = now() - start
        best[index] = min(best[index], time)
        sum += time
      }
      total = min(total, sum)
    }
    best.sort()
    return [
      "mean": .double(total / Double(checks.count)), "median": .double(best[best.count / 2]),
      "p99": .double(best[best.count * 99 / 100]), "worst": .double(best[best.count - 1]),
    ]
  }

  private func mean(_ sentences: [String], _ grammar: SentenceGrammar) -> Double {
    var best = Double.infinity
    for _ in 0..<rounds {
      let start = now()
      for sentence in sentences { _ = grammar.recognizeAll(sentence) }
      best = min(best, now() - start)
    }
    return best / Double(sentences.count)
  }

  private func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
  }

  private func residentKiB() throws -> Int {
    let text = try bytes(of: "/proc/self/statm")
    let fields = String(decoding: text, as: UTF8.self).split(separator: " ")
    return fields.count > 1 ? (Int(fields[1]) ?? 0) * 4 : 0
  }
}
