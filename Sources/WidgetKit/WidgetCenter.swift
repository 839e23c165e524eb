import Dispatch
import Glibc
import IntentProtocol
import JSON
import Synchronization

/// What an app asks of the widgets that it offers, as on iOS.
///
/// ```swift
/// import WidgetKit
/// WidgetCenter.shared.reloadAllTimelines()
/// ```
///
/// The daemon's socket is found as every client finds it: `$INTENTD_SOCKET`, else below
/// `$XDG_RUNTIME_DIR`. Nothing needs an event loop. Without a daemon the calls that return nothing do
/// nothing but say so once on standard error, and the others throw `WidgetCenterError`.
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
      // Best effort: standard error may be closed.
      _ = line.utf8.withContiguousStorageIfAvailable {
        write(STDERR_FILENO, $0.baseAddress, $0.count)
      }
    })

  /// Keys of a user activity's `userInfo`.
  public struct UserInfoKey {
    /// The kind of the widget that was tapped.
    public static let kind = "WGWidgetUserInfoKeyKind"
    /// Its family.
    public static let family = "WGWidgetUserInfoKeyFamily"
    /// The live activity that was tapped.
    public static let activityID = "WGWidgetUserInfoKeyActivityID"
  }

  private let link: DaemonLink

  /// Seconds in which a daemon that is well has answered what needs no provider.
  private static let answerSeconds: TimeInterval = 10

  package init(
    socketPath: @escaping @Sendable () -> String, complain: @escaping @Sendable (String) -> Void
  ) {
    link = DaemonLink(socketPath: socketPath, complain: complain)
  }

  // MARK: Reloading

  /// Asks for new timelines of every widget of `kind`.
  ///
  /// Does not wait.
  public func reloadTimelines(ofKind kind: String) {
    link.post(.widgetReload, ["kind": .string(kind)])
  }

  /// Asks for new timelines of every widget of this app.
  ///
  /// Those are of the kinds that a registered app owns, else all there are. Does not wait.
  public func reloadAllTimelines() {
    link.post(.widgetReloadAll)
  }

  /// The same as `reloadTimelines(ofKind:)`, and says what came of it. (Not on iOS.)
  ///
  /// Returns when every reload has ended or was deferred; throws `WidgetCenterError.timedOut` after
  /// `timeout` seconds.
  public func reloadTimelinesWithReceipts(
    ofKind kind: String, timeout: TimeInterval = 35
  ) async throws -> [ReloadReceipt] {
    try Self.receipts(
      in: await answer(to: .widgetReload, ["kind": .string(kind), "wait": true], timeout))
  }

  /// The same as `reloadAllTimelines()`, and says what came of it. (Not on iOS.)
  public func reloadAllTimelinesWithReceipts(
    timeout: TimeInterval = 35
  ) async throws -> [ReloadReceipt] {
    try Self.receipts(in: await answer(to: .widgetReloadAll, ["wait": true], timeout))
  }

  /// `reloadTimelinesWithReceipts(ofKind:)` for a thread that may wait. (Not on iOS.)
  public func reloadTimelinesAndWait(
    ofKind kind: String, timeout: TimeInterval = 35
  ) throws -> [ReloadReceipt] {
    try Self.receipts(
      in: blockingAnswer(to: .widgetReload, ["kind": .string(kind), "wait": true], timeout))
  }

  /// `reloadAllTimelinesWithReceipts()` for a thread that may wait. (Not on iOS.)
  public func reloadAllTimelinesAndWait(timeout: TimeInterval = 35) throws -> [ReloadReceipt] {
    try Self.receipts(in: blockingAnswer(to: .widgetReloadAll, ["wait": true], timeout))
  }

  /// Accepted, and without effect: recommendations are asked for whenever they are shown.
  public func invalidateConfigurationRecommendations() {}

  /// Accepted, and without effect: relevance is part of the timeline; reload that instead.
  public func invalidateRelevance(ofKind kind: String) {}

  // MARK: Configurations

  /// The widgets that the person has placed.
  ///
  /// `completion` runs on a queue of WidgetKit's.
  public func getCurrentConfigurations(
    _ completion: @escaping @Sendable (Result<[WidgetInfo], any Error>) -> Void
  ) {
    link.send(.widgetList, timeout: Self.answerSeconds) { result in
      completion(
        Result { () throws -> [WidgetInfo] in try Self.configurations(in: result.get()) })
    }
  }

  /// The widgets that the person has placed.
  public func currentConfigurations() async throws -> [WidgetInfo] {
    try Self.configurations(in: await answer(to: .widgetList, [:], Self.answerSeconds))
  }

  // MARK: The app itself

  /// Tells the daemon which app this is. (Not on iOS, where the system knows.)
  ///
  /// - Parameters:
  ///   - app: its desktop id, `org.example.App`; it owns the kinds whose manifest names it.
  ///   - foreground: whether the person sees it now. In the foreground its reloads cost no budget.
  ///   - queue: where the closures run; `nil` is a queue of WidgetKit's.
  ///   - onActivate: a widget without a URL was tapped: come to the front.
  ///   - onOpen: a widget was tapped; the URL is where to go.
  ///
  /// The registration outlives the daemon: it is repeated when the next one is there.
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

  /// Tells the daemon that the app came to the foreground or left it. (Not on iOS.)
  ///
  /// Without effect before `register`.
  public func setForeground(_ foreground: Bool) {
    link.setForeground(foreground)
  }

  // MARK: Answers

  private func answer(
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

/// One answer, from the thread that reads it to the thread that waits.
private final class AnswerBox: Sendable {
  private let answer = Mutex<Result<JSONValue, WidgetCenterError>?>(nil)
  private let semaphore = DispatchSemaphore(value: 0)

  func put(_ result: Result<JSONValue, WidgetCenterError>) {
    answer.withLock { $0 = result }
    semaphore.signal()
  }

  /// Always comes to an end: a request that is not answered times out.
  func wait() -> Result<JSONValue, WidgetCenterError> {
    semaphore.wait()
    return answer.withLock { $0 } ?? .failure(.timedOut)
  }
}
