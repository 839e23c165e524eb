import Plugins
import Testing

struct ShellWordsTests {
  @Test(arguments: [
    ("date +%T", ["date", "+%T"]), ("  date\t'+%H %M' \n", ["date", "+%H %M"]),
    (#"a "b c" d\ e"#, ["a", "b c", "d e"]), (#"a "b\"c\$\d""#, ["a", #"b"c$\d"#]),
    ("a ''", ["a", ""]), (#"a'b'"c"d"#, ["abcd"]), ("~/bin/w --at=~/x", ["/h/bin/w", "--at=~/x"]),
    ("ls ~", ["ls", "/h"]), ("echoes a#b", ["echoes", "a#b"]), ("a 'x|y;$z*'", ["a", "x|y;$z*"]),
    ("", []), (" \t", []), ("'my program' x", ["my program", "x"]),
    ("a '\u{1F600}'", ["a", "\u{1F600}"]),
    ("make CC=clang", ["make", "CC=clang"]), ("a\\\nb", ["ab"]), ("!x", ["!x"]),
  ])
  func `a program and its arguments need no shell`(command: String, words: [String]) {
    #expect(ShellWords.read(command, home: "/h") == .words(words))
  }

  @Test(arguments: [
    "a | b", "a && b", "a; b", "a > b", "a < b", "a &", "echo $HOME", "a \"$x\"", "a `b`",
    "a \"`b`\"",
    "ls *.sh", "ls ?", "ls [ab]", "a {b,c}", "(a)", "FOO=1 a", "if true", "cd /tmp", "echo a",
    "command -v a", "a # b", "~root/x", "a\nb", "! a", "[ -f x ]", "a \\", ". ./x", "'' a",
    "exec a",
  ])
  func `what a shell expands or runs itself stays with the shell`(command: String) {
    #expect(ShellWords.read(command, home: "/h") == .shell)
    #expect(ShellWords.arguments(command, home: "/h") == ["/bin/sh", "-c", command])
  }

  @Test(arguments: [
    ("a 'b", "a quote ' does not end"), (#"a "b"#, #"a quote " does not end"#),
    (#"a "b\"#, #"a quote " does not end"#), ("a\0b", "it has a NUL byte"),
    (String(repeating: "x", count: 32_769), "it has more than 32768 bytes"),
  ])
  func `what no shell could run is named`(command: String, reason: String) {
    #expect(ShellWords.read(command) == .unreadable(reason))
    #expect(ShellWords.arguments(command) == nil)
  }

  @Test func `a home folder that is not known stays with the shell`() {
    #expect(ShellWords.read("~/x") == .shell)
  }

  @Test func `the words of a command are at most those of a manifest`() {
    let words = Array(repeating: "x", count: 64)
    #expect(ShellWords.read(words.joined(separator: " ")) == .words(words))
    #expect(ShellWords.read((words + ["x"]).joined(separator: " ")) == .shell)
  }
}
