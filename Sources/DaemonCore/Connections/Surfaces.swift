import Timekeeping
import WidgetCenter

/// A place where a client shows widgets; a client may have several.
struct Surface: Hashable, Sendable {
  /// Given by `Surfaces`, never twice.
  let number: UInt64
  /// The client.
  let connection: ConnectionID
  /// The families that it shows; `nil`: every family.
  var families: WidgetFamilies?
  /// The widgets that it shows; `nil`: every widget.
  var widgets: Set<String>?
  var isStack: Bool
  /// The moment since which it is visible; `nil` while it is hidden.
  ///
  /// While the session is locked it stays, and means nothing: see `Surfaces.isLocked`.
  var visibleSince: Instant?
  /// Whether it is told what it must not show any longer, although the session is locked.
  fileprivate(set) var hearsOfLock = false
  /// Widgets that changed since the last update was sent.
  var changed: Set<String> = []
  var removed: Set<String> = []
  /// The widgets that the surface was told to show and not told to remove.
  var shown: Set<String> = []
  var stackChanged = false
  /// Whether it is told when another configuration takes effect.
  var hearsOfConfiguration = false
  /// Whether it offers the person the questions about links.
  var hearsOfQuestions = false
  /// The order that the surface was told last.
  var lastStack: [String] = []
  /// The name that it shares with others, such as those of three monitors; `nil`: it has none.
  var name: String?
  /// The widgets of the stack that it shows at most; `nil`: all.
  var limit: Int?
  /// Parts of contents that it does not want.
  var unwanted: ContentParts = .onlyByName
  /// The locale in which it shows names; `nil`: it said none.
  var locale: String?
  /// The modes that it has room for; `nil`: it says nothing of modes, and shows all widgets compact.
  var modes: SurfaceModes?
  /// The widgets that it shows expanded, as its client was told or is about to be.
  var expanded: Set<String> = []
  /// The turns of its stack that the person made.
  var rotation = StackRotation()
  /// The number of the request that attached it, among all such requests.
  fileprivate(set) var attachment: UInt64 = 0

  /// Its name on the wire.
  var id: String { "s\(number)" }
  var isVisible: Bool { visibleSince != nil }
  /// The place for which the person's choices of modes hold here.
  var place: ModePlace { name.map { .name($0) } ?? .attachment(number) }

  /// Returns whether it shows the widget `id`, which exists and has this family.
  func shows(_ id: String, of family: WidgetFamily) -> Bool {
    (families?.contains(family) ?? true) && (widgets?.contains(id) ?? true)
  }

  /// Returns whether it shows the widget in the mode in which the widget changed.
  func sees(_ change: WidgetChange) -> Bool {
    change.mode.map { ($0 == .expanded) == expanded.contains(change.id) } ?? true
  }

  /// Returns the order that it shows of the whole `order`: turned and cut.
  mutating func shownOrder(_ order: [String]) -> [String] {
    let turned = rotation.turned(order)
    guard let limit, turned.count > limit else { return turned }
    return Array(turned[..<limit])
  }

  /// Whether the surface is visible and was not told all changes yet.
  var hasNews: Bool {
    isVisible && (!changed.isEmpty || !removed.isEmpty || (isStack && stackChanged))
  }
}

/// A widget that changed or was removed.
struct WidgetChange: Sendable {
  /// The surfaces to which a change matters, by the mode in which they show the widget; `nil`: all.
  var mode: WidgetMode?
  var id: String
  /// The widget's family; `nil`: the widget does not exist, or must not be shown.
  var family: WidgetFamily?
  /// Whether the engine named it as changed; `false`: it named it only as removed.
  var isChanged: Bool
}

