import JSON
import WidgetCenter

/// Hands apps the folders that they share with their widgets.
extension Daemon {
  /// Adds the folders that an app shares with its widgets to the answer to its registration, and has
  /// them made.
  func addGroups(
    of app: String, to result: inout JSONObject, into effects: inout [Effect]
  ) {
    let groups = SharedGroups.groups(of: app, among: engine.kinds.values)
    guard !options.groupsFolder.isEmpty, !groups.isEmpty else { return }
    for group in groups { effects.append(.makeGroup(group)) }
    result["groups"] = .object(
      JSONObject(groups.map { .init(key: $0, value: .string("\(options.groupsFolder)/\($0)")) }))
  }
}
