// One value of a parameter: from text, as sentences and URLs have it, or from JSON, as programs
// send it, to the form that intents carry.

package import JSON
import Timekeeping

/// The result of resolving a parameter's value.
enum ValueResolution {
  case success(JSONValue)
  /// Several values are meant equally; a person chooses.
  case ambiguous([ResolutionChoice])
  /// Why it is not taken, to follow the parameter's name: "is a list; it must be a number".
  case unsupported(problem: String, suggestions: [String])

  static func refused(_ problem: String, suggestions: [String] = []) -> ValueResolution {
    .unsupported(problem: problem, suggestions: suggestions)
  }
}

extension ParameterDefinition {
  /// Returns the text as a value of the parameter's type.
  ///
  /// A text that is none stays a text and is refused later, with the form that was expected.
  package func typed(_ text: String) -> JSONValue {
    switch type {
    case .string, .enumeration, .date, .url, .place, .object: return .string(text)
    case .integer: return Int64(text).map(JSONValue.int) ?? .string(text)
    case .decimal:
      guard let number = Double(text), number.isFinite else { return .string(text) }
      return .double(number)
    case .boolean: return flag(text).map(JSONValue.bool) ?? .string(text)
    case .duration:
      guard let seconds = duration(text) else { return .string(text) }
      return number(seconds)
    }
  }

  /// Whether a document may give this value as the parameter's default.
  func isDefault(_ value: JSONValue) -> Bool {
    let elements: [JSONValue]
    if isArray, case .array(let several) = value { elements = several } else { elements = [value] }
    return elements.allSatisfy { element in
      guard case .success = resolveScalar(element.stringValue.map(typed) ?? element) else {
        return false
      }
      return true
    }
  }

  /// One value, not a list of them; text lists are looked up by the catalogue.
  func resolveScalar(_ value: JSONValue) -> ValueResolution {
    if type == .string, let text = value.stringValue, isNormalizedASCII(text) {
      if let problem = freeTextProblem(of: text) { return .refused(problem) }
      return .success(value)
    }
    switch type {
    case .string, .object, .place:
      if let text = value.stringValue, let problem = problem(of: text) ?? freeTextProblem(of: text)
      {
        return .refused(problem)
      }
    case .date, .url, .enumeration:
      if let problem = value.stringValue.flatMap(problem(of:)) { return .refused(problem) }
    case .integer, .decimal, .boolean, .duration: break
    }
    switch type {
    case .string:
      guard let text = value.stringValue else {
        return .refused("is \(value.typeName); it must be a string")
      }
      return .success(.string(NormalizedText.string(NormalizedText(value: text).cased)))
    case .integer:
      guard let number = value.intValue else {
        return .refused("is \(shown(value)); it must be a whole number")
      }
      return withinLimits(Double(number)) ?? .success(.int(number))
    case .decimal:
      guard let number = value.doubleValue, number.isFinite else {
        return .refused("is \(shown(value)); it must be a number")
      }
      return withinLimits(number) ?? .success(.double(number))
    case .boolean:
      guard let flag = value.boolValue ?? value.stringValue.flatMap(flag) else {
        return .refused("is \(shown(value)); it must be true or false")
      }
      return .success(.bool(flag))
    case .duration:
      guard let seconds = value.doubleValue ?? value.stringValue.flatMap(duration),
        seconds.isFinite, seconds >= 0
      else {
        return .refused("is \(shown(value)); it must be seconds, or a duration such as 5m or PT5M")
      }
      return withinLimits(seconds) ?? .success(number(seconds))
    case .enumeration: return resolveCase(value)
    case .date:
      guard let text = value.stringValue, let date = date(text) else {
        return .refused(
          "is \(shown(value)); it must be a date (2026-11-21), a time (09:30) or a moment (2026-11-21T09:30:00Z)"
        )
      }
      return .success(.string(date))
    case .url:
      guard let text = value.stringValue else {
        return .refused("is \(value.typeName); it must be a URL")
      }
      switch ProfiledURL.parse(text) {
      case .success(let url): return .success(.string(url.text))
      case .failure(let error): return .refused("is no URL: \(error.message)")
      }
    case .place: return resolvePlace(value)
    case .object: return resolveObject(value)
    }
  }

