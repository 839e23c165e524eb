import BlockingClient
import Glibc
import IntentProtocol
import JSON
import JSONRPC
import Testing

@testable import intent_send

/// Failures name the event, the thing it happened to and the remedy; scripts see the status.
struct FailureTests {
  private static let cases: [(error: ClientError, status: ProgramStatus, text: String)] = [
    (
      .noDaemon(path: "/run/user/1000/intentd/intentd.sock"), .noDaemon,
      """
      intent-send: no daemon is listening on /run/user/1000/intentd/intentd.sock
        start it with: systemctl --user start intentd.socket
        or by hand, in a terminal: intentd

      """
    ),
    (
      .cannotConnect(path: "/s", errno: EACCES), .noDaemon,
      """
      intent-send: cannot connect to /s: Permission denied
        the socket belongs to another user; look at $INTENTD_SOCKET and $XDG_RUNTIME_DIR

      """
    ),
    (
      .pathTooLong(path: "/long", bytesMax: 107), .noDaemon,
      """
      intent-send: the socket's path has 5 bytes, 107 is the most: /long
        set $INTENTD_SOCKET to a shorter path, for the daemon too

      """
    ),
    (
      .notTrusted(path: "/tmp/intentd-1/s", .folderOfAnother(folder: "/tmp/intentd-1", uid: 7)),
      .noDaemon,
      """
      intent-send: nothing was sent: the folder /tmp/intentd-1 belongs to another user (uid 7)
        name your own daemon's socket with --socket, $INTENTD_SOCKET or $XDG_RUNTIME_DIR

      """
    ),
    (
      .notTrusted(path: "/srv/s", .folderOpen(folder: "/srv", mode: 0o777)), .noDaemon,
      """
      intent-send: nothing was sent: others may write into /srv (mode 777)
        close it with: chmod go-w /srv

      """
    ),
    (
      .connectionLost(path: "/s"), .noDaemon,
      """
      intent-send: the daemon on /s closed the connection without an answer
        its log says why: journalctl --user -u intentd -n 20

      """
    ),
    (
      .answerTimedOut(method: "intent.send"), .failed,
      """
      intent-send: no answer to intent.send in time; it may still take effect
        wait longer with --timeout SECONDS, or see what became of it: intent-send history

      """
    ),
    (
      .refused(
        RPCError(
          .noMatch, "nothing matches 'shw weather'",
          details: ["suggestions": ["show weather", "show weather for Beijing"]])),
      .noMatch,
      """
      intent-send: nothing matches 'shw weather'; did you mean 'show weather' or 'show weather for Beijing'?
        what can be said: intent-send intents

      """
    ),
    // The daemon's message asks the question already, so no hint repeats it.
    (
      .refused(
        RPCError(
          .unknownWidget, "no widget 'wether'; did you mean 'weather'?",
          details: ["suggestions": ["weather"]])),
      .failed,
      """
      intent-send: no widget 'wether'; did you mean 'weather'?
        all widgets: intent-send widgets

      """
    ),
    (
      .refused(RPCError(.noRoute, "no intent has a route for x://y")), .noMatch,
      """
      intent-send: no intent has a route for x://y
        which URLs have a route: intent-send intents

      """
    ),
    (
      .refused(
        RPCError(
          .unsupportedFamily, "org.example.sun does not come in systemLarge",
          details: ["families": ["accessoryInline", "systemSmall"]])),
      .failed,
      """
      intent-send: org.example.sun does not come in systemLarge
        it comes in: accessoryInline, systemSmall
        all kinds: intent-send gallery

      """
    ),
    (
      .refused(
        RPCError(.invalidTimeline, "a date is missing", details: ["path": "entries[2].date"])),
      .failed,
      """
      intent-send: a date is missing
        the mistake is at: entries[2].date

      """
    ),
    (
      .refused(RPCError(code: -32603, message: "bad\u{1B}[31m news")), .failed,
      "intent-send: bad\\x1B[31m news\n"
    ),
  ]

  @Test func `words of the command line that are refused steer no terminal`() {
    let failure = Failure(
      status: .usage, message: "'\u{1B}]52;c;x\u{7}\u{202E}' is no moment\nat all",
      hints: ["try \u{9B}2J"])
    #expect(
      failure.text == "intent-send: '\\x1B]52;c;x\\x07' is no moment\nat all\n  try \\x9B2J\n")
  }

  @Test(arguments: cases.indices)
  func `each failure says what happened, to what, and what to do`(_ index: Int) {
    let example = Self.cases[index]
    let failure = Failure(example.error)
    #expect(failure.text == example.text)
    #expect(failure.status == example.status)
  }

  @Test func `every code of the wire makes a failure with a message`() {
    for code in WireErrorCode.allCases {
      let failure = Failure(.refused(RPCError(code, "it went wrong")))
      #expect(failure.text.hasPrefix("intent-send: it went wrong\n"))
      #expect(failure.json?["error"]?["data"]?["name"] == .string(code.name))
    }
  }

  @Test func `a reload of neither a widget nor a kind offers the near names of both`() {
    let widget = Failure(
      refusal: RPCError(.unknownWidget, "no widget", details: ["suggestions": ["weather"]]))
    let kind = Failure(
      refusal: RPCError(
        .unknownKind, "no kind", details: ["suggestions": ["weather", "org.example.weather"]]))
    #expect(
      Failure(neither: "wether", widget, kind).text == """
        intent-send: no widget and no kind is called 'wether'; did you mean 'weather' or 'org.example.weather'?
          all widgets: intent-send widgets
          all kinds: intent-send gallery

        """)
  }
}
