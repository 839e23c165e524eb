import FoundationAdditions
import PlainText
import ViewMarkup

/// Values of a tree, as the vocabulary of the markup writes them.
enum Markup {
  /// A number with at most three decimals, within what the reader takes.
  static func number(_ value: Double) -> String {
    let largest = MarkupLimits.numberMax
    let bounded = min(max(value.isNaN ? 0 : value, -largest), largest)
    let thousandths = Int((bounded * 1_000).rounded())
    let (whole, rest) = (abs(thousandths) / 1_000, abs(thousandths) % 1_000)
    let sign = thousandths < 0 ? "-" : ""
    guard rest > 0 else { return "\(sign)\(whole)" }
    var digits = "\(1_000 + rest)".dropFirst()
    while digits.last == "0" { digits.removeLast() }
    return "\(sign)\(whole).\(digits)"
  }

  static func pixels(_ points: Double) -> String {
    let text = number(points)
    return text == "0" ? "0" : "\(text)px"
  }

  static func insets(_ insets: Insets) -> String {
    // CSS has no negative padding.
    let sides = [insets.top, insets.trailing, insets.bottom, insets.leading].map {
      pixels(max($0, 0))
    }
    if Set(sides).count == 1 { return sides[0] }
    if sides[0] == sides[2], sides[1] == sides[3] { return "\(sides[0]) \(sides[1])" }
    return sides.joined(separator: " ")
  }

