/// A text in the OpenMetrics format, written one family of metrics after the other.
///
/// Source: OpenMetrics 1.0, "Text format".
///
/// The format wants each family once, with its samples together under its `# TYPE`; so each call
/// writes one whole family.
struct OpenMetricsText {
  private(set) var text = ""
  private var name = ""

  /// Writes a value that only grows; its sample is called `name_total`.
  mutating func counter(_ name: String, _ help: String, _ value: UInt64) {
    family(name, "counter", help)
    sample("_total", String(value))
  }

  mutating func gauge(_ name: String, _ help: String, _ value: Int) {
    family(name, "gauge", help)
    sample("", String(value))
  }

  /// One sample for each kind of widget, in the order given.
  mutating func gauge(_ name: String, _ help: String, byKind values: [(kind: String, text: String)])
  {
    family(name, "gauge", help)
    for value in values { sample("", value.text, label: ("kind", value.kind)) }
  }

  /// One sample for each kind of widget, in the order given.
  mutating func counter(
    _ name: String, _ help: String, byKind values: [(kind: String, text: String)]
  ) {
    family(name, "counter", help)
    for value in values { sample("_total", value.text, label: ("kind", value.kind)) }
  }

  /// Writes counters of seconds, one sample for each kind; `name` ends with `_seconds`, as the
  /// format asks.
  mutating func seconds(
    _ name: String, _ help: String, byKind values: [(kind: String, text: String)]
  ) {
    precondition(name.hasSuffix("_seconds"), "a unit is the end of the name")
    family(name, "counter", help, unit: "seconds")
    for value in values { sample("_total", value.text, label: ("kind", value.kind)) }
  }

  mutating func histogram(_ name: String, _ help: String, _ values: DurationHistogram) {
    precondition(name.hasSuffix("_seconds"), "a unit is the end of the name")
    family(name, "histogram", help, unit: "seconds")
    for bucket in values.cumulative {
      sample("_bucket", String(bucket.count), label: ("le", bucket.bound))
    }
    sample("_count", String(values.count))
    sample("_sum", Self.seconds(values.nanoseconds))
  }

  mutating func end() { text += "# EOF\n" }

  /// Returns nanoseconds as seconds with nine decimals, which is exact.
  static func seconds(_ nanoseconds: UInt64) -> String {
    let fraction = String(nanoseconds % 1_000_000_000)
    return "\(nanoseconds / 1_000_000_000)." + String(repeating: "0", count: 9 - fraction.count)
      + fraction
  }

  // MARK: Details

  private mutating func family(_ name: String, _ type: String, _ help: String, unit: String? = nil)
  {
    self.name = name
    text += "# TYPE \(name) \(type)\n"
    if let unit { text += "# UNIT \(name) \(unit)\n" }
    text += "# HELP \(name) \(Self.escaped(help))\n"
  }

  private mutating func sample(
    _ suffix: String, _ value: String, label: (name: String, value: String)? = nil
  ) {
    let labels = label.map { "{\($0.name)=\"\(Self.escaped($0.value))\"}" } ?? ""
    text += "\(name)\(suffix)\(labels) \(value)\n"
  }

  private static func escaped(_ value: String) -> String {
    var escaped = ""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\\": escaped += "\\\\"
      case "\"": escaped += "\\\""
      case "\n": escaped += "\\n"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}

/// Counts of durations, in buckets that grow by a factor of ten.
struct DurationHistogram: Hashable, Sendable {
  /// The upper bounds of the buckets, in nanoseconds, and in seconds as the format writes them.
  private static let bounds: [(nanoseconds: UInt64, text: String)] = [
    (100_000, "0.0001"), (1_000_000, "0.001"), (10_000_000, "0.01"), (100_000_000, "0.1"),
    (1_000_000_000, "1.0"),
  ]

  private var counts = [UInt64](repeating: 0, count: bounds.count + 1)
  /// The sum of all durations.
  private(set) var nanoseconds: UInt64 = 0

  mutating func add(_ duration: UInt64) {
    let index = Self.bounds.firstIndex { duration <= $0.nanoseconds } ?? Self.bounds.count
    counts[index] += 1
    nanoseconds &+= duration
  }

  var count: UInt64 { counts.reduce(0, +) }

  /// The number of durations up to each bound; the last bound counts all of them.
  var cumulative: [(bound: String, count: UInt64)] {
    var sum: UInt64 = 0
    return zip(Self.bounds.map(\.text) + ["+Inf"], counts).map { bound, count in
      sum += count
      return (bound, sum)
    }
  }
}
