import JSON
import Testing

@testable import WebPages

/// Tests what the page gets of a view: data, read once more as strictly.
@Suite struct PageViewTests {
  @Test func `a view becomes a tree of elements with their words cleaned`() {
    let markup =
      "<div style=\"gap:4px;color:#ff0000\" title=\"a\u{202E}b\">x &lt;b&gt;\u{202E}\ny"
      + "<button data-item=\"0\">go</button></div>"
    #expect(
      PageView.members(of: .string(markup)) == [
        "light": [
          "div", ["title": "ab"], ["gap": "4px", "color": "#ff0000"], "x <b>\ny",
          ["button", ["data-item": "0"], [:], "go"],
        ]
      ])
    #expect(
      PageView.members(of: ["light": "<div>l</div>", "dark": "<span>d</span>"]) == [
        "light": ["div", [:], [:], "l"], "dark": ["span", [:], [:], "d"],
      ])
  }

  @Test(
    arguments: [
      "<script>alert(1)</script>", "<div onclick=\"x\"></div>",
      "<div style=\"background:url(x)\"></div>",
      "<div>", "", 7, ["light": "<div></div>"], ["light": "<div></div>", "dark": "<img></img>"],
    ] as [JSONValue])
  func `anything else is no view, whoever sent it`(view: JSONValue) {
    #expect(PageView.members(of: view) == nil)
    let widget: JSONValue = [
      "id": "w", "entry": ["content": ["title": "T"], "view": view],
    ]
    let members = PageWidget.members(of: widget)
    #expect(members?["view"] == nil)
    #expect(members?["content"] == ["title": ["T"]], "the content is shown")
  }

  @Test func `a widget has its view beside its content`() {
    let widget: JSONValue = [
      "id": "w", "entry": ["content": ["title": "T"], "view": "<div>a</div>"],
    ]
    #expect(PageWidget.members(of: widget)?["view"] == ["light": ["div", [:], [:], "a"]])
  }
}
