public import Foundation

// Animations and transitions: an entry is one picture, so they change nothing.

/// A change that takes time; here it takes none.
///
/// Source: SwiftUI.
public struct Animation: Hashable, Sendable {
  /// The usual change.
  public static let `default` = Animation()
  /// A change that begins and ends slowly.
  public static let easeInOut = Animation()
  /// A change that begins slowly.
  public static let easeIn = Animation()
  /// A change that ends slowly.
  public static let easeOut = Animation()
  /// An even change.
  public static let linear = Animation()
  /// A change like that of a spring.
  public static let spring = Animation()
  /// A change like that of a soft spring.
  public static let smooth = Animation()
  /// A change like that of a stiff spring.
  public static let snappy = Animation()
  /// A change like that of a loose spring.
  public static let bouncy = Animation()

  /// A change that begins and ends slowly.
  public static func easeInOut(duration: TimeInterval) -> Animation { Animation() }
  /// A change that begins slowly.
  public static func easeIn(duration: TimeInterval) -> Animation { Animation() }
  /// A change that ends slowly.
  public static func easeOut(duration: TimeInterval) -> Animation { Animation() }
  /// An even change.
  public static func linear(duration: TimeInterval) -> Animation { Animation() }
  /// A change like that of a spring.
  @_disfavoredOverload
  public static func spring(
    response: Double = 0.5, dampingFraction: Double = 0.825, blendDuration: TimeInterval = 0
  ) -> Animation { Animation() }
  /// A change like that of a spring.
  public static func spring(
    duration: TimeInterval = 0.5, bounce: Double = 0, blendDuration: Double = 0
  ) -> Animation { Animation() }
  /// A change like that of a spring.
  public static func interactiveSpring(
    response: Double = 0.15, dampingFraction: Double = 0.86, blendDuration: TimeInterval = 0.25
  ) -> Animation { Animation() }
  /// A change like that of a soft spring.
  public static func smooth(duration: TimeInterval, extraBounce: Double = 0) -> Animation {
    Animation()
  }
  /// A change like that of a stiff spring.
  public static func snappy(duration: TimeInterval, extraBounce: Double = 0) -> Animation {
    Animation()
  }

  /// The change, later.
  public func delay(_ delay: TimeInterval) -> Animation { self }
  /// The change, faster.
  public func speed(_ speed: Double) -> Animation { self }
  /// The change, again and again.
  public func repeatForever(autoreverses: Bool = true) -> Animation { self }
  /// The change, several times.
  public func repeatCount(_ repeatCount: Int, autoreverses: Bool = true) -> Animation { self }
}

/// How a view comes and goes.
public struct AnyTransition: Sendable {
  /// It is there at once.
  public static let identity = AnyTransition()
  /// It becomes opaque.
  public static let opacity = AnyTransition()
  /// It grows.
  public static let scale = AnyTransition()
  /// It slides.
  public static let slide = AnyTransition()

  /// It moves from an edge.
  public static func move(edge: Edge) -> AnyTransition { AnyTransition() }
  /// It is pushed from an edge.
  public static func push(from edge: Edge) -> AnyTransition { AnyTransition() }
  /// It grows.
  public static func scale(scale: CGFloat, anchor: UnitPoint = .center) -> AnyTransition {
    AnyTransition()
  }
  /// It moves.
  public static func offset(x: CGFloat = 0, y: CGFloat = 0) -> AnyTransition { AnyTransition() }
  /// It comes in one way and goes in another.
  public static func asymmetric(
    insertion: AnyTransition, removal: AnyTransition
  ) -> AnyTransition { insertion }

  /// Both at once.
  public func combined(with other: AnyTransition) -> AnyTransition { self }
  /// The same with a change of its own.
  public func animation(_ animation: Animation?) -> AnyTransition { self }
}

/// How the content of a view changes.
public struct ContentTransition: Hashable, Sendable {
  /// At once.
  public static let identity = ContentTransition()
  /// It becomes transparent.
  public static let opacity = ContentTransition()
  /// Letters move.
  public static let interpolate = ContentTransition()
  /// Symbols change into each other.
  public static let symbolEffect = ContentTransition()

  /// Digits roll.
  public static func numericText(countsDown: Bool = false) -> ContentTransition {
    ContentTransition()
  }
  /// Digits roll.
  public static func numericText(value: Double) -> ContentTransition { ContentTransition() }
}

/// The facts of one change.
public struct Transaction {
  /// The change.
  public var animation: Animation?
  /// Whether nothing is animated.
  public var disablesAnimations = false

  /// Makes a transaction.
  public init(animation: Animation? = nil) { self.animation = animation }
}

/// Runs `body`; nothing is animated.
public func withAnimation<Result>(
  _ animation: Animation? = .default, _ body: () throws -> Result
) rethrows -> Result {
  try body()
}

