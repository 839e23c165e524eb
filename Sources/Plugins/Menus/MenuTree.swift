/// The items of a menu as they arrive, each with its level.
struct MenuTree {
  private(set) var items: [PluginItem] = []
  /// The levels of the item that came last and of those above it, growing.
  private var open: [Int] = []

  /// Adds an item at a level, from 0; one that skips levels goes to the nearest item above it.
  ///
  /// Returns whether it is deeper than menus may be, and was put at the deepest level. O(depth).
  mutating func add(_ item: PluginItem, level: Int) -> Bool {
    let depth = enter(level)
    Self.insert(item, at: depth, into: &items)
    return level >= PluginLimits.menuDepthMax
  }

  /// Makes an item the alternate of the one before it on its level; without one, it is an item.
  ///
  /// Returns false in that case.
  mutating func addAlternate(_ item: PluginItem, level: Int) -> Bool {
    let depth = enter(level)
    return Self.insertAlternate(item, at: depth, into: &items)
  }

  /// Returns the number of items above one at `level`, and notes it.
  private mutating func enter(_ level: Int) -> Int {
    let level = min(level, PluginLimits.menuDepthMax - 1)
    while let last = open.last, last >= level { open.removeLast() }
    open.append(level)
    return open.count - 1
  }

  private static func insert(_ item: PluginItem, at depth: Int, into items: inout [PluginItem]) {
    guard depth > 0, let parent = items.lastIndex(where: { !$0.isSeparator }) else {
      items.append(item)
      return
    }
    // The lines below an alternate are its own.
    if items[parent].alternate.isEmpty {
      insert(item, at: depth - 1, into: &items[parent].items)
    } else {
      insert(item, at: depth - 1, into: &items[parent].alternate[0].items)
    }
  }

  private static func insertAlternate(
    _ item: PluginItem, at depth: Int, into items: inout [PluginItem]
  ) -> Bool {
    if depth > 0, let parent = items.lastIndex(where: { !$0.isSeparator }) {
      return items[parent].alternate.isEmpty
        ? insertAlternate(item, at: depth - 1, into: &items[parent].items)
        : insertAlternate(item, at: depth - 1, into: &items[parent].alternate[0].items)
    }
    guard let last = items.indices.last, !items[last].isSeparator, items[last].alternate.isEmpty
    else {
      items.append(item)
      return false
    }
    items[last].alternate = [item]
    return true
  }
}
