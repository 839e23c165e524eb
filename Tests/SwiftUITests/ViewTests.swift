import AppIntents
import FoundationAdditions
import JSON
import SwiftUI
import Testing

@MainActor
struct ViewTests {
  private func content(
    _ view: some View, _ family: WidgetFamily = .systemSmall
  ) -> JSONValue {
    .object(Fixture.evaluated(view, family).content(for: family))
  }

  @Test func `emphasis of a key is a style and leaves the text`() {
    let tree = Fixture.evaluated(
      Text("Hello, **world** and *all* `x` [y](https://a.org) 2 * 3 a_b_c"))
    guard case .text(let runs) = tree.root.kind else {
      Issue.record("no text")
      return
    }
    #expect(
      runs.map { if case .text(let text) = $0.content { text } else { "" } }
        == ["Hello, ", "world", " and ", "all", " ", "x", " ", "y", " 2 * 3 a_b_c"])
    #expect(runs[1].style.weight == .bold)
    #expect(runs[3].style.isItalic == true)
    #expect(runs[5].style.design == .monospaced)
    #expect(runs[7].link == "https://a.org")
  }

  private struct Stacked: LabeledContentStyle {
    func makeBody(configuration: Configuration) -> some View {
      VStack {
        configuration.content
        configuration.label
      }
    }
  }

  @Test func `content with a label is a row, or as its style says`() {
    #expect(content(LabeledContent("Wind", value: "3 km/h"))["title"] == "Wind  3 km/h")
    let stacked = content(LabeledContent("Wind", value: "3 km/h").labeledContentStyle(Stacked()))
    #expect(stacked["title"] == "3 km/h")
    #expect(stacked["text"] == "Wind")
  }

  @Test
  func `a tap does one thing: that of the control in a link, and of the button around a link`() {
    let around = Fixture.evaluated(
      Link(destination: Fixture.url("a:b")) {
        VStack { Button("Drink", intent: DrinkIntent(glasses: 1)) }
      })
    let inside = Fixture.evaluated(
      Button(intent: DrinkIntent(glasses: 1)) {
        Link("Drink", destination: Fixture.url("a:b"))
        Text("[more](https://a.org)")
      })
    for (tree, text) in [(around, "Drink"), (inside, ["Drink", "more"] as JSONValue)] {
      let content = tree.content(for: .systemSmall)
      #expect(content["items"]?.arrayValue?.count == 1)
      #expect(content["items"]?.arrayValue?.first?["text"] == text)
      #expect(content["items"]?.arrayValue?.first?["intent"]?["name"] == "DrinkIntent")
      let html = tree.html(in: .light, at: Fixture.now).html ?? ""
      #expect(!html.contains("<a "), "\(html)")
      #expect(html.ranges(of: "data-item=\"0\"").count == 1, "\(html)")
    }
    #expect(
      around.warnings
        == ["a Link around a Button or a Toggle opens nothing: the control takes the tap"])
  }

  @Test func `a button without words has those of its intent`() {
    let tree = Fixture.evaluated(
      Button(intent: DrinkIntent(glasses: 1)) { Image(systemName: "plus") })
    let items = tree.content(for: .systemSmall)["items"]
    #expect(items?.arrayValue?.first?["text"] == "Drink")
    #expect(tree.html(in: .light, at: Fixture.now).html?.contains("aria-label=\"Drink\"") == true)
    #expect(tree.ansi(columns: 40, hasColours: false, at: Fixture.now).contains("(Drink)"))
  }

  @Test func `a string that is no literal is shown as it stands`() {
    let text = "**not bold**"
    #expect(content(Text(text))["title"] == "**not bold**")
  }

  @Test func `a percent sign of a literal stays`() {
    #expect(content(Text("50% off"))["title"] == "50% off")
    #expect(content(Text("\(50)% off"))["title"] == "50% off")
  }

  @Test func `the environment reaches the bodies below it`() {
    struct Reader: View {
      @Environment(\.widgetFamily) var family
      @Environment(\.isEnabled) var isEnabled
      @Environment(\.locale) var locale
      var body: some View {
        Text(verbatim: "\(family) \(isEnabled) \(locale.identifier)")
      }
    }
    #expect(
      content(
        Reader().disabled(true).environment(\.locale, Locale(identifier: "de")), .systemLarge)[
          "title"] == "systemLarge false de")
  }

  @Test func `a key of the author's own has its default until a view sets it`() {
    #expect(content(OwnKeyReader())["title"] == "none")
    #expect(content(OwnKeyReader().environment(\.ownKey, "set"))["title"] == "set")
  }

  @Test func `an object of the environment is found by its type`() {
    final class Model: ObservableObject {
      @Published var name = "model"
    }
    struct Reader: View {
      @EnvironmentObject var model: Model
      var body: some View { Text(verbatim: model.name) }
    }
    #expect(content(Reader().environmentObject(Model()))["title"] == "model")
  }

  @Test func `state and bindings have their first value`() {
    struct Counter: View {
      @State var count = 3
      var body: some View { Inner(count: $count) }
    }
    struct Inner: View {
      @Binding var count: Int
      var body: some View { Text(verbatim: "\(count)") }
    }
    #expect(content(Counter())["title"] == "3")
  }

  @Test func `a value of the user defaults is read, and else the default`() {
    struct Reader: View {
      @AppStorage("SwiftUITests.name", store: UserDefaults(suiteName: "SwiftUITests")) var name =
        "x"
      var body: some View { Text(verbatim: name) }
    }
    let store = UserDefaults(suiteName: "SwiftUITests")
    store?.removeObject(forKey: "SwiftUITests.name")
    #expect(content(Reader())["title"] == "x")
    store?.set("stored", forKey: "SwiftUITests.name")
    #expect(content(Reader())["title"] == "stored")
    store?.removeObject(forKey: "SwiftUITests.name")
  }

  @Test func `the first of two modifiers of one sort counts`() {
    let tree = Fixture.evaluated(Text(verbatim: "a").foregroundColor(.red).foregroundColor(.blue))
    #expect(tree.content(for: .systemSmall)["color"]?["light"] == "#ff3b30")
  }

  @Test func `a view that repeats itself ends at the limit with a warning`() {
    struct Endless: View {
      var depth = 0
      var body: some View {
        VStack {
          Text(verbatim: "\(depth)")
          AnyView(Endless(depth: depth + 1))
        }
      }
    }
    let tree = Fixture.evaluated(Endless())
    #expect(tree.warnings.count == 1)
    #expect(tree.warnings.first?.contains("deeper than 200") == true)
    #expect(tree.content(for: .systemSmall)["title"] == "0")
    #expect(tree.html(in: .light, at: Fixture.now).html != nil)
  }

  @Test func `more nodes than the limit are left out with a warning`() {
    let tree = Fixture.evaluated(VStack { ForEach(0..<3_000) { Text(verbatim: "\($0)") } })
    #expect(tree.root.children.count == Limits.viewNodeCountMax)
    #expect(tree.warnings.count == 1)
    let picture = tree.html(in: .light, at: Fixture.now)
    #expect((picture.html?.utf8.count ?? 0) <= 64 * 1_024)
  }

  @Test func `a picture of more than 64 KiB is left out with a warning`() {
    let long = String(repeating: "x", count: 70_000)
    let picture = Fixture.evaluated(Text(verbatim: long)).html(in: .light, at: Fixture.now)
    #expect(picture.html == nil)
    #expect(picture.warnings.first?.contains("65536") == true)
  }

  @Test func `content keeps its limits`() throws {
    let view = VStack {
      ForEach(0..<200) { Text(verbatim: "\($0)" + String(repeating: "y", count: 2_000)) }
      ForEach(0..<200) { Link("\($0)", destination: Fixture.url("a:b")) }
    }
    let content = content(view)
    #expect(content["text"]?.arrayValue?.count == Limits.lineCountMax)
    #expect(content["items"]?.arrayValue?.count == Limits.itemCountMax)
    for line in content["text"]?.arrayValue ?? [] {
      #expect(try #require(line.stringValue).utf8.count <= Limits.lineBytesMax)
    }
  }

  @Test func `a body that asks for the scheme says so`() {
    struct Reader: View {
      @Environment(\.colorScheme) var scheme
      var body: some View { Text(verbatim: "\(scheme)") }
    }
    #expect(Fixture.evaluated(Reader()).readsColorScheme)
    #expect(!Fixture.evaluated(Text(verbatim: "x")).readsColorScheme)
  }

  @Test func `the outermost URL of a widget counts`() {
    let view = VStack {
      Text(verbatim: "x").widgetURL(URL(string: "inner:a"))
    }.widgetURL(URL(string: "outer:a")).padding()
    #expect(Fixture.evaluated(view).url == "outer:a")
  }

  @Test func `a switch, an optional and an availability check choose views`() {
    enum Mode { case one, two, three }
    struct Chooser: View {
      let mode: Mode
      let extra: String?
      var body: some View {
        switch mode {
        case .one: Text(verbatim: "1")
        case .two: Text(verbatim: "2")
        case .three: EmptyView()
        }
        if let extra { Text(verbatim: extra) }
        if #available(iOS 99, *) { Text(verbatim: "new") } else { Text(verbatim: "old") }
      }
    }
    #expect(
      content(Chooser(mode: .two, extra: "e")) == [
        "title": "2", "text": ["e", "new"], "short": "2",
      ])
  }

  @Test func `text of others cannot leave its element`() throws {
    let view = VStack {
      Text(verbatim: "</div><script>alert(1)</script>\u{202E}\u{7}")
      Image(systemName: "x\" onload=\"y").accessibilityLabel("\"><b>")
    }
    let html = try #require(Fixture.evaluated(view).html(in: .light, at: Fixture.now).html)
    #expect(!html.contains("<script"))
    #expect(!html.contains("<b>"))
    #expect(!html.unicodeScalars.contains("\u{202E}"))
    #expect(!html.contains("onload=\""))
  }

  @Test func `a text for a terminal keeps its frame at any width`() {
    for fixture in Fixture.all {
      let tree = ViewTree.evaluate(fixture.view, in: fixture.environment)
      for columns in [8, 20, 44, 120] {
        let lines = tree.ansi(columns: columns, hasColours: false, at: Fixture.now)
          .split(separator: "\n")
        let widths = Set(lines.map(\.count))
        #expect(widths.count == 1, "\(fixture.name) at \(columns): \(widths)")
      }
    }
  }

  @Test func `colours of a terminal end at the end of their line`() {
    let text = Fixture.evaluated(Text(verbatim: "a").bold().foregroundColor(.red))
      .ansi(columns: 12, hasColours: true, in: .light, at: Fixture.now)
    #expect(text.contains("\u{1B}[1;38;2;255;59;48ma\u{1B}[0m"))
  }
}

private struct OwnKey: EnvironmentKey {
  static let defaultValue = "none"
}

extension EnvironmentValues {
  fileprivate var ownKey: String {
    get { self[OwnKey.self] }
    set { self[OwnKey.self] = newValue }
  }
}

private struct OwnKeyReader: View {
  @Environment(\.ownKey) var value
  var body: some View { Text(verbatim: value) }
}