  /// Text without what steers a display.
  static func words(_ text: String) -> String {
    text.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F }
      ? text : printableLines(text).joined(separator: "\n")
  }

  // MARK: Paints

  static func color(_ color: ColorValue, _ scheme: ColorScheme) -> String {
    color.resolved(in: scheme).hex
  }

  /// The value of a background.
  static func paint(
    _ paint: Paint, _ context: PictureWriter.Context, _ scheme: ColorScheme, opacity: Double = 1
  ) -> String {
    func stops(_ stops: [PaintStop]) -> String {
      stops.prefix(MarkupLimits.stopCountMax).map { stop in
        "\(color(.faded(stop.color, opacity), scheme)) \(number(min(max(stop.location, 0), 1) * 100))%"
      }.joined(separator: ",")
    }
    func center(_ point: PaintPoint) -> String {
      "\(number(point.x * 100))% \(number(point.y * 100))%"
    }
    switch paint {
    case .linear(let colors, let start, let end) where colors.count > 1:
      return "linear-gradient(\(number(angle(from: start, to: end)))deg,\(stops(colors)))"
    case .radial(let colors, let place, _, let endRadius) where colors.count > 1:
      let shown = colors.prefix(MarkupLimits.stopCountMax).map { stop in
        "\(color(.faded(stop.color, opacity), scheme)) "
          + pixels(max(min(max(stop.location, 0), 1) * endRadius, 0))
      }
      return "radial-gradient(circle at \(center(place)),\(shown.joined(separator: ",")))"
    case .angular(let colors, let place, let start, _) where colors.count > 1:
      let from = number((90 + start).truncatingRemainder(dividingBy: 360))
      return "conic-gradient(from \(from)deg at \(center(place)),\(stops(colors)))"
    case .faded(let paint, let part):
      return self.paint(paint, context, scheme, opacity: opacity * part)
    case .color, .linear, .radial, .angular, .hierarchical, .tint, .material:
      return paintColor(paint, context, scheme, opacity: opacity)
    }
  }

  /// The value where only a colour may stand: a gradient is its first colour.
  static func paintColor(
    _ paint: Paint, _ context: PictureWriter.Context, _ scheme: ColorScheme, opacity: Double = 1
  ) -> String {
    var resolved = self.resolved(paint, context, scheme, depth: 0)
    resolved.alpha *= opacity
    return resolved.hex
  }

  /// The colour of a paint where nothing is inherited.
  static func color(of paint: Paint, _ scheme: ColorScheme) -> RGB {
    resolved(paint, PictureWriter.Context(), scheme, depth: 0)
  }

  private static func resolved(
    _ paint: Paint, _ context: PictureWriter.Context, _ scheme: ColorScheme, depth: Int
  ) -> RGB {
    switch paint {
    case .color(let value): return value.resolved(in: scheme)
    case .linear(let stops, _, _), .radial(let stops, _, _, _), .angular(let stops, _, _, _):
      return (stops.first?.color ?? .named(.clear)).resolved(in: scheme)
    case .hierarchical(let level):
      let names = NamedColor.levels
      let name = names[min(max(level, 0), names.count - 1)]
      // The levels of a colour that is inherited are that colour, more transparent.
      guard depth == 0, let outer = context.style.paint, outer != paint else {
        return name.color(in: scheme)
      }
      if case .hierarchical = outer { return name.color(in: scheme) }
      var color = resolved(outer, context, scheme, depth: 1)
      color.alpha *= [1, 0.6, 0.3, 0.18, 0.1][min(max(level, 0), 4)]
      return color
    case .tint:
      guard depth == 0, context.tint != .tint else { return NamedColor.blue.color(in: scheme) }
      return resolved(context.tint, context, scheme, depth: 1)
    case .material(let strength):
      return RGB(
        hex: scheme == .light ? 0xF6F6F6 : 0x252525, alpha: min(max(strength, 0), 1))
    case .faded(let paint, let part):
      var color = resolved(paint, context, scheme, depth: depth)
      color.alpha *= part
      return color
    }
  }

  /// The angle of CSS, where 0 points up, of a line between two places of an area.
  private static func angle(from start: PaintPoint, to end: PaintPoint) -> Double {
    let (x, y) = (end.x - start.x, end.y - start.y)
    guard x != 0 || y != 0 else { return 180 }
    // Whole eighths, which are nearly all that is written, need no rounding.
    let sectors: [(Double, Double, Double)] = [
      (0, 1, 180), (0, -1, 0), (1, 0, 90), (-1, 0, 270), (1, 1, 135), (-1, 1, 225), (1, -1, 45),
      (-1, -1, 315),
    ]
    let largest = max(abs(x), abs(y))
    let found = sectors.first { abs($0.0 - x / largest) < 0.01 && abs($0.1 - y / largest) < 0.01 }
    if let found { return found.2 }
    let degrees = atan2(x, -y) * 180 / .pi
    return degrees < 0 ? degrees + 360 : degrees
  }

  // MARK: Words of CSS

  static func radius(of outline: ShapeOutline, container: Double) -> String? {
    switch outline {
    case .rectangle, .other: nil
    case .circle, .ellipse, .arc: "50%"
    case .capsule: "999px"
    case .container: container > 0 ? pixels(container) : nil
    case .rounded(let a, let b, let c, let d):
      a == b && b == c && c == d
        ? pixels(max(a, 0)) : [a, b, c, d].map { pixels(max($0, 0)) }.joined(separator: " ")
    }
  }

  static func family(_ design: Font.Design) -> String {
    switch design {
    case .default: "system-ui,sans-serif"
    case .serif: "ui-serif,serif"
    case .rounded: "ui-rounded,system-ui,sans-serif"
    case .monospaced: "ui-monospace,monospace"
    }
  }

  static func flexPlace(_ place: EdgePlace, isMain: Bool = false) -> String {
    switch place {
    case .start: "flex-start"
    case .center: "center"
    case .end: "flex-end"
    case .firstBaseline: isMain ? "center" : "baseline"
    case .lastBaseline: isMain ? "center" : "last baseline"
    }
  }

  static func gridPlace(_ place: EdgePlace) -> String {
    switch place {
    case .start: "start"
    case .center: "center"
    case .end: "end"
    case .firstBaseline, .lastBaseline: "baseline"
    }
  }

  static func textPlace(_ place: EdgePlace) -> String {
    switch place {
    case .start: "start"
    case .end: "end"
    case .center, .firstBaseline, .lastBaseline: "center"
    }
  }
}
