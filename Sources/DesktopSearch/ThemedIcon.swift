import JSON

/// The icons of the desktop's theme for the symbols that widgets show.
///
/// Source: the Icon Naming Specification. Widgets name symbols as Apple does.
enum ThemedIcon {
  /// The icon where there is none for the symbol: the daemon's own.
  static let usual = "org.intentd.Daemon"

  /// Returns the icon of an entry's content.
  static func name(for content: JSONValue) -> String {
    if let icon = content["icon"]?.stringValue, isName(icon) { return icon }
    guard let symbol = content["symbol"]?.stringValue else { return usual }
    // "cloud.rain.fill" is drawn as "cloud.rain".
    var parts = symbol.lowercased().prefix(64).split(separator: ".")
    while !parts.isEmpty {
      if let name = names[parts.joined(separator: ".")] { return name }
      parts.removeLast()
    }
    return usual
  }

  /// Whether a text is the name of an icon, and not a path or a description of one.
  private static func isName(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        (0x61...0x7A).contains(byte) || (0x41...0x5A).contains(byte)
          || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "-")
          || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ".")
      }
  }

  private static let names = [
    "sun": "weather-clear", "sunrise": "weather-clear", "sunset": "weather-clear-night",
    "moon": "weather-clear-night", "cloud": "weather-overcast",
    "cloud.sun": "weather-few-clouds", "cloud.moon": "weather-few-clouds-night",
    "cloud.rain": "weather-showers", "cloud.heavyrain": "weather-showers",
    "cloud.drizzle": "weather-showers-scattered", "cloud.bolt": "weather-storm",
    "cloud.snow": "weather-snow", "cloud.sleet": "weather-snow", "cloud.hail": "weather-snow",
    "cloud.fog": "weather-fog", "snowflake": "weather-snow", "umbrella": "weather-showers",
    "tornado": "weather-severe-alert", "bolt": "weather-storm", "clock": "preferences-system-time",
    "timer": "preferences-system-time", "alarm": "appointment-soon",
    "calendar": "x-office-calendar", "newspaper": "application-rss+xml",
    "book": "accessories-dictionary",
    "house": "user-home", "gear": "preferences-system", "gearshape": "preferences-system",
    "person": "avatar-default", "user": "avatar-default", "envelope": "mail-unread",
    "wifi": "network-wireless", "network": "network-workgroup", "battery": "battery",
    "speaker": "audio-volume-high", "music": "audio-x-generic", "play": "media-playback-start",
    "pause": "media-playback-pause", "photo": "image-x-generic", "camera": "camera-photo",
    "folder": "folder", "doc": "text-x-generic", "trash": "user-trash", "lock": "changes-prevent",
    "exclamationmark": "dialog-warning", "questionmark": "dialog-question",
    "info": "dialog-information", "bell": "preferences-system-notifications",
    "cpu": "utilities-system-monitor", "gauge": "utilities-system-monitor",
    "desktopcomputer": "computer", "laptopcomputer": "computer", "terminal": "utilities-terminal",
    "magnifyingglass": "system-search", "star": "starred", "map": "mark-location",
    "location": "mark-location", "globe": "web-browser",
  ]
}