/// Runs `body`; nothing is animated.
public func withTransaction<Result>(
  _ transaction: Transaction, _ body: () throws -> Result
) rethrows -> Result {
  try body()
}

/// A value between others.
public protocol VectorArithmetic: AdditiveArithmetic {
  /// Multiplies the value.
  mutating func scale(by rhs: Double)
  /// The square of its length.
  var magnitudeSquared: Double { get }
}

extension Double: VectorArithmetic {
  /// Multiplies the value.
  public mutating func scale(by rhs: Double) { self *= rhs }
  /// The square of the value.
  public var magnitudeSquared: Double { self * self }
}

extension Float: VectorArithmetic {
  /// Multiplies the value.
  public mutating func scale(by rhs: Double) { self *= Float(rhs) }
  /// The square of the value.
  public var magnitudeSquared: Double { Double(self * self) }
}

extension CGFloat: VectorArithmetic {
  /// Multiplies the value.
  public mutating func scale(by rhs: Double) { self *= CGFloat(rhs) }
  /// The square of the value.
  public var magnitudeSquared: Double { Double(self * self) }
}

/// The values of nothing.
public struct EmptyAnimatableData: VectorArithmetic {
  /// Makes no values.
  public init() {}
  /// No values.
  public static var zero: EmptyAnimatableData { EmptyAnimatableData() }
  /// Adds nothing.
  public static func + (a: EmptyAnimatableData, b: EmptyAnimatableData) -> EmptyAnimatableData { a }
  /// Takes nothing away.
  public static func - (a: EmptyAnimatableData, b: EmptyAnimatableData) -> EmptyAnimatableData { a }
  /// Multiplies nothing.
  public mutating func scale(by rhs: Double) {}
  /// Zero.
  public var magnitudeSquared: Double { 0 }
}

/// Two values.
public struct AnimatablePair<First: VectorArithmetic, Second: VectorArithmetic>: VectorArithmetic {
  /// The first.
  public var first: First
  /// The second.
  public var second: Second

  /// Makes a pair.
  public init(_ first: First, _ second: Second) {
    self.first = first
    self.second = second
  }

  /// Twice nothing.
  public static var zero: AnimatablePair { AnimatablePair(.zero, .zero) }
  /// Adds each.
  public static func + (a: AnimatablePair, b: AnimatablePair) -> AnimatablePair {
    AnimatablePair(a.first + b.first, a.second + b.second)
  }
  /// Subtracts each.
  public static func - (a: AnimatablePair, b: AnimatablePair) -> AnimatablePair {
    AnimatablePair(a.first - b.first, a.second - b.second)
  }
  /// Multiplies each.
  public mutating func scale(by rhs: Double) {
    first.scale(by: rhs)
    second.scale(by: rhs)
  }
  /// The square of the length.
  public var magnitudeSquared: Double { first.magnitudeSquared + second.magnitudeSquared }
}

/// A value that can change in steps.
public protocol Animatable {
  /// The values that change.
  associatedtype AnimatableData: VectorArithmetic = EmptyAnimatableData
  /// The values that change.
  var animatableData: AnimatableData { get set }
}

extension Animatable where AnimatableData == EmptyAnimatableData {
  /// No values.
  public var animatableData: EmptyAnimatableData {
    get { EmptyAnimatableData() }
    set {}
  }
}

extension View {
  /// Nothing is animated.
  public nonisolated func animation(_ animation: Animation?) -> some View { self }

  /// Nothing is animated.
  public nonisolated func animation<V: Equatable>(_ animation: Animation?, value: V) -> some View {
    self
  }

  /// Nothing is animated.
  public nonisolated func transaction(
    _ transform: @escaping (inout Transaction) -> Void
  ) -> some View { self }

  /// Nothing comes or goes.
  public nonisolated func transition(_ t: AnyTransition) -> some View { self }

  /// Content changes at once.
  public nonisolated func contentTransition(_ transition: ContentTransition) -> some View { self }

  /// Nothing moves between places.
  public nonisolated func matchedGeometryEffect<ID: Hashable>(
    id: ID, in namespace: Namespace.ID, properties: MatchedGeometryProperties = .frame,
    anchor: UnitPoint = .center, isSource: Bool = true
  ) -> some View { self }

  /// A group moves as its parts do.
  public nonisolated func geometryGroup() -> some View { self }

  /// The identity of a view matters to no picture.
  public nonisolated func id<ID: Hashable>(_ id: ID) -> some View { self }
}

/// A value that moves between places.
public struct MatchedGeometryProperties: OptionSet, Sendable {
  /// The bits.
  public let rawValue: UInt32

  /// Makes a set of its bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// The place.
  public static let position = MatchedGeometryProperties(rawValue: 1)
  /// The size.
  public static let size = MatchedGeometryProperties(rawValue: 2)
  /// Both.
  public static let frame = MatchedGeometryProperties(rawValue: 3)
}