  // MARK: Types

  /// The problem of a text, whatever its type; `nil` when it has none.
  private func problem(of text: String) -> String? {
    if text.utf8.count > Limits.parameterBytesMax {
      return "has \(text.utf8.count) bytes; at most \(Limits.parameterBytesMax) are accepted"
    }
    if let problem = TextRule.invisible(in: text) { return problem }
    if NormalizedText(value: text).isEmpty { return "is empty; give it a value" }
    return nil
  }

  /// The problem of a text that may say anything; types with a form of their own need no such rule.
  private func freeTextProblem(of text: String) -> String? {
    if let lengthMax, text.count > lengthMax {
      return "has \(text.count) characters; at most \(lengthMax) are accepted"
    }
    return takesAnyText ? nil : TextRule.treachery(in: text)
  }

  private func withinLimits(_ number: Double) -> ValueResolution? {
    if let minimum, number < minimum {
      return .refused("is \(plain(number)); it must be at least \(plain(minimum))")
    }
    if let maximum, number > maximum {
      return .refused("is \(plain(number)); it must be at most \(plain(maximum))")
    }
    return nil
  }

  private func resolveCase(_ value: JSONValue) -> ValueResolution {
    if let index = value.intValue, let found = cases.first(where: { $0.index == Int(index) }) {
      return .success(.string(found.identifier))
    }
    guard let text = value.stringValue else {
      return .refused("is \(value.typeName); it must be one of \(choicesText)")
    }
    let folded = caseFolded(text)
    let found = cases.filter { caseFolded($0.identifier) == folded }
    if let exact = found.first { return .success(.string(exact.identifier)) }
    let titled = cases.filter { $0.isTitled(folded) }
    if titled.count > 1 {
      return .ambiguous(titled.map { .init(value: .string($0.identifier), title: $0.title) })
    }
    if let only = titled.first { return .success(.string(only.identifier)) }
    let near = nearestNames(to: text, in: cases.flatMap { [$0.identifier, $0.title] })
    let hint = near.first.map { "did you mean '\($0)'?" } ?? "it must be one of \(choicesText)"
    return .refused("cannot be \(quoted(text)); \(hint)", suggestions: near)
  }

  private var choicesText: String {
    let shown = cases.prefix(8).map(\.identifier).joined(separator: ", ")
    return cases.count > 8 ? "\(shown), …" : shown
  }

  private func resolvePlace(_ value: JSONValue) -> ValueResolution {
    var place: JSONObject = [:]
    switch value {
    case .string(let text):
      let parts = text.split(separator: ",").map { $0.trimmingSpaces }
      if parts.count == 2, let latitude = Double(parts[0]), let longitude = Double(parts[1]) {
        place = [
          "name": .string(text), "latitude": .double(latitude), "longitude": .double(longitude),
        ]
      } else {
        place = ["name": .string(NormalizedText.string(NormalizedText(value: text).cased))]
      }
    case .object(let object):
      guard let name = object["name"]?.stringValue else {
        return .refused("is a place without a name; write {\"name\": …}")
      }
      if let problem = problem(of: name) ?? freeTextProblem(of: name) {
        return .refused("has a name that \(problem)")
      }
      place = ["name": .string(name)]
      for key in ["latitude", "longitude"] {
        guard let degrees = object[key], !degrees.isNull else { continue }
        guard let number = degrees.doubleValue else {
          return .refused("has a \(key) that is \(degrees.typeName); it must be degrees")
        }
        place[key] = .double(number)
      }
    case .null, .bool, .int, .double, .array:
      return .refused("is \(value.typeName); it must be a place: a name, or latitude,longitude")
    }
    if let latitude = place["latitude"]?.doubleValue, !(-90...90).contains(latitude) {
      return .refused("has the latitude \(plain(latitude)); it must be within ±90 degrees")
    }
    if let longitude = place["longitude"]?.doubleValue, !(-180...180).contains(longitude) {
      return .refused("has the longitude \(plain(longitude)); it must be within ±180 degrees")
    }
    return .success(.object(place))
  }

