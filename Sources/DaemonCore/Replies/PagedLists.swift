import IntentProtocol
import JSON
import JSONRPC
import Timekeeping
import WidgetCenter

/// An answer about more widgets than one turn describes, and its progress.
struct PagedList: Sendable {
  enum Widgets: Sendable {
    case listed([String])
    /// Places of the stack.
    ///
    /// `at` is the moment that the client asked about; `nil`: the moment at which each page is
    /// written.
    case ranked(ArraySlice<StackPlace>, explained: Bool, at: WallTime?)
    /// Not known yet: the order of the stack is still being prepared.
    case awaited(StackQuery)

    var count: Int {
      switch self {
      case .listed(let ids): ids.count
      case .ranked(let places, _, _): places.count
      case .awaited: 1
      }
    }
  }

  var address: ReplyAddress
  var widgets: Widgets
  /// Members of the result before and behind `widgets`.
  var before: JSONObject
  var behind: JSONObject
  /// Whether the client counts as watching these widgets for a while, though it is no surface.
  var notesReading: Bool
  /// Parts of contents that the client does not want.
  var unwanted: ContentParts = .view
  /// The languages of who asks, for the names.
  var languages: [String] = []
  /// The mode in which the widgets are listed; `nil`: compact.
  var asked: AskedMode?
  /// The number of the surface with modes that the list is for; `nil`: it is for none.
  var viewer: UInt64?
  /// The number of widgets that were written, or left out because they are gone.
  var next = 0
  /// Bytes that the list itself is counted with while it waits; `PagedLists` sets them.
  fileprivate(set) var keptBytes = 0
  /// Whether its request has its answer, or none is due, without a page.
  var isAnswered = false
  /// The line of the answer and the result in it; `nil` until its first page is sent.
  var open: (line: OpenList, result: SlicedObject)?

  var isComplete: Bool { open != nil && next >= widgets.count }
  var awaitsOrder: Bool { if case .awaited = widgets { true } else { false } }

  /// Takes the request whose order is still being prepared; `nil`: the widgets are known.
  mutating func takeQuery() -> StackQuery? {
    guard case .awaited(let query) = widgets else { return nil }
    // Without a second reference the preparation goes on in place.
    widgets = .listed([])
    return query
  }

  /// Forgets what is prepared for another moment, which is much to keep for a client that does not
  /// read.
  mutating func forgetForecast() {
    guard var query = takeQuery() else { return }
    query.forecast = nil
    widgets = .awaited(query)
  }
}

/// The lists that are being sent, oldest first, and how many each client waits for.
struct PagedLists: Sendable {
  private var queue: [PagedList] = []
  private var counts: [ConnectionID: Int] = [:]
  private var keptBytes: [ConnectionID: Int] = [:]
  /// Bytes that all lists are counted with, without what they have to say.
  private(set) var bytes = 0

  var isEmpty: Bool { queue.isEmpty }
  /// Whether a list waits for an order of the stack.
  var awaitsOrder: Bool { queue.contains(where: \.awaitsOrder) }
  /// The clients that wait, one for each list.
  var connections: [ConnectionID] { queue.map(\.address.connection) }

  /// Returns the number of lists that this client waits for.
  func count(of connection: ConnectionID) -> Int {
    counts.isEmpty ? 0 : counts[connection] ?? 0
  }

  /// Returns the bytes that the lists of this client are counted with.
  func bytes(of connection: ConnectionID) -> Int {
    keptBytes.isEmpty ? 0 : keptBytes[connection] ?? 0
  }

  /// Refuses a client for which `Limits.waitingListBytesMax` of lists wait.
  func checkMayAppend(_ connection: ConnectionID) throws(RPCError) {
    guard bytes(of: connection) >= Limits.waitingListBytesMax else { return }
    throw RPCError(
      .tooMuchMemory,
      "\(count(of: connection)) lists wait for this client already; read some before asking for more",
      details: ["bytesMax": .int(Int64(Limits.waitingListBytesMax))])
  }

  /// Appends a new list behind the others.
  mutating func append(_ list: consuming PagedList) {
    let connection = list.address.connection
    // Twice, since the queue is put together anew in each turn.
    list.keptBytes =
      2 * MemoryLayout<PagedList>.stride + (list.widgets.count + 2) * MemoryLayout<String>.stride
    bytes += list.keptBytes
    keptBytes[connection, default: 0] += list.keptBytes
    counts[connection, default: 0] += 1
    queue.append(list)
  }

  /// Takes all lists out, oldest first; each goes back with `putBack`, or has ended with `ended`.
  mutating func takeAll() -> [PagedList] {
    defer { queue = [] }
    return queue
  }

  /// Puts lists back, in the order in which they go on.
  mutating func putBack(_ lists: [PagedList]) {
    assert(queue.isEmpty, "lists were appended while the others were out")
    queue = lists
  }

  /// Forgets what was prepared for orders of the stack, because the engine is a new one.
  mutating func forgetForecasts() {
    for index in queue.indices { queue[index].forgetForecast() }
  }

  mutating func ended(_ list: PagedList) {
    let connection = list.address.connection
    let count = counts[connection] ?? 0
    assert(count > 0, "a list ended that was not under way")
    counts[connection] = count > 1 ? count - 1 : nil
    guard let kept = keptBytes[connection] else { return }
    bytes -= list.keptBytes
    keptBytes[connection] = count > 1 ? kept - list.keptBytes : nil
  }

  /// Counts the lists of a client that is gone no more: the next slices drop them.
  mutating func forgetBytes(of connection: ConnectionID) {
    bytes -= keptBytes.removeValue(forKey: connection) ?? 0
  }

  /// Returns whether `isReading` is true for the client of a list.
  func contains(where isReading: (ConnectionID) -> Bool) -> Bool {
    queue.contains { isReading($0.address.connection) }
  }

  func checkInvariants() -> [String] {
    var known: [ConnectionID: Int] = [:]
    for list in queue { known[list.address.connection, default: 0] += 1 }
    let counted = queue.filter { keptBytes[$0.address.connection] != nil }
    guard known == counts, counted.reduce(0, { $0 + $1.keptBytes }) == bytes,
      keptBytes.values.reduce(0, +) == bytes
    else { return ["the lists under way are miscounted: \(counts.count) clients"] }
    return []
  }
}
