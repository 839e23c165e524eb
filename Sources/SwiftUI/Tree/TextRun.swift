/// A piece of a text that has one style.
package struct TextRun: Hashable, Sendable {
  package enum Content: Hashable, Sendable {
    case text(String)
    case live(LiveDate)
    case symbol(String)
    case asset(AssetPicture)
  }

  package var content: Content
  package var style: TextStyle
  /// The URL of a link in the text.
  package var link: String?

  package init(_ content: Content, style: TextStyle = TextStyle(), link: String? = nil) {
    self.content = content
    self.style = style
    self.link = link
  }
}

/// A date whose text changes with the clock.
package struct LiveDate: Hashable, Sendable {
  package enum Style: String, Hashable, Sendable {
    case relative
    case timer
    case offset
  }

  package var date: Date
  package var style: Style
  /// Where a timer stops counting.
  package var end: Date?

  package init(date: Date, style: Style, end: Date? = nil) {
    self.date = date
    self.style = style
    self.end = end
  }
}

/// The look of a text; `nil` where it inherits.
package struct TextStyle: Hashable, Sendable {
  package struct Line: Hashable, Sendable {
    package var isActive: Bool
  }

  package var font: Font?
  package var weight: Font.Weight?
  package var design: Font.Design?
  package var isItalic: Bool?
  package var hasMonospacedDigits: Bool?
  package var underline: Line?
  package var strikethrough: Line?
  /// Points between letters.
  package var kerning: Double?
  package var paint: Paint?

  package init() {}

  /// Takes from `outer` what this style does not say.
  package func over(_ outer: TextStyle) -> TextStyle {
    var style = self
    style.font = font ?? outer.font
    // A font that is set inside has its own weight, unless a weight is set inside too.
    style.weight = weight ?? (font?.weight == nil ? outer.weight : nil)
    style.design = design ?? (font?.design == nil ? outer.design : nil)
    style.isItalic = isItalic ?? outer.isItalic
    style.hasMonospacedDigits = hasMonospacedDigits ?? outer.hasMonospacedDigits
    style.underline = underline ?? outer.underline
    style.strikethrough = strikethrough ?? outer.strikethrough
    style.kerning = kerning ?? outer.kerning
    style.paint = paint ?? outer.paint
    return style
  }
}
