import IntentRouter
import Testing
import ViewMarkup

struct MarkupReaderTests {
  @Test(arguments: [
    "<div></div>",
    "<div style=\"display:flex;gap:8px;padding:1px 2.5px\"><span>a &amp; b</span></div>",
    "<a href=\"https://example.org/x?y=1\" data-item=\"0\">go</a>",
    "<time datetime=\"2026-11-21T07:28:29Z\" data-style=\"timer\">5:00</time>",
    "<div style=\"background:linear-gradient(180deg,#ff0000 0%,#0000ff80 100%)\"></div>",
    "<div style=\"background:conic-gradient(from 0deg at 50% 50%,#ff0000 0%,#00000000 70%)\"></div>",
    "<div style=\"mask:radial-gradient(closest-side,#0000 calc(100% - 6px),#000 0)\"></div>",
    "<div style=\"mask:radial-gradient(circle closest-side,#000 100%,#0000 0)\"></div>",
    "<div style=\"mask:radial-gradient(circle closest-side,#0000 calc(100% - 2.5px),#000 0,#000 100%,#0000 0)\"></div>",
    "<div style=\"grid-template-columns:minmax(10px,1fr) 40px\"></div>",
    "<div style=\"grid-template-columns:repeat(auto-fill,minmax(30px,1fr))\"></div>",
    "<div style=\"transform:translate(1px,-1px) rotate(10deg)\"></div>",
    "<div style=\"border:2px solid #ff0000;box-shadow:0 1px 4px #00000054\"></div>",
  ])
  func `markup of the vocabulary is read and written as it was`(html: String) throws {
    let element = try MarkupReader.read(html).get()
    #expect(element.html == html)
  }

  @Test(arguments: [
    ("", MarkupError.Code.syntax),
    ("<script></script>", .unknownElement),
    ("<img></img>", .unknownElement),
    ("<DIV></DIV>", .unknownElement),
    ("<div onclick=\"x\"></div>", .unknownAttribute),
    ("<div href=\"https://a.org\"></div>", .unknownAttribute),
    ("<div class=\"a\"></div>", .unknownAttribute),
    ("<a href=\"javascript:alert(1)\"></a>", .invalidValue),
    ("<a href=\"a:b\"><div><button data-item=\"0\"></button></div></a>", .invalidValue),
    ("<button data-item=\"0\"><a href=\"a:b\"></a></button>", .invalidValue),
    ("<div data-item=\"0\"><span data-item=\"1\"></span></div>", .invalidValue),
    ("<div style=\"width:-5%\"></div>", .invalidValue),
    ("<div style=\"gap:-0.5%\"></div>", .invalidValue),
    ("<div style=\"border-radius:1px -50%\"></div>", .invalidValue),
    ("<a href=\"https://user@a.org/\"></a>", .invalidValue),
    ("<a href=\"https://127.0.0.1/\"></a>", .invalidValue),
    ("<div style=\"behavior:url(x)\"></div>", .unknownProperty),
    ("<div style=\"background:url(https://a.org)\"></div>", .invalidValue),
    ("<div style=\"position:fixed\"></div>", .invalidValue),
    ("<div style=\"width:10001px\"></div>", .invalidValue),
    ("<div style=\"width:expression(1)\"></div>", .invalidValue),
    ("<div style=\"padding:-1px\"></div>", .invalidValue),
    // A browser's layout takes twice as long with each level of these.
    ("<div style=\"padding:1%\"></div>", .invalidValue),
    (
      "<div style=\"mask:radial-gradient(circle closest-side,#0000 calc(100% - 1em),#000 0)\"></div>",
      .invalidValue
    ),
    ("<div style=\"color:red\"></div>", .invalidValue),
    ("<div style=\"color:#ff0000;color:#ff0001\"></div>", .syntax),
    ("<div><!-- x --></div>", .unknownElement),
    ("<div>&nbsp;</div>", .syntax),
    ("<div>a > b</div>", .syntax),
    ("<div>\u{7}</div>", .syntax),
    ("<div></span>", .syntax),
    ("<div>", .syntax),
    ("<div></div><div></div>", .syntax),
    ("<div  ></div>", .unknownAttribute),
    ("<div style='color:#ff0000'></div>", .syntax),
    ("<time datetime=\"tomorrow\"></time>", .invalidValue),
  ])
  func `everything else is refused`(html: String, code: MarkupError.Code) {
    guard case .failure(let error) = MarkupReader.read(html) else {
      Issue.record("\(html) is taken")
      return
    }
    #expect(error.code == code, "\(error.message)")
  }