/// The surfaces by their numbers, in the order in which they attached, and the widgets that each was
/// told of.
struct Surfaces: Sendable {
  private var surfaces: [UInt64: Surface] = [:]
  private(set) var numbers: [UInt64] = []
  /// The surfaces of each client, in their order; never empty.
  private var numbersOfClient: [ConnectionID: [UInt64]] = [:]
  /// Whether the session is locked: then every surface counts as hidden.
  private(set) var isLocked = false
  private var lastNumber: UInt64 = 0
  private var lastAttachment: UInt64 = 0
  /// Whether a surface has to be told of more widgets than one update holds.
  private(set) var hasUnsaid = false
  /// Whether widgets may be expanded elsewhere than surfaces know.
  private var hasOtherModes = false
  /// The first surface whose news wait for an order of the stack; `nil`: none waits.
  private var firstToWait: UInt64?

  var count: Int { numbers.count }

  func contains(_ connection: ConnectionID) -> Bool {
    !numbers.isEmpty && numbersOfClient.index(forKey: connection) != nil
  }

  /// The numbers of a client's surfaces, in the order in which they attached.
  func numbers(of connection: ConnectionID) -> [UInt64] { numbersOfClient[connection] ?? [] }

  subscript(number: UInt64) -> Surface? { surfaces[number] }

  /// Returns the locale of the first surface of a client that said one; `nil`: none did.
  func locale(of connection: ConnectionID) -> String? {
    numbersOfClient[connection]?.lazy.compactMap { surfaces[$0]?.locale }.first
  }

  /// Returns the surface with this id; O(surfaces).
  func surface(_ id: String) -> Surface? { surfaces.values.first { $0.id == id } }

  /// Returns the clients with such a surface, each once.
  func connections(where isMeant: (Surface) -> Bool) -> [ConnectionID] {
    var found: [ConnectionID] = []
    for number in numbers {
      guard let surface = surfaces[number], isMeant(surface), !found.contains(surface.connection)
      else { continue }
      found.append(surface.connection)
    }
    return found
  }

  /// Returns the surface of an attachment; `nil`: it is gone, or attached anew.
  func surface(attachment: UInt64) -> Surface? {
    surfaces.values.first { $0.attachment == attachment }
  }

  /// Returns the order that a stack shows: turned as the person turned it, and cut to its limit.
  ///
  /// `order` is the whole order of the widgets that have a place on it. The surface is gone, or
  /// attached anew, where no surface has `attachment`; then the order stays.
  mutating func shownOrder(_ order: [String], attachment: UInt64) -> [String] {
    guard let index = surfaces.values.firstIndex(where: { $0.attachment == attachment }) else {
      return order
    }
    return surfaces.values[index].shownOrder(order)
  }

  /// Turns the stacks with this name, or without one these surfaces.
  ///
  /// - Returns: their number.
  mutating func rotate(by count: Int, name: String?, _ meant: [UInt64]) -> Int {
    var turned = 0
    for number in name == nil ? meant : numbers {
      guard let index = surfaces.index(forKey: number), surfaces.values[index].isStack,
        name.map({ surfaces.values[index].name == $0 }) ?? true
      else { continue }
      surfaces.values[index].rotation.turn(by: count)
      surfaces.values[index].stackChanged = true
      turned += 1
    }
    return turned
  }

  /// Returns how the stacks of this name are turned, for one more of it.
  func rotation(ofName name: String) -> StackRotation? {
    for number in numbers {
      if let surface = surfaces[number], surface.isStack, surface.name == name {
        return surface.rotation
      }
    }
    return nil
  }

  /// Returns whether another surface of the same name is visible.
  func isVisibleElsewhere(_ name: String?, besides number: UInt64) -> Bool {
    guard let name else { return false }
    return numbers.contains { other in
      other != number && surfaces[other]?.name == name && surfaces[other]?.isVisible == true
    }
  }

  /// Returns a number that no surface ever had.
  mutating func nextNumber() -> UInt64 {
    lastNumber += 1
    return lastNumber
  }

