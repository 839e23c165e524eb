import IntentProtocol
import JSON
import JSONRPC
import Timekeeping

/// Bytes become requests, and requests find their method.
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
    sessions[connection] = Session(peer: peer)
  }

  mutating func disconnect(
    _ connection: ConnectionID, at now: Now, into effects: inout [Effect]
  ) {
    guard let session = sessions.removeValue(forKey: connection) else { return }
    if session.surface != nil {
      surfaceConnections.removeAll { $0 == connection }
      updateWatches(at: now, into: &effects)
    }
    // Its waiters find no session when they are done; what they wait for goes on.
  }

  mutating func receive(
    _ bytes: [UInt8], from connection: ConnectionID, at now: Now, into effects: inout [Effect]
  ) {
    guard let index = sessions.index(forKey: connection) else { return }
    // Taken out while its lines are handled, since handling them may change the session.
    var framer = LineFramer(frameBytesMax: WireLimits.frameBytesMax)
    swap(&framer, &sessions.values[index].framer)
    currentConnection = connection
    // An answer is about as long as its request: one allocation for all of them.
    currentReplies.reserveCapacity(bytes.count)
    framer.feed(
      bytes,
      line: { line in handleLine(line, from: connection, at: now, into: &effects) },
      oversized: {
        appendError(
          id: nil,
          RPCError(
            .frameTooLarge,
            "the line is longer than \(WireLimits.frameBytesMax) bytes and was skipped; send less at once",
            details: ["bytesMax": .int(Int64(WireLimits.frameBytesMax))]), to: &currentReplies)
        counters.refusals += 1
      })
    if let index = sessions.index(forKey: connection) {
      swap(&framer, &sessions.values[index].framer)
      sessions.values[index].noteSaid(currentReplies.count, turn: counters.turns)
    }
    if !currentReplies.isEmpty {
      send(currentReplies, to: connection, into: &effects)
      currentReplies = []
    }
    currentConnection = nil
  }

  private mutating func handleLine(
    _ line: Span<UInt8>, from connection: ConnectionID, at now: Now, into effects: inout [Effect]
  ) {
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

  /// The hot paths: every liveness check, and who asks for the same order again and again.
  private mutating func answersAtOnce(
    _ plain: PlainRequest, _ line: Span<UInt8>, from connection: ConnectionID, at now: Now
  ) -> Bool {
    switch (Method(utf8: line.extracting(plain.method)), plain.params) {
    case (.daemonPing, nil):
      appendResult(id: .integer(plain.id), to: &currentReplies) { appendEmptyObject(to: &$0) }
    case (.stackOrder, let params?):
      guard let answer = answerAgain(to: line.extracting(params), connection, at: now) else {
        return false
      }
      appendResult(id: .integer(plain.id), to: &currentReplies) { $0.append(contentsOf: answer) }
    default: return false
    }
    counters.requests += 1
    return true
  }

  private mutating func handleBatch(
    _ line: Span<UInt8>, _ elements: [Range<Int>], from connection: ConnectionID, at now: Now,
    into effects: inout [Effect]
  ) {
    guard elements.count <= WireLimits.batchCountMax else {
      appendError(
        id: nil,
        .invalidRequest(
          "a batch holds at most \(WireLimits.batchCountMax) messages; this one has more"),
        to: &currentReplies)
      return
    }
    lastBatch += 1
    let batch = lastBatch
    var envelopes: [(Envelope, Range<Int>)] = []
    var answerCount = 0
    for range in elements {
      let envelope = Envelope(readingElement: line.extracting(range))
      switch envelope.kind {
      case .request, .invalid, .batch: answerCount += 1
      case .notification, .response: break
      }
      envelopes.append((envelope, range))
    }
    if answerCount > 0 {
      batches[batch] = PendingBatch(connection: connection, missing: answerCount)
    }
    for (envelope, range) in envelopes {
      handle(
        envelope, line.extracting(range),
        ReplyAddress(connection: connection, id: envelope.id, batch: batch), at: now, into: &effects
      )
    }
  }

  private mutating func handle(
    _ envelope: Envelope, _ line: Span<UInt8>, _ address: ReplyAddress, at now: Now,
    into effects: inout [Effect]
  ) {
    switch envelope.kind {
    case .invalid(let error):
      refuse(address, error, evenWithoutID: true)
    case .response:
      break  // Nothing here asks clients for answers; an answer to nothing is ignored.
    case .batch:
      refuse(address, .invalidRequest("a batch inside a batch is not allowed"), evenWithoutID: true)
    case .request, .notification:
      counters.requests += 1
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
            message: "no method is called '\(name.prefix(80))'\(didYouMean(near))",
            data: ["suggestions": .array(near.map { .string($0) })])
        }
        let params = try envelope.params.map { range throws(RPCError) in
          try readParams(line.extracting(range))
        }
        if let refusal = refusal(address.connection) { throw refusal }
        try dispatch(method, params, address, at: now, into: &effects)
        if method == .stackOrder, let range = envelope.params {
          stackCache?.remember(line.extracting(range))
        }
      } catch {
        refuse(address, error)
      }
    }
  }

  private func readParams(_ bytes: Span<UInt8>) throws(RPCError) -> JSONValue {
    do throws(JSONError) {
      return try JSONValue(parsing: bytes)
    } catch {
      throw RPCError.parse(error)
    }
  }

  /// Why nothing is done for this client now; `nil`: it is served.
  private mutating func refusal(_ connection: ConnectionID) -> RPCError? {
    switch phase {
    case .running: break
    case .loadingStore, .loadingConfiguration:
      return RPCError(.stopping, "the daemon is starting; try again in a moment")
    case .stopping, .stopped:
      return RPCError(.stopping, "the daemon is stopping; try again in a moment")
    }
    guard let index = sessions.index(forKey: connection),
      sessions.values[index].isFull(turn: counters.turns, pending: currentReplies.count)
    else { return nil }
    return RPCError(
      .queueFull,
      "\(WireLimits.queuedBytesMax) bytes wait for this client to read them; read the answers before asking more",
      details: ["bytesMax": .int(Int64(WireLimits.queuedBytesMax))])
  }

  private mutating func dispatch(
    _ method: Method, _ params: JSONValue?, _ address: ReplyAddress, at now: Now,
    into effects: inout [Effect]
  ) throws(RPCError) {
    switch method {
    case .intentSend: try sendIntent(params, address, at: now, into: &effects)
    case .intentRecognize: try recognizeIntent(params, address)
    case .intentDonate: try donateIntent(params, address, at: now, into: &effects)
    case .intentList: try listIntents(params, address)
    case .intentSetList: try setList(params, address, at: now)
    case .donationForget: try forgetDonations(params, address, at: now, into: &effects)
    case .donationSetPrivate: try setPrivate(params, address, at: now, into: &effects)
    case .urlOpen: try openURL(params, address, at: now, into: &effects)
    case .galleryList: try listGallery(params, address)
    case .widgetList: try listWidgets(params, address, at: now, into: &effects)
    case .widgetAdd: try addWidget(params, address, at: now, into: &effects)
    case .widgetConfigure: try configureWidget(params, address, at: now, into: &effects)
    case .widgetRemove: try removeWidget(params, address, at: now, into: &effects)
    case .widgetReload: try reloadWidgets(params, address, at: now, into: &effects)
    case .widgetReloadAll: try reloadAllWidgets(params, address, at: now, into: &effects)
    case .widgetPush: try pushTimeline(params, address, at: now, into: &effects)
    case .widgetReceipt: try showReceipt(params, address)
    case .widgetTimeline: try showTimeline(params, address, at: now, into: &effects)
    case .widgetBudget: try showBudget(params, address, at: now)
    case .widgetTap: try tapWidget(params, address, at: now, into: &effects)
    case .stackOrder: try showStack(params, address, explained: false, at: now, into: &effects)
    case .stackExplain: try showStack(params, address, explained: true, at: now, into: &effects)
    case .stackReplay: try replayStack(params, address)
    case .stackDismiss: try dismissWidget(params, address, at: now, into: &effects)
    case .surfaceAttach: try attachSurface(params, address, at: now, into: &effects)
    case .surfaceVisibility: try setSurfaceVisibility(params, address, at: now, into: &effects)
    case .appRegister: try registerApp(params, address)
    case .appState: try setAppState(params, address)
    case .daemonPing:
      _ = try Params(params, known: [])
      answer(address, [:])
    case .daemonStatus: try showStatus(params, address, at: now)
    case .daemonMetrics: try showMetrics(params, address, at: now)
    case .daemonHistory: try showHistory(params, address)
    case .daemonReloadConfiguration:
      _ = try Params(params, known: [])
      awaitingConfiguration.append(address)
      requestConfiguration(into: &effects)
    }
  }
}

private func appendEmptyObject(to buffer: inout [UInt8]) {
  buffer.append(UInt8(ascii: "{"))
  buffer.append(UInt8(ascii: "}"))
}

extension String {
  fileprivate init(copying bytes: Span<UInt8>) {
    var copy: [UInt8] = []
    copy.reserveCapacity(bytes.count)
    for index in bytes.indices { copy.append(bytes[index]) }
    self.init(decoding: copy, as: UTF8.self)
  }
}
