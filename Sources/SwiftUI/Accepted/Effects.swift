public import Foundation

// Effects that are accepted, and change nothing in the picture. The table in docs/SWIFTUI.md lists
// them as the second level.

/// How colours of a view and of what is behind it mix; they do not.
public enum BlendMode: Hashable, Sendable {
  case normal
  case multiply
  case screen
  case overlay
  case darken
  case lighten
  case colorDodge
  case colorBurn
  case softLight
  case hardLight
  case difference
  case exclusion
  case hue
  case saturation
  case color
  case luminosity
  case sourceAtop
  case destinationOver
  case destinationOut
  case plusDarker
  case plusLighter
}

/// The colours in which a group is drawn.
public enum ColorRenderingMode: Hashable, Sendable {
  case nonLinear
  case linear
  case extendedLinear
}

extension View {
  /// A blur has no picture.
  public nonisolated func blur(radius: CGFloat, opaque: Bool = false) -> some View { self }

  /// A change of brightness has no picture.
  public nonisolated func brightness(_ amount: Double) -> some View { self }

  /// A change of contrast has no picture.
  public nonisolated func contrast(_ amount: Double) -> some View { self }

  /// A change of saturation has no picture.
  public nonisolated func saturation(_ amount: Double) -> some View { self }

  /// A loss of colour has no picture.
  public nonisolated func grayscale(_ amount: Double) -> some View { self }

  /// A turn of hue has no picture.
  public nonisolated func hueRotation(_ angle: Angle) -> some View { self }

  /// A tint of all colours has no picture.
  public nonisolated func colorMultiply(_ color: Color) -> some View { self }

  /// Inverted colours have no picture.
  public nonisolated func colorInvert() -> some View { self }

  /// Opacity by brightness has no picture.
  public nonisolated func luminanceToAlpha() -> some View { self }

  /// Mixing with what is behind has no picture.
  public nonisolated func blendMode(_ blendMode: BlendMode) -> some View { self }

  /// A group is drawn as its parts are.
  public nonisolated func compositingGroup() -> some View { self }

  /// A group is drawn as its parts are.
  public nonisolated func drawingGroup(
    opaque: Bool = false, colorMode: ColorRenderingMode = .nonLinear
  ) -> some View { self }

  /// A turn in space has no picture.
  public nonisolated func rotation3DEffect(
    _ angle: Angle, axis: (x: CGFloat, y: CGFloat, z: CGFloat), anchor: UnitPoint = .center,
    anchorZ: CGFloat = 0, perspective: CGFloat = 1
  ) -> some View { self }

  /// The effects of symbols have no picture.
  public nonisolated func symbolEffectsRemoved(_ isEnabled: Bool = true) -> some View { self }

  /// A plate of glass has no picture.
  public nonisolated func glassEffect() -> some View { self }

  /// A control has its usual size.
  public nonisolated func controlSize(_ controlSize: ControlSize) -> some View {
    EnvironmentView(content: self) { $0.controlSize = controlSize }
  }

  /// A control has its usual weight.
  public nonisolated func headerProminence(_ prominence: Prominence) -> some View { self }
}
