import IntentProtocol
import JSON
import JSONRPC
import Timekeeping

/// Turns bytes into requests, and calls the method of each request.
extension Daemon {
  mutating func connect(
    _ connection: ConnectionID, _ peer: Peer, into effects: inout [Effect]
  ) {
    guard peer.userID == options.userID else {
      effects.append(
        .log(
          LogLine(
            .warning, "connection.refused",
            [
              "reason": "another user", "uid": String(peer.userID), "pid": String(peer.processID),
            ])))
      effects.append(.close(connection, reason: "another user"))
      return
    }
    guard sessions.count < Limits.connectionCountMax else {
      var line: [UInt8] = []
      appendError(
        id: nil,
        RPCError(
          .tooManyConnections,
          "\(Limits.connectionCountMax) clients are connected already; close one",
          details: ["max": .int(Int64(Limits.connectionCountMax))]), to: &line)
      effects.append(.send(connection, line))
      effects.append(.close(connection, reason: "too many connections"))
      return
    }
    let held = sessions.count(ofProcess: peer.processID)
    // The last ones are for processes that have none, such as the person's next command.
    let isLate = sessions.count >= Limits.connectionCountMax - Limits.reservedConnectionCount
    guard held < Limits.connectionsOfProcessMax, held == 0 || !isLate else {
      let most = isLate ? held : Limits.connectionsOfProcessMax
      var line: [UInt8] = []
      appendError(
        id: nil,
        RPCError(
          .tooManyConnections,
          "process \(peer.processID) has \(held) connections already\(isLate ? ", and the last are for others" : ""); use one of them, or close one",
          details: ["max": .int(Int64(most)), "processID": .int(Int64(peer.processID))]),
        to: &line)
      effects.append(.send(connection, line))
      effects.append(.close(connection, reason: "too many connections of one process"))
      return
    }
    sessions.open(connection, peer)
    outbox.open(connection)
  }

  mutating func disconnect(
    _ connection: ConnectionID, at now: Now, into effects: inout [Effect]
  ) {
    guard sessions.close(connection) else { return }
    dropBacklog(connection)
    outbox.close(connection)
    unfinishedLines.end(connection)
    memory.close(connection)
    pagedLists.forgetBytes(of: connection)
    appWidgets.forgetBehind(connection)
    if surfaces.detachAll(of: connection) { updateWatches(at: now, into: &effects) }
    // The client's reloads go on; the outbox drops their answers when they are ready.
  }

  mutating func receive(
    _ bytes: [UInt8], from connection: ConnectionID, at now: Now, into effects: inout [Effect]
  ) {
    guard let isBetweenLines = sessions.isBetweenLines(connection) else { return }
    // Behind what it sent before, or when this turn's share is used up.
    if backlogs.contains(connection) || phase == .running && !work.mayHear(connection) {
      putOff(bytes, connection, into: &effects)
      return
    }
    work.beginHearing(isLimited: phase == .running)
    // Many of the cheapest requests cost something too.
    work.spend(bytes.count / Limits.cheapBytesForUnit)
    // An answer is about as long as its request, so this takes one allocation for all answers.
    outbox.beginHearing(connection, capacity: bytes.count)
    let end: Int
    if isBetweenLines, bytes.last == UInt8(ascii: "\n") {
      // Whole lines leave nothing behind: the client's own framer stays as it is.
      var framer = LineFramer(frameBytesMax: WireLimits.frameBytesMax)
      end = feed(bytes, from: 0, to: &framer, from: connection, at: now, into: &effects)
      assert(framer.isBetweenLines)
    } else {
      end = feedOwn(bytes, from: 0, connection, at: now, into: &effects)
    }
    outbox.endHearing(into: &effects)
    work.endHearing(connection)
    if end < bytes.count || backlogs.interrupted != nil {
      putOff(bytes, from: end, connection, into: &effects)
    }
  }

