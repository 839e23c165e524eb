public import Foundation

extension Text {
  /// Sets a part of the style of each piece that does not have it.
  private func with(_ change: (inout TextStyle) -> Void) -> Text {
    var outer = TextStyle()
    change(&outer)
    return Text(
      pieces: pieces.map { piece in
        var piece = piece
        piece.style = piece.style.over(outer)
        return piece
      })
  }

  /// Sets the font.
  public func font(_ font: Font?) -> Text { with { $0.font = font } }

  /// Sets the weight.
  public func fontWeight(_ weight: Font.Weight?) -> Text { with { $0.weight = weight } }

  /// Sets the form of letters.
  public func fontDesign(_ design: Font.Design?) -> Text { with { $0.design = design } }

  /// The width of letters has no picture.
  public func fontWidth(_ width: Font.Width?) -> Text { self }

  /// Sets the colour.
  public func foregroundColor(_ color: Color?) -> Text {
    with { $0.paint = color.map { .color($0.value) } }
  }

  /// Sets the paint.
  public func foregroundStyle<S: ShapeStyle>(_ style: S) -> Text {
    with { $0.paint = Paint(style) }
  }

  /// Makes the text bold.
  public func bold() -> Text { with { $0.weight = .bold } }

  /// Makes the text bold, or not.
  public func bold(_ isActive: Bool) -> Text { isActive ? bold() : self }

  /// Makes the text slanted.
  public func italic() -> Text { with { $0.isItalic = true } }

  /// Makes the text slanted, or not.
  public func italic(_ isActive: Bool) -> Text { with { $0.isItalic = isActive } }

  /// Sets letters of one width.
  public func monospaced(_ isActive: Bool = true) -> Text {
    isActive ? with { $0.design = .monospaced } : self
  }

  /// Sets digits of one width.
  public func monospacedDigit() -> Text { with { $0.hasMonospacedDigits = true } }

  /// Draws a line through the text.
  public func strikethrough(_ isActive: Bool = true, color: Color? = nil) -> Text {
    with { $0.strikethrough = .init(isActive: isActive) }
  }

  /// Draws a line through the text.
  public func strikethrough(
    _ isActive: Bool = true, pattern: LineStyle.Pattern, color: Color? = nil
  ) -> Text {
    strikethrough(isActive, color: color)
  }

  /// Draws a line under the text.
  public func underline(_ isActive: Bool = true, color: Color? = nil) -> Text {
    with { $0.underline = .init(isActive: isActive) }
  }

  /// Draws a line under the text.
  public func underline(
    _ isActive: Bool = true, pattern: LineStyle.Pattern, color: Color? = nil
  ) -> Text {
    underline(isActive, color: color)
  }

  /// Sets points between letters.
  public func kerning(_ kerning: CGFloat) -> Text { with { $0.kerning = Double(kerning) } }

  /// Sets points between letters.
  public func tracking(_ tracking: CGFloat) -> Text { with { $0.kerning = Double(tracking) } }

  /// A shift of the text has no picture.
  public func baselineOffset(_ baselineOffset: CGFloat) -> Text { self }

  /// A smaller text has no picture.
  public func textScale(_ scale: Scale, isEnabled: Bool = true) -> Text { self }

  /// The person's language decides how a screen reader speaks.
  public func speechSpellsOutCharacters(_ value: Bool = true) -> Text { self }
}
