import JSON
import Timekeeping

/// The state of `intent-send watch`: the stack as the daemon last sent it, and where the person is.
///
/// Pure: the command feeds it the daemon's messages and the person's keys, carries out the actions
/// that it returns, and draws `WatchFrame`s of it.
struct WatchModel {
  /// Something that a key asks the command to do.
  enum Action: Hashable {
    case quit, suspend, redraw, reloadAll, undo
    case tap(id: String, item: Int64?)
    case dismiss(id: String)
    case reload(id: String)
    /// The person's answer to a question about a link.
    case answer(token: String, isYes: Bool)
  }

  /// Whether a daemon is there.
  enum Link: Hashable {
    case connected
    /// There is none since this moment; what is shown is as old.
    case waiting(since: WallTime)
  }

  /// A sentence in the last line, for a while.
  struct Message: Hashable {
    var text: String
    var isWarning: Bool
    var until: WallTime
  }

  /// A question about a link that waits for a yes.
  struct Question: Hashable {
    var token: String
    var prompt: String
    /// When the daemon takes no answer any more; `nil`: it did not say.
    var expires: WallTime?
  }

  private(set) var link = Link.connected
  /// The ids of the widgets in the order of the stack.
  private(set) var order: [String] = []
  private(set) var widgets: [String: JSONValue] = [:]
  private(set) var selected: String?
  private(set) var expanded: Set<String> = []
  private(set) var showsHelp = false
  private(set) var message: Message?
  /// The mistakes of the configuration, as `daemon.status` has them.
  private(set) var issues: [JSONValue] = []
  /// The questions about links that wait for an answer, oldest first.
  private(set) var questions: [Question] = []
  /// Whether the daemon has said what there is.
  private(set) var hasAttached = false

  /// Milliseconds for which a message stays.
  static let messageMilliseconds: Int64 = 6_000
  /// Questions that are kept; the newest replaces the oldest.
  static let questionCountMax = 8

  // MARK: Messages of the daemon

  /// Takes the answer to `surface.attach`, which names all widgets.
  mutating func attached(_ answer: JSONValue, at now: WallTime) {
    widgets = [:]
    let wasWaiting = link != .connected
    link = .connected
    updated(answer)
    if !hasAttached {
      // The widget on top is the one that the person most likely wants to read.
      hasAttached = true
      expanded = Set(order.prefix(1))
    } else if wasWaiting {
      tell("the daemon is back", at: now)
    }
  }

  /// Takes a `surface.update`, which names the widgets that changed.
  mutating func updated(_ update: JSONValue) {
    for widget in update["widgets"]?.arrayValue ?? [] {
      if let id = widget["id"]?.stringValue { widgets[id] = widget }
    }
    for id in (update["removed"]?.arrayValue ?? []).compactMap(\.stringValue) { widgets[id] = nil }
    let place = selected.flatMap { order.firstIndex(of: $0) } ?? 0
    if let stack = update["stack"]?.arrayValue { order = stack.compactMap(\.stringValue) }
    order.removeAll { widgets[$0] == nil }
    if selected.map({ !order.contains($0) }) ?? true {
      // The widget is gone: the one that took its place is selected.
      selected = order.isEmpty ? nil : order[min(place, order.count - 1)]
    }
    expanded.formIntersection(order)
  }

  /// Takes the answer to `daemon.status`, which also has the questions that were asked before.
  mutating func status(_ answer: JSONValue) {
    issues = answer["issues"]?.arrayValue ?? []
    for question in answer["questions"]?.arrayValue ?? [] { asked(question) }
  }

  /// Takes a question about a link, as `intent.question` has it.
  mutating func asked(_ params: JSONValue) {
    guard let token = params["token"]?.stringValue, let prompt = params["prompt"]?.stringValue
    else { return }
    questions.removeAll { $0.token == token }
    let expires = params["expires"]?.stringValue.flatMap { WallTime(rfc3339: $0) }
    questions.append(Question(token: token, prompt: prompt, expires: expires))
    // The daemon keeps no more than a few either.
    if questions.count > Self.questionCountMax { questions.removeFirst() }
  }

  /// Notes that the connection ended.
  mutating func lost(at now: WallTime) {
    if case .connected = link { link = .waiting(since: now) }
    questions = []
  }

  /// Says something in the last line.
  mutating func tell(_ text: String, isWarning: Bool = false, at now: WallTime) {
    message = Message(
      text: text, isWarning: isWarning,
      until: now.advanced(byMilliseconds: Self.messageMilliseconds))
  }

  /// Removes the message and the questions whose time is over.
  mutating func advance(to now: WallTime) {
    if let message, message.until <= now { self.message = nil }
    questions.removeAll { question in question.expires.map { $0 <= now } ?? false }
  }

  // MARK: Keys of the person

  /// Takes a key; `page` is how many widgets a page moves by.
  mutating func press(_ key: WatchKey, page: Int, at now: WallTime) -> Action? {
    if key == .character("q") || key == .control("c") || key == .control("d") { return .quit }
    if key == .control("z") { return .suspend }
    if key == .control("l") { return .redraw }
    if showsHelp {
      // Any key closes the help, and does nothing else.
      showsHelp = false
      return nil
    }
    message = nil
    if let question = questions.first, key == .character("y") || key == .character("n") {
      questions.removeFirst()
      return .answer(token: question.token, isYes: key == .character("y"))
    }
    switch key {
    case .up, .character("k"): move(by: -1)
    case .down, .character("j"): move(by: 1)
    case .pageUp: move(by: -max(1, page))
    case .pageDown: move(by: max(1, page))
    case .home, .character("g"): move(by: -order.count)
    case .end, .character("G"): move(by: order.count)
    case .enter, .character(" "): toggle()
    case .right, .character("l"): if let selected { expanded.insert(selected) }
    case .left, .character("h"), .escape: if let selected { expanded.remove(selected) }
    case .character("?"): showsHelp = true
    case .character(let character): return act(character, at: now)
    case .control: break
    }
    return nil
  }

  /// Returns what a key asks the daemon for.
  private mutating func act(_ character: Character, at now: WallTime) -> Action? {
    guard "tdrRu0123456789".contains(character) else { return nil }
    guard case .connected = link else {
      tell("no daemon is there to do it", isWarning: true, at: now)
      return nil
    }
    if character == "R" { return .reloadAll }
    if character == "u" { return .undo }
    guard let selected else { return nil }
    switch character {
    case "t": return .tap(id: selected, item: nil)
    case "d": return .dismiss(id: selected)
    case "r": return .reload(id: selected)
    default: return .tap(id: selected, item: character.wholeNumberValue.map { Int64($0) })
    }
  }

  private mutating func toggle() {
    guard let selected else { return }
    if expanded.remove(selected) == nil { expanded.insert(selected) }
  }

  private mutating func move(by count: Int) {
    guard let selected, let place = order.firstIndex(of: selected) else { return }
    self.selected = order[min(max(0, place + count), order.count - 1)]
  }
}