  /// Feeds bytes to the framer that has the beginning of the client's line.
  mutating func feedOwn(
    _ bytes: [UInt8], from start: Int, _ connection: ConnectionID, at now: Now,
    into effects: inout [Effect]
  ) -> Int {
    guard var framer = sessions.takeFramer(connection) else { return bytes.count }
    let end = feed(bytes, from: start, to: &framer, from: connection, at: now, into: &effects)
    sessions.putBack(framer, connection)
    noteLine(of: connection, after: bytes.span.extracting(start..<end), at: now)
    return end
  }

  /// Handles the lines of these bytes while the client has work left.
  ///
  /// - Returns: the place behind the last byte that was taken.
  private mutating func feed(
    _ bytes: [UInt8], from start: Int, to framer: inout LineFramer, from connection: ConnectionID,
    at now: Now, into effects: inout [Effect]
  ) -> Int {
    framer.take(
      bytes.span, from: start,
      line: { line in
        handleLine(line, from: connection, at: now, into: &effects)
        return work.hasShare
      },
      oversized: {
        outbox.refuse(
          ReplyAddress(connection: connection, id: nil, batch: nil),
          RPCError(
            .frameTooLarge,
            "the line is longer than \(WireLimits.frameBytesMax) bytes and was skipped; send less at once",
            details: ["bytesMax": .int(Int64(WireLimits.frameBytesMax))]), evenWithoutID: true)
      })
  }

  private mutating func handleLine(
    _ line: Span<UInt8>, from connection: ConnectionID, at now: Now, into effects: inout [Effect]
  ) {
    if let id = PlainRequest.id(of: line, behindIt: Self.pingTail), outbox.hasHeardRoom {
      outbox.answerHeard(id)
      statistics.countRequest()
      return
    }
    if let plain = PlainRequest(line), answersAtOnce(plain, line, from: connection, at: now) {
      return
    }
    let envelope = Envelope(reading: line)
    switch envelope.kind {
    case .batch:
      handleBatch(line, envelope.elements, from: connection, at: now, into: &effects)
    case .request, .notification, .response, .invalid:
      handle(
        envelope, line, ReplyAddress(connection: connection, id: envelope.id, batch: nil), at: now,
        into: &effects)
    }
  }

