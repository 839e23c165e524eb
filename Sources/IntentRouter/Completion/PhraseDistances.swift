/// How much must at least be said from each node of a program to the end of its template, rule,
/// branch or value, in scalars without white space.
///
/// White space beside white space is written once, so that it would make some ways too long.
/// It leads the search for completions to the shortest sentences first. A list counts for one
/// scalar whatever its values are, so that no client's list changes a distance.
final class PhraseDistances: Sendable {
  /// By node; `never` where no end can be reached.
  let least: [Int32]
  /// By list, the entries of the values that are templates, shortest first; a few of each.
  let templates: [[PhraseProgram.ValueTemplate]]

  /// More than any template has, and small enough to be added up.
  static let never: Int32 = 1 << 24

  /// Linear in the program: what a node refers to was compiled before it.
  init(_ program: PhraseProgram) {
    var least = [Int32](repeating: Self.never, count: program.nodes.count)
    func sum(_ parts: Int32...) -> Int32 { min(Self.never, parts.reduce(0, +)) }
    for (index, node) in program.nodes.enumerated() {
      precondition(node.kind == .fork || Int(node.next) <= index, "a node before its next")
      let rest = least[Int(node.next)]
      switch node.kind {
      case .chunk:
        least[index] = sum(program.chunks[Int(node.a)].letters(in: program), rest)
      case .alternative:
        for branch in node.a..<node.a + node.b {
          least[index] = min(least[index], least[Int(program.branches[Int(branch)])])
        }
      case .permutation:
        least[index] = rest
        for branch in node.a..<node.a + node.b {
          least[index] = sum(least[index], least[Int(program.branches[Int(branch)])])
        }
      case .list: least[index] = sum(1, rest)
      case .call: least[index] = sum(least[Int(node.a)], rest)
      case .fork:
        let fork = program.forks[Int(node.a)]
        if !fork.accepted.isEmpty { least[index] = 0 }
        for way in fork.ways {
          least[index] = min(least[index], least[Int(program.ways[Int(way)].entry)])
        }
      case .end: least[index] = 0
      case .fail: break
      }
    }
    self.least = least
    templates = program.valueTemplates.map { templates in
      guard templates.count > 1 else { return templates }
      let shortest = templates.indices.sorted {
        (least[Int(templates[$0].entry)], $0) < (least[Int(templates[$1].entry)], $1)
      }
      return shortest.prefix(Limits.completionNamesMax).map { templates[$0] }
    }
  }
}

extension PhraseProgram.Chunk {
  /// Scalars from an offset on, without white space.
  func letters(in program: PhraseProgram, from offset: Int32 = 0) -> Int32 {
    var count: Int32 = 0
    for index in start + offset..<end where program.scalars[Int(index)] != space { count += 1 }
    return count
  }
}
