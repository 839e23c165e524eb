package import Timekeeping

/// One download as decisions: what to ask, what an answer means, and how it ends.
///
/// The program asks `begin` first, sends each `Question`, tells `received` and `ended` what came, and
/// stops at `finish`. No clock and no file: the same events give the same steps.
///
/// ```
///   begin ──► finish (from the cache, offline, host left alone)
///     │
///     ▼   head            body, end
///   ask ──► received ──► ended ──► finish
///     ▲                    │
///     └──── redirect ◄─────┘
/// ```
package struct Download: Sendable {
  /// One request over the network.
  package struct Question: Hashable, Sendable {
    package var url: DownloadURL
    /// Lines of headers, the provider's and the cache's.
    package var headers: [String]

    package init(url: DownloadURL, headers: [String]) {
      self.url = url
      self.headers = headers
    }
  }

  package enum Step: Hashable, Sendable {
    case ask(Question)
    case finish(Outcome)
  }

  package enum Outcome: Hashable, Sendable {
    /// The copy in the cache is the answer.
    ///
    /// `status` is 304 if the server said so, 0 if it was not asked; `renewed` is the record to
    /// write, `nil`: it stays as it is.
    case cached(CacheRecord, status: Int, renewed: CacheRecord?)
    /// The body that came is the answer; the record names it.
    case fresh(CacheRecord, isUnchanged: Bool)
    /// `old` is the last good copy.
    case failed(DownloadError, old: CacheRecord?)
  }

  /// The fate of the body that follows a head.
  package enum BodyUse: Hashable, Sendable {
    /// Write it, up to this number of bytes.
    case keep(bytesMax: Int64)
    /// Read past it: it explains a redirect or an error.
    case skip
    /// End the transfer.
    case stop
  }

  /// How a transfer ended.
  package enum Ending: Hashable, Sendable {
    /// The body is whole; what was kept of it has this length and SHA-256.
    case whole(byteCount: Int64, hash: String)
    case broken(DownloadError)
    /// More than the allowed bytes came.
    case overflowed
    /// It was ended because `received` said so.
    case stopped
  }

  package let request: DownloadRequest
  /// The host that was asked last.
  package var origin: String { (visited.last ?? request.order.url).origin }
  /// The change of the host's pause that this download brings; `nil`: none.
  package private(set) var pauseChange: PauseChange?

  package enum PauseChange: Hashable, Sendable {
    case set(HostPause)
    case remove(origin: String)
  }

  /// The copy in the cache; one that is not what is expected counts as none.
  private let record: CacheRecord?
  /// The reason why the copy in the cache counts as none; `nil`: it does not, or there is none.
  private let misfit: DownloadError?
  private let pauses: [String: HostPause]
  private var visited: [DownloadURL] = []
  private var head: ResponseHead?
  private var failure: DownloadError?
  private var next: DownloadURL?

  /// `record` is what the cache has of the URL, its body checked; `pauses` are those of hosts, by
  /// origin.
  package init(_ request: DownloadRequest, record: CacheRecord?, pauses: [String: HostPause]) {
    self.request = request
    misfit = record.flatMap { Self.misfit($0, request) }
    self.record = misfit == nil ? record : nil
    self.pauses = pauses
  }

  /// The first step.
  package mutating func begin(at now: WallTime) -> Step {
    if let record {
      let age = now.milliseconds(since: record.date)
      if request.isOffline { return .finish(.cached(record, status: 0, renewed: nil)) }
      if let limit = request.maxAgeMilliseconds, age >= 0, age <= limit {
        return .finish(.cached(record, status: 0, renewed: nil))
      }
    } else if request.isOffline {
      return fail(
        misfit
          ?? DownloadError(
            .notInCache, "there is no copy of \(request.order.url.shown) in the cache",
            hint: "fetch it once without --offline"))
    }
    return ask(request.order.url, at: now)
  }

  private mutating func ask(_ url: DownloadURL, at now: WallTime) -> Step {
    if let pause = pauses[url.origin], pause.holds(at: now, forPerson: request.isForPerson) {
      let reason = pause.isAskedFor ? "asked to be left alone" : "failed, and is left alone"
      return fail(
        DownloadError(
          .waiting, "\(url.host) \(reason) until \(pause.until.rfc3339)",
          hint: request.isForPerson ? "ask anyway: --force" : "it is asked again then",
          retryAt: pause.until))
    }
    visited.append(url)
    head = nil
    next = nil
    var headers: [String] = []
    // A token is for the server that the provider named, and for no other one.
    if url.origin == request.order.url.origin { headers += request.order.headers.map(\.line) }
    if request.order.ifChanged, let record { headers += record.conditions(for: url) }
    return .ask(Question(url: url, headers: headers))
  }

  /// Judges the head of an answer.
  package mutating func received(_ head: ResponseHead, at now: WallTime) -> BodyUse {
    self.head = head
    failure = nil
    switch head.status {
    case 200, 203: return judgeBody(head)
    case 304 where record != nil: return .skip
    case 301, 302, 303, 307, 308: return redirect(head)
    case 400...: failure = refusal(head, at: now)
    default:
      failure = DownloadError(
        .protocolError, "\(origin) answered with the status \(head.status), which has no file",
        hint: "look at the URL with: curl -i URL", status: head.status)
    }
    return .skip
  }

  private mutating func judgeBody(_ head: ResponseHead) -> BodyUse {
    let limit = request.order.bytesMax
    let type = head["content-type"].flatMap(MediaType.bare)
    guard MediaType.isExpected(type, request.order.types) else {
      failure = Self.wrongType(type, request, status: head.status)
      return .stop
    }
    guard head.contentLength ?? 0 <= limit else {
      failure = Self.tooLarge("the file has \(head.contentLength ?? 0) bytes", request)
      return .stop
    }
    return .keep(bytesMax: limit)
  }

  /// Says why a copy is not what is expected; `nil`: it is.
  private static func misfit(_ record: CacheRecord, _ request: DownloadRequest) -> DownloadError? {
    guard MediaType.isExpected(record.type, request.order.types) else {
      return wrongType(record.type, request, status: nil)
    }
    guard record.byteCount <= request.order.bytesMax else {
      return tooLarge("the copy in the cache has \(record.byteCount) bytes", request)
    }
    return nil
  }

  private static func wrongType(
    _ type: String?, _ request: DownloadRequest, status: Int?
  ) -> DownloadError {
    DownloadError(
      .wrongType,
      "the type is \(type ?? "not said"), and \(request.order.types.joined(separator: " or ")) is expected",
      hint: "a page in place of data often asks to sign in", status: status)
  }

  private static func tooLarge(_ what: String, _ request: DownloadRequest) -> DownloadError {
    DownloadError(
      .tooLarge, "\(what), more than the \(request.order.bytesMax) that are allowed",
      hint: request.isForPerson ? "allow more: --max-bytes" : "allow more: expect.maxBytes")
  }

  private mutating func redirect(_ head: ResponseHead) -> BodyUse {
    let here = visited.last ?? request.order.url
    func refuse(_ message: String, _ hint: String) -> DownloadError {
      DownloadError(.redirect, message, hint: hint, status: head.status)
    }
    guard let location = head["location"] else {
      failure = refuse("a redirect from \(here.host) leads nowhere", "the server is to be mended")
      return .skip
    }
    do throws(DownloadURL.Mistake) {
      let target = try here.following(location)
      if !target.isSecure {
        failure = refuse(
          "a redirect leads to \(target.shown), which is not https",
          "ask for that URL itself if you trust the way to it")
      } else if visited.contains(target) {
        failure = refuse("the redirects lead in a circle, to \(target.shown)", "try a browser")
      } else if visited.count > DownloadLimits.redirectCountMax {
        failure = refuse(
          "there are more than \(DownloadLimits.redirectCountMax) redirects",
          "ask for the last URL itself: \(target.shown)")
      } else {
        next = target
      }
    } catch {
      failure = refuse("a redirect leads to a URL that \(error.message)", error.hint)
    }
    return .skip
  }

  private func refusal(_ head: ResponseHead, at now: WallTime) -> DownloadError {
    let hint =
      switch head.status {
      case 401, 403, 407: "the server wants a key, or another one: a header such as Authorization"
      case 404, 410: "look whether the URL is still right"
      case 429: "ask less often"
      case 500...: "the fault is the server's; it is tried again later"
      default: "look at the URL with: curl -i URL"
      }
    let isPause = head.status == 429 || head.status == 503
    let moment = isPause ? head["retry-after"].flatMap { RetryAfter.moment($0, now: now) } : nil
    return DownloadError(
      .status,
      "\((visited.last ?? request.order.url).host) answered with the status \(head.status)",
      hint: hint, status: head.status, retryAt: moment)
  }

  /// Takes the end of a transfer.
  package mutating func ended(_ ending: Ending, at now: WallTime) -> Step {
    if let failure { return fail(failure, at: now) }
    switch ending {
    case .broken(let error): return fail(error, at: now)
    case .overflowed:
      return fail(Self.tooLarge("more bytes came than allowed", request), at: now)
    case .stopped:
      if let next { return ask(next, at: now) }
    case .whole(let count, let hash):
      if let next { return ask(next, at: now) }
      if let head { return succeed(head, byteCount: count, hash: hash, at: now) }
    }
    return fail(
      DownloadError(
        .protocolError, "\(origin) gave no answer of HTTP",
        hint: "look whether another service is at this port"), at: now)
  }

  private mutating func succeed(
    _ head: ResponseHead, byteCount: Int64, hash: String, at now: WallTime
  ) -> Step {
    let url = visited.last ?? request.order.url
    if pauses[url.origin] != nil { pauseChange = .remove(origin: url.origin) }
    if head.status == 304, let record {
      var renewed = record
      renewed.date = now
      renewed.noteValidators(of: head)
      return .finish(.cached(record, status: 304, renewed: renewed))
    }
    var fresh = CacheRecord(
      url: request.order.url.text, finalURL: url.text, date: now,
      type: head["content-type"].flatMap(MediaType.bare), byteCount: byteCount, hash: hash)
    fresh.noteValidators(of: head)
    let isUnchanged = record?.hash == hash && record?.byteCount == byteCount
    return .finish(.fresh(fresh, isUnchanged: isUnchanged))
  }

  /// Ends with an error that came from the network, which may leave the host alone for a while.
  private mutating func fail(_ error: DownloadError, at now: WallTime) -> Step {
    var error = error
    if error.isFaultOfHost, let url = visited.last {
      let pause = HostPause.after(
        pauses[url.origin], origin: url.origin, retryAfter: error.retryAt, now: now)
      // A host that only a redirect named is not held up: whoever answers could name any.
      if url.origin == request.order.url.origin { pauseChange = .set(pause) }
      error.retryAt = pause.until
    } else if error.code == .unreachable, error.retryAt == nil {
      error.retryAt = now.advanced(byMilliseconds: DownloadLimits.unreachableMilliseconds)
    }
    return fail(error)
  }

  private func fail(_ error: DownloadError) -> Step {
    .finish(.failed(error, old: record))
  }
}
