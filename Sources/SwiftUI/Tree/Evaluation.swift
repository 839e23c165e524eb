/// Walks a view and collects the nodes of its tree.
///
/// One pass: a view of this module appends its nodes, any other view is asked for its body. Views
/// without a picture of their own (`Group`, `ForEach`, `if`) append the nodes of their parts, so a
/// container gets the flat list that SwiftUI lays out.
@MainActor
package struct Evaluation {
  /// The environment of the view that is evaluated.
  var environment: EnvironmentValues
  /// The nodes of the container that is evaluated, so far.
  var nodes: [ViewNode] = []
  /// Sentences for the author, each once.
  private(set) var warnings: [String] = []
  private var depth = 0
  private var nodeCount = 0

  init(environment: EnvironmentValues) { self.environment = environment }

  /// Appends the nodes of a view.
  mutating func add<V: View>(_ view: V) {
    guard nodeCount < Limits.viewNodeCountMax else {
      return warn(
        "the view has more than \(Limits.viewNodeCountMax) nodes; the others are left out")
    }
    if let view = view as? any TreeView {
      view.append(to: &self)
    } else {
      addBody { view.body }
    }
  }

  /// Appends the nodes of a view that may repeat itself without end.
  mutating func addDeeper<V: View>(_ view: V) {
    deeper { $0.add(view) }
  }

  /// Appends the nodes of the body that `make` returns, which reads the environment of this place.
  mutating func addBody<V: View>(_ make: @MainActor () -> V) {
    deeper { evaluation in
      EnvironmentValues.current = evaluation.environment
      evaluation.add(make())
    }
  }

  private mutating func deeper(_ body: (inout Evaluation) -> Void) {
    guard depth < Limits.viewDepthMax else {
      warn("the view is deeper than \(Limits.viewDepthMax) views; what is deeper is left out")
      return
    }
    depth += 1
    body(&self)
    depth -= 1
  }

  /// Returns the nodes of `view`, which become children of one node.
  mutating func children<V: View>(of view: V) -> [ViewNode] {
    let outer = nodes
    nodes = []
    deeper { $0.add(view) }
    defer { nodes = outer }
    return nodes
  }

  /// Returns the nodes of `view` as one.
  mutating func child<V: View>(of view: V) -> ViewNode? {
    let found = children(of: view)
    return found.count > 1 ? ViewNode(.column(.standard), children: found) : found.first
  }

  /// Appends a node.
  ///
  /// Views are left out where they are added, so a container whose children reached the limit still
  /// gets its node.
  mutating func append(_ node: ViewNode) {
    nodeCount += 1
    nodes.append(node)
  }

  /// Appends the nodes that `body` makes, each changed by `change`.
  mutating func changing(
    _ change: (inout ViewNode) -> Void, _ body: (inout Evaluation) -> Void
  ) {
    let start = nodes.count
    body(&self)
    for index in start..<nodes.count { change(&nodes[index]) }
  }

  /// Runs `body` in a changed environment.
  mutating func with(
    _ change: (inout EnvironmentValues) -> Void, _ body: (inout Evaluation) -> Void
  ) {
    let outer = environment
    change(&environment)
    body(&self)
    environment = outer
  }

  /// Notes a sentence for the author.
  mutating func warn(_ sentence: String) {
    guard warnings.count < Limits.warningCountMax, !warnings.contains(sentence) else { return }
    warnings.append(sentence)
  }
}
