import Documents
import Foundation
import JSON
import Testing
import WidgetCenter

/// Tests everything but the modules: pages, commands, examples.
@Suite struct TreeTests {
  let project = Project.current

  // MARK: Pages

  @Test func `every page has one title, and it comes first`() throws {
    let pages = project.files(ending: ".md")
    #expect(pages.count > 8, "the pages were not found")
    for page in pages {
      let titles = Markdown(try project.text(page) ?? "").titles
      if titles.count != 1 || titles.first?.isFirst != true {
        Issue.record("\(page): begin with one `# Title`; it has \(titles.count)")
      }
    }
  }

  @Test func `no relative link is dead`() throws {
    for page in project.files(ending: ".md") {
      let folder = page.split(separator: "/").dropLast().joined(separator: "/")
      for (link, line) in Markdown(try project.text(page) ?? "").relativeLinks {
        let path = folder.isEmpty ? link : folder + "/" + link
        if !project.has(path) { Issue.record("\(page):\(line): there is no \(link)") }
      }
    }
  }

  @Test func `prose wraps at 100 columns`() throws {
    for page in project.files(ending: ".md") {
      for (text, line) in Markdown(try project.text(page) ?? "").prose
      where text.count > 100 && text.trimmingSpaces.contains(" ") {
        Issue.record("\(page):\(line): \(text.count) columns; break the line")
      }
    }
  }

  @Test func `the way to every page begins in docs/README.md`() throws {
    let index = Markdown(try project.text("docs/README.md") ?? "")
    let linked = Set(index.relativeLinks.map { $0.link })
    for page in project.files(in: "docs", ending: ".md").map({ $0.dropFirst("docs/".count) })
    where page != "README.md" && page != "decisions/0000-template.md" && !linked.contains("\(page)")
    {
      Issue.record("docs/README.md: link \(page), for the reader whom it is for")
    }
    let front = Markdown(try project.text("README.md") ?? "").relativeLinks.map { $0.link }
    for page in ["docs/README.md", "docs/TESTING.md", "docs/RANKING.md", "docs/decisions"]
    where !front.contains(page) {
      Issue.record("README.md: link \(page)")
    }
    let modules = Markdown(try project.text("docs/ARCHITECTURE.md") ?? "").relativeLinks
    for map in project.files(in: "Sources", ending: ".md")
    where !modules.contains(where: { $0.link == "../\(map)" }) {
      Issue.record("docs/ARCHITECTURE.md: link \(map), the map of a module")
    }
  }

  @Test func `every path that a page names is there`() throws {
    for page in project.files(ending: ".md") {
      for (path, line) in Markdown(try project.text(page) ?? "").paths where !project.has(path) {
        Issue.record("\(page):\(line): there is no \(path)")
      }
    }
  }

  @Test func `every picture is shown, with words for it, and small`() throws {
    var shown: Set<String> = []
    for page in project.files(in: "docs", ending: ".md") {
      let text = try project.text(page) ?? ""
      for (link, line) in Markdown(text).relativeLinks where link.hasPrefix("pictures/") {
        shown.insert(link)
        guard text.contains("![](\(link))") else { continue }
        Issue.record("\(page):\(line): \(link) has no words")
      }
    }
    for file in project.files(in: "docs/pictures") {
      if try Data(contentsOf: project.url(file)).count > 20_000 {
        Issue.record("\(file): more than 20,000 bytes; make it smaller")
      }
      if !shown.contains(String(file.dropFirst("docs/".count))) {
        Issue.record("\(file): show it on a page, or remove it")
      }
    }
  }

