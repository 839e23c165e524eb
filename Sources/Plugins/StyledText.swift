package import JSON

/// The look of a run of text; the members that are `nil` or `false` are as the surface has them.
package struct TextStyle: Hashable, Sendable {
  package var color: PluginColor?
  package var background: PluginColor?
  package var isBold = false
  package var isItalic = false
  package var isUnderlined = false
  package var isStruck = false
  /// The name of a font, such as `monospace`.
  package var font: String?
  /// In points.
  package var size: Double?

  package init() {}
}

/// A colour for light and for dark surroundings, each as `#rrggbb` or `#rrggbbaa`.
package struct PluginColor: Hashable, Sendable {
  package var light: String
  /// `nil`: the same as in the light.
  package var dark: String?

  package init(light: String, dark: String? = nil) {
    self.light = light
    self.dark = dark == light ? nil : dark
  }

  /// A text, or an object with `light` and `dark`.
  package var json: JSONValue {
    guard let dark else { return .string(light) }
    return ["light": .string(light), "dark": .string(dark)]
  }
}

/// Text in runs of one style each: what markup, escape sequences and emoji codes become.
package struct StyledText: Hashable, Sendable {
  /// A piece of text in one style.
  package struct Run: Hashable, Sendable {
    package var text: String
    package var style: TextStyle

    package init(_ text: String, _ style: TextStyle = TextStyle()) {
      self.text = text
      self.style = style
    }
  }

  /// None is empty, and neighbours differ in style.
  package private(set) var runs: [Run] = []

  package init(_ text: String = "", _ style: TextStyle = TextStyle()) { append(text, style) }

  /// Adds text at the end; O(1) beside the copy of the text.
  package mutating func append(_ text: String, _ style: TextStyle = TextStyle()) {
    guard !text.isEmpty else { return }
    if let last = runs.indices.last, runs[last].style == style {
      runs[last].text += text
    } else {
      runs.append(Run(text, style))
    }
  }

  package var isEmpty: Bool { runs.isEmpty }
  /// The text without its styles.
  package var plain: String { runs.count == 1 ? runs[0].text : runs.map(\.text).joined() }

  /// The text between line feeds, with its styles; empty lines too.
  package var lines: [StyledText] {
    var lines = [StyledText()]
    for run in runs {
      let parts = run.text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      for (index, part) in parts.enumerated() {
        if index > 0 { lines.append(StyledText()) }
        lines[lines.count - 1].append(String(part), run.style)
      }
    }
    return lines
  }

  /// A text where no run has a style, else `{"runs": […]}`: a line of the content model.
  package var json: JSONValue {
    guard runs.contains(where: { $0.style != TextStyle() }) else { return .string(plain) }
    return ["runs": .array(runs.map(\.json))]
  }
}

extension StyledText.Run {
  var json: JSONValue {
    var run: JSONObject = ["text": .string(text)]
    run["color"] = style.color?.json
    run["background"] = style.background?.json
    if style.isBold { run["bold"] = true }
    if style.isItalic { run["italic"] = true }
    if style.isUnderlined { run["underline"] = true }
    if style.isStruck { run["strikethrough"] = true }
    run["font"] = style.font.map { .string($0) }
    run["size"] = style.size.map { .double($0) }
    return .object(run)
  }
}
