import BusMessages
import DesktopSearch
import JSON
import Timekeeping

/// Fuzzes the desktop's search with a sequence of steps, one a line: who calls, and what with, an
/// answer of the core, or time that passes.
///
/// No sequence may crash it. Each call is answered once, and not later than its time; what goes to the
/// core is a line of the protocol; nothing is left behind by callers that go.
///
/// The first character of a line is the step: `0` to `9` call a method with the rest of the line as
/// text, from the caller that the second character names; `=` is an answer of the core, in JSON, to its
/// latest request; `~` an answer to an older one; `+` lets time pass; `-` is the end of a caller; `!`
/// locks or unlocks the session.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  var run = Run()
  for line in text(bytes(start, count)).split(separator: "\n", maxSplits: 200) {
    run.step(String(line.prefix(2_000)))
  }
  run.end()
  return 0
}

private struct Run {
  var search = DesktopSearch { _ in ["en"] }
  var now = Instant(nanoseconds: 0)
  var calls: [UInt64: String] = [:]
  var senders: Set<String> = []
  var lastCall: UInt64 = 0
  var lastRequest: Int64 = 0
  var notices = 0
  var chosen = 0

  mutating func step(_ line: String) {
    var outputs: [DesktopSearch.Output] = []
    let rest = String(line.dropFirst())
    switch line.first {
    case "=", "~":
      let id = line.first == "=" ? lastRequest : lastRequest / 2
      search.heard(
        Array("{\"jsonrpc\":\"2.0\",\"id\":\(id),\(rest)}".utf8), at: now, into: &outputs)
    case "+":
      now = now.advanced(byMilliseconds: Int64(rest.utf8.count) * 50)
      search.passed(at: now, into: &outputs)
    case "-":
      let sender = ":1." + rest.prefix(1)
      search.callerLeft(sender)
      calls = calls.filter { $0.value != sender }
      senders.remove(sender)
    case "!": search.isLocked.toggle()
    case let digit?:
      let sender = ":1." + rest.prefix(1)
      senders.insert(sender)
      lastCall += 1
      calls[lastCall] = sender
      search.take(
        call(digit, String(rest.dropFirst()), from: sender), lastCall, at: now, into: &outputs)
    case nil: break
    }
    check(outputs)
  }

  func call(_ digit: Character, _ text: String, from sender: String) -> BusInvocation {
    let shell = "org.gnome.Shell.SearchProvider2"
    let runner = "org.kde.krunner1"
    let application = "org.freedesktop.Application"
    let words = BusValue.strings(text.split(separator: " ").map(String.init))
    let ids = BusValue.strings(
      text.split(separator: "|").map { String($0).replacing(";", with: "\n") })
    let id = BusValue.string(text.replacing(";", with: "\n"))
    let (interface, member, arguments): (String, String, [BusValue]) =
      switch digit {
      case "0": (shell, "GetInitialResultSet", [words])
      case "1": (shell, "GetSubsearchResultSet", [ids, words])
      case "2": (shell, "GetResultMetas", [ids])
      case "3": (shell, "ActivateResult", [id, words, .uint32(0)])
      case "4": (runner, "Match", [.string(text)])
      case "5": (runner, "Run", [id, .string("")])
      case "6": (runner, "SetActivationToken", [.string(text)])
      case "7": (runner, "Teardown", [])
      case "8": (application, "Open", [words, .dictionary(["activation-token": .string(text)])])
      case "9": (application, "Activate", [.dictionary(["desktop-startup-id": .string(text)])])
      default: (text, String(digit), [words])
      }
    return BusInvocation(
      sender: sender, path: DesktopSearch.path, interface: interface, member: member,
      arguments: arguments)
  }

  mutating func check(_ outputs: [DesktopSearch.Output]) {
    for output in outputs {
      switch output {
      case .reply(let call, let values):
        precondition(calls.removeValue(forKey: call) != nil, "answered twice, or never asked")
        for value in values { _ = value.typeSignature }
      case .refuse(let call, let name, _):
        precondition(calls.removeValue(forKey: call) != nil, "refused twice, or never asked")
        precondition(name.hasPrefix("org.freedesktop.DBus.Error."))
      case .send(let line):
        precondition(line.last == 10 && !line.dropLast().contains(10), "not one line")
        guard let request = try? JSONValue(parsing: line), let id = request["id"]?.intValue else {
          preconditionFailure("no JSON")
        }
        precondition(id > lastRequest, "an id is used twice")
        lastRequest = id
        let method = request["method"]?.stringValue ?? ""
        precondition(["intent.complete", "intent.send", "url.open"].contains(method))
        if method == "intent.send", request["params"]?["text"] != nil { chosen += 1 }
        precondition(!search.isLocked, "something is done while the session is locked")
      case .call(let request):
        notices += 1
        precondition(notices <= chosen, "more answers than choices")
        precondition(request.member == "Notify")
      case .openPage: precondition(!search.isLocked)
      }
    }
  }

  mutating func end() {
    now = now.advanced(byMilliseconds: DesktopLimits.searchWaitMax)
    var outputs: [DesktopSearch.Output] = []
    search.passed(at: now, into: &outputs)
    check(outputs)
    now = now.advanced(byMilliseconds: DesktopLimits.actWaitMax)
    outputs = []
    search.passed(at: now, into: &outputs)
    check(outputs)
    precondition(calls.isEmpty, "a call has no answer")
    for sender in senders { search.callerLeft(sender) }
    precondition(search.isIdle && search.deadline == nil, "something is left behind")
  }
}
