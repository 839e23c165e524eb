import DesktopEntries
import Testing

/// Returns the arguments that an `Exec` gives for `foo:bar`, or the code of the refusal.
private func outcome(
  _ exec: String, url: String? = "foo:bar", _ lines: String = "Name=App"
) -> String {
  let text = "[Desktop Entry]\nType=Application\n\(lines)\nExec=\(exec)\n"
  let entry = DesktopEntry.parse(Array(text.utf8), id: "a.desktop", path: "/apps/a.desktop")
  switch entry.flatMap({ $0.command(url: url) }) {
  case .success(let command): return command.arguments.joined(separator: "|")
  case .failure(let refusal): return refusal.code.rawValue
  }
}

@Suite struct LaunchCommandTests {
  @Test(arguments: [
    (#"h1 "a b" %u"#, "h1|a b|foo:bar"),
    (#"h1 'a "b' %u"#, #"h1|a "b|foo:bar"#),
    (#"h1 a"b c"d %u"#, "h1|ab cd|foo:bar"),
    (#"h1 "" %u"#, "h1||foo:bar"),
    (#"h1 "\\$HOME \\`x\\` \\"q\\" \\\\" %u"#, #"h1|$HOME `x` "q" \|foo:bar"#),
    // A backslash before a letter that is no string escape is kept, and quoting then removes it.
    (#"h1 "\$HOME" \q %u"#, "h1|$HOME|q|foo:bar"),
    (#"h1 "a\\b" %u"#, #"h1|a\b|foo:bar"#),
    (#"h1 a\sb %u"#, "h1|a|b|foo:bar"),
    (#"h1 "tab\there" %u"#, "h1|tab\there|foo:bar"),
    ("h1\t%u   x", "h1|foo:bar|x"),
    (#""h 1" %u"#, "h 1|foo:bar"),
    ("h1 * ; & a? $HOME %u", "h1|*|;|&|a?|$HOME|foo:bar"),
    ("h1 a#b %u #x", "h1|a#b|foo:bar"),
    // The field code is inside a comment.
    ("h1 #x %u", "handler-takes-no-url"),
    ("h1 it's %u", "no-handler"),
    (#"h1 "a %u"#, "no-handler"),
    (#"h1 %u \"#, "no-handler"),
    (#""" %u"#, "no-handler"),
    ("", "no-handler"),
    ("bin/h1 %u", "no-handler"),
    ("X=1 h1 %u", "no-handler"),
    ("%u h1", "no-handler"),
    ("h%%1 %u", "h%1|foo:bar"),
  ])
  func `quotes are removed as the specification says`(exec: String, expected: String) {
    #expect(outcome(exec) == expected)
  }

  @Test(arguments: [
    ("h1 %u", "h1|foo:bar"), ("h1 %U", "h1|foo:bar"),
    ("h1 --url=%u x", "h1|--url=foo:bar|x"), (#"h1 "--url=%u""#, "h1|--url=foo:bar"),
    ("h1 100%% %u", "h1|100%|foo:bar"), (#"h1 "%%u" %u"#, "h1|%u|foo:bar"),
    ("h1 %c %u", "h1|App|foo:bar"), ("h1 %k %u", "h1|/apps/a.desktop|foo:bar"),
    ("h1 %i %u", "h1|foo:bar"),
    // Deprecated field codes expand to nothing.
    ("h1 %d %D %n %N %v %m %u", "h1|foo:bar"), ("h1 x%m %u", "h1|x|foo:bar"),
    ("h1 %x %u", "bad-field-code"), ("h1 %u 5%", "bad-field-code"),
    ("h1 %ü %u", "bad-field-code"), ("h1 x%i %u", "bad-field-code"),
    ("h1 %u %u", "multiple-url-codes"), (#"h1 "%u" %F"#, "multiple-url-codes"),
    ("h1", "handler-takes-no-url"), ("h1 %f", "handler-takes-no-url"),
  ])
  func `field codes expand inside their word`(exec: String, expected: String) {
    #expect(outcome(exec) == expected)
  }

  @Test func `an icon is two arguments, an empty one none`() {
    #expect(outcome("h1 %i %u", "Icon=/a b.png") == "h1|--icon|/a b.png|foo:bar")
    #expect(outcome("h1 %i %u", "Icon=") == "h1|foo:bar")
    #expect(outcome("h1 %c %u", "Icon=x") == "h1|foo:bar")
  }

  @Test func `expanded text is never expanded again`() {
    let url = #"foo:" --evil %u %c '$(h2)"#
    #expect(outcome("h1 %u", url: url) == "h1|" + url)
    #expect(outcome(#"h1 "%u" x"#, url: url) == "h1|\(url)|x")
    #expect(outcome("h1 %c %u", "Name=--rm 'x' %u") == "h1|--rm 'x' %u|foo:bar")
  }

  @Test func `without a URL the application itself opens`() {
    #expect(outcome("h1 %U", url: nil) == "h1")
    #expect(outcome("h1", url: nil) == "h1")
    #expect(outcome("h1 -a %f -b", url: nil) == "h1|-a|-b")
  }

  @Test(arguments: [
    #"sh -c "h1 %u""#, #"sh -c 'h1 %u'"#, "/bin/bash -c %u", #"env X=1 sh -c "h1 %u""#,
    #"bash -lc "h1 %u""#, #"bash -o pipefail -c "h1 %u""#, #"sh -e -c "h1 %u""#,
    #"sh -c -- "h1 %u""#, #"bash --norc -c "h1 %U""#, #"zsh -c h1\\ %u"#,
    #"nice -n 5 dash -c "h1 '%u'""#, #"busybox sh -c "h1 %u""#, #"fish --command="h1 %u""#,
    #"flatpak run --command=sh org.x.Y -c "h1 %u""#, #"su someone -c "h1 %u""#,
    #"env -S "h1 %u""#, #"python3.11 -c "open('%u')""#, #"perl -e "print '%u'""#,
    #"sh -c "h1 \\"%u\\"""#, #"sh -c "h1 %c" sh %u"#,
  ])
  func `a URL is never a part of a script`(exec: String) {
    #expect(outcome(exec) == "shell-injection")
  }

  @Test(arguments: [
    (#"sh -c "h1 \\"\\$1\\"" sh %u"#, #"sh|-c|h1 "$1"|sh|foo:bar"#),
    ("sh /opt/wrap.sh %u", "sh|/opt/wrap.sh|foo:bar"),
    ("sh /opt/wrap.sh -c %u", "sh|/opt/wrap.sh|-c|foo:bar"),
    ("python3 -m reader -c %u", "python3|-m|reader|-c|foo:bar"),
    ("env X=1 h1 -c %u", "env|X=1|h1|-c|foo:bar"),
    ("h1 -c %u", "h1|-c|foo:bar"),
  ])
  func `a URL may be an argument of a script`(exec: String, expected: String) {
    #expect(outcome(exec) == expected)
  }

  @Test(arguments: [
    ("javascript:alert(1)", "scheme-denied"), ("JavaScript:x", "scheme-denied"),
    ("file:///etc/passwd", "scheme-denied"), ("data:text/html,x", "scheme-denied"),
    ("vnd.libreoffice.command:x", "scheme-denied"), ("view-source:x", "scheme-denied"),
    ("--evil", "no-scheme"), ("/etc/passwd", "no-scheme"), ("", "no-scheme"),
    (":x", "no-scheme"), ("1a:x", "no-scheme"), ("fo o:x", "no-scheme"), ("é:x", "no-scheme"),
    ("foo:a\nb", "control-char"), ("foo:\0", "control-char"), ("foo:\u{7F}", "control-char"),
    ("x+y.z-1:a", "h1|x+y.z-1:a"),
  ])
  func `a URL is checked again before the launch`(url: String, expected: String) {
    #expect(outcome("h1 %u", url: url) == expected)
  }

  @Test func `a URL has the longest length that fits, and no more`() {
    let longest = "foo:" + String(repeating: "a", count: LaunchableURL.bytesMax - 4)
    #expect(outcome("h1 %u", url: longest) == "h1|" + longest)
    #expect(outcome("h1 %u", url: longest + "a") == "too-long")
  }

  @Test func `a directory to start in must be absolute`() {
    #expect(outcome("h1 %u", "Path=usr") == "bad-path")
    #expect(outcome("h1 %u", "Path=/usr") == "h1|foo:bar")
  }

  /// Tries random lines of the characters that matter to the grammar.
  ///
  /// None may crash the reader, and the URL stays one part of one argument.
  @Test func `no URL changes how many arguments there are`() {
    let alphabet = Array("h1 %uUfick\\\"'#$=-\t;n/")
    var state: UInt64 = 7
    func next(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    let hostile = #"foo:a" 'b' %u \" $(x) #"#
    var launches = 0
    for _ in 0..<20_000 {
      let exec = "h1 " + String((0..<next(14)).map { _ in alphabet[next(alphabet.count)] }) + " %u"
      let plain = outcome(exec, url: "foo:").split(separator: "|", omittingEmptySubsequences: false)
      guard plain.count > 1 else { continue }
      launches += 1
      let result = outcome(exec, url: hostile)
        .split(separator: "|", omittingEmptySubsequences: false)
      #expect(result.count == plain.count, "\(exec)")
      #expect(result.filter { $0.contains(hostile) }.count == 1, "\(exec)")
    }
    #expect(launches > 1_000)
  }

  @Test func `a refusal says which entry and why`() {
    let text = "[Desktop Entry]\nType=Application\nExec=h1 %x\n"
    let command = DesktopEntry.parse(Array(text.utf8), id: "a.desktop", path: "/apps/a.desktop")
      .flatMap { $0.command(url: "foo:bar") }
    #expect(
      command
        == .failure(
          LaunchRefusal(
            .badFieldCode, "/apps/a.desktop: Exec has the unknown field code %x")))
  }
}

@Suite struct DesktopEntryTests {
  private func parsed(
    _ bytes: [UInt8], locales: [String] = []
  ) -> Result<DesktopEntry, LaunchRefusal> {
    DesktopEntry.parse(bytes, id: "a.desktop", path: "/apps/a.desktop", locales: locales)
  }

  @Test func `an entry is read whole`() throws {
    let text = """
      # a comment
      [Desktop Entry]\r
      Type = Application
      Name=App
      Name[de]=Anwendung
      Name[de_AT]=Oida
      EXEC=h3
      Exec=h2
      Exec = h1 %u
      TryExec=h1
      Icon=\\sx
      Path=/usr
      Terminal=true
      NoDisplay=true
      DBusActivatable=true
      StartupNotify=true
      MimeType=x-scheme-handler/FOO;;text/plain
      [Desktop Action x]
      Exec=h4
      """
    let entry = try parsed(Array(text.utf8), locales: ["de_AT", "de"]).get()
    #expect(entry.name == "Oida")
    #expect(entry.exec == "h1 %u")
    #expect(entry.tryExec == "h1")
    #expect(entry.icon == " x")
    #expect(entry.workingDirectory == "/usr")
    #expect(entry.isTerminal && entry.isDBusActivatable && entry.startupNotify)
    #expect(!entry.isHidden)
    #expect(entry.mimeTypes == ["x-scheme-handler/foo", "text/plain"])
  }

  @Test(arguments: [
    "", "[Desktop Entry]\nExec=h1\n", "[Desktop Entry]\nType=Link\n",
    "[Desktop Entry]\nType=application\n", "Type=Application\n",
    "[Other]\nA=b\n[Desktop Entry]\nType=Application\n", "[Desktop Entry]\nType=Application\nx\n",
    "\u{FEFF}[Desktop Entry]\nType=Application\n", "[Desktop Entry\nType=Application\n",
  ])
  func `an entry that is no application is refused`(text: String) {
    guard case .failure(let refusal) = parsed(Array(text.utf8)) else {
      Issue.record("accepted")
      return
    }
    #expect(refusal.code == .noHandler)
    #expect(refusal.message.hasPrefix("/apps/a.desktop"))
  }

  @Test func `a bad line is named with its number`() {
    #expect(
      parsed(Array("[Desktop Entry]\nType=Application\nnonsense\n".utf8))
        == .failure(
          LaunchRefusal(
            .noHandler,
            "/apps/a.desktop:3: expected key=value or [group] in [Desktop Entry], found 'nonsense'")
        ))
  }

  @Test func `a hidden entry needs nothing else`() throws {
    #expect(try parsed(Array("[Desktop Entry]\nHidden=true\n".utf8)).get().isHidden)
  }

  @Test func `bytes that are no text lose their own value only`() throws {
    let text = Array("[Desktop Entry]\nType=Application\nExec=h1\nComment=".utf8)
    #expect(try parsed(text + [0xFF, 0x0A]).get().exec == "h1")
    #expect(try parsed(text + Array("\nExec=h1 \0\n".utf8)).get().exec == nil)
    #expect(try parsed(text + Array("\nName=".utf8) + [0xFF]).get().name == nil)
  }

  @Test func `a file has the largest size that is read, and no more`() {
    let text = "[Desktop Entry]\nType=Application\n#"
    let largest = text + String(repeating: "x", count: (1 << 20) - text.utf8.count)
    guard case .success = parsed(Array(largest.utf8)) else {
      Issue.record("refused")
      return
    }
    guard case .failure = parsed(Array((largest + "x").utf8)) else {
      Issue.record("accepted")
      return
    }
  }

  @Test(
    arguments: [
      ("de_AT.UTF-8@euro", nil, ["de_AT@euro", "de_AT", "de@euro", "de"]),
      ("de", nil, ["de"]), ("C.UTF-8", "de", []), ("POSIX", "de", []), (nil, "de", []),
      ("en_GB.UTF-8", "de:fr", ["de", "fr", "en_GB", "en"]),
    ] as [(String?, String?, [String])])
  func `names of a locale, best first`(locale: String?, language: String?, expected: [String]) {
    #expect(DesktopEntry.localeNames(locale: locale, language: language) == expected)
  }
}
