import JSON

extension Outbox {
  /// Returns the result of what happened outside the store, and could not be noted.
  ///
  /// Reloads that were asked for behind it are not on disk either, so it names none.
  static func unsaved(_ result: JSONObject) -> JSONObject {
    var result = result
    if result["widgets"] != nil { result["widgets"] = [] }
    if result["receipts"] != nil { result["receipts"] = [] }
    result["saved"] = false
    return result
  }
}
