import JSON
import Testing

@testable import IntentRouter

/// A sentence document with one template on each line: 1, 2, 3, …
private struct Sheet {
  struct Block {
    var intent: String
    var templates: [String]
    var extras: JSONObject = [:]
  }

  var blocks: [Block]
  var rules: JSONObject = [:]
  var lists: JSONObject = [:]

  init(_ blocks: [Block], rules: JSONObject = [:], lists: JSONObject = [:]) {
    self.blocks = blocks
    self.rules = rules
    self.lists = lists
  }

  /// Makes a document with one intent and one block.
  init(
    _ templates: String..., rules: JSONObject = [:], lists: JSONObject = [:],
    extras: JSONObject = [:]
  ) {
    self.init(
      [Block(intent: "A", templates: templates, extras: extras)], rules: rules, lists: lists)
  }

  /// Makes a document with the intents A and B, one template each.
  init(a: String, b: String, lists: JSONObject = [:]) {
    self.init(
      [Block(intent: "A", templates: [a]), Block(intent: "B", templates: [b])], lists: lists)
  }

  var document: LocatedValue {
    var line = 0
    func member(_ key: String, _ value: LocatedValue) -> LocatedValue.Member {
      .init(key: key, line: value.line, value: value)
    }
    var intents: [LocatedValue.Member] = []
    for block in blocks {
      let sentences = block.templates.map { template -> LocatedValue in
        line += 1
        return LocatedValue(.string(template), line: line)
      }
      var members = [member("sentences", LocatedValue(.array(sentences), line: 1))]
      members += block.extras.members.map { member($0.key, located($0.value)) }
      let data = LocatedValue(.array([LocatedValue(.object(members), line: 1)]), line: 1)
      // An intent may have several blocks.
      intents.append(member(block.intent, LocatedValue(.object([member("data", data)]), line: 1)))
    }
    return LocatedValue(
      .object([
        member("language", LocatedValue(.string("en"), line: 1)),
        member("intents", LocatedValue(.object(intents), line: 1)),
        member("expansion_rules", located(.object(rules))),
        member("lists", located(.object(lists))),
      ]), line: 1)
  }

  /// The report on this document alone.
  var report: LintReport {
    Lint.report(on: [CatalogSource(file: "en.yaml", document: document, kind: .sentences)])
  }

  /// The findings as `kind line: message`.
  var findings: [String] { report.findings.map(said) }
}

private func said(_ finding: LintFinding) -> String {
  "\(finding.kind.rawValue) \(finding.issue.line): \(finding.issue.message)"
}

/// Reports on a folder of intents: a definition for each, the sheet, and examples of the form
/// `INTENT: (match, noMatch)`.
private func catalogReport(
  _ sheet: Sheet, examples: [(intent: String, match: [String], noMatch: [String])] = [],
  parameters: JSONValue = [["name": "a"], ["name": "b"]], only files: Set<String>? = nil
) -> LintReport {
  var sources: [CatalogSource] = []
  for intent in Set(sheet.blocks.map(\.intent)).sorted() {
    sources.append(
      CatalogSource(
        file: "\(intent)/intent.yaml",
        document: located(["name": .string(intent), "parameters": parameters]), kind: .intent))
  }
  sources.append(CatalogSource(file: "en.yaml", document: sheet.document, kind: .sentences))
  for (intent, match, noMatch) in examples {
    let document: JSONValue = [
      "intent": .string(intent),
      "examples": [
        "en": [
          "match": .array(match.map(JSONValue.string)),
          "noMatch": .array(noMatch.map(JSONValue.string)),
        ]
      ],
    ]
    sources.append(
      CatalogSource(
        file: "\(intent)/examples.yaml", document: located(document), kind: .examples))
  }
  return Lint.report(on: sources, only: files)
}

