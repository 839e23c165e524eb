/// Durations as people write them: `250ms`, `30s`, `5m`, `2h`, `1d`; a bare number is seconds.
package enum DurationText {
  /// Milliseconds, or `nil` when it is no duration.
  package static func read(_ text: String) -> Int64? {
    let units: [(suffix: String, milliseconds: Double)] = [
      ("ms", 1), ("s", 1_000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000),
    ]
    for unit in units where text.hasSuffix(unit.suffix) {
      return scaled(String(text.dropLast(unit.suffix.count)), by: unit.milliseconds)
    }
    return scaled(text, by: 1_000)
  }

  // A table and not a literal in the loop: the compiler unrolls such a loop and orders two of its
  // moves differently from build to build, so two builds of a commit were not the same bytes.
  private static let written: [(size: Int64, suffix: String)] = [
    (86_400_000, "d"), (3_600_000, "h"), (60_000, "m"), (1_000, "s"),
  ]

  /// Writes a span with the largest unit that divides it: `30s`, `1h`, `90m`, `1500ms`.
  package static func write(_ milliseconds: Int64) -> String {
    for (size, suffix) in written where milliseconds >= size && milliseconds % size == 0 {
      return "\(milliseconds / size)\(suffix)"
    }
    return "\(milliseconds)ms"
  }

  /// Writes a span as a person reads it, to two units: `1d 4h`, `29m 30s`.
  package static func words(_ milliseconds: Int64) -> String {
    guard milliseconds >= 1_000 else { return "\(milliseconds)ms" }
    var rest = milliseconds / 1_000
    var parts: [String] = []
    for (size, unit) in [(86_400, "d"), (3_600, "h"), (60, "m"), (1, "s")] as [(Int64, String)] {
      guard rest >= size, parts.count < 2 else { continue }
      parts.append("\(rest / size)\(unit)")
      rest %= size
    }
    return parts.joined(separator: " ")
  }
}

/// Sizes as people write them: `512KB`, `64MB`, `1GB` (powers of 1,024); a bare number is bytes.
package enum ByteCount {
  package static func read(_ text: String) -> UInt64? {
    let units: [(suffix: String, bytes: Double)] = [
      ("KB", 1024), ("MB", 1_048_576), ("GB", 1_073_741_824), ("B", 1),
    ]
    let upper = text.uppercased()
    for unit in units where upper.hasSuffix(unit.suffix) {
      return scaled(String(upper.dropLast(unit.suffix.count)), by: unit.bytes).flatMap {
        UInt64(exactly: $0)
      }
    }
    return scaled(upper, by: 1).flatMap { UInt64(exactly: $0) }
  }

  /// Writes a number of bytes with at most one digit behind the point: `64MB`, `1.5GB`.
  package static func write(_ bytes: UInt64) -> String {
    let units: [(suffix: String, bytes: UInt64)] = [
      ("GB", 1 << 30), ("MB", 1 << 20), ("KB", 1 << 10),
    ]
    guard let unit = units.first(where: { bytes >= $0.bytes }) else { return "\(bytes)B" }
    let tenths = bytes / (unit.bytes / 10)
    return tenths % 10 == 0
      ? "\(tenths / 10)\(unit.suffix)" : "\(tenths / 10).\(tenths % 10)\(unit.suffix)"
  }
}

/// `number` × `factor` as a whole number; `nil` when it is negative, no number, or too large.
private func scaled(_ number: String, by factor: Double) -> Int64? {
  let trimmed = number.hasSuffix(" ") ? String(number.dropLast()) : number
  guard let value = Double(trimmed), value.isFinite, value >= 0 else { return nil }
  return Int64(exactly: (value * factor).rounded())
}