  @Test func `titles, links, paths and prose are found, but not in code`() {
    let page = Markdown(
      """
      # One
      [a](a.md#part) and [b](https://example.org) and [c](#here) `[d](d.md)`
      ```sh
      # a comment
      [e](e.md)
      ```
      | `Sources/A/B+C.swift`, `Sources` and `docs/NAME/x.md` |
      # Two
      """)
    #expect(page.titles.map(\.text) == ["One", "Two"])
    #expect(page.titles.map(\.isFirst) == [true, false])
    #expect(page.relativeLinks.map(\.link) == ["a.md"])
    #expect(page.prose.map(\.line) == [1, 2, 8])
    #expect(page.paths.map(\.path) == ["Sources/A/B+C.swift"])
    #expect(Markdown("text\n# Late").titles.first?.isFirst == false)
  }

  @Test func `no two decisions have the same number`() {
    let numbers = project.names(in: "docs/decisions").map { String($0.prefix(4)) }
    #expect(numbers.allSatisfy { $0.allSatisfy(\.isNumber) })
    #expect(Set(numbers).count == numbers.count)
  }

  // MARK: Commands

  @Test func `make help lists every command`() throws {
    let makefile = try project.text("Makefile") ?? ""
    let targets = makefile.matches(of: #/(?m)^([a-z][\w-]*):(.*)$/#)
    #expect(targets.count > 8, "the targets were not found")
    for target in targets where !target.output.2.contains(" ## ") {
      Issue.record("Makefile: '\(target.output.1)' has no `## what it does` for make help")
    }
  }

  @Test func `every file that the Makefile and the pages name exists`() throws {
    let makefile = try project.text("Makefile") ?? ""
    for script in makefile.matches(
      of: #/(?:scripts|packaging|Benchmarks|Examples)\/[\w\/-]+\.(?:sh|py)/#)
    where !project.has(String(script.output)) {
      Issue.record("Makefile: there is no \(script.output)")
    }
    let targets = Set(
      makefile.matches(of: #/(?m)^([a-z][\w-]*):/#).map { String($0.output.1) })
    for page in project.files(ending: ".md") {
      for call in (try project.text(page) ?? "").matches(of: #/`make ([a-z-]+)/#)
      where !targets.contains(String(call.output.1)) {
        Issue.record("\(page): there is no `make \(call.output.1)`")
      }
    }
  }

  @Test func `every file that starts with #! is executable`() throws {
    for path in project.files() where try project.text(path)?.hasPrefix("#!") == true {
      if !FileManager.default.isExecutableFile(atPath: project.url(path).path) {
        Issue.record("\(path): chmod +x")
      }
    }
  }

  @Test func `no file names a folder of somebody's machine`() throws {
    for path in project.files() where path != "Package.resolved" {
      guard let text = try project.text(path) else { continue }
      for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false)
        .enumerated()
      where Self.namesMachine(line) {
        Issue.record("\(path):\(index + 1): write ~, $HOME or a relative path")
      }
    }
  }

  @Test func `a folder of a machine is seen, a path below something is not`() {
    let folder = "/" + Self.machineFolders[0]
    for line in [
      "cd \(folder)/jo/src", "path = \"\(folder)/jo\"", "\(folder)/jo", "(\(folder)/jo)",
    ] {
      #expect(Self.namesMachine(line[...]))
    }
    for line in [
      "root + \"\(folder)/file\"", "\(folder)/me/x", "\\(root)\(folder)/x", "a\(folder)/x",
    ] {
      #expect(!Self.namesMachine(line[...]))
    }
  }

  // Each name is split, so that this file does not contain it.
  static let machineFolders = ["ho" + "me", "ro" + "ot", "wo" + "rk"]

  /// Returns whether the line has an absolute path into one of the folders.
  ///
  /// Paths of the user `me` are allowed: tests of paths need one.
  static func namesMachine(_ line: Substring) -> Bool {
    guard machineFolders.contains(where: { line.contains(word: "/\($0)/") }) else { return false }
    return line.matches(of: #/(\+ )?(?:^|[\s"'`=(:])/(\w+)/(?!me/)/#).contains { match in
      match.output.1 == nil && machineFolders.contains(String(match.output.2))
    }
  }

  // MARK: Examples

  @Test func `the examples' manifests are read without an issue`() throws {
    let manifests = project.files(in: "Examples", ending: ".yaml")
    #expect(manifests.count >= 5)
    for manifest in manifests {
      let document = readYAML(try project.text(manifest) ?? "", file: manifest)
      var issues = document.issues
      if let value = document.value {
        let folder = project.url(manifest).deletingLastPathComponent().path
        let read = ManifestReader.read(
          ManifestSource(file: manifest, directory: folder, document: value))
        issues += read.issues
        if let intent = read.kind?.intent, !project.has("Intents/\(intent)/intent.yaml") {
          Issue.record("\(manifest): there is no intent \(intent) in Intents")
        }
        if let scheme = read.kind?.url?.prefix(while: { $0 != ":" }) {
          let viewer = try project.text("Examples/viewer/org.intentd.example.Viewer.desktop") ?? ""
          #expect(viewer.contains("x-scheme-handler/\(scheme);"), "the viewer opens no \(scheme)")
        }
      }
      for issue in issues { Issue.record("\(issue)") }
    }
  }
}

extension TreeTests {
  /// The languages in which everything that ships has its texts.
  private static let languages = ["en", "zh-CN"]

  /// Returns the languages of `languages` that a text of a document does not have.
  private func missing(_ text: LocatedValue?) -> [String] {
    guard case .object(let members)? = text?.node else { return Self.languages }
    return Self.languages.filter { language in !members.contains { $0.key == language } }
  }

  @Test func `what ships has its texts in English and in Chinese`() throws {
    let manifests = project.files(in: "Examples", ending: ".yaml")
    let intents = project.files(in: "Intents", ending: "intent.yaml")
    #expect(manifests.count >= 6 && intents.count >= 5)
    for file in manifests + intents {
      let document = try #require(readYAML(try project.text(file) ?? "", file: file).value)
      var parts = [(document, ["name", "description"])]
      if case .array(let kinds)? = document["kinds"]?.node {
        parts = kinds.map { ($0, ["name", "description"]) }
      } else if intents.contains(file) {
        parts = [(document, ["title", "description"])]
        if case .array(let parameters)? = document["parameters"]?.node {
          parts += parameters.map { ($0, ["title", "prompt"]) }
        }
      }
      for (part, keys) in parts {
        for key in keys where !missing(part[key]).isEmpty {
          Issue.record("\(file):\(part.line): \(key) lacks \(missing(part[key]))")
        }
      }
    }
  }
}

/// The structure of a page, as far as the tests need it.
struct Markdown {
  /// The lines outside of fenced code and tables, with their numbers, which begin at 1.
  private(set) var prose: [(text: Substring, line: Int)] = []
  /// Paths inside the project that stand in backticks; `NAME` is a placeholder.
  private(set) var paths: [(path: String, line: Int)] = []
  private(set) var titles: [(text: String, isFirst: Bool)] = []
  private(set) var relativeLinks: [(link: String, line: Int)] = []

  init(_ text: String) {
    var isCode = false
    var isFirst = true
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      if line.trimmingSpaces.hasPrefix("```") {
        isCode.toggle()
        continue
      }
      guard !isCode else { continue }
      if !line.trimmingSpaces.hasPrefix("|") { prose.append((line, index + 1)) }
      if line.hasPrefix("# ") { titles.append((String(line.dropFirst(2)), isFirst)) }
      if !line.trimmingSpaces.isEmpty { isFirst = false }
      for match in line.matches(
        of:
          #/`((?:Sources|Tests|Examples|Intents|Benchmarks|Fuzz|docs|scripts|packaging)\/[^`\s]*)`/#
      )
      where !match.output.1.contains("NAME") {
        paths.append((String(match.output.1), index + 1))
      }
      let text = line.replacing(#/`[^`]*`/#, with: "")
      for match in text.matches(of: #/\]\(([^)#\s]+)(?:#[^)]*)?\)/#)
      where !match.output.1.contains(":") {
        relativeLinks.append((String(match.output.1), index + 1))
      }
    }
  }
}
