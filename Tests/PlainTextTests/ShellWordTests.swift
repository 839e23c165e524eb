import PlainText
import Testing

/// Paths in commands that a person copies.
@Suite struct ShellWordTests {
  @Test(
    arguments: [
      ("/srv/ada/.config/intentd", "/srv/ada/.config/intentd"), ("a b", "\"a b\""),
      ("", "\"\""), ("O'Brien", "\"O'Brien\""), ("$(id)", "'$(id)'"), ("a;id", "\"a;id\""),
      ("it's `id`", "'it'\\''s `id`'"), ("a\nid", "\"a id\""), ("a\u{202E}b", "\"ab\""),
    ])
  func `a shell reads one word`(_ path: String, _ word: String) {
    #expect(shellWord(path) == word)
  }
}
