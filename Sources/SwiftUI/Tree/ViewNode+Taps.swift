// A tap does one thing, so nothing that is tapped is inside of another thing that is.

extension ViewNode {
  /// Whether a tap on a part of it sends an intent.
  var takesTaps: Bool {
    switch kind {
    case .button(let tap), .toggle(_, let tap):
      if tap.intent != nil || tap.isDisabled { return true }
    default: break
    }
    return children.contains(where: \.takesTaps)
  }

  /// The same picture, without links and controls of its own.
  var withoutTaps: ViewNode {
    var node = self
    switch kind {
    case .link, .button, .toggle: node.kind = .layers(.center)
    case .text(let runs) where runs.contains { $0.link != nil }:
      node.kind = .text(
        runs.map { run in
          var run = run
          run.link = nil
          return run
        })
    default: break
    }
    node.children = children.map(\.withoutTaps)
    return node
  }

  /// Whether it has words, for the eye or for everybody who does not see it.
  var hasWords: Bool {
    if case .text = kind { return true }
    let isLabelled = properties.contains { property in
      if case .accessibilityLabel = property { true } else { false }
    }
    return isLabelled || children.contains(where: \.hasWords)
  }
}
