import JSON
import Timekeeping

extension ScenarioDocument {
  /// Whether a row of a world is one that is expected: its name, its moment and its members.
  func matches(_ row: ScriptedWorld.Row, _ expected: Expected) -> Bool {
    guard row.event == expected.event, row.at >= expected.from, row.at <= expected.until else {
      return false
    }
    return expected.conditions.allSatisfy { condition in
      var value: JSONValue? = row.fields
      for step in condition.path {
        if let place = Int(step), let items = value?.arrayValue {
          value = items.indices.contains(place) ? items[place] : nil
        } else {
          value = value?[step]
        }
      }
      switch condition.wanted {
      case .absent: return value == nil || value?.isNull == true
      case .value(let wanted):
        if let number = wanted.doubleValue { return value?.doubleValue == number }
        return value == wanted
      case .contains(let part):
        return (value?.stringValue ?? value?.serialized)?.contains(part) ?? false
      case .number(let range): return value?.doubleValue.map(range.contains) ?? false
      case .date(let range):
        guard let date = value?.stringValue.flatMap({ WallTime(rfc3339: $0) }) else { return false }
        let offset = date.milliseconds(since: from)
        return range.contains(offset) || range.contains(offset - offset % 1_000)
      }
    }
  }
}
