import Plugins
import Testing

/// SVG: its size, and everything for which it is refused.
struct SVGPictureTests {
  private static func svg(
    _ body: String = "<path d=\"M0 0L9 9\"/>", _ attributes: String = "width=\"16\" height=\"8\""
  ) -> String {
    "<svg xmlns=\"http://www.w3.org/2000/svg\" \(attributes)>\(body)</svg>"
  }

  private static func size(_ text: String) throws -> [Int] {
    let header = try SVGPicture.read(Array(text.utf8)).get()
    #expect(header.form == .svg)
    return [header.width, header.height]
  }

  @Test(
    arguments: [
      ("width=\"16\" height=\"8\"", [16, 8]), ("width=\"16px\" height='8.2px'", [16, 9]),
      ("width=\"1in\" height=\"1cm\"", [96, 38]), ("viewBox=\"0 0 24 12\"", [24, 12]),
      ("viewBox=\"0,0,24,12\" width=\"48\"", [48, 24]),
      ("viewBox=\"-5 -5 10 20\" height=\"100%\" width=\"100%\"", [10, 20]),
    ] as [(String, [Int])])
  func `its size is that of width and height, else of the viewBox`(said: String, size: [Int]) throws
  {
    #expect(try Self.size(Self.svg(said.isEmpty ? "" : "<g/>", said)) == size)
  }

  @Test func `comments, CDATA, styles and references within it are taken`() throws {
    let drawing = """
      <?xml version="1.0" encoding="UTF-8"?>
      <!-- drawn by hand -->
      <svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"
        xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" inkscape:path="C:\\drawings"
        viewBox="0 0 10 10">
        <defs><linearGradient id="a"><stop offset="0" stop-color="#f00"/></linearGradient>
        <g id="ray"><path d="M0 0h1"/></g></defs>
        <style><![CDATA[ .sun { fill: url(#a) } ]]></style>
        <circle class="sun" r="2" style="stroke:url('#a')"/><use xlink:href="#ray"/>
        <text>5 &lt; 7 &amp; so on</text>
      </svg>
      """
    #expect(try Self.size(drawing) == [10, 10])
    let picture = try PluginPicture.read(Array(drawing.utf8)).get()
    #expect(picture.bytes == Array(drawing.utf8), "nothing of it is changed")
  }

  @Test(
    arguments: [
      (svg("<script>alert(1)</script>"), "has a script"),
      (svg("<x:script xmlns:x=\"http://www.w3.org/2000/svg\"/>"), "has a script"),
      (svg("<path onclick=\"alert(1)\"/>"), "has a script (onclick)"),
      (svg("<foreignObject><b>x</b></foreignObject>"), "has a foreignObject"),
      (svg("<g xmlns=\"http://www.w3.org/1999/xhtml\"/>"), "has a foreign element"),
      (svg("<image href=\"https://example.org/a.png\"/>"), "names something outside of itself"),
      (svg("<a xlink:href=\"javascript:alert(1)\"/>"), "names something outside of itself"),
      (svg("<use href=\"other.svg#a\"/>"), "names something outside of itself"),
      (svg("<path fill=\"url(https://example.org/a)\"/>"), "names something outside of itself"),
      (svg("<path style=\"fill:&#117;rl(//example.org)\"/>"), "names something outside of itself"),
      (svg("<path style=\"fill:u\\72l(//example.org)\"/>"), "has a backslash in a style"),
      (svg("<style>@import '//example.org/a.css';</style>"), "names something outside of itself"),
      (
        svg("<style>a{fill:url( https://example.org)}</style>"), "names something outside of itself"
      ),
      (svg("<style>@keyframes a{}</style>"), "moves"),
      (svg("<filter id=\"a\"/>"), "has a filter"),
      (svg("<x:feGaussianBlur stdDeviation=\"9999\"/>"), "has a filter"),
      (svg("<path filter=\"url(#a)\"/>"), "has a filter"),
      (svg("<path style=\"filter : blur(9999px)\"/>"), "has a filter"),
      (svg("<style>path { backdrop-filter: blur(9px) }</style>"), "has a filter"),
      (svg("<style>path{FILTER/**/:blur(9px)}</style>"), "has a filter"),
      (svg("<animate attributeName=\"r\" to=\"9\"/>"), "moves"),
      ("<!DOCTYPE svg>" + svg(), "has a DOCTYPE or entities"),
      ("<!DOCTYPE svg [<!ENTITY a \"b\">]>" + svg("<text>&a;</text>"), "has a DOCTYPE"),
      (svg("<path id=\"&unknown;\"/>"), "has a DOCTYPE or entities"),
      ("<?xml-stylesheet href=\"a.css\"?>" + svg(), "has processing instructions"),
      ("<?xml version=\"1.0\" encoding=\"ISO-2022-JP\"?>" + svg(), "is not in UTF-8"),
      (svg("<g>"), "is not well-formed"), (svg("<g"), "is not well-formed"),
      (svg() + "<svg/>", "does not begin with its own element"),
      ("<svg width=\"1\" height=\"1\"/>", "does not begin with its own element"),
      ("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 1 1\"><g>", "is cut off"),
      (svg("<g/>", "width=\"100%\" height=\"100%\""), "says no size"),
      (svg("<g/>", "width=\"1e-9\" height=\"1e9\""), "has no size that can be shown"),
    ] as [(String, String)])
  func `anything that runs, loads, moves or is no drawing is refused`(text: String, reason: String)
  {
    guard case .failure(let refusal) = SVGPicture.read(Array(text.utf8)) else {
      Issue.record("it was taken: \(text)")
      return
    }
    #expect(refusal.message.hasPrefix("a picture is SVG that \(reason)"), "\(refusal.message)")
    #expect(refusal.message.contains(", and is not shown; "), "it says what to do")
    guard case .failure = PluginPicture.read(Array(text.utf8)) else {
      Issue.record("another reader took it")
      return
    }
  }

  @Test func `a drawing that multiplies itself is refused, and one that repeats itself is not`()
    throws
  {
    func drawing(levels: Int) -> String {
      let parts = (0..<levels).map { level in
        "<g id=\"l\(level)\">"
          + String(repeating: level == 0 ? "<path/>" : "<use href=\"#l\(level - 1)\"/>", count: 10)
          + "</g>"
      }
      return Self.svg("<defs>\(parts.joined())</defs><use href=\"#l\(levels - 1)\"/>")
    }
    #expect(try Self.size(drawing(levels: 3)) == [16, 8])
    for text in [
      drawing(levels: 12), Self.svg("<g id=\"a\"><use href=\"#a\"/></g>"),
      Self.svg(String(repeating: "<g/>", count: PluginLimits.svgElementCountMax)),
      Self.svg(String(repeating: "<g>", count: 100) + String(repeating: "</g>", count: 100)),
    ] {
      guard case .failure = SVGPicture.read(Array(text.utf8)) else {
        Issue.record("it was taken: \(text.prefix(200))")
        continue
      }
    }
  }

  @Test func `sides beyond the limit are refused, with the number`() {
    let wide = Self.svg("<g/>", "width=\"2049\" height=\"2\"")
    guard case .failure(let refusal) = PluginPicture.read(Array(wide.utf8)) else {
      Issue.record("it was taken")
      return
    }
    #expect(refusal.message.hasPrefix("a picture has 2049 × 2 pixels"))
  }
}
