import Testing

@testable import DaemonRuntime

/// Tests which terminal a command is shown in.
@Suite struct TerminalCommandTests {
  private func arguments(_ installed: [String], preferred: String? = nil) -> [String]? {
    TerminalCommand(["top", "a b"], preferred: preferred) { name in
      installed.contains(name) ? "/bin/\(name)" : nil
    }?.arguments
  }

  @Test func `the one that asks the desktop comes first, then the person's, then the known ones`() {
    let all = ["xterm", "x-terminal-emulator", "mine", "xdg-terminal-exec", "gnome-terminal"]
    #expect(arguments(all, preferred: "mine") == ["xdg-terminal-exec", "top", "a b"])
    #expect(
      arguments(["xterm", "mine"], preferred: "mine") == ["mine", "-e", "top", "a b"])
    #expect(
      arguments(["xterm", "gnome-terminal"], preferred: "gnome-terminal")
        == ["gnome-terminal", "--", "top", "a b"])
    #expect(
      arguments(["x-terminal-emulator", "xterm"])
        == ["x-terminal-emulator", "-e", "top", "a b"])
    #expect(arguments(["xterm"], preferred: "") == ["xterm", "-e", "top", "a b"])
    #expect(arguments(["xterm"], preferred: "gone") == ["xterm", "-e", "top", "a b"])
    #expect(arguments([]) == nil)
  }
}