  /// Attaches a surface in place of the one with its number, if there is one.
  ///
  /// - Returns: the number of the attachment, by which `begin` knows it.
  @discardableResult
  mutating func attach(_ surface: consuming Surface) -> UInt64 {
    lastAttachment += 1
    surface.attachment = lastAttachment
    let (number, connection) = (surface.number, surface.connection)
    if surfaces.updateValue(surface, forKey: number) == nil {
      numbers.append(number)
      numbersOfClient[connection, default: []].append(number)
    }
    return lastAttachment
  }

  /// Notes the order that the answer to an attachment says; what changed before is a part of that
  /// answer.
  ///
  /// Nothing happens when the surface is gone or has attached again since.
  mutating func begin(attachment: UInt64, _ order: [String]) {
    guard let index = surfaces.values.firstIndex(where: { $0.attachment == attachment }) else {
      return
    }
    surfaces.values[index].lastStack = order
    surfaces.values[index].shown = Set(order)
    surfaces.values[index].changed = []
    surfaces.values[index].removed = []
    surfaces.values[index].stackChanged = false
  }

  /// Forgets every surface of a client; `false` when it had none.
  mutating func detachAll(of connection: ConnectionID) -> Bool {
    guard let gone = numbersOfClient.removeValue(forKey: connection) else { return false }
    for number in gone { surfaces[number] = nil }
    numbers.removeAll { gone.contains($0) }
    return true
  }

  /// Forgets one surface.
  mutating func detach(_ number: UInt64) {
    guard let connection = surfaces.removeValue(forKey: number)?.connection else { return }
    numbers.removeAll { $0 == number }
    numbersOfClient[connection]?.removeAll { $0 == number }
    if numbersOfClient[connection]?.isEmpty == true { numbersOfClient[connection] = nil }
  }

  mutating func setVisible(_ isVisible: Bool, _ number: UInt64, at now: Instant) {
    guard let index = surfaces.index(forKey: number),
      surfaces.values[index].isVisible != isVisible
    else { return }
    surfaces.values[index].visibleSince = isVisible ? now : nil
  }

  /// Notes that the session was locked or unlocked, and that its changes were noted.
  ///
  /// The surfaces that show what they must not show any longer still hear of that: a hidden one when
  /// it becomes visible.
  mutating func setLocked(_ isLocked: Bool, at now: Instant) {
    self.isLocked = isLocked
    for index in surfaces.indices {
      surfaces.values[index].hearsOfLock = isLocked && !surfaces.values[index].changed.isEmpty
      // The time in which nobody could look is no look.
      if !isLocked, surfaces.values[index].isVisible { surfaces.values[index].visibleSince = now }
    }
  }

  /// Notes the changes for every surface that they concern; `takeNews` gives them out at the end
  /// of the turn.
  mutating func note(_ changes: [WidgetChange], stackChanged: Bool) {
    for number in numbers {
      guard let index = surfaces.index(forKey: number) else { continue }
      if stackChanged { surfaces.values[index].stackChanged = true }
      for change in changes {
        if let family = change.family, surfaces.values[index].shows(change.id, of: family) {
          guard change.isChanged, surfaces.values[index].sees(change) else { continue }
          surfaces.values[index].changed.insert(change.id)
          if !surfaces.values[index].removed.isEmpty {
            surfaces.values[index].removed.remove(change.id)
          }
        } else {
          // The widget is gone, or has a family now that this surface does not show.
          if !surfaces.values[index].changed.isEmpty {
            surfaces.values[index].changed.remove(change.id)
          }
          if surfaces.values[index].shown.contains(change.id) {
            surfaces.values[index].removed.insert(change.id)
          }
        }
      }
    }
  }

  /// Notes the widgets that a surface shows expanded from now on; it is told those that were not, or
  /// are not any more.
  mutating func setExpanded(_ expanded: Set<String>, _ number: UInt64) {
    guard let index = surfaces.index(forKey: number), surfaces.values[index].expanded != expanded
    else { return }
    let turned = surfaces.values[index].expanded.symmetricDifference(expanded)
    surfaces.values[index].expanded = expanded
    surfaces.values[index].changed.formUnion(turned.intersection(surfaces.values[index].shown))
  }

