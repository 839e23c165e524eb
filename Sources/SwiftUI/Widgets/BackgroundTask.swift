/// Work that the system starts while nobody looks; nothing starts it here.
///
/// Source: SwiftUI.
public struct BackgroundTask<Request: Sendable, Response: Sendable>: Sendable {
  private init() {}
}

extension BackgroundTask where Request == String, Response == Void {
  /// Events of any background session.
  public static var urlSession: BackgroundTask<String, Void> { Self() }
  /// Events of the background sessions whose names match.
  public static func urlSession(
    matching: @escaping @Sendable (String) -> Bool
  ) -> BackgroundTask<String, Void> { Self() }
}

extension BackgroundTask where Request == Void, Response == Void {
  /// Events of a background session.
  public static func urlSession(_ identifier: String) -> BackgroundTask<Void, Void> { Self() }
  /// A refresh of the app.
  public static func appRefresh(_ identifier: String) -> BackgroundTask<Void, Void> { Self() }
}

extension WidgetConfiguration {
  /// Recorded: nothing starts work of itself.
  public nonisolated func backgroundTask<Request: Sendable, Response: Sendable>(
    _ task: BackgroundTask<Request, Response>,
    action: @escaping @Sendable (Request) async -> Response
  ) -> some WidgetConfiguration { recording("backgroundTask") }
}
