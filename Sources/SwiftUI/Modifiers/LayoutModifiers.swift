public import Foundation

extension View {
  /// Adds points at each edge.
  public nonisolated func padding(_ insets: EdgeInsets) -> some View {
    styled(.padding(insets.insets))
  }

  /// Adds points at some edges; `nil`: sixteen.
  public nonisolated func padding(
    _ edges: Edge.Set = .all, _ length: CGFloat? = nil
  ) -> some View {
    let points = Double(length ?? 16)
    return styled(
      .padding(
        Insets(
          top: edges.contains(.top) ? points : 0, leading: edges.contains(.leading) ? points : 0,
          bottom: edges.contains(.bottom) ? points : 0,
          trailing: edges.contains(.trailing) ? points : 0)))
  }

  /// Adds points at each edge.
  public nonisolated func padding(_ length: CGFloat) -> some View { padding(.all, length) }

  /// Sets the size; `nil`: the content decides.
  public nonisolated func frame(
    width: CGFloat? = nil, height: CGFloat? = nil, alignment: Alignment = .center
  ) -> some View {
    FramedView(
      content: self,
      frame: FrameLimits(
        width: width.map(Double.init), height: height.map(Double.init), alignment: alignment.pair))
  }

  /// Sets the bounds of the size; `nil`: the content decides.
  public nonisolated func frame(
    minWidth: CGFloat? = nil, idealWidth: CGFloat? = nil, maxWidth: CGFloat? = nil,
    minHeight: CGFloat? = nil, idealHeight: CGFloat? = nil, maxHeight: CGFloat? = nil,
    alignment: Alignment = .center
  ) -> some View {
    FramedView(
      content: self,
      frame: FrameLimits(
        minWidth: minWidth.map(Double.init), maxWidth: maxWidth.map(Double.init),
        minHeight: minHeight.map(Double.init), maxHeight: maxHeight.map(Double.init),
        alignment: alignment.pair))
  }

  /// Takes the width of a container.
  public nonisolated func containerRelativeFrame(
    _ axes: Axis.Set, alignment: Alignment = .center
  ) -> some View {
    frame(
      maxWidth: axes.contains(.horizontal) ? .infinity : nil,
      maxHeight: axes.contains(.vertical) ? .infinity : nil, alignment: alignment)
  }

  /// Keeps the size of the content.
  public nonisolated func fixedSize() -> some View {
    styled(.fixedSize(horizontal: true, vertical: true))
  }

  /// Keeps the size of the content along some axes.
  public nonisolated func fixedSize(horizontal: Bool, vertical: Bool) -> some View {
    styled(.fixedSize(horizontal: horizontal, vertical: vertical))
  }

  /// Sets how early the view gets room.
  public nonisolated func layoutPriority(_ value: Double) -> some View {
    styled(.layoutPriority(value))
  }

  /// Keeps the proportion of width to height.
  public nonisolated func aspectRatio(
    _ aspectRatio: CGFloat? = nil, contentMode: ContentMode
  ) -> some View {
    styled(.aspectRatio(aspectRatio.map(Double.init), isFilling: contentMode == .fill))
  }

  /// Keeps the proportion of width to height.
  public nonisolated func aspectRatio(_ aspectRatio: CGSize, contentMode: ContentMode) -> some View
  {
    styled(
      .aspectRatio(
        aspectRatio.height > 0 ? Double(aspectRatio.width / aspectRatio.height) : nil,
        isFilling: contentMode == .fill))
  }

  /// Fits the view into its room.
  public nonisolated func scaledToFit() -> some View { aspectRatio(contentMode: .fit) }

  /// Fills the room of the view.
  public nonisolated func scaledToFill() -> some View { aspectRatio(contentMode: .fill) }

  /// Shifts the picture.
  public nonisolated func offset(x: CGFloat = 0, y: CGFloat = 0) -> some View {
    styled(.offset(x: Double(x), y: Double(y)))
  }

  /// Shifts the picture.
  public nonisolated func offset(_ offset: CGSize) -> some View {
    self.offset(x: offset.width, y: offset.height)
  }

  /// Puts the middle at a place; the view fills its room.
  public nonisolated func position(x: CGFloat = 0, y: CGFloat = 0) -> some View {
    styled(.position(x: Double(x), y: Double(y)))
  }

  /// Puts the middle at a place; the view fills its room.
  public nonisolated func position(_ position: CGPoint) -> some View {
    self.position(x: position.x, y: position.y)
  }

  /// Children are drawn in their order.
  public nonisolated func zIndex(_ value: Double) -> some View { self }

  /// The alignment of the stack decides.
  public nonisolated func alignmentGuide(
    _ g: HorizontalAlignment, computeValue: @escaping (ViewDimensions) -> CGFloat
  ) -> some View { self }

  /// The alignment of the stack decides.
  public nonisolated func alignmentGuide(
    _ g: VerticalAlignment, computeValue: @escaping (ViewDimensions) -> CGFloat
  ) -> some View { self }

  /// A widget has no unsafe area.
  public nonisolated func ignoresSafeArea(
    _ regions: SafeAreaRegions = .all, edges: Edge.Set = .all
  ) -> some View { self }

  /// A widget has no unsafe area.
  public nonisolated func edgesIgnoringSafeArea(_ edges: Edge.Set) -> some View { self }

  /// A widget has no unsafe area.
  public nonisolated func safeAreaPadding(
    _ edges: Edge.Set = .all, _ length: CGFloat? = nil
  ) -> some View {
    padding(edges, length)
  }

  /// The margins of content are those of the widget.
  public nonisolated func contentMargins(
    _ edges: Edge.Set = .all, _ length: CGFloat?, for placement: ContentMarginPlacement = .automatic
  ) -> some View {
    padding(edges, length)
  }

  /// A cell takes one column.
  public nonisolated func gridCellColumns(_ count: Int) -> some View { self }

  /// A cell takes the room that it needs.
  public nonisolated func gridCellUnsizedAxes(_ axes: Axis.Set) -> some View { self }

  /// The grid decides where cells stand.
  public nonisolated func gridColumnAlignment(_ guide: HorizontalAlignment) -> some View { self }

  /// The grid decides where cells stand.
  public nonisolated func gridCellAnchor(_ anchor: UnitPoint) -> some View { self }
}

/// Whether a view fits into its room or fills it.
public enum ContentMode: CaseIterable, Hashable, Sendable {
  case fit
  case fill
}

/// The areas at the edge of a screen.
public struct SafeAreaRegions: OptionSet, Sendable {
  /// The bits.
  public let rawValue: UInt

  /// Makes a set of its bits.
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// All of them.
  public static let all = SafeAreaRegions(rawValue: .max)
  /// Those of a container.
  public static let container = SafeAreaRegions(rawValue: 1)
  /// That of the keyboard.
  public static let keyboard = SafeAreaRegions(rawValue: 2)
}

/// The content that margins are for.
public struct ContentMarginPlacement: Sendable {
  /// All content.
  public static let automatic = ContentMarginPlacement()
  /// Content that scrolls.
  public static let scrollContent = ContentMarginPlacement()
}
