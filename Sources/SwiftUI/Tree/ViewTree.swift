/// A view that was evaluated: a value without closures, from which content and pictures are made.
package struct ViewTree: Hashable, Sendable {
  /// The top of the view; several behind each other are one column.
  package var root: ViewNode
  /// Sentences for the author.
  package var warnings: [String]
  /// The family that the view was evaluated for.
  package var family: WidgetFamily
  /// Points of the surface that the view was evaluated for.
  package var size: ViewSize
  /// Whether a body asked for the colour scheme, so that it may look otherwise in the dark.
  package var readsColorScheme: Bool
  /// The factor of fonts that the person chose.
  package var fontScale: Double
  /// Points between the edge of a widget with a background of its own and its content.
  package var margins: Insets
  /// Why content is not shown.
  package var redaction: RedactionReasons

  /// Evaluates `view` for one entry.
  @MainActor
  package static func evaluate(
    _ view: some View, in environment: EnvironmentValues
  ) -> ViewTree {
    let outer = EnvironmentValues.current
    let outerRead = EnvironmentValues.colorSchemeWasRead
    EnvironmentValues.current = environment
    EnvironmentValues.colorSchemeWasRead = false
    defer {
      EnvironmentValues.current = outer
      EnvironmentValues.colorSchemeWasRead = outerRead
    }
    var evaluation = Evaluation(environment: environment)
    evaluation.add(view)
    let nodes = evaluation.nodes
    let root = nodes.count == 1 ? nodes[0] : ViewNode(.column(.standard), children: nodes)
    return ViewTree(
      root: root, warnings: evaluation.warnings, family: environment.widgetFamily,
      size: environment.displaySize,
      readsColorScheme: EnvironmentValues.colorSchemeWasRead,
      fontScale: environment.dynamicTypeSize.scale,
      margins: environment.hasContentMargins
        ? environment.widgetContentMargins.insets : EdgeInsets().insets,
      redaction: environment.redactionReasons)
  }
}

/// A width and a height in points.
package struct ViewSize: Hashable, Sendable {
  package var width: Double
  package var height: Double

  package init(width: Double, height: Double) {
    self.width = width
    self.height = height
  }
}
