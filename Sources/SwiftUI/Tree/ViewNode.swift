package import JSON

/// One node of an evaluated view.
package struct ViewNode: Hashable, Sendable {
  package var kind: Kind
  /// The changes by modifiers, the innermost first.
  package var properties: [ViewProperty]
  package var children: [ViewNode]

  package init(
    _ kind: Kind, properties: [ViewProperty] = [], children: [ViewNode] = []
  ) {
    self.kind = kind
    self.properties = properties
    self.children = children
  }

  /// The sorts of nodes.
  package indirect enum Kind: Hashable, Sendable {
    case text([TextRun])
    case symbol(SymbolPicture)
    case asset(AssetPicture)
    case row(StackLayout)
    case column(StackLayout)
    /// Children on top of each other, the first behind.
    case layers(AlignmentPair)
    /// Columns of equal rows, filled line by line.
    case grid(GridLayout)
    /// A row of a `Grid`, which becomes a row.
    case spacer(minLength: Double?)
    case divider
    case shape(ShapePicture)
    /// An area of one paint.
    case fill(Paint)
    /// A measure; its children are labels, in the order of `MeasurePicture.labels`.
    case measure(MeasurePicture)
    case link(String)
    case button(TapPicture)
    case toggle(isOn: Bool, TapPicture)
    /// The first child, with the second behind it or before it, as large as the first.
    case attached(isBehind: Bool, AlignmentPair)
    /// A picture that cannot be shown, such as a canvas; takes its room.
    case unshown
  }
}

/// A symbol by its name.
package struct SymbolPicture: Hashable, Sendable {
  package var name: String
  package var isResizable = false
}

/// A picture of the author's own.
package struct AssetPicture: Hashable, Sendable {
  package var name: String
  /// The words for everybody who does not see it; empty if it only decorates.
  package var label: String
  /// The file, if one was found.
  package var file: String?
  /// The bytes, if the provider loaded them.
  package var bytes: Data?
  package var isResizable = false
  package var isTemplate = false
}

/// The distances of a row or of a column.
package struct StackLayout: Hashable, Sendable {
  /// The place across the direction; in a row `top`, `center`, …, in a column `leading`, ….
  package var alignment: EdgePlace
  /// Points between children; `nil`: the standard.
  package var spacing: Double?

  package static let standard = StackLayout(alignment: .center, spacing: nil)
}

/// A place on one axis.
package enum EdgePlace: String, Hashable, Sendable {
  case start
  case center
  case end
  case firstBaseline
  case lastBaseline
}

/// A place on both axes.
package struct AlignmentPair: Hashable, Sendable {
  package var horizontal: EdgePlace
  package var vertical: EdgePlace

  package static let center = AlignmentPair(horizontal: .center, vertical: .center)
}

/// The tracks of a grid.
package struct GridLayout: Hashable, Sendable {
  package enum Track: Hashable, Sendable {
    case fixed(Double)
    case flexible(minimum: Double)
    case adaptive(minimum: Double)
  }

  package var tracks: [Track]
  /// Points between columns and between rows.
  package var columnSpacing: Double
  package var rowSpacing: Double
  package var isHorizontal = false
  package var alignment = EdgePlace.center
}

/// An outline that is filled or drawn as a line.
package struct ShapePicture: Hashable, Sendable {
  package var outline: ShapeOutline
  package var fill: Paint?
  package var stroke: Paint?
  package var lineWidth = 1.0
}

/// The outlines that have a picture.
package enum ShapeOutline: Hashable, Sendable {
  case rectangle
  case circle
  case ellipse
  case capsule
  /// Points of the radius of each corner.
  case rounded(topLeft: Double, topRight: Double, bottomRight: Double, bottomLeft: Double)
  /// The corners of the widget, less its distance from the edge.
  case container
  /// A part of a circle, from 0 to 1, clockwise from three o'clock.
  case arc(from: Double, to: Double)
  /// An outline without a picture, such as a path.
  case other

  package static func rounded(_ radius: Double) -> ShapeOutline {
    .rounded(topLeft: radius, topRight: radius, bottomRight: radius, bottomLeft: radius)
  }
}

/// A gauge or the progress of a task.
package struct MeasurePicture: Hashable, Sendable {
  package enum Form: Hashable, Sendable {
    case line
    case ring
    case spinner
    /// A style of the author's own draws it: the children are its picture.
    case drawn
  }

  package enum Label: Hashable, Sendable {
    case title
    case currentValue
    case minimum
    case maximum
    case drawn
  }

  package var form: Form
  /// From 0 to 1; `nil`: nobody knows how far it is.
  package var fraction: Double?
  /// The moments from which the fraction follows, if it does.
  package var interval: LiveInterval?
  package var labels: [Label]
}

/// A span of time that a view follows.
package struct LiveInterval: Hashable, Sendable {
  package var start: Date
  package var end: Date
  package var countsDown: Bool
}

/// The effect of a tap on a button.
package struct TapPicture: Hashable, Sendable {
  /// The intent that is sent: its name and parameters, as an item of a content says it.
  package var intent: JSONValue?
  /// The name of the intent for people; empty: there is none.
  package var title = ""
  /// Whether it has an intent that cannot be sent now.
  package var isDisabled = false
  /// Of a toggle that a style of the author's draws.
  package var isOn: Bool?
  package var isDestructive = false
  /// Whether the label has the colour of controls.
  package var isTinted = false
}
