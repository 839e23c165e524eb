public import Foundation

/// A drawing by code; it is accepted, and its room stays empty.
///
/// Source: SwiftUI.
public struct Canvas<Symbols> {
  /// Makes a canvas.
  public init(
    opaque: Bool = false, colorMode: ColorRenderingMode = .nonLinear,
    rendersAsynchronously: Bool = false,
    renderer: @escaping (inout GraphicsContext, CGSize) -> Void
  ) where Symbols == EmptyView {}

  /// Makes a canvas with views to draw.
  public init(
    opaque: Bool = false, colorMode: ColorRenderingMode = .nonLinear,
    rendersAsynchronously: Bool = false,
    renderer: @escaping (inout GraphicsContext, CGSize) -> Void,
    @ViewBuilder symbols: () -> Symbols
  ) where Symbols: View {}
}

extension Canvas: View, TreeView {
  /// It has none.
  public typealias Body = Never
  package func append(to evaluation: inout Evaluation) {
    evaluation.warn("a Canvas has no picture; its room stays empty")
    evaluation.append(ViewNode(.unshown))
  }
}

/// The drawing of a canvas.
public struct GraphicsContext {
  /// A paint of a drawing.
  public struct Shading: Sendable {
    /// One colour.
    public static func color(_ color: Color) -> Shading { Shading() }
    /// A style.
    public static func style<S: ShapeStyle>(_ style: S) -> Shading { Shading() }
    /// A gradient along a line.
    public static func linearGradient(
      _ gradient: Gradient, startPoint: CGPoint, endPoint: CGPoint
    ) -> Shading { Shading() }
    /// The colour that is inherited.
    public static let foreground = Shading()
  }

  /// How opaque the drawing is.
  public var opacity: Double = 1
  /// How colours mix.
  public var blendMode: BlendMode = .normal

  /// Draws nothing.
  public func fill(_ path: Path, with shading: Shading, style: FillStyle = FillStyle()) {}
  /// Draws nothing.
  public func stroke(_ path: Path, with shading: Shading, style: StrokeStyle) {}
  /// Draws nothing.
  public func stroke(_ path: Path, with shading: Shading, lineWidth: CGFloat = 1) {}
  /// Draws nothing.
  public func draw(_ text: Text, at point: CGPoint, anchor: UnitPoint = .center) {}
  /// Draws nothing.
  public func draw(_ text: Text, in rect: CGRect) {}
  /// Draws nothing.
  public func draw(_ image: Image, at point: CGPoint, anchor: UnitPoint = .center) {}
  /// Draws nothing.
  public func draw(_ image: Image, in rect: CGRect) {}
  /// Cuts nothing.
  public mutating func clip(to path: Path, style: FillStyle = FillStyle()) {}
  /// Shifts nothing.
  public mutating func translateBy(x: CGFloat, y: CGFloat) {}
  /// Changes no size.
  public mutating func scaleBy(x: CGFloat, y: CGFloat) {}
  /// Turns nothing.
  public mutating func rotate(by angle: Angle) {}
  /// Draws nothing.
  public func drawLayer(content: (inout GraphicsContext) throws -> Void) rethrows {}
}

/// A schedule of moments.
public protocol TimelineSchedule {
  /// The moments.
  associatedtype Entries: Sequence where Entries.Element == Date
}

/// A moment now and then.
public struct PeriodicTimelineSchedule: TimelineSchedule, Sendable {
  /// The moments.
  public typealias Entries = [Date]
}

/// Moments that the author lists.
public struct ExplicitTimelineSchedule: TimelineSchedule, Sendable {
  /// The moments.
  public typealias Entries = [Date]
}

extension TimelineSchedule where Self == ExplicitTimelineSchedule {
  /// The moments of a list.
  public static func explicit<S: Sequence<Date>>(_ dates: S) -> ExplicitTimelineSchedule {
    ExplicitTimelineSchedule()
  }
}

extension TimelineSchedule where Self == PeriodicTimelineSchedule {
  /// A moment every `interval` seconds.
  public static func periodic(
    from startDate: Date, by interval: TimeInterval
  ) -> PeriodicTimelineSchedule { PeriodicTimelineSchedule() }
  /// A moment every frame.
  public static var animation: PeriodicTimelineSchedule { PeriodicTimelineSchedule() }
  /// A moment every minute.
  public static var everyMinute: PeriodicTimelineSchedule { PeriodicTimelineSchedule() }
}

/// The moment of a view that is made at moments.
public struct TimelineViewDefaultContext: Sendable {
  /// The date.
  public let date: Date
  /// How often it changes.
  public var cadence: Cadence { .minutes }

  /// How often a view changes.
  public enum Cadence: Comparable, Sendable {
    case live
    case seconds
    case minutes
  }
}

/// A view that is made at moments; here once.
public struct TimelineView<Schedule: TimelineSchedule, Content> {
  /// The moment.
  public typealias Context = TimelineViewDefaultContext

  let content: (Context) -> Content
}

extension TimelineView: View, TreeView where Content: View {
  /// It has none.
  public typealias Body = Never
  package func append(to evaluation: inout Evaluation) {
    evaluation.addBody { content(TimelineViewDefaultContext(date: Date())) }
  }

  /// Makes a view for the moment of now.
  public init(_ schedule: Schedule, @ViewBuilder content: @escaping (Context) -> Content) {
    self.content = content
  }
}
