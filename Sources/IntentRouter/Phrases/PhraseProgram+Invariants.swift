extension PhraseProgram {
  /// Stops the process where an index leads out of the program, at load rather than in the middle
  /// of a sentence.
  ///
  /// The compiler calls it once for each language, at its end. Linear in the program.
  func checkInvariants(listCount: Int) {
    func check(_ index: Int32, below count: Int, _ name: StaticString) {
      precondition(index >= 0 && Int(index) < count, "\(name) \(index) of \(count)")
    }
    func check(_ range: Range<Int32>, within count: Int, _ name: StaticString) {
      precondition(range.lowerBound >= 0, "\(name) \(range)")
      precondition(Int(range.upperBound) <= count, "\(name) \(range) of \(count)")
    }
    for node in nodes {
      check(node.next, below: nodes.count, "next node")
      switch node.kind {
      case .chunk: check(node.a, below: chunks.count, "chunk")
      case .alternative, .permutation:
        precondition(node.b > 0 || node.kind == .permutation, "an alternative without branches")
        check(node.a..<(node.a + node.b), within: branches.count, "branches")
      case .list: check(node.a, below: references.count, "reference")
      case .call: check(node.a, below: nodes.count, "rule")
      case .fork: check(node.a, below: forks.count, "fork")
      case .end, .fail: break
      }
    }
    for branch in branches { check(branch, below: nodes.count, "branch") }
    precondition(cased.count == scalars.count, "a text in one case alone")
    for chunk in chunks { check(chunk.start..<chunk.end, within: scalars.count, "chunk's text") }
    for reference in references {
      check(reference.list, below: listCount, "list")
      check(reference.slot, below: slots.count, "slot")
    }
    for fork in forks {
      check(fork.ways, within: ways.count, "ways")
      check(fork.accepted, within: accepted.count, "accepted templates")
    }
    for way in ways { check(way.entry, below: nodes.count, "way") }
    for templates in valueTemplates {
      for template in templates { check(template.entry, below: nodes.count, "value's template") }
    }
  }
}
