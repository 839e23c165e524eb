import Testing

@Suite struct BanTests {
  @Test(arguments: Ban.all.indices)
  func `each ban catches its snippet and names what to do`(index: Int) {
    let ban = Ban.all[index]
    let module = ban.scope == .pure ? "WidgetCenter" : "DaemonRuntime"
    let file = SwiftSource(path: "Sources/\(module)/A.swift", text: "// one\n\(ban.snippet)\n")
    let violations = ban.violations(in: file)
    #expect(violations.count == 1)
    #expect(violations.first?.hasPrefix("Sources/\(module)/A.swift:2: ") == true)
    #expect(violations.first?.hasSuffix(": \(ban.instead)") == true)
  }

  @Test(arguments: Ban.all.indices)
  func `no ban catches a sentence about what it bans`(index: Int) {
    let ban = Ban.all[index]
    let snippet = ban.snippet.replacing("\"", with: "'")
    let text = """
      /// Instead of `\(snippet)`: nothing.
      /* \(snippet) /* nested */ \(snippet) */
      let words = "\(snippet)"
      let raw = #"\(snippet)"#
      """
    for module in ["WidgetCenter", "DaemonRuntime"] {
      #expect(ban.violations(in: SwiftSource(path: "Sources/\(module)/A.swift", text: text)) == [])
    }
  }

  @Test(arguments: [
    "guard a != b else { return }", "if !isOpen { return }", "func != (left: Self, right: Self) {}",
    "dispatchPrecondition(condition: .onQueue(queue))", "timer.print(1)", "uv_async_send(handle)",
    "blueprint()", "let updated = Update(now)", "struct TaskToken {}",
  ])
  func `text that only looks like a banned word is left alone`(line: String) {
    let file = SwiftSource(path: "Sources/DaemonCore/A.swift", text: line)
    #expect(Ban.all.flatMap { $0.violations(in: file) } == [])
  }

  @Test func `a ban ends at its scope`() {
    let clock = SwiftSource(path: "Sources/EventLoop/A.swift", text: "clock_gettime(id, &time)")
    let app = SwiftSource(path: "Sources/WidgetKit/A.swift", text: "func load() async {}")
    let writer = SwiftSource(
      path: "Sources/ProgramStart/StandardDescriptors.swift", text: "write(STDERR_FILENO, text, 1)")
    let pointer = SwiftSource(path: "Sources/Store/A.swift", text: "unsafe base!.pointee")
    for file in [clock, app, writer, pointer] {
      #expect(Ban.all.flatMap { $0.violations(in: file) } == [])
    }
  }

  @Test func `a string with quotes and escapes ends where it ends`() {
    let text = #"""
      a("\"try?\""); try? b()
      c(#"\"#); try? d()
      e("""
        try? "f" \"""
        """); try? g()
      """#
    let places = SwiftSource.blanked(text).split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.matches(of: #/try\?/#).count }
    #expect(places == [1, 1, 0, 0, 1])
  }
}
