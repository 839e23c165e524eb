public import Foundation

/// The size of the room that a view has.
///
/// Source: SwiftUI.
public struct GeometryProxy: Sendable {
  /// The points of the room.
  public let size: CGSize
  /// The distance of safe content from the edge; there is none.
  public var safeAreaInsets: EdgeInsets { EdgeInsets() }

  /// The place in a space; it begins at zero.
  public func frame(in coordinateSpace: CoordinateSpace) -> CGRect {
    CGRect(origin: .zero, size: size)
  }

  /// The place in a space; it begins at zero.
  @_disfavoredOverload
  public func frame(in coordinateSpace: some CoordinateSpaceProtocol) -> CGRect {
    CGRect(origin: .zero, size: size)
  }
}

/// A space in which places are measured.
public enum CoordinateSpace: Hashable, Sendable {
  case global
  case local
}

/// A space in which places are measured.
public protocol CoordinateSpaceProtocol {}

/// A space with a name.
public struct NamedCoordinateSpace: CoordinateSpaceProtocol, Hashable, Sendable {
  let name: String
}

/// The space of the view.
public struct LocalCoordinateSpace: CoordinateSpaceProtocol, Hashable, Sendable {
  /// Makes the space.
  public init() {}
}

/// The space of the surface.
public struct GlobalCoordinateSpace: CoordinateSpaceProtocol, Hashable, Sendable {
  /// Makes the space.
  public init() {}
}

extension CoordinateSpaceProtocol where Self == NamedCoordinateSpace {
  /// A space with a name.
  public static func named(_ name: some Hashable) -> NamedCoordinateSpace {
    NamedCoordinateSpace(name: "\(name)")
  }
}

/// A view that is made for the size of its room.
///
/// The size is that of the widget, or of the nearest frame with a width and a height around it.
public struct GeometryReader<Content> {
  /// Makes the view for a size.
  public var content: (GeometryProxy) -> Content
}

extension GeometryReader: View, TreeView where Content: View {
  /// It has none.
  public typealias Body = Never
  package func append(to evaluation: inout Evaluation) {
    let size = evaluation.environment.displaySize
    let proxy = GeometryProxy(size: CGSize(width: size.width, height: size.height))
    EnvironmentValues.current = evaluation.environment
    let children = evaluation.children(of: content(proxy))
    let place = AlignmentPair(horizontal: .start, vertical: .start)
    let layers = ViewNode(.layers(place), children: children)
    var frame = FrameLimits(maxWidth: .infinity, maxHeight: .infinity)
    frame.alignment = place
    evaluation.append(
      ViewNode(layers.kind, properties: [.frame(frame)], children: layers.children))
  }

  /// Makes a view for the size of its room.
  public init(@ViewBuilder content: @escaping (GeometryProxy) -> Content) {
    self.content = content
  }
}

/// The first of several views that fits; here it is the first.
public struct ViewThatFits<Content> {
  let content: Content
}

extension ViewThatFits: View, TreeView where Content: View {
  /// It has none.
  public typealias Body = Never
  package func append(to evaluation: inout Evaluation) {
    if let first = evaluation.children(of: content).first { evaluation.append(first) }
  }

  /// Chooses among the views of a closure.
  public init(in axes: Axis.Set = [.horizontal, .vertical], @ViewBuilder content: () -> Content) {
    self.content = content()
  }
}

/// A column of a grid, or a row of one that grows sideways.
public struct GridItem: Sendable {
  /// The size of a track.
  public enum Size: Sendable {
    case fixed(CGFloat)
    case flexible(minimum: CGFloat = 10, maximum: CGFloat = .infinity)
    case adaptive(minimum: CGFloat, maximum: CGFloat = .infinity)
  }

  /// The size.
  public var size: Size
  /// Points to the next track.
  public var spacing: CGFloat?
  /// The place of views in a cell.
  public var alignment: Alignment?

  /// Makes a track.
  public init(
    _ size: Size = .flexible(), spacing: CGFloat? = nil, alignment: Alignment? = nil
  ) {
    self.size = size
    self.spacing = spacing
    self.alignment = alignment
  }

  var track: GridLayout.Track {
    switch size {
    case .fixed(let width): .fixed(Double(width))
    case .flexible(let minimum, _): .flexible(minimum: Double(minimum))
    case .adaptive(let minimum, _): .adaptive(minimum: Double(minimum))
    }
  }
}

