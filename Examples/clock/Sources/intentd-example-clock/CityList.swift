import Foundation

/// City names and their time zones: the project's list, then the zone database's own names.
enum CityList {
  static func zone(of city: String) -> TimeZone? {
    let wanted = folded(city)
    if let listed = read().first(where: { folded($0.name) == wanted }) {
      return TimeZone(identifier: listed.zone)
    }
    // `New York` stands for America/New_York.
    let identifier = TimeZone.knownTimeZoneIdentifiers.first { identifier in
      let name = identifier.split(separator: "/").last ?? ""
      return folded(String(name).replacing("_", with: " ")) == wanted
    }
    return identifier.flatMap { TimeZone(identifier: $0) }
  }

  /// Reads the project's list of cities.
  ///
  /// The list has one value a line, so a pattern is enough. It is read each time, because it may
  /// change.
  static func read() -> [(name: String, zone: String)] {
    guard let folder = ProcessInfo.processInfo.environment["INTENTD_DATA"],
      let text = try? String(contentsOfFile: folder + "/lists/cities.yaml", encoding: .utf8)
    else { return [] }  // Without the list, the zone database still knows its own cities.
    let value = /out: *"([^"]*)".*zone: *"([^"]*)"/
    return text.split(separator: "\n").compactMap { line in
      line.firstMatch(of: value).map { (String($0.1), String($0.2)) }
    }
  }

  private static func folded(_ name: String) -> String {
    name.precomposedStringWithCanonicalMapping.lowercased()
  }
}
