public import Foundation

/// A place across a column.
///
/// Source: SwiftUI.
public struct HorizontalAlignment: Hashable, Sendable {
  let place: EdgePlace

  init(_ place: EdgePlace) { self.place = place }

  /// Makes an alignment of the author's own; here it is the centre.
  public init(_ id: any AlignmentID.Type) { place = .center }

  /// The leading edge.
  public static let leading = HorizontalAlignment(.start)
  /// The middle.
  public static let center = HorizontalAlignment(.center)
  /// The trailing edge.
  public static let trailing = HorizontalAlignment(.end)
  /// The leading edge of the text of a list's row.
  public static let listRowSeparatorLeading = HorizontalAlignment(.start)
}

/// A place across a row.
public struct VerticalAlignment: Hashable, Sendable {
  let place: EdgePlace

  init(_ place: EdgePlace) { self.place = place }

  /// Makes an alignment of the author's own; here it is the centre.
  public init(_ id: any AlignmentID.Type) { place = .center }

  /// The upper edge.
  public static let top = VerticalAlignment(.start)
  /// The middle.
  public static let center = VerticalAlignment(.center)
  /// The lower edge.
  public static let bottom = VerticalAlignment(.end)
  /// The first line of text.
  public static let firstTextBaseline = VerticalAlignment(.firstBaseline)
  /// The last line of text.
  public static let lastTextBaseline = VerticalAlignment(.lastBaseline)
}

/// The name of an alignment of the author's own.
public protocol AlignmentID {
  /// The place in a view of these dimensions.
  static func defaultValue(in context: ViewDimensions) -> CGFloat
}

/// The measures of a view.
public struct ViewDimensions: Hashable, Sendable {
  /// Points from the leading to the trailing edge.
  public let width: CGFloat
  /// Points from the upper to the lower edge.
  public let height: CGFloat

  /// The place of an alignment.
  public subscript(guide: HorizontalAlignment) -> CGFloat {
    guide == .leading ? 0 : guide == .trailing ? width : width / 2
  }

  /// The place of an alignment.
  public subscript(guide: VerticalAlignment) -> CGFloat {
    guide == .top ? 0 : guide == .bottom ? height : height / 2
  }
}

/// A place on both axes.
public struct Alignment: Hashable, Sendable {
  /// The place from the leading to the trailing edge.
  public var horizontal: HorizontalAlignment
  /// The place from the upper to the lower edge.
  public var vertical: VerticalAlignment

  /// Makes a place of two.
  public init(horizontal: HorizontalAlignment, vertical: VerticalAlignment) {
    self.horizontal = horizontal
    self.vertical = vertical
  }

  /// The middle.
  public static let center = Alignment(horizontal: .center, vertical: .center)
  /// The middle of the leading edge.
  public static let leading = Alignment(horizontal: .leading, vertical: .center)
  /// The middle of the trailing edge.
  public static let trailing = Alignment(horizontal: .trailing, vertical: .center)
  /// The middle of the upper edge.
  public static let top = Alignment(horizontal: .center, vertical: .top)
  /// The middle of the lower edge.
  public static let bottom = Alignment(horizontal: .center, vertical: .bottom)
  /// The upper leading corner.
  public static let topLeading = Alignment(horizontal: .leading, vertical: .top)
  /// The upper trailing corner.
  public static let topTrailing = Alignment(horizontal: .trailing, vertical: .top)
  /// The lower leading corner.
  public static let bottomLeading = Alignment(horizontal: .leading, vertical: .bottom)
  /// The lower trailing corner.
  public static let bottomTrailing = Alignment(horizontal: .trailing, vertical: .bottom)
  /// The leading end of the first line.
  public static let leadingFirstTextBaseline = Alignment(
    horizontal: .leading, vertical: .firstTextBaseline)
  /// The trailing end of the first line.
  public static let trailingFirstTextBaseline = Alignment(
    horizontal: .trailing, vertical: .firstTextBaseline)
  /// The middle of the first line.
  public static let centerFirstTextBaseline = Alignment(
    horizontal: .center, vertical: .firstTextBaseline)
  /// The middle of the last line.
  public static let centerLastTextBaseline = Alignment(
    horizontal: .center, vertical: .lastTextBaseline)

  package var pair: AlignmentPair {
    AlignmentPair(horizontal: horizontal.place, vertical: vertical.place)
  }
}

/// Views side by side.
public struct HStack<Content> {
  let layout: StackLayout
  let content: Content

