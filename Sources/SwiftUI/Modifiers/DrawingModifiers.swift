public import Foundation

extension View {
  /// Puts a view behind this one.
  @_disfavoredOverload
  public nonisolated func background<Background: View>(
    _ background: Background, alignment: Alignment = .center
  ) -> some View {
    AttachedView(content: self, layer: background, isBehind: true, alignment: alignment)
  }

  /// Puts views behind this one.
  public nonisolated func background<V: View>(
    alignment: Alignment = .center, @ViewBuilder content: () -> V
  ) -> some View {
    AttachedView(content: self, layer: content(), isBehind: true, alignment: alignment)
  }

  /// Paints the area of the view.
  public nonisolated func background<S: ShapeStyle>(
    _ style: S, ignoresSafeAreaEdges edges: Edge.Set = .all
  ) -> some View {
    styled(.background(Paint(style), .rectangle))
  }

  /// Paints the area of the view with its background.
  public nonisolated func background(ignoresSafeAreaEdges edges: Edge.Set = .all) -> some View {
    styled(.background(Paint(BackgroundStyle()), .rectangle))
  }

  /// Paints a shape behind the view.
  public nonisolated func background<S: ShapeStyle, T: Shape>(
    _ style: S, in shape: T, fillStyle: FillStyle = FillStyle()
  ) -> some View {
    styled(.background(Paint(style), shape.outlineOfPicture))
  }

  /// Paints a shape behind the view with its background.
  public nonisolated func background<T: Shape>(
    in shape: T, fillStyle: FillStyle = FillStyle()
  ) -> some View {
    styled(.background(Paint(BackgroundStyle()), shape.outlineOfPicture))
  }

  /// Puts a view before this one.
  @_disfavoredOverload
  public nonisolated func overlay<Overlay: View>(
    _ overlay: Overlay, alignment: Alignment = .center
  ) -> some View {
    AttachedView(content: self, layer: overlay, isBehind: false, alignment: alignment)
  }

  /// Puts views before this one.
  public nonisolated func overlay<V: View>(
    alignment: Alignment = .center, @ViewBuilder content: () -> V
  ) -> some View {
    AttachedView(content: self, layer: content(), isBehind: false, alignment: alignment)
  }

  /// Paints over the area of the view.
  public nonisolated func overlay<S: ShapeStyle>(
    _ style: S, ignoresSafeAreaEdges edges: Edge.Set = .all
  ) -> some View {
    overlay(Rectangle().fill(style))
  }

  /// Paints a shape over the view.
  public nonisolated func overlay<S: ShapeStyle, T: Shape>(
    _ style: S, in shape: T, fillStyle: FillStyle = FillStyle()
  ) -> some View {
    overlay(shape.fill(style))
  }

  /// Draws a line around the view.
  public nonisolated func border<S: ShapeStyle>(_ content: S, width: CGFloat = 1) -> some View {
    styled(.border(Paint(content), width: Double(width)))
  }

  /// Cuts the view at its area.
  public nonisolated func clipped(antialiased: Bool = false) -> some View {
    styled(.clip(.rectangle))
  }

  /// Cuts the view at a shape.
  public nonisolated func clipShape<S: Shape>(
    _ shape: S, style: FillStyle = FillStyle()
  ) -> some View {
    styled(.clip(shape.outlineOfPicture))
  }

  /// Cuts the corners of the view.
  public nonisolated func cornerRadius(_ radius: CGFloat, antialiased: Bool = true) -> some View {
    styled(.clip(.rounded(Double(radius))))
  }

  /// Draws a shadow behind the view.
  public nonisolated func shadow(
    color: Color = Color(.sRGBLinear, white: 0, opacity: 0.33), radius: CGFloat, x: CGFloat = 0,
    y: CGFloat = 0
  ) -> some View {
    styled(.shadow(color.paint, radius: Double(radius), x: Double(x), y: Double(y)))
  }

  /// Makes the view more transparent.
  public nonisolated func opacity(_ opacity: Double) -> some View { styled(.opacity(opacity)) }

  /// Keeps the room of the view, and does not show it.
  public nonisolated func hidden() -> some View { styled(.hidden) }

  /// Turns the picture.
  public nonisolated func rotationEffect(
    _ angle: Angle, anchor: UnitPoint = .center
  ) -> some View {
    styled(.rotation(degrees: angle.degrees))
  }

  /// Makes the picture larger or smaller.
  public nonisolated func scaleEffect(_ s: CGFloat, anchor: UnitPoint = .center) -> some View {
    styled(.scale(x: Double(s), y: Double(s)))
  }

  /// Makes the picture larger or smaller.
  public nonisolated func scaleEffect(_ scale: CGSize, anchor: UnitPoint = .center) -> some View {
    styled(.scale(x: Double(scale.width), y: Double(scale.height)))
  }

  /// Makes the picture larger or smaller.
  public nonisolated func scaleEffect(
    x: CGFloat = 1, y: CGFloat = 1, anchor: UnitPoint = .center
  ) -> some View {
    styled(.scale(x: Double(x), y: Double(y)))
  }

  /// A mask has no picture.
  public nonisolated func mask<Mask: View>(
    alignment: Alignment = .center, @ViewBuilder _ mask: () -> Mask
  ) -> some View { self }

  /// A mask has no picture.
  public nonisolated func mask<Mask: View>(_ mask: Mask) -> some View { self }

  /// Hides the labels of controls; they are kept for everybody who does not see them.
  public nonisolated func labelsHidden() -> some View { styled(.labelHidden) }

  /// Shows or hides the labels of controls.
  public nonisolated func labelsVisibility(_ visibility: Visibility) -> some View {
    StyledView(
      content: self, property: visibility == .hidden ? .labelHidden : .text(TextStyle()))
  }

  /// Covers the content.
  public nonisolated func redacted(reason: RedactionReasons) -> some View {
    StyledRedaction(content: self, reasons: reason)
  }

  /// Shows the content although it is covered around it.
  public nonisolated func unredacted() -> some View {
    EnvironmentView(content: styled(.unredacted)) { $0.redactionReasons = [] }
  }

  /// Makes taps do nothing, or something.
  public nonisolated func disabled(_ disabled: Bool) -> some View {
    EnvironmentView(
      content: StyledView(content: self, property: disabled ? .disabled : .text(TextStyle()))
    ) { if disabled { $0.isEnabled = false } }
  }

  /// Sets the scheme of the view.
  public nonisolated func colorScheme(_ colorScheme: ColorScheme) -> some View {
    EnvironmentView(content: self) { $0.colorScheme = colorScheme }
  }

  /// The surface decides the scheme.
  public nonisolated func preferredColorScheme(_ colorScheme: ColorScheme?) -> some View { self }

  /// Sets the style of backgrounds.
  public nonisolated func backgroundStyle<S: ShapeStyle>(_ style: S) -> some View {
    EnvironmentView(content: self) { $0.backgroundStyle = AnyShapeStyle(style) }
  }
}

/// A view whose content is covered.
struct StyledRedaction<Content> {
  let content: Content
  let reasons: RedactionReasons
}

extension StyledRedaction: View, TreeView where Content: View {
  typealias Body = Never
  func append(to evaluation: inout Evaluation) {
    let content = content
    let reasons = reasons
    let start = evaluation.nodes.count
    evaluation.with {
      $0.redactionReasons.formUnion(reasons)
    } _: {
      $0.add(content)
    }
    guard !reasons.isEmpty else { return }
    for index in start..<evaluation.nodes.count {
      evaluation.nodes[index].properties.append(
        .redacted(isPrivacy: reasons.isDisjoint(with: .placeholder)))
    }
  }
}
