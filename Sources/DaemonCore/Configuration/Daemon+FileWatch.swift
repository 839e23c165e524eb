import IntentProtocol
import JSON
import JSONRPC
import Timekeeping
import WidgetCenter

/// Takes up changed files by itself, and looks at the files again before it refuses a name that a
/// file may offer by now.
extension Daemon {
  /// The shell watches files, or tells why it cannot watch all of them.
  mutating func setWatching(isOn: Bool, issues: [DocumentIssue], into effects: inout [Effect]) {
    guard fileWatch.isOn != isOn || fileWatch.issues != issues else { return }
    fileWatch.set(isOn: isOn, issues: issues)
    for issue in issues {
      effects.append(.log(LogLine(.warning, "files.unwatched", ["issue": issue.description])))
    }
  }

  /// Reads the changed files if their time has come; called at the end of each turn.
  mutating func readChangedFiles(at now: Now, into effects: inout [Effect]) {
    guard phase == .running, let deadline = fileWatch.deadline, deadline <= now.monotonic else {
      return
    }
    loadConfiguration(because: .files, at: now, into: &effects)
  }

  /// Begins to read the files, unless they are being read already or were read too often.
  mutating func loadConfiguration(
    because cause: LoadCause, at now: Now, into effects: inout [Effect]
  ) {
    guard configuration.wantsLoading(because: cause), fileWatch.beginReading(at: now.monotonic)
    else { return }
    configuration.beginLoading()
    effects.append(.loadConfiguration)
  }

  /// Keeps a refused request if changed files may offer what it names, and reads them; `false`: the
  /// refusal stands.
  ///
  /// A manifest that was saved a moment ago is so found by the command that follows. While the files
  /// are being read, requests wait for that.
  mutating func looksAgain(
    after error: RPCError, _ method: Method, _ params: JSONValue?, _ address: ReplyAddress,
    at now: Now, into effects: inout [Effect]
  ) -> Bool {
    guard phase == .running else { return false }
    switch WireErrorCode(rawValue: error.code) {
    case .unknownKind:
      guard configuration.isLoading || fileWatch.looksForUnknownName(at: now.monotonic) else {
        return false
      }
    case .unknownIntent, .noMatch, .noRoute, .unknownList:
      guard configuration.isLoading || fileWatch.hasChanges else { return false }
    default: return false
    }
    do throws(RPCError) {
      try outbox.reserveWaiting(address)
    } catch {
      return false
    }
    configuration.retryLater(RefusedRequest(method: method, params: params, address: address))
    loadConfiguration(because: .files, at: now, into: &effects)
    return true
  }

  /// Handles the requests that waited for the files; now a refusal stands.
  mutating func retryRefused(at now: Now, into effects: inout [Effect]) {
    for request in configuration.takeRefused() {
      outbox.releaseWaiting(request.address)
      do throws(RPCError) {
        try dispatch(
          request.method, request.params, asked: nil, request.address, at: now, into: &effects)
      } catch {
        outbox.refuse(request.address, error)
      }
    }
  }

  /// Tells the surfaces that asked for it that another configuration is in force.
  mutating func announceConfiguration() {
    var line: [UInt8] = []
    for connection in surfaces.connections(where: \.hearsOfConfiguration) {
      if line.isEmpty {
        appendNotification(
          method: DaemonNotification.configurationUpdate.rawValue,
          params: .object(configurationView(issueCountMax: Limits.announcedIssueCountMax)),
          to: &line)
      }
      outbox.notify(connection, line)
    }
  }
}
