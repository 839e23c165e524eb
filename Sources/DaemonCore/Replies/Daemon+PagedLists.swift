import IntentProtocol
import JSON
import JSONRPC
import Timekeeping
import WidgetCenter

/// Answers with lists of widgets: at once when the widgets are few, else one page a turn.
///
/// The pages of one line follow each other. The client's other lines wait for its end, and a client
/// that does not read gets no more pages. So a list of ten thousand widgets delays no other client,
/// and is never in memory as a whole. Here the lists, the outbox and the engine meet.
extension Daemon {
  /// Answers with `before`, a member `widgets`, and `behind`.
  ///
  /// Lists of one client come in the order of their requests: a surface that attaches twice holds,
  /// in the end, the list of its last request.
  mutating func answer(
    _ address: ReplyAddress, before: JSONObject = [:], _ widgets: PagedList.Widgets,
    behind: JSONObject = [:], omitting unwanted: ContentParts = .view,
    showing asked: AskedMode? = nil, in languages: [String], for viewer: UInt64? = nil,
    notesReading: Bool, at now: Now, into effects: inout [Effect]
  ) throws(RPCError) {
    var list = PagedList(
      address: address, widgets: widgets, before: before, behind: behind,
      notesReading: notesReading, unwanted: unwanted, languages: languages, asked: asked,
      viewer: viewer)
    guard takesTurns(widgets.count, address) else {
      var bytes: [UInt8] = []
      var result = SlicedObject("widgets", after: before, to: &bytes)
      appendViews(of: &list, countMax: widgets.count, at: now.wall, in: &result, to: &bytes)
      if list.next < widgets.count {
        // Few widgets with much to show: the list begins anew, in pages.
        list.next = 0
        return try answerInPages(list)
      }
      result.close(with: behind, to: &bytes)
      outbox.answer(address) { $0 += bytes }
      noteReading(of: list, from: 0, at: now, into: &effects)
      return
    }
    try answerInPages(list)
  }

  private mutating func answerInPages(_ list: PagedList) throws(RPCError) {
    let address = list.address
    // A notification gets no answer, so its list is not made.
    guard address.id != nil else { return }
    try pagedLists.checkMayAppend(address.connection)
    try outbox.reserveWaiting(address)
    pagedLists.append(list)
  }

  /// Returns whether a list of `count` widgets is sent in pages: it is long, or follows one that
  /// is.
  func takesTurns(_ count: Int, _ address: ReplyAddress) -> Bool {
    count > options.widgetsInSliceMax || pagedLists.count(of: address.connection) > 0
  }

  /// Whether a page can be sent now.
  var hasPageToSend: Bool {
    !pagedLists.isEmpty && pagedLists.contains { !outbox.isBackedUp($0) }
  }

  /// Sends the next page of the oldest list; a list that is not complete then goes behind the
  /// others.
  mutating func continuePagedLists(at now: Now, into effects: inout [Effect]) {
    guard !pagedLists.isEmpty else { return }
    var room = options.widgetsInSliceMax
    var roomBytes = Limits.pagesInTurnBytes
    var mayOrder = !(surfaces.awaitsOrder && stackRoom.isTurnOfSurfaces)
    var blocked: [PagedList] = []
    var blockedClients: Set<ConnectionID> = []
    var continued: [PagedList] = []
    // From the end, since that moves no other list.
    var lists: [PagedList] = pagedLists.takeAll().reversed()
    while room > 0, roomBytes > 0, var list = lists.popLast() {
      guard sessions.contains(list.address.connection) else {
        outbox.drop(list.open?.line, list.address)
        pagedLists.ended(list)
        continue
      }
      // A client's lists come in the order of its requests, also behind one that waits for an order.
      // One that was begun stands behind its client's others and goes on before them.
      let connection = list.address.connection
      guard
        list.open == nil
          ? !blockedClients.contains(connection) && outbox.mayBeginList(connection)
          : !outbox.isBackedUp(connection)
      else {
        list.forgetForecast()
        blocked.append(list)
        blockedClients.insert(connection)
        continue
      }
      if list.awaitsOrder {
        // One after the other: only the oldest is prepared.
        if mayOrder { room -= settleOrder(of: &list, at: now, into: &effects) }
        if list.awaitsOrder {
          mayOrder = false
          blocked.append(list)
          blockedClients.insert(connection)
          continue
        }
        if list.isAnswered { continue }
        guard room > 0 else {
          // It begins in the next turn, before the client's later lists.
          blocked.append(list)
          continue
        }
      }
      let start = list.next
      roomBytes -= sendPage(of: &list, countMax: room, at: now, into: &effects)
      if list.isAnswered { continue }
      room -= max(1, list.next - start)
      if !list.isComplete { continued.append(list) }
    }
    pagedLists.putBack(blocked + lists.reversed() + continued)
  }

  /// Ends every list because the daemon stops: completes the lines that were begun, as far as there
  /// is room, and refuses the others.
  mutating func endPagedLists(_ refusal: RPCError, at now: Now, into effects: inout [Effect]) {
    var roomBytes = Limits.pagesInTurnBytes
    for var list in pagedLists.takeAll() {
      if list.open != nil {
        while !list.isComplete, !list.isAnswered, roomBytes > 0 {
          roomBytes -= sendPage(of: &list, countMax: .max, at: now, into: &effects)
        }
        if list.isComplete || list.isAnswered { continue }
        // The end of the connection says that its line is not whole.
        outbox.drop(list.open?.line, list.address)
        pagedLists.ended(list)
        outbox.releaseWaiting(list.address)
      } else {
        pagedLists.ended(list)
        outbox.releaseWaiting(list.address)
        outbox.refuse(list.address, refusal)
      }
    }
  }