  private func resolveObject(_ value: JSONValue) -> ValueResolution {
    switch value {
    case .string(let text):
      let name = NormalizedText.string(NormalizedText(value: text).cased)
      return .success(["identifier": .string(name), "display": .string(name)])
    case .object(let object):
      guard let identifier = object["identifier"]?.stringValue else {
        return .refused("is an object without an identifier")
      }
      if let problem = problem(of: identifier) ?? freeTextProblem(of: identifier) {
        return .refused("has an identifier that \(problem)")
      }
      let display = object["display"]?.stringValue ?? identifier
      if let problem = problem(of: display) { return .refused("has a display that \(problem)") }
      return .success(["identifier": .string(identifier), "display": .string(display)])
    case .null, .bool, .int, .double, .array:
      return .refused("is \(value.typeName); it must be {\"identifier\": …, \"display\": …}")
    }
  }

  // MARK: Text

  private func flag(_ text: String) -> Bool? {
    switch text.lowercased() {
    case "true", "1", "yes", "on": true
    case "false", "0", "no", "off": false
    default: nil
    }
  }

  /// Seconds of `90`, `90s`, `1h30m`, `2d` or ISO 8601's `PT1H30M`.
  private func duration(_ text: String) -> Double? {
    if let number = Double(text) { return number.isFinite ? number : nil }
    var body = text.uppercased()[...]
    var inTime = true
    if body.first == "P" {
      body = body.dropFirst()
      inTime = false
    }
    guard !body.isEmpty, body.utf8.count <= 32 else { return nil }
    var total = 0.0
    var digits = ""
    for character in body {
      if character == "T", !inTime, digits.isEmpty {
        inTime = true
        continue
      }
      if character.isASCII, character.isNumber || character == "." {
        digits.append(character)
        continue
      }
      guard let number = Double(digits) else { return nil }
      digits = ""
      switch (character, inTime) {
      case ("W", _): total += number * 604_800
      case ("D", _): total += number * 86_400
      case ("H", true): total += number * 3_600
      case ("M", true): total += number * 60
      case ("S", true): total += number
      default: return nil
      }
    }
    return digits.isEmpty ? total : nil
  }

  /// Returns a date in its stored form: a moment in UTC, a date, or a time of day; `nil` for other
  /// text.
  private func date(_ text: String) -> String? {
    if let moment = WallTime(rfc3339: text) { return moment.rfc3339 }
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    if parts.count == 3, parts[0].utf8.count == 4, parts[1].utf8.count == 2,
      parts[2].utf8.count == 2, let year = number(parts[0]), let month = number(parts[1]),
      let day = number(parts[2]), (1...12).contains(month),
      (1...CivilDate(year: year, month: month, day: 1).daysInMonth).contains(day)
    {
      return text
    }
    let clock = text.split(separator: ":", omittingEmptySubsequences: false)
    guard (2...3).contains(clock.count), (1...2).contains(clock[0].utf8.count),
      clock.dropFirst().allSatisfy({ $0.utf8.count == 2 })
    else { return nil }
    let numbers = clock.compactMap(number)
    guard numbers.count == clock.count, numbers[0] < 24, numbers.dropFirst().allSatisfy({ $0 < 60 })
    else { return nil }
    return (clock[0].utf8.count == 1 ? "0" : "") + text
  }

  private func number(_ digits: Substring) -> Int? {
    digits.utf8.allSatisfy { $0 &- 0x30 < 10 } ? Int(digits) : nil
  }

  private func number(_ seconds: Double) -> JSONValue {
    Int64(exactly: seconds).map(JSONValue.int) ?? .double(seconds)
  }

  private func plain(_ number: Double) -> String {
    Int64(exactly: number).map { "\($0)" } ?? "\(number)"
  }

  private func shown(_ value: JSONValue) -> String {
    value.stringValue.map { quoted($0) } ?? value.typeName
  }
}

extension Substring {
  /// Without spaces at its ends.
  fileprivate var trimmingSpaces: Substring {
    var text = self
    while text.first == " " { text.removeFirst() }
    while text.last == " " { text.removeLast() }
    return text
  }
}
