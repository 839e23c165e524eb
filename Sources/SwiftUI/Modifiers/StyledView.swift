/// A view with one property; each node of the view gets it.
struct StyledView<Content> {
  let content: Content
  let property: ViewProperty
}

extension StyledView: View, TreeView where Content: View {
  typealias Body = Never
  func append(to evaluation: inout Evaluation) {
    let start = evaluation.nodes.count
    evaluation.add(content)
    for index in start..<evaluation.nodes.count {
      evaluation.nodes[index].properties.append(property)
    }
  }
}

/// A view in a frame, which is the room that a `GeometryReader` in it has.
struct FramedView<Content> {
  let content: Content
  let frame: FrameLimits
}

extension FramedView: View, TreeView where Content: View {
  typealias Body = Never
  func append(to evaluation: inout Evaluation) {
    let content = content
    let start = evaluation.nodes.count
    if frame.width != nil || frame.height != nil {
      let outer = evaluation.environment.displaySize
      evaluation.with { environment in
        environment.displaySize = ViewSize(
          width: frame.width ?? outer.width, height: frame.height ?? outer.height)
      } _: {
        $0.add(content)
      }
    } else {
      evaluation.add(content)
    }
    for index in start..<evaluation.nodes.count {
      evaluation.nodes[index].properties.append(.frame(frame))
    }
  }
}

/// A view with another one behind or before it.
struct AttachedView<Content, Layer> {
  let content: Content
  let layer: Layer
  let isBehind: Bool
  let alignment: Alignment
}

extension AttachedView: View, TreeView where Content: View, Layer: View {
  typealias Body = Never
  func append(to evaluation: inout Evaluation) {
    let start = evaluation.nodes.count
    evaluation.add(content)
    let layers = evaluation.children(of: layer)
    guard !layers.isEmpty else { return }
    let place = alignment.pair
    // A colour behind a view is its background, which needs no node.
    if isBehind, layers.count == 1, layers[0].properties.isEmpty,
      case .fill(let paint) = layers[0].kind
    {
      for index in start..<evaluation.nodes.count {
        evaluation.nodes[index].properties.append(.background(paint, .rectangle))
      }
      return
    }
    let layer =
      layers.count == 1 ? layers[0] : ViewNode(.layers(place), children: layers)
    for index in start..<evaluation.nodes.count {
      evaluation.nodes[index] = ViewNode(
        .attached(isBehind: isBehind, place), children: [evaluation.nodes[index], layer])
    }
  }
}

extension View {
  /// The view with a property.
  nonisolated func styled(_ property: ViewProperty) -> StyledView<Self> {
    StyledView(content: self, property: property)
  }

  /// The view with a part of a style of text.
  nonisolated func textStyled(_ change: (inout TextStyle) -> Void) -> StyledView<Self> {
    var style = TextStyle()
    change(&style)
    return styled(.text(style))
  }
}
