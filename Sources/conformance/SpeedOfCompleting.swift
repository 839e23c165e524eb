import ArgumentParser
import Documents
import Foundation
import Glibc
import IntentRouter
import JSON
import LanguageWords
import NumberWords
import ProgramStart

/// `conformance speed completing DIR --language de` measures completing of the beginnings of
/// sentences: with few names, with many, and of a folder of intents.
///
/// Times are processor time of the thread, for one beginning. The beginnings are those of the cases
/// of the corpus, and of the examples of the intents.
struct SpeedOfCompleting: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "completing", abstract: "Completing with few and many names, and of intents.")

  @Argument(help: "The folder that has one folder for each language.")
  var directory: String

  @Option(help: "The language.")
  var language: String

  @Option(help: "How many names are few.")
  var few = 10

  @Option(help: "How many names are many.")
  var many = 10_000

  @Option(help: "How many sentences.")
  var count = 100

  @Option(help: "A folder of intents, such as those of the project.")
  var intents: String?

  func validate() throws {
    guard few > 0, many >= few, count > 0 else {
      throw ValidationError("--few and --count are 1 or more, --many as much as --few or more")
    }
  }

  func run() throws {
    let folder = "\(directory)/\(language)"
    let grammar = try loadedGrammar(folder)
    let fixtures = try json("\(folder)/fixtures.json").objectValue ?? [:]
    let union = fixtures["_all"]?.objectValue?["lists"]?.objectValue ?? [:]
    let invented = InventedNames(language: language)
    let context = context(of: union)
    let (short, long) = (
      grammar.binding(located(.object(invented.lists(few, context, in: union)))).grammar,
      grammar.binding(located(.object(invented.lists(many, context, in: union)))).grammar
    )
    let beginnings = try cases(folder).flatMap(beginnings)
    // The first beginning makes what all others need.
    for grammar in [short, long] { _ = grammar.complete("a", limit: Self.limit) }
    var (times, manyTimes): ([Double], [Double]) = ([], [])
    for text in beginnings {
      times.append(try time { try short.complete(text, limit: Self.limit).get().count })
      manyTimes.append(try time { try long.complete(text, limit: Self.limit).get().count })
    }
    var result: JSONObject = [
      "beginnings": .int(Int64(beginnings.count)), "few": figures(times),
      "many": figures(manyTimes),
      "ratio": .double(mean(manyTimes) / max(mean(times), 0.001)),
    ]
    if let intents { result["intents"] = try figures(ofIntents: intents) }
    say(JSONValue.object(result).serialized)
  }

  /// As many sentences as a search shows.
  private static let limit = 5

  /// The attributes that names of the corpus have, so that templates admit the invented ones.
  private func context(of union: JSONObject) -> JSONValue {
    union["name"]?.objectValue?["values"]?.arrayValue?.lazy.compactMap { $0["context"] }.first
      ?? [:]
  }

  private func cases(_ folder: String) throws -> [String] {
    let all = try rows(of: "\(folder)/cases.jsonl").map {
      SentenceCheck.checks(of: $0, in: "cases")[0].sentence
    }
    guard all.count > count else { return all }
    return (0..<count).map { all[$0 * all.count / count] }
  }

  private func beginnings(of sentence: String) -> [String] {
    let scalars = Array(sentence.unicodeScalars)
    return (0..<scalars.count).map { last in
      var beginning = String.UnicodeScalarView()
      beginning.append(contentsOf: scalars[...last])
      return String(beginning)
    }
  }

  private func figures(ofIntents root: String) throws -> JSONValue {
    var sources: [CatalogSource] = []
    var examples: [(language: String, sentence: String)] = []
    for path in (FileManager.default.subpaths(atPath: root) ?? []).sorted() {
      guard let kind = CatalogSource.Kind(path: path),
        let data = FileManager.default.contents(atPath: "\(root)/\(path)"),
        let document = readYAML(String(decoding: data, as: UTF8.self), file: path).value
      else { continue }
      sources.append(CatalogSource(file: path, document: document, kind: kind))
      guard kind == .examples else { continue }
      for language in document.json["examples"]?.objectValue?.members ?? [] {
        for example in language.value["match"]?.arrayValue ?? [] {
          guard let sentence = example.stringValue ?? example["sentence"]?.stringValue else {
            continue
          }
          examples.append((language.key, sentence))
        }
      }
    }
    guard !examples.isEmpty else {
      throw CorpusError(description: "'\(root)' has no examples of intents")
    }
    let catalog = IntentCatalog.load(
      sources, spelling: { NumberWords.words(forTenths: $0, language: $1) }
    ).catalog
    for language in Set(examples.map(\.language)) {
      _ = catalog.complete("a", languages: [language], limit: Self.limit)
    }
    return figures(
      try examples.flatMap { language, sentence in
        try beginnings(of: sentence).map { text in
          try time {
            try catalog.complete(text, languages: [language], limit: Self.limit).get().count
          }
        }
      })
  }

  /// The processor time of `body`, in microseconds.
  private func time(_ body: () throws -> Int) rethrows -> Double {
    let start = microseconds(CLOCK_THREAD_CPUTIME_ID)
    _ = try body()
    return microseconds(CLOCK_THREAD_CPUTIME_ID) - start
  }

  private func mean(_ times: [Double]) -> Double {
    times.reduce(0, +) / Double(max(times.count, 1))
  }

  private func figures(_ times: [Double]) -> JSONValue {
    [
      "beginnings": .int(Int64(times.count)), "mean": .double(mean(times)),
      "p50": .double(times.quantile(0.5)), "p99": .double(times.quantile(0.99)),
    ]
  }
}
