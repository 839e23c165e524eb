public import Foundation

extension View {
  /// Sets the font of texts.
  public nonisolated func font(_ font: Font?) -> some View { textStyled { $0.font = font } }

  /// Sets the weight of texts.
  public nonisolated func fontWeight(_ weight: Font.Weight?) -> some View {
    textStyled { $0.weight = weight }
  }

  /// Sets the form of letters.
  public nonisolated func fontDesign(_ design: Font.Design?) -> some View {
    textStyled { $0.design = design }
  }

  /// The width of letters has no picture.
  public nonisolated func fontWidth(_ width: Font.Width?) -> some View { self }

  /// Makes texts bold, or not.
  public nonisolated func bold(_ isActive: Bool = true) -> some View {
    textStyled { $0.weight = isActive ? .bold : nil }
  }

  /// Makes texts slanted, or not.
  public nonisolated func italic(_ isActive: Bool = true) -> some View {
    textStyled { $0.isItalic = isActive }
  }

  /// Sets letters of one width.
  public nonisolated func monospaced(_ isActive: Bool = true) -> some View {
    textStyled { $0.design = isActive ? .monospaced : nil }
  }

  /// Sets digits of one width.
  public nonisolated func monospacedDigit() -> some View {
    textStyled { $0.hasMonospacedDigits = true }
  }

  /// Draws a line under texts.
  public nonisolated func underline(
    _ isActive: Bool = true, pattern: Text.LineStyle.Pattern = .solid, color: Color? = nil
  ) -> some View {
    textStyled { $0.underline = .init(isActive: isActive) }
  }

  /// Draws a line through texts.
  public nonisolated func strikethrough(
    _ isActive: Bool = true, pattern: Text.LineStyle.Pattern = .solid, color: Color? = nil
  ) -> some View {
    textStyled { $0.strikethrough = .init(isActive: isActive) }
  }

  /// Sets points between letters.
  public nonisolated func kerning(_ kerning: CGFloat) -> some View {
    textStyled { $0.kerning = Double(kerning) }
  }

  /// Sets points between letters.
  public nonisolated func tracking(_ tracking: CGFloat) -> some View {
    textStyled { $0.kerning = Double(tracking) }
  }

  /// A shift of texts has no picture.
  public nonisolated func baselineOffset(_ baselineOffset: CGFloat) -> some View { self }

  /// Sets the colour of texts and symbols.
  public nonisolated func foregroundColor(_ color: Color?) -> some View {
    textStyled { $0.paint = color.map { .color($0.value) } }
  }

  /// Sets the paint of texts and symbols.
  public nonisolated func foregroundStyle<S: ShapeStyle>(_ style: S) -> some View {
    textStyled { $0.paint = Paint(style) }
  }

  /// Sets the paint of texts and symbols; a second one has no picture.
  public nonisolated func foregroundStyle<S1: ShapeStyle, S2: ShapeStyle>(
    _ primary: S1, _ secondary: S2
  ) -> some View {
    foregroundStyle(primary)
  }

  /// Sets the paint of texts and symbols; others have no picture.
  public nonisolated func foregroundStyle<S1: ShapeStyle, S2: ShapeStyle, S3: ShapeStyle>(
    _ primary: S1, _ secondary: S2, _ tertiary: S3
  ) -> some View {
    foregroundStyle(primary)
  }

  /// Sets the colour of links and controls.
  public nonisolated func tint(_ tint: Color?) -> some View {
    styled(.tint(tint.map { .color($0.value) } ?? .tint))
  }

  /// Sets the paint of links and controls.
  @_disfavoredOverload
  public nonisolated func tint<S: ShapeStyle>(_ tint: S?) -> some View {
    styled(.tint(tint.map { Paint($0) } ?? .tint))
  }

  /// Sets the colour of links and controls.
  public nonisolated func accentColor(_ accentColor: Color?) -> some View { tint(accentColor) }

