import JSON

/// Finds the programs that content of others would run.
///
/// Only a plugin may say in its output which program a tap runs: the person put the plugin there,
/// and the program has the plugin's folder, environment and box. Producers push from anywhere, and
/// providers answer with what they fetched, so their answers are refused.
enum ForeignActions {
  /// Returns the place of the first `exec` of an action, such as `.items[1].action.exec`; `nil`:
  /// there is none.
  ///
  /// All of the content is looked through, keys of the author's own, too: no reader of tomorrow may
  /// find a program there. O(size).
  static func place(in content: JSONObject) -> String? {
    place(in: .object(content), isAction: false)
  }

  private static func place(in value: JSONValue, isAction: Bool) -> String? {
    switch value {
    case .object(let object):
      for member in object.members {
        if isAction, member.key == "exec", !member.value.isNull { return ".exec" }
        let isInside = member.key == "action" || member.key == "clicks" || isAction
        if let place = place(in: member.value, isAction: isInside) {
          return ".\(member.key)\(place)"
        }
      }
    case .array(let values):
      for (index, value) in values.enumerated() {
        if let place = place(in: value, isAction: isAction) { return "[\(index)]\(place)" }
      }
    default: break
    }
    return nil
  }
}
