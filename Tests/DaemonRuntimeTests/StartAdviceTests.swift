import DaemonRuntime
import Foundation
import Testing
import WidgetCenter

/// Tests what the author of a manifest is told when its program does not start.
@Suite struct StartAdviceTests {
  /// A folder with some files, which goes with the test.
  private final class Folder {
    let path: String

    init() throws {
      let url = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
      path = url.path
    }

    deinit {
      do {
        try FileManager.default.removeItem(atPath: path)
      } catch {
        Issue.record("the folder stays: \(error)")
      }
    }

    func write(_ name: String, _ text: String) throws {
      let file = path + "/" + name
      try Data(text.utf8).write(to: URL(filePath: file))
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file)
    }

    func advice(_ exec: String...) -> StartAdvice {
      StartAdvice(
        ProviderDeclaration(exec: exec, directory: path),
        variables: [("PATH", "/usr/bin:/bin"), ("HOME", "/me")])
    }
  }

  @Test func `the path of a program has no dots of the manifest in it`() {
    func program(_ name: String) -> String {
      StartAdvice.program(of: ProviderDeclaration(exec: [name], directory: "/home/me/w"))
    }
    #expect(program("./up") == "/home/me/w/up")
    #expect(program("././/up") == "/home/me/w/up")
    #expect(program("bin/up") == "/home/me/w/bin/up")
    #expect(program("../up") == "/home/me/w/../up")
    #expect(program("/usr/bin/up") == "/usr/bin/up")
    #expect(program("up") == "up")
  }

  @Test func `a file that a shell did not start is named where its command begins with a path`()
    throws
  {
    let folder = try Folder()
    try folder.write("good", "#!/bin/sh\n")
    try folder.write("odd", "#!/usr/local/bin/nosuchsh\n")
    func reason(_ command: String, _ code: Int32 = 127) -> String? {
      folder.advice("/bin/sh", "-c", command).reason(ofShellCode: code)
    }
    #expect(reason("~/nope.sh -v | head") == "there is no /me/nope.sh")
    #expect(reason("'\(folder.path)/no'; date") == "there is no \(folder.path)/no")
    #expect(
      reason("\(folder.path)/odd")
        == "the first line of \(folder.path)/odd names the interpreter '/usr/local/bin/nosuchsh', which is not there; install it, or name another one there"
    )
    #expect(reason("\(folder.path)", 126) == "\(folder.path) is a folder")
    #expect(reason("\(folder.path)/good") == nil)
    #expect(reason("~/nope.sh", 1) == nil)
    #expect(reason("command -v nope") == nil)
    #expect(reason("/nope/*.sh") == nil)
    #expect(folder.advice("~/nope.sh").reason(ofShellCode: 127) == nil)
    #expect(
      folder.advice("sh", "-c", "~/nope.sh").reason(ofExitCode: 127) == "there is no /me/nope.sh")
  }

  @Test func `words in one argument are taken apart`() throws {
    let folder = try Folder()
    #expect(
      folder.advice("uptime -p").reason()
        == "no program is called 'uptime -p', and there is no shell to split it; write exec: [uptime, -p]"
    )
    #expect(
      folder.advice("echo", "a").reason() == nil)
    #expect(
      folder.advice("date +%H:%M", "x y").reason()
        == #"no program is called 'date +%H:%M', and there is no shell to split it; write exec: [date, "+%H:%M", "x y"]"#
    )
    // A file may have a space in its name.
    try folder.write("my up", "#!/bin/sh\n")
    #expect(folder.advice("./my up").reason() == nil)
  }

  @Test func `a pipe needs a shell`() throws {
    #expect(
      try Folder().advice("uptime | cut -c 1-9").reason()
        == #"there is no shell to read 'uptime | cut -c 1-9'; write exec: [sh, -c, "uptime | cut -c 1-9"]"#
    )
  }

  @Test func `a tilde and a variable are not expanded`() throws {
    let folder = try Folder()
    #expect(
      folder.advice("~/bin/up", "-p").reason()
        == "only a shell expands '~', and there is none to read '~/bin/up'; write exec: [/me/bin/up, -p]"
    )
    #expect(
      folder.advice("$HOME/bin/up").reason()
        == "only a shell expands a variable, and there is none to read '$HOME/bin/up'; write exec: [/me/bin/up]"
    )
    #expect(folder.advice("~you/up").reason()?.hasSuffix("; write the whole path") == true)
  }

  @Test func `a first line that names no interpreter is told`() throws {
    let folder = try Folder()
    try folder.write("a", "#!/usr/bin/pyton3\n")
    #expect(
      folder.advice("./a").reason()
        == "the first line of \(folder.path)/a names the interpreter '/usr/bin/pyton3', which is not there; install it, or name another one there"
    )
    try folder.write("b", "#!/opt/nowhere/sh\necho\n")
    #expect(
      folder.advice("./b").reason()?.hasSuffix(
        "names the interpreter '/opt/nowhere/sh', which is not there; write #!/usr/bin/sh") == true)
    try folder.write("c", "#!sh\n")
    #expect(
      folder.advice("./c").reason()
        == "the first line of \(folder.path)/c names the interpreter 'sh', which is no whole path; write #!/usr/bin/env sh"
    )
    try folder.write("d", "#!/bin/sh\r\necho\r\n")
    #expect(
      folder.advice("./d").reason()
        == "the first line of \(folder.path)/d ends in a carriage return, as Windows writes it, so '/bin/sh' is not found; mend it with: sed -i 's/\\r$//' \(folder.path)/d"
    )
    try folder.write("e", "#!/bin/sh\n")
    #expect(folder.advice("./e").reason() == nil)
  }

  @Test func `a file that is not there is sought beside the manifest`() throws {
    let folder = try Folder()
    try folder.write("uptime.sh", "#!/bin/sh\n")
    #expect(
      folder.advice("./uptme.sh").reason()
        == "there is no \(folder.path)/uptme.sh; did you mean './uptime.sh'?")
    #expect(
      folder.advice("uptime.sh").reason()
        == "'uptime.sh' is looked up in PATH, where it is not; the file beside the manifest is './uptime.sh'"
    )
    #expect(
      folder.advice("nothing-like-it").reason()
        == "there is no program 'nothing-like-it' in PATH (/usr/bin:/bin)")
    #expect(folder.advice("./").reason() == "\(folder.path)/ is a folder")
  }

  @Test func `an exit code of a missing command is explained`() throws {
    let folder = try Folder()
    try folder.write("a", "#!/usr/bin/env pyton3\n")
    #expect(
      folder.advice("./a").reason(ofExitCode: 127)
        == "the first line of \(folder.path)/a names the interpreter 'pyton3', which is not on PATH; install it, or name another one there"
    )
    #expect(folder.advice("./a").reason(ofEnvCode: 1) == nil)
    try folder.write("b", "#!/usr/bin/env -S sh -e\r\n")
    #expect(
      folder.advice("./b").reason(ofExitCode: 127)?.contains("carriage return") == true)
    try folder.write("c", "#!/bin/sh\nnothing-like-it\n")
    #expect(
      folder.advice("./c").reason(ofExitCode: 127)
        == "a script ends with 127 when it calls a program that is not in PATH; standard error names it"
    )
    #expect(folder.advice("./c").reason(ofExitCode: 126)?.contains("not executable") == true)
    #expect(folder.advice("./c").reason(ofExitCode: 1) == nil)
  }
}