@Suite struct LintTests {
  @Test func `documents without a mistake have no finding`() {
    let sheet = Sheet(
      [
        .init(intent: "A", templates: ["show [the] weather [in {city}]", "(rain|snow) in {city}"]),
        .init(intent: "B", templates: ["play {song}", "stop [it]"]),
      ], lists: ["city": ["values": ["Rome", "Oslo"]], "song": ["wildcard": true]])
    #expect(sheet.findings == [])
    #expect(sheet.report.templates.map(\.line) == [1, 2, 3, 4])
    #expect(sheet.report.sentencesTried > 10)
  }

  @Test func `an issue of the loader is reported with its place`() {
    let findings = Sheet("show (a", "show <x>", "show a").findings
    #expect(findings.count == 2)
    #expect(findings.first?.hasPrefix("document 1: the sentence 'show (a'") == true, "\(findings)")
    #expect(findings.last?.hasPrefix("document 2: the sentence 'show <x>'") == true, "\(findings)")
  }

  // MARK: Empty branches

  @Test(arguments: ["(a|) b", "(|a) b", "x [y (a||b)]"])
  func `an empty branch is reported`(template: String) {
    #expect(
      Sheet(template).findings == [
        "emptyBranch 1: the sentence '\(template)' has an empty branch, which never matches: "
          + "not even when nothing is said"
      ])
  }

  @Test(arguments: ["[a|] b", "[a] b", "(a| ) b", "(a;b;) c"])
  func `a branch that may match nothing is no empty branch`(template: String) {
    #expect(Sheet(template).findings == [])
  }

  @Test func `an empty branch is found in rules, in local rules and in values`() {
    let sheet = Sheet(
      "<r> <l> {v}", rules: ["r": "(a|)"], lists: ["v": ["values": ["(c|)", "d"]]],
      extras: ["expansion_rules": ["l": "(b|)"]])
    #expect(sheet.report.findings.map(\.kind) == [.emptyBranch, .emptyBranch, .emptyBranch])
  }

  @Test func `an empty group does not load, and is reported`() {
    let findings = Sheet("() a", "[] a").findings
    #expect(findings.count == 2)
    #expect(findings.allSatisfy { $0.hasPrefix("document ") }, "\(findings)")
  }

  // MARK: What never matches

  @Test func `a template with a list that has no values never matches`() {
    #expect(
      Sheet("go to <place>", "stop", rules: ["place": "{v}"], lists: ["v": ["values": []]]).findings
        == ["neverMatches 1: 'go to <place>' never matches: the list {v} has no values"])
    // An optional group with an empty list does no harm.
    #expect(Sheet("go [to {v}]", lists: ["v": ["values": []]]).findings == [])
  }

  @Test func `a template that is nothing but an empty branch never matches`() {
    #expect(
      Sheet("go <r>", rules: ["r": "(|)"]).findings.contains(
        "neverMatches 1: 'go <r>' never matches: its only branch is empty"))
  }

  @Test(arguments: [
    ("switch on the lamp", true), ("switch on the lam[p]", true), ("[s]witch LAMP [on]", true),
    ("on {v}", true), ("on {w}", true), ("on <r>", true), ("(a;b;lamp)", true), ("l(amp|ox)", true),
    ("switch on the light", false), ("switch on the lamps", false), ("on {n}", false),
    ("my {n} lamp", true), ("my headlamp", false), ("(a;b;lamps)", false),
  ])
  func `a required keyword must be in the text`(template: String, isSaid: Bool) {
    let sheet = Sheet(
      template, rules: ["r": "a [small] lamp"],
      lists: [
        "v": ["values": ["radio", "desk lamp"]], "w": ["wildcard": true],
        "n": ["values": ["radio", "light"]],
      ], extras: ["required_keywords": ["lamp"]])
    let never = sheet.findings.filter { $0.hasPrefix("neverMatches") }
    #expect(
      never
        == (isSaid
          ? []
          : [
            "neverMatches 1: '\(template)' never matches: no sentence of it has a required keyword ('lamp')"
          ]))
  }

  @Test func `a contradiction in the context is reported`() {
    func findings(_ requires: JSONValue, _ excludes: JSONValue) -> [String] {
      Sheet(
        "go", extras: ["requires_context": ["k": requires], "excludes_context": ["k": excludes]]
      )
      .findings
    }
    let told = [
      "neverMatches 1: 'go' never matches: its block requires and excludes the same 'k' of the context"
    ]
    #expect(findings("x", "x") == told)
    #expect(findings(["x", "y"], ["y", "x", "z"]) == told)
    #expect(findings(["x", "y"], "x") == [])
    #expect(findings(.null, "x") == [])
    #expect(findings("x", .null) == [])
  }

  @Test func `punctuation that is removed from sentences is reported in templates`() {
    #expect(
      Sheet("go, please").findings == [
        "neverMatches 1: 'go, please' never matches: it has punctuation at the edge of a word, "
          + "which what people say is freed of"
      ])
  }

  @Test func `two wildcards in a row never match`() {
    let findings = Sheet("play {w} {v}", lists: ["w": ["wildcard": true], "v": ["wildcard": true]])
      .findings
    #expect(findings.count == 1)
    #expect(findings.allSatisfy { $0.hasPrefix("neverMatches 1: ") }, "\(findings)")
  }

  @Test func `a context that the daemon never sends is reported in its catalogue`() {
    let sheet = Sheet("go", extras: ["requires_context": ["area": .null]])
    #expect(sheet.findings == [])
    #expect(
      catalogReport(sheet).findings.map(said) == [
        "neverMatches 1: 'go' never matches: its block requires 'area' of the context, "
          + "which no list value in it gives"
      ])
  }

  // MARK: What never wins

  @Test func `a repeated template is reported once, with the first's place`() {
    #expect(
      Sheet("go [home]", "stay", "go [home]").findings == [
        "duplicate 3: 'go [home]' is there already: 'go [home]' (en.yaml:1)"
      ])
    // A template with the same text but other rules or conditions is a different one.
    let blocks = Sheet([
      .init(intent: "A", templates: ["go <r>"], extras: ["expansion_rules": ["r": "home"]]),
      .init(intent: "B", templates: ["go <r>"], extras: ["expansion_rules": ["r": "away"]]),
    ])
    #expect(blocks.findings == [])
  }

  @Test func `a template whose sentences all go to an earlier one is reported`() {
    #expect(
      Sheet("go [to] (home|work)", "stop", "go to work").findings == [
        "unreachable 3: every sentence of 'go to work' goes to 'go [to] (home|work)' (en.yaml:1), "
          + "which ranks before it"
      ])
    // In the other order, the narrow template wins its own sentence.
    #expect(Sheet("go to work", "go [to] (home|work)").findings == [])
  }

  @Test func `several templates may take all sentences of one together`() {
    let findings = Sheet("go home", "go [to] work", "go (home|work|to work)").findings
    #expect(
      findings == [
        "unreachable 3: every sentence of 'go (home|work|to work)' goes to others, as to "
          + "'go home' (en.yaml:1), which ranks before it"
      ])
  }

  @Test func `a template that loses only for the sentences that were tried is said to be so`() {
    let names = JSONValue.array((0..<200).map { .string("name\($0)") })
    let findings = Sheet("call [my] {n}", "call {n}", lists: ["n": ["values": names]]).findings
    #expect(findings.count == 1)
    #expect(
      findings.allSatisfy {
        $0.hasPrefix("unreachable 2: each of ") && $0.contains("'call {n}' that were tried goes to")
      }, "\(findings)")
  }

  @Test func `a wildcard gets the words that an earlier list does not take`() {
    let lists: JSONObject = ["n": ["values": ["Rome", "Oslo"]], "w": ["wildcard": true]]
    #expect(Sheet("go to {n:x}", "go to {w:x}", lists: lists).findings == [])
    // But a list after a list gets no words of its own.
    let findings = Sheet(
      "go to {w:x}", "go to {v:x}", lists: ["w": ["wildcard": true], "v": ["wildcard": true]]
    )
    .findings
    #expect(findings.count == 1)
    #expect(findings.allSatisfy { $0.hasPrefix("unreachable 2: ") }, "\(findings)")
  }

  // MARK: Two intents

  @Test func `a sentence of two intents is reported once, with both places`() {
    #expect(
      Sheet(a: "(start|stop) it", b: "stop (it|that)").findings == [
        "sharedSentence 1: '(start|stop) it' of A and 'stop (it|that)' of B (en.yaml:2) both take "
          + "'stop it', and nothing but their names decides"
      ])
  }

  @Test func `a sentence with a wildcard in both is shared, one with more words is not`() {
    let lists: JSONObject = ["w": ["wildcard": true], "v": ["wildcard": true]]
    #expect(
      Sheet(a: "play {w}", b: "play {v}", lists: lists).report.findings.map(\.kind) == [
        .sharedSentence
      ])
    #expect(Sheet(a: "play {w}", b: "play song {v}", lists: lists).findings == [])
  }

  @Test func `a shared sentence that a third template settles is left alone`() {
    let lists: JSONObject = ["w": ["wildcard": true], "v": ["wildcard": true]]
    let sheet = Sheet(
      [
        .init(intent: "A", templates: ["go {w}"]), .init(intent: "B", templates: ["go (x|y)"]),
        .init(intent: "C", templates: ["go x"]),
      ], lists: lists)
    // B and C share "go x"; A's wildcard ranks below both.
    #expect(sheet.report.findings.map(\.issue.line) == [2])
  }

  // MARK: Examples

  @Test func `a wildcard that takes another intent's example is reported, best or not`() {
    let sheet = Sheet(
      [
        .init(intent: "A", templates: ["play {w:a}"]),
        .init(intent: "B", templates: ["play chess"]),
      ], lists: ["w": ["wildcard": true]])
    let report = catalogReport(sheet, examples: [("B", ["play chess", "play go"], [])])
    #expect(
      report.findings.map(said) == [
        "example 1: 'play go' is not understood as B, but as A",
        "overMatch 1: 'play {w:a}' takes 'play chess', an example of B (B/examples.yaml:1)",
        "overMatch 1: 'play {w:a}' takes 'play go', an example of B (B/examples.yaml:1), and ranks first",
      ])
    #expect(report.findings.map(\.issue.severity) == [.error, .warning, .warning])
    #expect(
      report.findings.last?.issue.description.hasSuffix(
        "; expected more words around the wildcard, or a list in its place") == true)
  }

  @Test func `a sentence that matches but must not is reported`() {
    let sheet = Sheet("play {w:a}", lists: ["w": ["wildcard": true]])
    let report = catalogReport(sheet, examples: [("A", ["play chess"], ["play the fool", "rest"])])
    #expect(
      report.findings.map(said) == [
        "overMatch 1: 'play {w:a}' takes 'play the fool', which must not match A (A/examples.yaml:1)"
      ])
  }

  @Test func `examples without their intent are reported`() {
    let examples = CatalogSource(
      file: "examples.yaml", document: located(["intent": "A", "examples": [:]]), kind: .examples)
    let sheet = CatalogSource(file: "en.yaml", document: Sheet("go").document, kind: .sentences)
    #expect(
      Lint.report(on: [examples, sheet]).findings.map(said) == [
        "document 0: the examples belong to no intent"
      ])
  }

  @Test func `only findings in the named files are reported`() {
    let sheet = Sheet("play {w:a}", "play {w:a}", lists: ["w": ["wildcard": true]])
    func kinds(_ files: Set<String>?) -> [LintFinding.Kind] {
      catalogReport(sheet, examples: [("A", ["rest"], ["play on"])], only: files).findings.map(
        \.kind)
    }
    #expect(kinds(nil) == [.example, .overMatch, .duplicate, .overMatch])
    #expect(kinds(["en.yaml"]) == [.overMatch, .duplicate, .overMatch])
    #expect(kinds(["A/examples.yaml"]) == [.example, .overMatch, .overMatch])
    #expect(kinds(["A/intent.yaml"]) == [])
    #expect(catalogReport(sheet, only: ["A/intent.yaml"]).templates == [])
  }

  // MARK: Counts

  @Test(arguments: [
    ("a", "1"), ("a [b] (c|d|e)", "6"), ("(a;b;c)", "6"), ("{v}", "2"), ("<r> <r>", "9"),
    ("{0..100:n}", "101"), ("{0..100,5:n}", "21"), ("{half}", "202"), ("{tenth}", "1,010"),
    ("{t}", "5"), ("{w} [now]", "2 × any text"), ("(a|) b", "1"), ("{given} [now]", "2 × any name"),
    ("{given} {w} now", "1 × any text and name"), ("(a|{none})", "1"),
    ("<big><big><big>", "1,000,000,000"), ("<big><big><big><big><big><big>", "over 10^18"),
    ("<big><big><big><big><big><big><big>", "over 10^18"),
  ])
  func `sentences are counted, not written out`(template: String, count: String) {
    let digits = "(0|1|2|3|4|5|6|7|8|9)"
    let sheet = Sheet(
      template, rules: ["r": "a|b|c", "big": .string(digits + digits + digits)],
      lists: [
        "v": ["values": ["x", "y"]], "t": ["values": ["(a|b) c", "[d] e", "f"]],
        "half": ["range": ["from": 0, "to": 100, "fractions": "halves"]],
        "tenth": ["range": ["from": 0, "to": 100, "fractions": "tenths"]],
        "w": ["wildcard": true], "none": ["values": []],
      ])
    let counted = sheet.report.templates.map(\.sentences)
    #expect(
      counted.map { $0.note.isEmpty ? $0.numberText : "\($0.numberText) \($0.note)" } == [count])
  }

  @Test func `the numbers of all templates are added, up to a limit`() {
    let huge = String(repeating: "(a|b|c|d|e|f|g|h|i|j)", count: 30)
    #expect(Sheet("go [on]", "{1..3:n}").report.sentences.numberText == "5")
    #expect(Sheet(huge, huge + "x").report.sentences.numberText == "over 10^18")
  }

  // MARK: What must not hang it

  @Test func `rules that double 30 times are counted and tried at once`() {
    var rules: JSONObject = ["r0": "(a|b)"]
    for level in 1...30 { rules["r\(level)"] = .string("<r\(level - 1)><r\(level - 1)>") }
    let report = Sheet("<r30>", "[<r29>] stop", rules: rules).report
    #expect(report.templates.map(\.sentences.numberText) == ["over 10^18", "over 10^18"])
    // No sentence of the first template is short enough to be tried, so it is not reported.
    #expect(report.findings.allSatisfy { $0.kind != .unreachable })
  }

  @Test func `a template that explodes is refused and reported`() {
    let options = String(repeating: "[a][b][a b]", count: 60)
    let report = Sheet(options + " end", "stop").report
    #expect(report.findings.contains { $0.kind == .tooComplex }, "\(report.findings.map(said))")
    #expect(report.templates.count == 2)
  }

  @Test func `many templates that explode end the trial instead of going on`() {
    let options = String(repeating: "[a][b][a b]", count: 60)
    let sheet = Sheet([
      .init(intent: "A", templates: (0..<40).map { options + " end\($0)" })
    ])
    let report = sheet.report
    #expect(report.languagesCutShort == ["en"])
    #expect(report.findings.count { $0.kind == .tooComplex } <= Limits.lintedRefusalsMax)
  }

  @Test func `nested permutations and a hundred wildcards come to an end`() {
    let words = "(a;b;c;d;e;f;g;h)"
    let permutation = "((\(words);i;j);k;l;m;n;o)"
    let wildcards = (0..<100).map { "{w} x\($0)" }.joined(separator: " ")
    let report = Sheet(permutation, wildcards, lists: ["w": ["wildcard": true]]).report
    #expect(report.templates.map(\.sentences.numberText) == ["174,182,400", "1"])
  }

  @Test func `values that lead from list to list are followed as deep as templates may be`() {
    var lists: JSONObject = ["v0": ["values": ["end"]]]
    for level in 1...400 {
      lists["v\(level)"] = ["values": [.string("{v\(level - 1)}"), .string("a{v\(level - 1)}")]]
    }
    let report = Sheet("go {v400}", lists: lists).report
    #expect(report.templates.map(\.sentences.numberText) == ["over 10^18"])
    #expect(!report.findings.contains { $0.kind == .neverMatches })
  }

  @Test func `lists chained by the thousand, and rules that double in a value, load`() {
    var lists: JSONObject = ["v0": ["values": ["end"]]]
    for level in 1...10_000 { lists["v\(level)"] = ["values": [.string("{v\(level - 1)}")]] }
    #expect(Sheet("go {v10000}", lists: lists).report.templates.count == 1)

    var rules: JSONObject = ["r0": "a"]
    for level in 1...30 { rules["r\(level)"] = .string("<r\(level - 1)><r\(level - 1)>") }
    let sheet = Sheet("go {v}", rules: rules, lists: ["v": ["values": ["<r30>", "home"]]])
    #expect(sheet.report.templates.map(\.sentences.numberText) == ["2"])
  }

  @Test func `a value that leads back to its own list counts for nothing`() {
    let sheet = Sheet(
      "go {a}",
      lists: [
        "a": ["values": ["{b} x", "{c}", "home"]], "b": ["values": ["far {a}", "near"]],
        "c": ["values": ["{d}", "there"]], "d": ["values": ["{d} y", "here"]],
      ])
    // "{b} x" leads to a again; only "here" and "there" of c count.
    #expect(sheet.report.templates.map(\.sentences.numberText) == ["3"])
    #expect(sheet.findings.count == 3)
    #expect(sheet.findings.allSatisfy { $0.contains("leads back to that list") })
  }

  @Test func `a keyword in doubling rules and long lists is looked for within its bound`() {
    var rules: JSONObject = ["r0": "(a|lam|amp|{v})"]
    for level in 1...28 { rules["r\(level)"] = .string("<r\(level - 1)><r\(level - 1)>") }
    let values = JSONValue.array((0..<5_000).map { .string("name\($0)") })
    let sheet = Sheet(
      "<r28>", rules: rules, lists: ["v": ["values": values]],
      extras: ["required_keywords": ["lampe"]])
    #expect(sheet.report.templates.count == 1)
  }

  @Test func `thousands of keywords, values and templates are looked at within a bound`() {
    let words = JSONValue.array((0..<3_000).map { .string("word\($0)") })
    let sheet = Sheet([
      .init(
        intent: "A", templates: (0..<300).map { "go \($0)" },
        extras: [
          "required_keywords": words, "requires_context": ["k": words],
          "excludes_context": ["k": words],
        ])
    ])
    let report = sheet.report
    #expect(report.templates.count == 300)
    #expect(report.findings.allSatisfy { $0.kind == .neverMatches })
  }

  @Test func `the same documents always give the same report`() {
    let sheet = Sheet(
      [
        .init(intent: "A", templates: ["go to {n} [now] {1..1000:x}", "go {w}"]),
        .init(intent: "B", templates: ["go {v}", "(go|stay) [to] {n}"]),
      ],
      lists: [
        "n": ["values": .array((0..<300).map { .string("place \($0)") })],
        "w": ["wildcard": true], "v": ["wildcard": true],
      ])
    #expect(sheet.report == sheet.report)
  }

  @Test func `findings beyond the limit are counted`() {
    let templates = (0..<(Limits.lintedFindingsMax + 5)).map { "(a|) word\($0)" }
    let report = Sheet([.init(intent: "A", templates: templates)]).report
    #expect(report.findings.count == Limits.lintedFindingsMax)
    #expect(report.omitted == 5)
  }

  // MARK: What examples state

  /// Reports on the intent Show with a city and a level, and these examples.
  private func exampleFindings(_ examples: JSONValue) -> [String] {
    let sheet = Sheet(
      [.init(intent: "Show", templates: ["weather in {city}", "level {level} [in {city}]"])],
      lists: [
        "city": ["values": ["Lisbon", "Porto"]], "level": ["range": ["from": 0, "to": 9]],
      ])
    let intent: JSONValue = [
      "name": "Show", "parameters": [["name": "city"], ["name": "level", "type": "integer"]],
    ]
    let sources = [
      CatalogSource(file: "Show/intent.yaml", document: located(intent), kind: .intent),
      CatalogSource(file: "en.yaml", document: sheet.document, kind: .sentences),
      CatalogSource(
        file: "Show/examples.yaml",
        document: located(["intent": "Show", "examples": examples]), kind: .examples),
    ]
    return Lint.report(on: sources).findings.map { "\(said($0)); expected \($0.issue.expected)" }
  }

  @Test func `an example that states what its sentence gives is clean`() {
    let findings = exampleFindings([
      "en": [
        "match": [
          "weather in Lisbon",
          ["sentence": "weather in Lisbon", "parameters": ["city": "Lisbon"]],
          ["sentence": "level 5 in Porto", "parameters": ["level": 5]],
          ["sentence": "level 5", "parameters": ["level": 5.0, "city": nil]],
        ],
        "noMatch": ["weather in Rome", ["sentence": "level 12"]],
      ]
    ])
    #expect(findings == [])
  }

  @Test func `an example that states another value is found`() {
    let findings = exampleFindings([
      "en": [
        "match": [
          ["sentence": "weather in Lisbon", "parameters": ["city": "Porto"]],
          ["sentence": "level 5", "parameters": ["level": "5", "city": "Porto"]],
        ]
      ]
    ])
    #expect(
      findings == [
        #"example 1: 'weather in Lisbon' gives city: "Lisbon", and the example states city: "Porto"; expected the value that the sentence gives"#,
        #"example 1: 'level 5' gives level: 5, and the example states level: "5"; expected the value that the sentence gives"#,
        #"example 1: 'level 5' gives no city, and the example states city: "Porto"; expected a template with a slot for it"#,
      ])
  }

  @Test func `what nobody reads of an example is found`() {
    let findings = exampleFindings([
      "de": ["match": ["Wetter in Lisbon"]],
      "en": [
        "match": [
          ["sentense": "weather in Lisbon"],
          ["sentence": "weather in Lisbon", "parameters": ["ctiy": "Lisbon"], "intent": "Show"],
        ],
        "nomatch": ["weather in Rome"],
        "noMatch": [["sentence": "weather in Rome", "parameters": [:]], [1]],
      ],
    ])
    #expect(
      findings == [
        "example 1: no document has sentences in 'de', so these examples are not tried; expected one of en",
        "example 1: 'nomatch' is no key of the examples of a language and is ignored; did you mean 'noMatch'?; expected one of match, asks, noMatch",
        #"example 1: an example has no key 'sentence'; expected {sentence: "…", parameters: {…}}, or the sentence alone"#,
        "example 1: 'sentense' is no key of an example and is ignored; did you mean 'sentence'?; expected one of sentence, parameters",
        "example 1: 'intent' is no key of an example and is ignored; expected one of sentence, parameters",
        "example 1: Show has no parameter 'ctiy'; did you mean 'city'?; expected one of city, level",
        "example 1: 'parameters' is no key of a sentence under 'noMatch' and is ignored; expected one of sentence",
        "example 1: a sentence under 'noMatch' is an array; expected a text (in quotes if need be)",
      ])
  }

  @Test func `an example that states what its sentence asks for is judged`() {
    let sheet = Sheet(
      [.init(intent: "Show", templates: ["weather [in {city}]", "weather in {city} {day}"])],
      lists: ["city": ["values": ["Lisbon", "Porto"]], "day": ["values": ["today"]]])
    let intent: JSONValue = [
      "name": "Show",
      "parameters": [["name": "city", "required": true], ["name": "day"]],
    ]
    func findings(_ asks: JSONValue) -> [String] {
      let examples: JSONValue = ["intent": "Show", "examples": ["en": ["asks": [asks]]]]
      return Lint.report(on: [
        CatalogSource(file: "Show/intent.yaml", document: located(intent), kind: .intent),
        CatalogSource(file: "en.yaml", document: sheet.document, kind: .sentences),
        CatalogSource(file: "Show/examples.yaml", document: located(examples), kind: .examples),
      ]).findings.map { "\(said($0)); expected \($0.issue.expected)" }
    }
    #expect(findings(["sentence": "weather", "parameter": "city"]) == [])
    #expect(
      findings(["sentence": "weather", "parameter": "day"]) == [
        "example 1: 'weather' asks for city, and the example states that it asks for day; expected the parameter that is asked for first"
      ])
    #expect(
      findings(["sentence": "weather in Porto", "parameter": "city"]) == [
        "example 1: 'weather in Porto' asks nothing, and the example states that it asks for city; expected the sentence under 'match', or a template without a slot for city"
      ])
    #expect(
      findings(["sentence": "rain", "parameter": "city"]) == [
        "example 1: 'rain' is not understood as Show; expected a template for it, or the sentence under 'noMatch'"
      ])
    #expect(
      findings("weather") == [
        #"example 1: a sentence under 'asks' does not say what it asks for; expected {sentence: "…", parameter: …}"#
      ])
    #expect(
      findings(["sentence": "weather", "parameter": "town"]).contains(
        "example 1: Show has no parameter 'town'; expected one of city, day"))
    #expect(
      findings(["sentence": "weather"]) == [
        #"example 1: a sentence under 'asks' has no key 'parameter'; expected {sentence: "…", parameter: …}"#
      ])
  }

  @Test func `an intent that asks first is understood`() {
    let intent: JSONValue = [
      "name": "Wipe", "confirm": true, "parameters": [["name": "what", "required": true]],
    ]
    let sheet = Sheet(
      [.init(intent: "Wipe", templates: ["wipe [{what}]"])],
      lists: ["what": ["values": ["disk", "desk"]]])
    func findings(match: [JSONValue], noMatch: [JSONValue]) -> [String] {
      let examples: JSONValue = [
        "intent": "Wipe", "examples": ["en": ["match": .array(match), "noMatch": .array(noMatch)]],
      ]
      return Lint.report(on: [
        CatalogSource(file: "Wipe/intent.yaml", document: located(intent), kind: .intent),
        CatalogSource(file: "en.yaml", document: sheet.document, kind: .sentences),
        CatalogSource(file: "Wipe/examples.yaml", document: located(examples), kind: .examples),
      ]).findings.filter { $0.kind == .example || $0.kind == .overMatch }.map(said)
    }
    let stated: JSONValue = ["sentence": "wipe disk", "parameters": ["what": "disk"]]
    #expect(findings(match: [stated, "wipe"], noMatch: []) == [])
    let wrong: JSONValue = ["sentence": "wipe disk", "parameters": ["what": "desk"]]
    #expect(findings(match: [wrong], noMatch: []).count == 1)
    #expect(findings(match: [], noMatch: ["wipe disk"]).count == 1)
  }
}