  // MARK: Orders

  /// Makes the order that a list waits for, if it is prepared: the list then has its widgets, or
  /// its request is answered already.
  ///
  /// - Returns: what it took of the turn's slice, in widgets described.
  private mutating func settleOrder(
    of list: inout PagedList, at now: Now, into effects: inout [Effect]
  ) -> Int {
    guard var query = list.takeQuery() else { return 0 }
    guard let places = order(for: &query, at: now) else {
      list.widgets = .awaited(query)
      return 0
    }
    if case .attach(let number) = query.purpose {
      var ids = places.map(\.id)
      if let surface = surfaces.surface(attachment: number) {
        ids = surfaces.shownOrder(
          self.ids(of: places, for: surface, at: now), attachment: number)
      }
      surfaces.begin(attachment: number, ids)
      list.widgets = .listed(ids)
      list.behind = ["stack": .array(ids.map { .string($0) })]
      if list.address.id == nil { end(&list) }
      return ids.count / Limits.idsForOneWidget
    }
    let chosen: ArraySlice<StackPlace>
    do throws(RPCError) {
      chosen = try choose(from: places, query)
    } catch {
      end(&list)
      outbox.refuse(list.address, error)
      return 1
    }
    list.languages = query.languages
    list.notesReading = countsAsReading(query, list.address, at: now)
    guard isAnsweredWhole(chosen, query) else {
      list.widgets = .ranked(chosen, explained: query.isExplained, at: query.moment)
      return 0
    }
    end(&list)
    answerWhole(
      chosen, of: places, query, list.address, notesReading: list.notesReading, at: now,
      into: &effects)
    return max(1, query.wantsIDs ? chosen.count / Limits.idsForOneWidget : chosen.count)
  }

  /// Ends a list of which nothing is sent in pages.
  private mutating func end(_ list: inout PagedList) {
    list.isAnswered = true
    pagedLists.ended(list)
    outbox.releaseWaiting(list.address)
  }

  // MARK: Pages

  /// Sends the next page: at most `countMax` widgets, and no further one after `Limits.pageBytes`.
  ///
  /// - Returns: its bytes.
  private mutating func sendPage(
    of list: inout PagedList, countMax: Int, at now: Now, into effects: inout [Effect]
  ) -> Int {
    guard let id = list.address.id else { return 0 }
    if let line = list.open?.line, outbox.giveUp(line) {
      end(&list)
      outbox.refuse(
        list.address,
        RPCError(
          .tooMuchMemory,
          "the lists of one batch have more than \(Limits.batchListBytesMax) bytes; ask for each in a line of its own",
          details: ["bytesMax": .int(Int64(Limits.batchListBytesMax))]))
      return 0
    }
    let start = list.next
    var bytes: [UInt8] = []
    let open: OpenList
    var result: SlicedObject
    if let begun = list.open {
      (open, result) = begun
    } else {
      open = outbox.beginList(list.address)
      beginResult(id: id, to: &bytes)
      result = SlicedObject("widgets", after: list.before, to: &bytes)
    }
    appendViews(of: &list, countMax: countMax, at: now.wall, in: &result, to: &bytes)
    list.open = (open, result)
    if list.isComplete {
      result.close(with: list.behind, to: &bytes)
      endResult(&bytes, newline: false)
    }
    let byteCount = bytes.count
    outbox.append(bytes, to: open, isLast: list.isComplete, into: &effects)
    if list.isComplete {
      pagedLists.ended(list)
      outbox.releaseWaiting(list.address)
    }
    noteReading(of: list, from: start, at: now, into: &effects)
    return byteCount
  }

  /// Appends the next views to `result`, none after `Limits.pageBytes`; a widget that was removed
  /// meanwhile has none.
  private func appendViews(
    of list: inout PagedList, countMax: Int, at now: WallTime, in result: inout SlicedObject,
    to bytes: inout [UInt8]
  ) {
    let end = list.next + min(countMax, list.widgets.count - list.next)
    while list.next < end, bytes.count < Limits.pageBytes {
      result.append(to: &bytes) { writer in
        switch list.widgets {
        case .listed(let ids):
          let id = ids[list.next]
          let look =
            list.viewer == nil ? nil : look(of: id, on: list.viewer.flatMap { surfaces[$0] })
          let mode = mode(list.asked, of: id)
          let hasMode = engine.widgets[id]?.timelineKey(in: mode) != nil
          _ = engine.writeView(
            of: id, as: look, mode: hasMode ? mode : .compact, at: now, in: list.languages,
            to: &writer, omitting: list.unwanted)
        case .ranked(let places, let explained, let moment):
          _ = write(
            places[places.startIndex + list.next], explained: explained, at: moment ?? now,
            in: list.languages, to: &writer)
        case .awaited: assertionFailure("a page of a list whose order is not known")
        }
      }
      list.next += 1
    }
  }

  private mutating func noteReading(
    of list: PagedList, from start: Int, at now: Now, into effects: inout [Effect]
  ) {
    guard list.notesReading, start < list.next else { return }
    let isContinued = start > 0
    switch list.widgets {
    case .listed(let ids):
      noteReading(
        of: Array(ids[start..<list.next]), list.address, isContinued: isContinued, at: now,
        into: &effects)
    case .ranked(let places, _, _):
      let told = places[(places.startIndex + start)..<(places.startIndex + list.next)]
      noteReading(
        of: told.map(\.id), list.address, isContinued: isContinued, at: now, into: &effects)
    case .awaited: break
    }
  }
}