/// Views in columns.
public struct LazyVGrid<Content> {
  let layout: GridLayout
  let content: Content
}

extension LazyVGrid: View, TreeView where Content: View {
  /// It has none.
  public typealias Body = Never
  package func append(to evaluation: inout Evaluation) {
    evaluation.append(ViewNode(.grid(layout), children: evaluation.children(of: content)))
  }

  /// Puts views into columns, `spacing` points between rows.
  public init(
    columns: [GridItem], alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil,
    pinnedViews: PinnedScrollableViews = [], @ViewBuilder content: () -> Content
  ) {
    layout = GridLayout(
      tracks: columns.map(\.track), columnSpacing: Double(columns.first?.spacing ?? 8),
      rowSpacing: Double(spacing ?? 8), alignment: alignment.place)
    self.content = content()
  }
}

/// Views in rows.
public struct LazyHGrid<Content> {
  let layout: GridLayout
  let content: Content
}

extension LazyHGrid: View, TreeView where Content: View {
  /// It has none.
  public typealias Body = Never
  package func append(to evaluation: inout Evaluation) {
    evaluation.append(ViewNode(.grid(layout), children: evaluation.children(of: content)))
  }

  /// Puts views into rows, `spacing` points between columns.
  public init(
    rows: [GridItem], alignment: VerticalAlignment = .center, spacing: CGFloat? = nil,
    pinnedViews: PinnedScrollableViews = [], @ViewBuilder content: () -> Content
  ) {
    layout = GridLayout(
      tracks: rows.map(\.track), columnSpacing: Double(spacing ?? 8),
      rowSpacing: Double(rows.first?.spacing ?? 8), isHorizontal: true,
      alignment: alignment.place)
    self.content = content()
  }
}

/// Rows of cells whose columns have one width.
public struct Grid<Content> {
  let alignment: Alignment
  let horizontalSpacing: CGFloat?
  let verticalSpacing: CGFloat?
  let content: Content
}

extension Grid: View, TreeView where Content: View {
  /// It has none.
  public typealias Body = Never
  package func append(to evaluation: inout Evaluation) {
    let spacing = Double(horizontalSpacing ?? 8)
    let layout = StackLayout(
      alignment: alignment.horizontal.place, spacing: verticalSpacing.map(Double.init))
    let rows = evaluation.children(of: content).map { row -> ViewNode in
      guard case .row = row.kind else { return row }
      var row = row
      row.kind = .row(StackLayout(alignment: alignment.vertical.place, spacing: spacing))
      // Equal columns stand in for columns as wide as their widest cell.
      for index in row.children.indices {
        row.children[index].properties.append(
          .frame(FrameLimits(maxWidth: .infinity, alignment: alignment.pair)))
      }
      return row
    }
    evaluation.append(ViewNode(.column(layout), children: rows))
  }

  /// Puts rows below each other.
  public init(
    alignment: Alignment = .center, horizontalSpacing: CGFloat? = nil,
    verticalSpacing: CGFloat? = nil, @ViewBuilder content: () -> Content
  ) {
    self.alignment = alignment
    self.horizontalSpacing = horizontalSpacing
    self.verticalSpacing = verticalSpacing
    self.content = content()
  }
}

/// A row of a grid.
public struct GridRow<Content> {
  let content: Content
}

extension GridRow: View, TreeView where Content: View {
  /// It has none.
  public typealias Body = Never
  package func append(to evaluation: inout Evaluation) {
    evaluation.append(ViewNode(.row(.standard), children: evaluation.children(of: content)))
  }

  /// Puts cells side by side.
  public init(alignment: VerticalAlignment? = nil, @ViewBuilder content: () -> Content) {
    self.content = content()
  }
}

/// Views that scroll; a picture shows the first.
public struct ScrollView<Content> {
  let axes: Axis.Set
  let content: Content
}

extension ScrollView: View, TreeView where Content: View {
  /// It has none.
  public typealias Body = Never
  package func append(to evaluation: inout Evaluation) {
    let children = evaluation.children(of: content)
    let kind: ViewNode.Kind = axes.contains(.vertical) ? .column(.standard) : .row(.standard)
    evaluation.append(ViewNode(kind, children: children))
  }