  @Test func `the limits hold on both sides`() {
    func nested(_ count: Int) -> String {
      String(repeating: "<div>", count: count) + String(repeating: "</div>", count: count)
    }
    #expect(code(nested(MarkupLimits.depthMax)) == nil)
    #expect(code(nested(MarkupLimits.depthMax + 1)) == .tooDeep)
    func wide(_ count: Int) -> String {
      "<div>" + String(repeating: "<a></a>", count: count) + "</div>"
    }
    #expect(code(wide(MarkupLimits.elementCountMax - 1)) == nil)
    #expect(code(wide(MarkupLimits.elementCountMax)) == .tooManyElements)
    func long(_ count: Int) -> String { "<div>\(String(repeating: "x", count: count))</div>" }
    #expect(code(long(MarkupLimits.bytesMax - 11)) == nil)
    #expect(code(long(MarkupLimits.bytesMax - 10)) == .tooLarge)
  }

  @Test func `bytes that are no UTF-8 are refused`() {
    #expect(MarkupReader.read(Array("<div>".utf8) + [0xFF] + Array("</div>".utf8)).isFailure)
  }

  @Test func `every place at which markup ends early is refused`() {
    let html = "<div style=\"gap:8px\"><a href=\"https://a.org/\">x &amp; y</a></div>"
    for count in 0..<html.utf8.count {
      #expect(MarkupReader.read(Array(html.utf8.prefix(count))).isFailure)
    }
  }

  @Test(arguments: [
    "https://example.org/", "weather://city/Beijing", "mailto:a@b.org", "https://a.org:8080/x?y#z",
    "app:do", "x-app+1://h_i/", "https://a-b.example/%20", "tel:+123",
  ])
  func `URLs that markup takes are URLs of the profile`(url: String) {
    #expect(MarkupURL.accepts(url))
    #expect(ProfiledURL.judge(url).isSuccess)
  }

  @Test(arguments: [
    "", "a", ":", "1a:b", "https:a", "https:///x", "https://a@b/", "https://1.2.3.4/",
    "https://0x7f/", "https://xn--a/", "https://a:99999/", "https://a.org/%2", "https://a.org/\"",
    "https://a.org/ ", "https://a..b/", "https://-a/", "file:///etc/passwd", "data:text/html,x",
    "JavaScript:x", "x:##", "x://a@b",
  ])
  func `other URLs are refused`(url: String) { #expect(!MarkupURL.accepts(url)) }

  @Test func `the denied schemes are those of the router`() {
    #expect(MarkupURL.deniedSchemes == ProfiledURL.deniedSchemes)
  }

  @Test func `what markup takes of changed URLs is in the profile`() {
    let seeds = ["https://a.org:80/b?c=d#e", "weather://city/x", "mailto:a@b", "ftp://h-1.x/"]
    let bytes = Array("aZ0%#?&=:/@.-_~[]!$'()*+,;\\ \"<>{}|^`".utf8)
    for seed in seeds {
      for place in 0...seed.utf8.count {
        for byte in bytes {
          var changed = Array(seed.utf8)
          changed.insert(byte, at: place)
          check(changed)
          if place < seed.utf8.count {
            changed.remove(at: place + 1)
            check(changed)
          }
        }
      }
    }
  }

  private func check(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    if MarkupURL.accepts(text) { #expect(ProfiledURL.judge(text).isSuccess, "\(text)") }
  }

  private func code(_ html: String) -> MarkupError.Code? {
    if case .failure(let error) = MarkupReader.read(html) { error.code } else { nil }
  }
}

extension Result {
  fileprivate var isSuccess: Bool { if case .success = self { true } else { false } }
  fileprivate var isFailure: Bool { !isSuccess }
}
