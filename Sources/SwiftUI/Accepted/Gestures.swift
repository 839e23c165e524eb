public import Foundation

// Gestures belong to an app's own window. In a widget only links, buttons and toggles take taps, so
// a gesture is accepted and never happens.

/// A movement of fingers, and what it does.
///
/// Source: SwiftUI.
public protocol Gesture<Value> {
  /// What the gesture tells.
  associatedtype Value
}

extension Gesture {
  /// Never runs.
  public func onEnded(_ action: @escaping (Value) -> Void) -> some Gesture<Value> { self }

  /// Never runs.
  public func onChanged(
    _ action: @escaping (Value) -> Void
  ) -> some Gesture<Value> where Value: Equatable { self }

  /// Never runs.
  public func updating<State>(
    _ state: GestureState<State>, body: @escaping (Value, inout State, inout Transaction) -> Void
  ) -> some Gesture<Value> { self }
}

/// Taps.
public struct TapGesture: Gesture, Sendable {
  /// Nothing but that it happened.
  public typealias Value = Void
  /// How many taps.
  public var count: Int

  /// Waits for `count` taps.
  public init(count: Int = 1) { self.count = count }
}

/// A long touch.
public struct LongPressGesture: Gesture, Sendable {
  /// Whether it lasts.
  public typealias Value = Bool
  /// How long it lasts, in seconds.
  public var minimumDuration: Double
  /// How far the finger may move, in points.
  public var maximumDistance: CGFloat

  /// Waits for a touch.
  public init(minimumDuration: Double = 0.5, maximumDistance: CGFloat = 10) {
    self.minimumDuration = minimumDuration
    self.maximumDistance = maximumDistance
  }
}

/// A finger that moves.
public struct DragGesture: Gesture, Sendable {
  /// Where the finger is.
  public struct Value: Equatable, Sendable {
    /// When it was there.
    public var time: Date
    /// Where it is.
    public var location: CGPoint
    /// Where it began.
    public var startLocation: CGPoint
    /// How far it moved.
    public var translation: CGSize {
      CGSize(width: location.x - startLocation.x, height: location.y - startLocation.y)
    }
    /// How far it would move if the finger let go.
    public var predictedEndTranslation: CGSize { translation }
    /// Where it would end if the finger let go.
    public var predictedEndLocation: CGPoint { location }
  }

  /// How far a finger moves before it counts, in points.
  public var minimumDistance: CGFloat

  /// Waits for a movement.
  public init(
    minimumDistance: CGFloat = 10, coordinateSpace: CoordinateSpace = .local
  ) { self.minimumDistance = minimumDistance }

  /// Waits for a movement.
  public init(
    minimumDistance: CGFloat = 10, coordinateSpace: some CoordinateSpaceProtocol
  ) { self.minimumDistance = minimumDistance }
}

extension View {
  /// Never happens.
  public nonisolated func gesture(_ gesture: some Gesture) -> some View { self }

  /// Never happens.
  public nonisolated func highPriorityGesture(_ gesture: some Gesture) -> some View { self }

  /// Never happens.
  public nonisolated func simultaneousGesture(_ gesture: some Gesture) -> some View { self }

  /// Never runs: nothing is laid out here.
  public nonisolated func onGeometryChange<T: Equatable & Sendable>(
    for type: T.Type, of transform: @escaping @Sendable (GeometryProxy) -> T,
    action: @escaping (_ newValue: T) -> Void
  ) -> some View { self }

  /// Never runs: nothing is laid out here.
  public nonisolated func onGeometryChange<T: Equatable & Sendable>(
    for type: T.Type, of transform: @escaping @Sendable (GeometryProxy) -> T,
    action: @escaping (_ oldValue: T, _ newValue: T) -> Void
  ) -> some View { self }
}