  /// Makes views that scroll.
  public init(
    _ axes: Axis.Set = .vertical, showsIndicators: Bool = true, @ViewBuilder content: () -> Content
  ) {
    self.axes = axes
    self.content = content()
  }
}

/// Rows below each other.
public struct List<SelectionValue, Content> {
  let content: Content
}

extension List: View, TreeView where Content: View {
  /// It has none.
  public typealias Body = Never
  package func append(to evaluation: inout Evaluation) {
    let layout = StackLayout(alignment: .start, spacing: nil)
    evaluation.append(ViewNode(.column(layout), children: evaluation.children(of: content)))
  }
}

extension List where SelectionValue == Never, Content: View {
  /// Makes a list.
  public init(@ViewBuilder content: () -> Content) { self.content = content() }

  /// Makes a list with a row for each element.
  public init<Data: RandomAccessCollection, RowContent: View>(
    _ data: Data, @ViewBuilder rowContent: @escaping (Data.Element) -> RowContent
  ) where Content == ForEach<Data, Data.Element.ID, RowContent>, Data.Element: Identifiable {
    content = ForEach(data, content: rowContent)
  }
}

/// The plate behind an accessory widget.
public struct AccessoryWidgetBackground: View {
  /// Makes the plate.
  public nonisolated init() {}

  /// A translucent fill.
  public var body: some View { Color(value: .named(.fill)) }
}

/// A view that is compared before it is evaluated; here it always is.
public struct EquatableView<Content: View & Equatable> {
  /// The view.
  public var content: Content

  /// Keeps `content`.
  public init(content: Content) { self.content = content }
}

extension EquatableView: View {
  /// The view itself.
  public var body: some View { content }
}

/// An axis.
public enum Axis: Int8, CaseIterable, Hashable, Sendable {
  case horizontal
  case vertical

  /// Some of the axes.
  public struct Set: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: Int8

    /// Makes a set of its bits.
    public init(rawValue: Int8) { self.rawValue = rawValue }

    /// From the leading to the trailing edge.
    public static let horizontal = Set(rawValue: 1)
    /// From the upper to the lower edge.
    public static let vertical = Set(rawValue: 2)
  }
}

/// An edge of an area.
public enum Edge: Int8, CaseIterable, Hashable, Sendable {
  case top
  case leading
  case bottom
  case trailing

  /// Some of the edges.
  public struct Set: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: Int8

    /// Makes a set of its bits.
    public init(rawValue: Int8) { self.rawValue = rawValue }

    /// Makes a set of one edge.
    public init(_ edge: Edge) { rawValue = 1 << edge.rawValue }

    /// The upper edge.
    public static let top = Set(rawValue: 1)
    /// The leading edge.
    public static let leading = Set(rawValue: 2)
    /// The lower edge.
    public static let bottom = Set(rawValue: 4)
    /// The trailing edge.
    public static let trailing = Set(rawValue: 8)
    /// All edges.
    public static let all = Set(rawValue: 15)
    /// The leading and the trailing edge.
    public static let horizontal = Set(rawValue: 10)
    /// The upper and the lower edge.
    public static let vertical = Set(rawValue: 5)
  }
}

/// A vertical or a horizontal edge.
public enum HorizontalEdge: Int8, CaseIterable, Hashable, Sendable {
  case leading
  case trailing
}

/// A vertical or a horizontal edge.
public enum VerticalEdge: Int8, CaseIterable, Hashable, Sendable {
  case top
  case bottom
}

/// Points on each side.
public struct EdgeInsets: Hashable, Sendable {
  /// Above.
  public var top: CGFloat
  /// Before.
  public var leading: CGFloat
  /// Below.
  public var bottom: CGFloat
  /// Behind.
  public var trailing: CGFloat

  /// No points.
  public init() { self.init(top: 0, leading: 0, bottom: 0, trailing: 0) }

  /// Makes insets of their points.
  public init(top: CGFloat, leading: CGFloat, bottom: CGFloat, trailing: CGFloat) {
    self.top = top
    self.leading = leading
    self.bottom = bottom
    self.trailing = trailing
  }

  var insets: Insets {
    Insets(
      top: Double(top), leading: Double(leading), bottom: Double(bottom),
      trailing: Double(trailing))
  }
}
