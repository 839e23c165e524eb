/// A pattern that is banned in some modules, and its replacement there.
struct Ban: Sendable {
  /// The regular expression to search for, in code without comments and strings.
  let pattern: String
  /// The words of which a matching line has at least one.
  ///
  /// Other lines are skipped.
  let words: [String]
  /// The end of the message, which names the replacement.
  let instead: String
  let scope: Scope
  /// The files that may do it, for the others.
  var exceptions: Set<String> = []
  /// A line that the ban must catch, for the linter's own test.
  let snippet: String

  enum Scope: Sendable {
    /// The core and its modules, which take and return values.
    case pure
    /// The modules that run on the loop's thread.
    ///
    /// Those that apps and widgets are built with run in their programs, and are none of them.
    case loop
    /// All modules except the wrappers over C, which mark lines with pointers as `unsafe`.
    case outsideC
    case everywhere
  }

  func applies(to module: String) -> Bool {
    switch scope {
    case .pure: Modules.pure.contains(module)
    case .loop: !Modules.sdk.contains(module)
    case .outsideC: !Modules.wrappers.contains(module)
    case .everywhere: true
    }
  }

  /// Returns a message for each match in `file`: `path:line: the banned text; the replacement`.
  func violations(in file: SwiftSource) -> [String] {
    guard applies(to: file.module), !exceptions.contains(file.path) else { return [] }
    do {
      // Use simple word boundaries: by Unicode's rules `Clock.now` is one word.
      let regex = try Regex(pattern).wordBoundaryKind(.simple)
      return file.code.enumerated().compactMap { index, line in
        // Search for words first: regular expressions over the whole tree would take half a minute.
        guard words.contains(where: { line.contains(word: $0) }),
          let match = line.firstMatch(of: regex)
        else { return nil }
        let found = line[match.range].trimmingSpaces.suffix(40)
        return "\(file.path):\(index + 1): '\(found)' in \(file.module): \(instead)"
      }
    } catch {
      return ["the ban '\(pattern)' is no regular expression: \(error)"]
    }
  }
}

/// The modules of each sort; `docs/ARCHITECTURE.md` has the reasons.
enum Modules {
  static let pure: Set<String> = [
    "JSON", "PlainText", "Plugins", "Timekeeping", "JSONRPC", "IntentProtocol", "DesktopEntries",
    "IntentRouter", "WidgetCenter", "DaemonCore", "VirtualTime", "Simulator", "WebPages",
    "Downloads", "ViewMarkup", "WidgetExtension",
  ]
  /// The modules that apps and widgets are built with, as Apple names them.
  static let sdk: Set<String> = [
    "ActivityKit", "AppIntents", "FoundationAdditions", "Intents", "OSLog", "PreviewMacros",
    "SwiftUI", "WidgetKit", "os",
  ]
  static let wrappers: Set<String> = [
    "EventLoop", "Store", "WebFetch", "WebServer", "PanelPictures",
  ]
}

