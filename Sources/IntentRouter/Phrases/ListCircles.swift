/// Lists that lead to each other through values that are templates: such a value would be read
/// forever.
///
/// Two lists lead to each other exactly when they are in one strongly connected component of the
/// graph in which a list points to those that its values name. Found in linear time and without
/// recursion (two passes, the second against the arrows, in the reverse order in which the first
/// was done with the lists: Kosaraju and Sharir), since a document may chain lists by the thousand.
struct ListCircles {
  /// Equal for lists of one component.
  private let components: [Int]

  /// `edges`: by list, the lists that it names.
  init(_ edges: [[Int]]) {
    var finished: [Int] = []
    var isSeen = [Bool](repeating: false, count: edges.count)
    for start in edges.indices where !isSeen[start] {
      isSeen[start] = true
      var path = [(list: start, next: 0)]
      while let (list, next) = path.last {
        guard next < edges[list].count else {
          finished.append(list)
          path.removeLast()
          continue
        }
        path[path.count - 1].next += 1
        let target = edges[list][next]
        guard !isSeen[target] else { continue }
        isSeen[target] = true
        path.append((target, 0))
      }
    }
    var backwards = [[Int]](repeating: [], count: edges.count)
    for (list, targets) in edges.enumerated() {
      for target in targets { backwards[target].append(list) }
    }
    var components = [Int](repeating: -1, count: edges.count)
    for start in finished.reversed() where components[start] < 0 {
      var open = [start]
      components[start] = start
      while let list = open.popLast() {
        for source in backwards[list] where components[source] < 0 {
          components[source] = start
          open.append(source)
        }
      }
    }
    self.components = components
  }

  /// Whether each of the two leads to the other, as a list does to itself.
  func areJoined(_ first: Int, _ second: Int) -> Bool { components[first] == components[second] }
}
