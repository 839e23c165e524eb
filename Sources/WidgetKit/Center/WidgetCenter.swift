import Dispatch
import Glibc
import IntentProtocol
import JSON
import PlainText
import Synchronization
import WidgetExtension

/// The interface of an app to its widgets, as on iOS.
///
/// ```swift
/// import WidgetKit
/// WidgetCenter.shared.reloadAllTimelines()
/// ```
///
/// The center finds the daemon's socket as each client does: `$INTENTD_SOCKET`, else below
/// `$XDG_RUNTIME_DIR`. It needs no event loop. Without a daemon, the calls that return nothing
/// write one line to standard error for each outage; the others throw `WidgetCenterError`.
///
/// Source: WidgetKit. Members that are not on iOS say so.
public final class WidgetCenter: Sendable {
  /// The center of this app.
  public static let shared = WidgetCenter(
    socketPath: {
      SocketLocation.find(userID: getuid()) { name in getenv(name).map { String(cString: $0) } }
        .path
    },
    complain: { line in
      var text = TerminalText(line).text
      // Best effort: standard error may be closed.
      _ = text.withUTF8 { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    })

  /// The keys of a user activity's `userInfo`.
  public struct UserInfoKey {
    /// The kind of the widget that was tapped.
    public static let kind = "WGWidgetUserInfoKeyKind"
    /// The family of the widget that was tapped.
    public static let family = "WGWidgetUserInfoKeyFamily"
    /// The live activity that was tapped.
    public static let activityID = "WGWidgetUserInfoKeyActivityID"
  }

  let link: DaemonLink

  /// The program of widgets that this process is.
  private struct OwnProgram {
    /// One of its kinds, as the daemon knows it.
    var name: String
    var kinds: KindNames
  }

  /// `nil`: this process is an app, or any other program.
  private let program = Mutex<OwnProgram?>(nil)

  /// The seconds to wait for an answer that needs no provider; a healthy daemon takes far less.
  private static let answerSeconds: TimeInterval = 10

  package init(
    socketPath: @escaping @Sendable () -> String, complain: @escaping @Sendable (String) -> Void
  ) {
    link = DaemonLink(socketPath: socketPath, complain: complain)
  }

  /// Tells the center that this process is the program of these kinds, as they are in the code: it
  /// reloads no widgets but its own from now on.
  ///
  /// `name` is the kind under which the daemon started it; `nil`: the first one.
  package func becomeProgram(of kinds: [String], name: String?) {
    guard let first = kinds.first else { return }
    program.withLock {
      $0 = OwnProgram(name: name ?? KindNames.manifestName(of: first), kinds: KindNames(kinds))
    }
  }

  /// Returns the parameters of a request that reloads a kind; throws for the kind of another
  /// program, which is none of this one's, as on iOS.
  private func reloadParameters(
    of kind: String
  ) throws(WidgetCenterError) -> JSONObject {
    guard let kinds = program.withLock({ $0?.kinds }) else { return ["kind": .string(kind)] }
    do throws(ExtensionError) {
      return ["kind": .string(KindNames.manifestName(of: try kinds.kind(kind)))]
    } catch {
      throw .refused(code: error.code.rawValue, message: error.message)
    }
  }

  /// The parameters of a request that reloads all widgets of this app or program.
  private var reloadAllParameters: JSONObject {
    program.withLock { $0 }.map { ["program": .string($0.name)] } ?? [:]
  }

  // MARK: Reloading

  /// Requests a reload of each widget of `kind`.
  ///
  /// In the program of a widget `kind` is one of its own; another one is named on standard error.
  /// Returns at once.
  public func reloadTimelines(ofKind kind: String) {
    do throws(WidgetCenterError) {
      link.post(.widgetReload, try reloadParameters(of: kind))
    } catch {
      link.tell("WidgetKit: reloadTimelines: \(error.errorDescription ?? "refused")\n")
    }
  }

  /// Requests a reload of each widget of this app.
  ///
  /// For a registered app these are the widgets of its kinds, and in the program of a widget those
  /// of all its kinds; for any other program, all widgets. Returns at once.
  public func reloadAllTimelines() {
    link.post(.widgetReloadAll, reloadAllParameters)
  }

  /// Requests a reload of each widget of `kind` and returns the receipts.
  ///
  /// (Not on iOS.)
  ///
  /// Returns when each reload has ended or was deferred; throws `WidgetCenterError.timedOut` after
  /// `timeout` seconds.
  public func reloadTimelinesWithReceipts(
    ofKind kind: String, timeout: TimeInterval = 35
  ) async throws -> [ReloadReceipt] {
    try Self.receipts(
      in: await answer(to: .widgetReload, waiting(reloadParameters(of: kind)), timeout))
  }

  /// Requests a reload of each widget of this app and returns the receipts.
  ///
  /// (Not on iOS.)
  public func reloadAllTimelinesWithReceipts(
    timeout: TimeInterval = 35
  ) async throws -> [ReloadReceipt] {
    try Self.receipts(in: await answer(to: .widgetReloadAll, waiting(reloadAllParameters), timeout))
  }

  /// Does the same as `reloadTimelinesWithReceipts(ofKind:)`, blocking the thread.
  ///
  /// (Not on iOS.)
  public func reloadTimelinesAndWait(
    ofKind kind: String, timeout: TimeInterval = 35
  ) throws -> [ReloadReceipt] {
    try Self.receipts(
      in: blockingAnswer(to: .widgetReload, waiting(reloadParameters(of: kind)), timeout))
  }

  /// Does the same as `reloadAllTimelinesWithReceipts()`, blocking the thread.
  ///
  /// (Not on iOS.)
  public func reloadAllTimelinesAndWait(timeout: TimeInterval = 35) throws -> [ReloadReceipt] {
    try Self.receipts(
      in: blockingAnswer(to: .widgetReloadAll, waiting(reloadAllParameters), timeout))
  }

  /// Does nothing: the daemon asks for recommendations each time it shows them.
  public func invalidateConfigurationRecommendations() {}

  /// Does nothing: relevance is a part of the timeline.
  ///
  /// Reload the timeline instead.
  public func invalidateRelevance(ofKind kind: String) {}

  // MARK: Configurations

  /// Gets the widgets that the person has placed.
  ///
  /// `completion` runs on WidgetKit's queue.
  public func getCurrentConfigurations(
    _ completion: @escaping @Sendable (Result<[WidgetInfo], any Error>) -> Void
  ) {
    link.send(.widgetList, timeout: Self.answerSeconds) { result in
      completion(
        Result { () throws -> [WidgetInfo] in try Self.configurations(in: result.get()) })
    }
  }

  /// Returns the widgets that the person has placed.
  public func currentConfigurations() async throws -> [WidgetInfo] {
    try Self.configurations(in: await answer(to: .widgetList, [:], Self.answerSeconds))
  }

  /// The number for a server's messages: `nil`, since no server sends any.
  public var currentPushInfo: WidgetPushInfo? {
    get async { nil }
  }

  // MARK: The app itself

  /// Tells the daemon which app this is.
  ///
  /// (Not on iOS, where the system knows.)
  ///
  /// - Parameters: - app: the app's desktop id, `org.example.App`; it owns the kinds whose manifest
  ///   names it. - foreground: whether the person sees the app now. In the foreground, reloads cost
  ///   no budget. - queue: the queue on which the closures run; `nil` stands for WidgetKit's own. -
  ///   onActivate: called when a widget without a URL was tapped: the app comes to the front. -
  ///   onOpen: called with the URL of the widget or item that was tapped.
  ///
  /// The registration outlives the daemon: WidgetKit repeats it on each new connection.
  public func register(
    app: String, foreground: Bool = false, queue: DispatchQueue? = nil,
    onActivate: @escaping @Sendable () -> Void = {},
    onOpen: @escaping @Sendable (URL) -> Void
  ) {
    let queue = queue ?? DispatchQueue(label: "WidgetKit.open")
    link.register(
      DaemonLink.Registration(app: app, isForeground: foreground) { params in
        let url = params["url"]?.stringValue.flatMap { URL(string: $0) }
        queue.async {
          if let url { onOpen(url) } else { onActivate() }
        }
      })
  }

  /// Tells the daemon that the app came to the foreground or left it.
  ///
  /// (Not on iOS.)
  ///
  /// Has no effect before `register`.
  public func setForeground(_ foreground: Bool) {
    link.setForeground(foreground)
  }

  // MARK: Answers

  /// Returns parameters of a request that is answered when its reloads have ended.
  private func waiting(_ params: JSONObject) -> JSONObject {
    var params = params
    params["wait"] = true
    return params
  }

  func answer(
    to method: Method, _ params: JSONObject, _ timeout: TimeInterval
  ) async throws -> JSONValue {
    try await withCheckedThrowingContinuation { continuation in
      link.send(method, params, timeout: timeout) { continuation.resume(with: $0) }
    }
  }

  private func blockingAnswer(
    to method: Method, _ params: JSONObject, _ timeout: TimeInterval
  ) throws -> JSONValue {
    let box = AnswerBox()
    link.send(method, params, timeout: timeout) { box.put($0) }
    return try box.wait().get()
  }

  private static func receipts(in result: JSONValue) throws -> [ReloadReceipt] {
    guard let values = result["receipts"]?.arrayValue else {
      throw WidgetCenterError.protocolViolation(message: "it has no receipts")
    }
    return try values.map { value in
      guard let receipt = ReloadReceipt(value) else {
        throw WidgetCenterError.protocolViolation(message: "a receipt without id or state")
      }
      return receipt
    }
  }

  private static func configurations(in result: JSONValue) throws -> [WidgetInfo] {
    guard let values = result["widgets"]?.arrayValue else {
      throw WidgetCenterError.protocolViolation(message: "it has no widgets")
    }
    return values.compactMap(WidgetInfo.init)
  }
}

/// Hands one answer from the thread that reads it to the thread that waits for it.
private final class AnswerBox: Sendable {
  private let answer = Mutex<Result<JSONValue, WidgetCenterError>?>(nil)
  private let semaphore = DispatchSemaphore(value: 0)

  func put(_ result: Result<JSONValue, WidgetCenterError>) {
    answer.withLock { $0 = result }
    semaphore.signal()
  }

  /// Waits for the answer.
  ///
  /// Always returns, because an unanswered request times out.
  func wait() -> Result<JSONValue, WidgetCenterError> {
    semaphore.wait()
    return answer.withLock { $0 } ?? .failure(.timedOut)
  }
}