  /// Whether any surface shows a widget expanded.
  ///
  /// O(surfaces).
  var hasExpanded: Bool { numbers.contains { surfaces[$0]?.expanded.isEmpty == false } }

  /// Notes that widgets may be expanded elsewhere than surfaces know.
  mutating func noteOtherModes() { hasOtherModes = true }

  /// Returns whether that was noted since it was last asked.
  mutating func takeOtherModes() -> Bool {
    defer { hasOtherModes = false }
    return hasOtherModes
  }

  /// Lets every surface with modes be told all its widgets: their heights follow the text size.
  mutating func noteModeSizes() {
    for index in surfaces.indices where surfaces.values[index].modes != nil {
      surfaces.values[index].changed.formUnion(surfaces.values[index].shown)
    }
  }

  /// Whether a surface waits for an order of the stack.
  var awaitsOrder: Bool { firstToWait != nil }

  /// Begins a round of updates.
  ///
  /// - Returns: the surfaces in their order, but the one that waited longest for an order first.
  mutating func beginUpdates() -> [UInt64] {
    hasUnsaid = false
    guard let first = firstToWait.take(), let index = numbers.firstIndex(of: first) else {
      return numbers
    }
    return Array(numbers[index...] + numbers[..<index])
  }

  /// Puts a surface back whose news wait for an order of the stack.
  mutating func putBackWaiting(_ surface: consuming Surface) {
    let number = surface.number
    postpone(number)
    surfaces[number] = surface
  }

  /// Lets a surface with news wait for the next turn, in which it is the first.
  mutating func postpone(_ number: UInt64) {
    hasUnsaid = true
    if firstToWait == nil { firstToWait = number }
  }

  /// Returns whether the surface is visible and has to be told of changes.
  func hasNews(_ number: UInt64) -> Bool {
    guard let index = surfaces.index(forKey: number) else { return false }
    return surfaces.values[index].hasNews && (!isLocked || surfaces.values[index].hearsOfLock)
  }

  /// Takes a surface that has to be told of changes; the caller returns it with `putBack`.
  ///
  /// The copy that stays here has empty lists, so that the caller changes its lists in place.
  mutating func takeNews(_ number: UInt64) -> Surface? {
    guard hasNews(number), let index = surfaces.index(forKey: number) else { return nil }
    let taken = surfaces.values[index]
    surfaces.values[index].changed = []
    surfaces.values[index].removed = []
    surfaces.values[index].shown = []
    surfaces.values[index].lastStack = []
    return taken
  }

  /// Puts a surface back; `left` are the widgets of which a later turn tells it.
  mutating func putBack(_ surface: consuming Surface, left: Set<String>) {
    let number = surface.number
    surface.changed = left
    surface.removed = []
    surface.stackChanged = false
    if left.isEmpty { surface.hearsOfLock = false } else { hasUnsaid = true }
    surfaces[number] = surface
  }

  /// Returns sentences about everything that is wrong.
  func checkInvariants(_ sessions: borrowing Sessions) -> [String] {
    var wrong: [String] = []
    if Set(numbers).count != numbers.count { wrong.append("a surface is attached twice") }
    if Set(numbers) != Set(surfaces.keys) {
      wrong.append("a surface hears nothing, or one that is gone is attached")
    }
    let ofClients = numbersOfClient.values.flatMap { $0 }
    if ofClients.count != numbers.count || Set(ofClients) != Set(numbers) {
      wrong.append("a surface belongs to no client, or to two")
    }
    for (connection, own) in numbersOfClient {
      if !sessions.contains(connection) {
        wrong.append("the surfaces of \(connection.number) are attached, and it is gone")
      }
      if own.isEmpty || own.count > Limits.surfacesOfConnectionMax {
        wrong.append("a client has \(own.count) surfaces")
      }
    }
    return wrong
  }
}