  /// The bytes of a `daemon.ping` behind its id, in the form that nearly every client writes.
  private static let pingTail = Array(#","method":"daemon.ping"}"#.utf8)

  /// Answers repeated requests for the same order of the stack before their line is parsed.
  ///
  /// - Returns: whether the request was answered.
  private mutating func answersAtOnce(
    _ plain: PlainRequest, _ line: Span<UInt8>, from connection: ConnectionID, at now: Now
  ) -> Bool {
    guard let params = plain.params,
      Method(utf8: line.extracting(plain.method)) == .stackOrder,
      let answer = answerAgain(to: line.extracting(params), connection, at: now)
    else { return false }
    outbox.answerHeard(plain.id) { $0.append(contentsOf: answer) }
    statistics.countRequest()
    return true
  }

  private mutating func handleBatch(
    _ line: Span<UInt8>, _ elements: [Range<Int>], from connection: ConnectionID, at now: Now,
    into effects: inout [Effect]
  ) {
    guard elements.count <= WireLimits.batchCountMax else {
      outbox.refuse(
        ReplyAddress(connection: connection, id: nil, batch: nil),
        .invalidRequest(
          "a batch holds at most \(WireLimits.batchCountMax) messages; this one has more"),
        evenWithoutID: true)
      return
    }
    var messages: [(envelope: Envelope, range: Range<Int>)] = []
    messages.reserveCapacity(elements.count)
    var answerCount = 0
    for range in elements {
      let envelope = Envelope(readingElement: line.extracting(range))
      switch envelope.kind {
      case .request, .invalid, .batch: answerCount += 1
      case .notification, .response: break
      }
      messages.append((envelope, range))
    }
    work.spend(line.count / Limits.lineBytesForUnit)
    var batch = BatchUnderWay(
      line: [UInt8](copying: line), messages: messages,
      number: outbox.beginBatch(connection, answerCount: answerCount))
    handle(&batch, from: connection, at: now, into: &effects)
    if !batch.isComplete { backlogs.interrupted = batch }
  }

  /// Handles one message, and charges its client for it.
  mutating func handle(
    _ envelope: Envelope, _ line: Span<UInt8>, _ address: ReplyAddress, at now: Now,
    into effects: inout [Effect]
  ) {
    let saidBefore = outbox.saidCount
    defer {
      work.spend(
        Limits.workOfRequest + line.count / Limits.lineBytesForUnit
          + (outbox.saidCount &- saidBefore) / Limits.answerBytesForUnit)
    }
    switch envelope.kind {
    case .invalid(let error):
      outbox.refuse(address, error, evenWithoutID: true)
    case .response:
      break  // The daemon sends clients no requests, so a response is ignored.
    case .batch:
      outbox.refuse(
        address, .invalidRequest("a batch inside a batch is not allowed"), evenWithoutID: true)
    case .request, .notification:
      statistics.countRequest()
      let method =
        envelope.methodText.map { Method(rawValue: $0) }
        ?? Method(utf8: line.extracting(envelope.method))
      do throws(RPCError) {
        guard let method else {
          let name =
            envelope.methodText
            ?? String(copying: line.extracting(envelope.method))
          let near = nearest(to: name, among: Method.allCases.map(\.rawValue))
          throw RPCError(
            code: RPCError.Code.methodNotFound,
            message: "no method is called \(quoted(name))\(didYouMean(near))",
            data: ["suggestions": .array(near.map { .string($0) })])
        }
        var params = try envelope.params.map { range throws(RPCError) in
          try refuseUnread(method, byteCount: range.count, at: now)
          return try readParams(line.extracting(range), of: method)
        }
        if let refusal = refusal(of: method, address.connection) { throw refusal }
        var asked: [UInt8]?
        if method == .stackOrder, let range = envelope.params,
          range.count <= Limits.rememberedParamsBytesMax
        {
          asked = [UInt8](copying: line.extracting(range))
        }
        var address = address
        if method.changesState {
          switch try recognize(method, &params, address, at: now) {
          case .handled: return
          case .carryOut(let known): address = known
          }
        }
        do throws(RPCError) {
          try dispatch(method, params, asked: asked, address, at: now, into: &effects)
        } catch {
          if looksAgain(after: error, method, params, address, at: now, into: &effects) { return }
          forgetRequest(address)
          throw error
        }
      } catch {
        outbox.refuse(address, error)
      }
    }
  }

  private func readParams(_ bytes: Span<UInt8>, of method: Method) throws(RPCError) -> JSONValue {
    let countMax = method == .intentSetList ? Limits.valueCountOfListMax : Limits.valueCountMax
    do throws(JSONError) {
      return try JSONValue(parsing: bytes, valueCountMax: countMax)
    } catch {
      guard error.code != .tooManyValues else {
        throw RPCError.invalidParams(
          "the parameters have more than \(countMax) values; send less at once",
          data: ["max": .int(Int64(countMax))])
      }
      throw RPCError.parse(error)
    }
  }

  /// Returns the refusal of a request of this client now; `nil`: it is served.
  private func refusal(of method: Method, _ connection: ConnectionID) -> RPCError? {
    switch phase {
    case .running: break
    // A ping asks whether the daemon hears it, in whatever phase.
    case _ where method == .daemonPing: break
    case .loadingStore, .loadingConfiguration, .startingOver:
      return RPCError(.stopping, "the daemon is starting; try again in a moment")
    case .stopping, .stopped:
      return RPCError(.stopping, "the daemon is stopping; try again in a moment")
    }
    guard outbox.mayAsk(connection) else {
      return Self.hasTooMuch("read the answers before asking more", memory)
    }
    guard outbox.isFull(connection) else { return nil }
    return RPCError(
      .queueFull,
      "\(WireLimits.queuedBytesMax) bytes wait for this client to read them; read the answers before asking more",
      details: ["bytesMax": .int(Int64(WireLimits.queuedBytesMax))])
  }

  /// Calls the method's function.
  ///
  /// `asked` are the bytes of the parameters, if the answer may be kept for them.
  mutating func dispatch(
    _ method: Method, _ params: JSONValue?, asked: [UInt8]?, _ address: ReplyAddress, at now: Now,
    into effects: inout [Effect]
  ) throws(RPCError) {
    if method.changesState { try promiseChange() }
    switch method {
    case .intentSend: try sendIntent(params, address, at: now, into: &effects)
    case .intentRecognize: try recognizeIntent(params, address)
    case .intentComplete: try completeSentence(params, address, at: now)
    case .intentDonate: try donateIntent(params, address, at: now, into: &effects)
    case .intentList: try listIntents(params, address)
    case .intentSetList: try setList(params, address, at: now)
    case .donationForget: try forgetDonations(params, address, at: now, into: &effects)
    case .donationSetPrivate: try setPrivate(params, address, at: now, into: &effects)
    case .urlOpen: try openURL(params, address, at: now, into: &effects)
    case .galleryList: try listGallery(params, address, at: now, into: &effects)
    case .imageGet: try showPicture(params, address)
    case .widgetList: try listWidgets(params, address, at: now, into: &effects)
    case .widgetAdd: try addWidget(params, address, at: now, into: &effects)
    case .widgetConfigure: try configureWidget(params, address, at: now, into: &effects)
    case .widgetSetMode: try setMode(params, address, at: now, into: &effects)
    case .widgetRemove: try removeWidget(params, address, at: now, into: &effects)
    case .widgetRestore: try restoreWidget(params, address, at: now, into: &effects)
    case .widgetReload: try reloadWidgets(params, address, at: now, into: &effects)
    case .widgetSignal: try signalWidgets(params, address, at: now, into: &effects)
    case .widgetReloadAll: try reloadAllWidgets(params, address, at: now, into: &effects)
    case .widgetPush: try pushTimeline(params, address, at: now, into: &effects)
    case .widgetReceipt: try showReceipt(params, address, at: now)
    case .widgetTimeline: try showTimeline(params, address, at: now, into: &effects)
    case .widgetBudget: try showBudget(params, address, at: now)
    case .widgetTap: try tapWidget(params, address, at: now, into: &effects)
    case .widgetOpenMenu: try openMenu(params, address, at: now, into: &effects)
    case .stackOrder, .stackExplain:
      let explained = method == .stackExplain
      try showStack(
        params, address, explained: explained, asked: asked, at: now, into: &effects)
    case .stackReplay: try replayStack(params, address)
    case .stackDismiss: try dismissWidget(params, address, at: now, into: &effects)
    case .surfaceAttach: try attachSurface(params, address, at: now, into: &effects)
    case .surfaceVisibility: try setSurfaceVisibility(params, address, at: now, into: &effects)
    case .surfaceDetach: try detachSurface(params, address, at: now, into: &effects)
    case .surfaceRotate: try rotateSurface(params, address)
    case .appRegister: try registerApp(params, address, at: now, into: &effects)
    case .appState: try setAppState(params, address)
    case .daemonPing:
      _ = try Params(params, known: [])
      outbox.answer(address, [:])
    case .daemonStatus: try showStatus(params, address, at: now)
    case .daemonMetrics: try showMetrics(params, address, at: now)
    case .daemonHistory: try showHistory(params, address)
    case .daemonReloadConfiguration:
      _ = try Params(params, known: [])
      try outbox.reserveWaiting(address)
      configuration.wait(address)
      requestConfiguration(at: now, into: &effects)
    }
  }
}

extension String {
  fileprivate init(copying bytes: Span<UInt8>) {
    self.init(decoding: [UInt8](copying: bytes), as: UTF8.self)
  }
}

extension [UInt8] {
  fileprivate init(copying bytes: Span<UInt8>) {
    self = []
    reserveCapacity(bytes.count)
    for index in bytes.indices { append(bytes[index]) }
  }
}
