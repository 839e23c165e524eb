import ArgumentParser
import BlockingClient
import Glibc
import IntentProtocol
import JSON
import JSONRPC
import Timekeeping

/// Prints a JSON line for each change, for bars and scripts.
///
/// The command outlives the daemon: when the connection ends, it waits for the next daemon and then
/// prints only the differences. It ends with status 0 when nobody reads its output any more.
struct Follow: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "follow",
    abstract: "Print a JSON line for every change, until nobody reads them.",
    discussion: """
      intent-send follow weather            one widget: a line is the widget
      intent-send follow --stack            a line is the stack, most relevant first
      intent-send follow weather | jq --unbuffered -r .entry.content.short
      intent-send follow tea --tick         live dates as text that ticks

      Each line is written as soon as it is known. A program behind the pipe may keep what it \
      prints to a further pipe for a while: jq needs --unbuffered, sed -u, grep --line-buffered.
      """)

  @OptionGroup var common: CommonOptions
  @Flag(help: "Follow the stack.") var stack = false
  @Flag(
    help: "Write live dates as text, such as 'in 5 min', and a line whenever one reads otherwise.")
  var tick = false
  @Option(
    help: "Only widgets of this family; may be repeated.", completion: .list(familyNames),
    transform: canonicalFamily)
  var family: [String] = []
  @Argument(help: "The widget; without it all of them.", completion: .custom(completeWidgets))
  var id: String?

  /// The first wait between two attempts to connect, in milliseconds.
  ///
  /// A daemon restarts quickly.
  private static let retryMillisecondsMin: Int64 = 100
  private static let retryMillisecondsMax: Int64 = 5_000
  /// The longest wait for a live date, in milliseconds: after a jump of the clock the next line is
  /// right again by then.
  private static let tickMillisecondsMax: Int64 = 60_000

  mutating func validate() throws {
    guard !(stack && id != nil) else {
      throw ValidationError("follow one widget or the stack, not both")
    }
  }

  mutating func run() throws {
    var lines = FollowLines(isStack: stack)
    var ticks = FollowTicks()
    var retryMilliseconds = Self.retryMillisecondsMin
    var hasComplained = false
    while true {
      do throws(ClientError) {
        var client = try DaemonClient(connectingTo: common.socketPath)
        let shown = try client.request(
          .surfaceAttach, .object(parameters), timeoutMilliseconds: Daemon.answerMilliseconds)
        retryMilliseconds = Self.retryMillisecondsMin
        hasComplained = false
        emit(lines.attached(shown), &ticks)
        try followUpdates(&client, &lines, &ticks)
      } catch {
        guard error.mayPass else {
          var failure = Failure(error)
          if !common.json { failure.json = nil }
          throw failure
        }
        if !hasComplained {
          Output.complain("intent-send: no daemon on \(common.socketPath); waiting for it\n")
          hasComplained = true
        }
        // Its dates go on without a daemon.
        Self.wait(milliseconds: min(retryMilliseconds, untilTick(ticks) ?? .max), for: nil)
        emitTicks(&ticks)
        retryMilliseconds = min(retryMilliseconds * 2, Self.retryMillisecondsMax)
      }
    }
  }

  private func followUpdates(
    _ client: inout DaemonClient, _ lines: inout FollowLines, _ ticks: inout FollowTicks
  ) throws(ClientError) {
    while true {
      if !client.hasNotification {
        Self.wait(milliseconds: untilTick(ticks), for: client.socket.descriptor)
        emitTicks(&ticks)
      }
      guard let notification = try client.notification(before: .after(milliseconds: 0)) else {
        continue
      }
      if notification.method == DaemonNotification.surfaceUpdate.rawValue {
        emit(lines.updated(notification.params), &ticks)
      }
    }
  }

  private var parameters: JSONObject {
    var params = JSONObject()
    if !family.isEmpty { params["families"] = .array(family.map(JSONValue.string)) }
    if stack { params["stack"] = true }
    if let id { params["widgets"] = [.string(id)] }
    params["session"] = ownSession()
    return params
  }

  private func emit(_ lines: [JSONValue], _ ticks: inout FollowTicks) {
    Output.print(tick ? ticks.take(lines, .current) : lines)
  }

  private func emitTicks(_ ticks: inout FollowTicks) {
    if tick { Output.print(ticks.tick(.current)) }
  }

  /// Returns the milliseconds until a live date may read differently; `nil` if there is none.
  private func untilTick(_ ticks: FollowTicks) -> Int64? {
    let now = Renderer.current.now
    guard tick, let next = ticks.nextChange(after: now) else { return nil }
    return min(max(1, next.milliseconds(since: now)), Self.tickMillisecondsMax)
  }

  /// Waits until `descriptor` is readable or the time is over; exits if nobody reads standard
  /// output.
  private static func wait(milliseconds: Int64?, for descriptor: Int32?) {
    var entries = [
      pollfd(fd: STDOUT_FILENO, events: 0, revents: 0),
      pollfd(fd: descriptor ?? -1, events: Int16(POLLIN), revents: 0),
    ]
    poll(&entries, 2, milliseconds.map { Int32(clamping: $0) } ?? -1)
    if entries[0].revents != 0 { Glibc.exit(ProgramStatus.done.rawValue) }
  }
}
