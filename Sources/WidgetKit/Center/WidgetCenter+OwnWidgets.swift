import Dispatch
import Glibc
import IntentProtocol
import JSON

/// An app and its own widgets: hearing of them, configuring them, sharing a folder with them.
///
/// None of this is on iOS: there the system knows the app, and `FileManager` has the folder.
extension WidgetCenter {
  /// Calls `handler` with the changes of this app's widgets, in their order.
  ///
  /// (Not on iOS.)
  ///
  /// The app hears of them after `register`, on `queue`; `nil` stands for WidgetKit's own. Changes
  /// of a time without a daemon, or without a connection to it, are told afterwards.
  public func onWidgetsChanged(
    queue: DispatchQueue? = nil, _ handler: @escaping @Sendable ([WidgetChange]) -> Void
  ) {
    let queue = queue ?? DispatchQueue(label: "WidgetKit.changes")
    _ = link.changes.add { changes in queue.async { handler(changes) } }
  }

  /// The changes of this app's widgets from now on, as `onWidgetsChanged` has them.
  ///
  /// (Not on iOS.)
  ///
  /// Each stream has all of them. One that nobody reads keeps the newest 256 lists.
  public var widgetChanges: AsyncStream<[WidgetChange]> {
    let link = link
    return AsyncStream(bufferingPolicy: .bufferingNewest(256)) { continuation in
      let number = link.changes.add { continuation.yield($0) }
      continuation.onTermination = { _ in link.changes.remove(number) }
    }
  }

  /// Gives a widget of this app other parameters, and reloads it.
  ///
  /// (Not on iOS, where only the person configures.)
  ///
  /// - Parameters: - identifier: the widget, `WidgetInfo.identifier`. - parameters: all parameters
  ///   of its intent that are to have a value.
  /// - Returns: the widget as it is now, on the daemon's disk.
  ///
  /// Throws `WidgetCenterError.refused` with the code −32033 for a widget of another app, −32020
  /// for one that is gone, −32012 for parameters that the intent does not take, and −32023 for an
  /// app that configures very often while it is in the background.
  @discardableResult
  public func configure(
    _ identifier: String, parameters: [String: INIntent.Value], timeout: TimeInterval = 10
  ) async throws -> WidgetInfo {
    let members = parameters.sorted { $0.key < $1.key }
    let answer = try await answer(
      to: .widgetConfigure,
      [
        "id": .string(identifier),
        "parameters": .object(
          JSONObject(members.map { .init(key: $0.key, value: $0.value.json) })),
      ], timeout)
    guard let widget = answer["widget"].flatMap(WidgetInfo.init) else {
      throw WidgetCenterError.protocolViolation(message: "it has no widget")
    }
    return widget
  }

  /// The folder that the app shares with its widgets, by the name of its group.
  ///
  /// (On iOS it is `FileManager.containerURL(forSecurityApplicationGroupIdentifier:)`.)
  ///
  /// A provider has it from its environment. An app has it after `register`: the call waits for
  /// the daemon's answer, `timeout` seconds at most. `nil`: no kind of this app names the group or
  /// may have it, or there is no daemon. Whoever writes there writes another file and renames it.
  public func containerURL(forGroup group: String, timeout: TimeInterval = 10) -> URL? {
    if let path = getenv("INTENTD_GROUP").map({ String(cString: $0) }) {
      let url = URL(filePath: path, directoryHint: .isDirectory)
      if url.lastPathComponent == group { return url }
    }
    return link.groups(within: timeout)[group].map {
      URL(filePath: $0, directoryHint: .isDirectory)
    }
  }
}

extension INIntent.Value {
  /// As the wire has it.
  var json: JSONValue {
    switch self {
    case .string(let text): .string(text)
    case .integer(let number): .int(number)
    case .number(let number): .double(number)
    case .boolean(let flag): .bool(flag)
    case .list(let values): .array(values.map(\.json))
    case .fields(let fields):
      .object(
        JSONObject(
          fields.sorted { $0.key < $1.key }.map { .init(key: $0.key, value: $0.value.json) }))
    case .none: .null
    }
  }
}