  /// Sets the number of lines of texts; `nil`: any.
  public nonisolated func lineLimit(_ number: Int?) -> some View {
    styled(.lineLimit(max(number ?? 0, 0)))
  }

  /// Sets the number of lines of texts.
  public nonisolated func lineLimit(_ limit: ClosedRange<Int>) -> some View {
    lineLimit(limit.upperBound)
  }

  /// Sets the number of lines of texts.
  public nonisolated func lineLimit(_ limit: PartialRangeThrough<Int>) -> some View {
    lineLimit(limit.upperBound)
  }

  /// Sets the number of lines of texts; the smallest number has no picture.
  public nonisolated func lineLimit(_ limit: PartialRangeFrom<Int>) -> some View {
    lineLimit(nil)
  }

  /// Sets the number of lines of texts.
  public nonisolated func lineLimit(_ limit: Int, reservesSpace: Bool) -> some View {
    lineLimit(limit)
  }

  /// Sets points between the lines of texts.
  public nonisolated func lineSpacing(_ lineSpacing: CGFloat) -> some View {
    styled(.lineSpacing(Double(lineSpacing)))
  }

  /// Sets the side to which lines go.
  public nonisolated func multilineTextAlignment(_ alignment: TextAlignment) -> some View {
    styled(.textAlignment(alignment.place))
  }

  /// Sets the case of letters.
  public nonisolated func textCase(_ textCase: Text.Case?) -> some View {
    StyledView(
      content: self,
      property: textCase.map { .textCase(isUpper: $0 == .uppercase) } ?? .text(TextStyle()))
  }

  /// A text that does not fit is cut; it does not shrink.
  public nonisolated func minimumScaleFactor(_ factor: CGFloat) -> some View {
    EnvironmentView(content: self) { $0.minimumScaleFactor = factor }
  }

  /// A text that does not fit is cut at its end.
  public nonisolated func truncationMode(_ mode: Text.TruncationMode) -> some View { self }

  /// Letters do not move together.
  public nonisolated func allowsTightening(_ flag: Bool) -> some View { self }

  /// Sets the size of text that the person chose.
  public nonisolated func dynamicTypeSize(_ size: DynamicTypeSize) -> some View {
    EnvironmentView(content: self) { $0.dynamicTypeSize = size }
  }

  /// Bounds the size of text that the person chose.
  public nonisolated func dynamicTypeSize(_ range: ClosedRange<DynamicTypeSize>) -> some View {
    EnvironmentView(content: self) {
      $0.dynamicTypeSize = min(max($0.dynamicTypeSize, range.lowerBound), range.upperBound)
    }
  }

  /// Bounds the size of text that the person chose.
  public nonisolated func dynamicTypeSize(
    _ range: PartialRangeThrough<DynamicTypeSize>
  ) -> some View {
    EnvironmentView(content: self) {
      $0.dynamicTypeSize = min($0.dynamicTypeSize, range.upperBound)
    }
  }

  /// Bounds the size of text that the person chose.
  public nonisolated func dynamicTypeSize(_ range: PartialRangeFrom<DynamicTypeSize>) -> some View {
    EnvironmentView(content: self) {
      $0.dynamicTypeSize = max($0.dynamicTypeSize, range.lowerBound)
    }
  }

  /// Sets the size of symbols beside text.
  public nonisolated func imageScale(_ scale: Image.Scale) -> some View {
    EnvironmentView(content: self) { $0.imageScale = scale }
  }

  /// Symbols are drawn in one colour.
  public nonisolated func symbolRenderingMode(_ mode: SymbolRenderingMode?) -> some View { self }

  /// The name of a symbol decides alone.
  public nonisolated func symbolVariant(_ variant: SymbolVariants) -> some View { self }
}

/// The side to which lines of text go.
public enum TextAlignment: CaseIterable, Hashable, Sendable {
  case leading
  case center
  case trailing

  var place: EdgePlace {
    switch self {
    case .leading: .start
    case .center: .center
    case .trailing: .end
    }
  }
}