  /// Puts views side by side, `spacing` points apart.
  public init(
    alignment: VerticalAlignment = .center, spacing: CGFloat? = nil,
    @ViewBuilder content: () -> Content
  ) where Content: View {
    layout = StackLayout(alignment: alignment.place, spacing: spacing.map(Double.init))
    self.content = content()
  }
}

extension HStack: View, TreeView where Content: View {
  /// It has none.
  public typealias Body = Never
  package func append(to evaluation: inout Evaluation) {
    evaluation.append(ViewNode(.row(layout), children: evaluation.children(of: content)))
  }
}

/// Views below each other.
public struct VStack<Content> {
  let layout: StackLayout
  let content: Content

  /// Puts views below each other, `spacing` points apart.
  public init(
    alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil,
    @ViewBuilder content: () -> Content
  ) where Content: View {
    layout = StackLayout(alignment: alignment.place, spacing: spacing.map(Double.init))
    self.content = content()
  }
}

extension VStack: View, TreeView where Content: View {
  /// It has none.
  public typealias Body = Never
  package func append(to evaluation: inout Evaluation) {
    evaluation.append(ViewNode(.column(layout), children: evaluation.children(of: content)))
  }
}

/// Views on top of each other.
public struct ZStack<Content> {
  let alignment: Alignment
  let content: Content

  /// Puts views on top of each other, the first behind.
  public init(alignment: Alignment = .center, @ViewBuilder content: () -> Content)
  where Content: View {
    self.alignment = alignment
    self.content = content()
  }
}

extension ZStack: View, TreeView where Content: View {
  /// It has none.
  public typealias Body = Never
  package func append(to evaluation: inout Evaluation) {
    evaluation.append(
      ViewNode(.layers(alignment.pair), children: evaluation.children(of: content)))
  }
}

/// The views of a lazy stack that stay at the edge.
public struct PinnedScrollableViews: OptionSet, Sendable {
  /// The bits.
  public let rawValue: UInt32

  /// Makes a set of its bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Headers of sections.
  public static let sectionHeaders = PinnedScrollableViews(rawValue: 1)
  /// Footers of sections.
  public static let sectionFooters = PinnedScrollableViews(rawValue: 2)
}

/// Views side by side; nothing is lazy here.
public struct LazyHStack<Content> {
  private let stack: HStack<Content>

  /// Puts views side by side, `spacing` points apart.
  public init(
    alignment: VerticalAlignment = .center, spacing: CGFloat? = nil,
    pinnedViews: PinnedScrollableViews = [], @ViewBuilder content: () -> Content
  ) where Content: View {
    stack = HStack(alignment: alignment, spacing: spacing, content: content)
  }
}

extension LazyHStack: View, TreeView where Content: View {
  /// It has none.
  public typealias Body = Never
  package func append(to evaluation: inout Evaluation) { stack.append(to: &evaluation) }
}

/// Views below each other; nothing is lazy here.
public struct LazyVStack<Content> {
  private let stack: VStack<Content>

  /// Puts views below each other, `spacing` points apart.
  public init(
    alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil,
    pinnedViews: PinnedScrollableViews = [], @ViewBuilder content: () -> Content
  ) where Content: View {
    stack = VStack(alignment: alignment, spacing: spacing, content: content)
  }
}

extension LazyVStack: View, TreeView where Content: View {
  /// It has none.
  public typealias Body = Never
  package func append(to evaluation: inout Evaluation) { stack.append(to: &evaluation) }
}

/// Room that grows along the stack.
public struct Spacer: Sendable {
  let minLength: CGFloat?

  /// Makes room of at least `minLength` points.
  public init(minLength: CGFloat? = nil) { self.minLength = minLength }
}

extension Spacer: View, TreeView {
  /// It has none.
  public typealias Body = Never
  package func append(to evaluation: inout Evaluation) {
    evaluation.append(ViewNode(.spacer(minLength: minLength.map(Double.init))))
  }
}

/// A thin line between parts.
public struct Divider: Sendable {
  /// Makes a line.
  public init() {}
}

extension Divider: View, TreeView {
  /// It has none.
  public typealias Body = Never
  package func append(to evaluation: inout Evaluation) { evaluation.append(ViewNode(.divider)) }
}

/// Views that are changed together.
public struct Group<Content> {
  let content: Content
}

extension Group: View, TreeView where Content: View {
  /// Takes the views of a closure.
  public init(@ViewBuilder content: () -> Content) { self.content = content() }

  /// It has none.
  public typealias Body = Never
  package func append(to evaluation: inout Evaluation) { evaluation.add(content) }
}