extension Ban {
  static let all: [Ban] = [
    // The core reads no clock and no random numbers.
    Ban(
      pattern: #"\bDate\("#, words: ["Date("],
      instead: "take `now: Now` as a parameter", scope: .pure,
      snippet: "let start = Date()"),
    Ban(
      pattern: #"\b(Continuous|Suspending)Clock\b|\bclock_gettime\b|\bgettimeofday\b"#,
      words: ["Clock", "clock_gettime", "gettimeofday"],
      instead: "take `now: Now` as a parameter", scope: .pure,
      snippet: "let start = ContinuousClock.now"),
    Ban(
      pattern: #"\.(random|randomElement|shuffled?)\(|\bSystemRandomNumberGenerator\b"#,
      words: ["random", "shuffle", "SystemRandom"],
      instead: "draw from a generator that was seeded at init", scope: .pure,
      snippet: "let jitter = Int.random(in: 0..<10)"),
    Ban(
      pattern: #"\bUUID\("#, words: ["UUID("],
      instead: "count, or draw from the seeded generator", scope: .pure,
      snippet: "let id = UUID().uuidString"),
    Ban(
      pattern: #"\bgetenv\(|\bProcessInfo\b|\bCommandLine\b"#,
      words: ["getenv(", "ProcessInfo", "CommandLine"],
      instead: "the program reads its surroundings and passes values in", scope: .pure,
      snippet: #"let home = getenv("HOME")"#),

    // One thread owns all state.
    Ban(
      pattern: #"\basync\b"#, words: ["async"],
      instead: "one thread owns the loop: call, or send an Event",
      scope: .loop, snippet: "func load() async throws {}"),
    Ban(
      pattern: #"\bawait\b"#, words: ["await"],
      instead: "one thread owns the loop: call, or send an Event",
      scope: .loop, snippet: "let entry = await provider.entry"),
    Ban(
      pattern: #"\bTask(\.\w+)?\s*(\{|\(|<)"#, words: ["Task"],
      instead: "one thread owns the loop: append to the inbox", scope: .loop,
      snippet: "Task { reload() }"),
    Ban(
      pattern: #"^\s*(\w+ )*actor \w"#, words: ["actor "],
      instead: "a plain type that lives on the loop's thread",
      scope: .loop, snippet: "package actor Cache {"),
    Ban(
      pattern: #"\bDispatch(Queue|Semaphore|Group|Source)\b"#, words: ["Dispatch"],
      instead: "a LoopTimer, a LoopWaker or the Store's thread", scope: .loop,
      snippet: "DispatchQueue.main.sync {}"),
    Ban(
      pattern: #"\b(sleep|usleep|nanosleep)\("#, words: ["sleep("],
      instead: "arm a LoopTimer", scope: .loop,
      snippet: "usleep(10)"),

    // One place writes, and it takes nothing that would steer a terminal.
    Ban(
      pattern:
        #"(^|[^.\w\s]|\b(in|else|return))\s*(print|debugPrint|dump|f?puts|fwrite|perror|f?printf)\("#,
      words: ["print(", "Print(", "dump(", "puts(", "fwrite(", "perror(", "printf("],
      instead: "return it or throw it; the programs write a TerminalText",
      scope: .everywhere, snippet: #"print("reloaded")"#),
    Ban(
      pattern: #"\bwrite\(\s*STD(OUT|ERR)_FILENO|\bFileHandle\.standard(Output|Error)\b"#,
      words: ["STDOUT_FILENO", "STDERR_FILENO", "FileHandle"],
      instead: "StandardDescriptors.write takes a TerminalText", scope: .everywhere,
      exceptions: [
        "Sources/ProgramStart/StandardDescriptors.swift",
        "Sources/WidgetKit/Center/WidgetCenter.swift",
        "Sources/WidgetKit/Runtime/ProgramOutput.swift",
        // Messages of an author's own program, and answers to the compiler.
        "Sources/OSLog/Logger.swift", "Sources/PreviewMacros/main.swift",
        "Sources/intent-send/Watch/Terminal.swift",
      ], snippet: "write(STDERR_FILENO, text, count)"),

    // Errors are handled where they occur.
    Ban(
      pattern: #"\btry\?"#, words: ["try?"],
      instead: "catch it and say why nothing is done", scope: .everywhere,
      snippet: "let value = try? read()"),
    Ban(
      pattern: #"\btry!"#, words: ["try!"],
      instead: "throw it on, or catch it and stop with a sentence",
      scope: .everywhere, snippet: "let value = try! read()"),
    Ban(
      pattern: #"\bas!"#, words: ["as!"],
      instead: "as?, and a precondition with a sentence", scope: .everywhere,
      snippet: "let timer = handle as! LoopTimer"),
    Ban(
      pattern: #"[\w)\]]!(\.|\)|\]|,|\s*$|\s+[^=\s])"#, words: ["!"],
      instead: "guard let, or a precondition with a sentence", scope: .outsideC,
      snippet: "let first = entries.first!.date"),
    Ban(
      pattern: #"\bfatalError\("#, words: ["fatalError("],
      instead: "preconditionFailure with a sentence",
      scope: .everywhere,
      // An author's mistake: their release build has to say it, too.
      exceptions: [
        "Sources/AppIntents/Entities/AppEntity.swift",
        "Sources/AppIntents/Entities/Dependencies.swift",
        "Sources/AppIntents/Values/IntentParameter.swift",
      ], snippet: #"fatalError("never")"#),
  ]
}

extension StringProtocol {
  /// Returns whether `word` occurs, byte for byte.
  func contains(word: String) -> Bool {
    var rest = utf8[...]
    let word = word.utf8
    guard let first = word.first else { return true }
    while let index = rest.firstIndex(of: first) {
      if rest[index...].starts(with: word) { return true }
      rest = rest[rest.index(after: index)...]
    }
    return false
  }
}

extension Substring {
  var trimmingSpaces: Substring {
    var text = self
    while text.first == " " { text.removeFirst() }
    while text.last == " " { text.removeLast() }
    return text
  }
}
