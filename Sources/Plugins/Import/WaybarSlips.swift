import JSON

/// Values of a module of Waybar that stand where its rules have another one.
///
/// A module without an interval stays running, and one with a slip there was not meant to. Source:
/// waybar-custom(5).
struct WaybarSlips {
  struct Slip: Hashable {
    /// From 1.
    var line: Int
    /// A sentence without its period: the value, and what is allowed.
    var message: String
  }

  let module: LocatedValue

  /// Whether `interval` is there, and is neither a number of seconds nor `"once"`.
  var hasInterval: Bool {
    module["interval"].map { $0.textOfScalar != "once" && $0.numberOfScalar == nil } ?? false
  }

  /// The slips of a module in the order of their keys here, with the name of the module in each.
  func all(of name: String) -> [Slip] {
    var slips: [Slip] = []
    func add(_ key: String, _ allowed: String, _ effect: String) {
      guard let value = module[key] else { return }
      slips.append(
        Slip(
          line: value.line,
          message: "\(key) of \(name) is \(BarObject.quoted(value.json)), and may be \(allowed);"
            + " until it is mended, \(effect)"))
    }
    if hasInterval {
      add("interval", "a number of seconds or \"once\"", "the module runs as with \"once\"")
    }
    if let type = module["return-type"], !["", "json"].contains(type.textOfScalar) {
      add("return-type", "\"json\" or \"\"", "each output shows by itself whether it is JSON")
    }
    if let restart = module["restart-interval"], restart.numberOfScalar == nil {
      add("restart-interval", "a number of seconds", "the key is left out")
    }
    return slips
  }
}
