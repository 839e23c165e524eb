import Digests
import Downloads
import EventLoop
import Timekeeping
import WebFetch

/// Carries out downloads on the loop: a few at once, of each kind fewer, and what the same URL
/// needs one after another.
final class Fetcher {
  private let loop: Loop
  private let settings: Settings
  private var folders: [FetchFolder] = []
  private var open: WebFetch?
  private var publicOnly: WebFetch?
  private var waiting: [FetchJob] = []
  private var active: [FetchJob] = []
  private var turnCount = 0

  struct Settings {
    var userAgent: String
    var certificates: String?
    /// The person's own cache; the pauses of hosts are below.
    var cache: String
    /// Whether hosts are asked that wanted to be left alone.
    var ignoresPauses = false
    /// Whether the network costs.
    var isMetered = false
  }

  init(loop: Loop, settings: Settings) {
    self.loop = loop
    self.settings = settings
  }

  /// Ends all downloads, without a word to their owners.
  func close() {
    for job in active { job.discard() }
    active = []
    waiting = []
    open?.close()
    publicOnly?.close()
  }

  /// Begins a download, now or when it is its turn; `done` is called once.
  func add(_ request: DownloadRequest, _ done: @escaping (DownloadResult) -> Void) {
    do throws(DownloadError) {
      guard request.mayCost || !settings.isMetered else {
        let later = loop.readNow().wall.advanced(
          byMilliseconds: DownloadLimits.meteredMilliseconds)
        throw DownloadError(
          .metered, "the network is one that costs",
          hint: request.isForPerson
            ? "without --unmetered it is used"
            : "allow it in the manifest: downloads: {metered: true}",
          retryAt: later)
      }
      let folder = try folder(request.folder ?? settings.cache)
      // The person's own cache is cleaned when something is written into it.
      if !request.isForPerson { folder.removeLeftParts() }
      let pauses = try self.folder(pausePath(of: request))
      waiting.append(FetchJob(request, folder: folder, pauses: pauses, done))
      advance()
    } catch {
      done(DownloadResult(id: request.order.id, file: nil, error: error))
    }
  }

  private func folder(_ path: String) throws(DownloadError) -> FetchFolder {
    for known in folders where known.path == path { return known }
    let folder = try FetchFolder(path)
    folders.append(folder)
    return folder
  }

  /// The folder with the pauses of hosts: a kind has its own, so that no kind holds up another one
  /// or the person's scripts, and it is not in the kind's cache, where a provider could write.
  private func pausePath(of request: DownloadRequest) -> String {
    guard let folder = request.folder else { return settings.cache + "/hosts" }
    let name = SHA256.digest(of: Array(folder.utf8)).prefix(32)
    return "\(settings.cache)/kinds/\(name)"
  }

  /// The place of the next download that may begin: that of the folder which had its turn longest
  /// ago; `nil`: none may.
  private var nextIndex: Int? {
    guard active.count < DownloadLimits.activeCountMax else { return nil }
    var next: (index: Int, turn: Int)?
    for (index, job) in waiting.enumerated() {
      let turn = job.folder.lastTurn
      let siblings = active.filter { $0.folder === job.folder }
      guard next.map({ turn < $0.turn }) ?? true,
        siblings.count < DownloadLimits.activeInFolderCountMax,
        !siblings.contains(where: { $0.key == job.key })
      else { continue }
      next = (index, turn)
    }
    return next?.index
  }

  private func advance() {
    while let index = nextIndex {
      let job = waiting.remove(at: index)
      active.append(job)
      turnCount += 1
      job.folder.lastTurn = turnCount
      let record = job.folder.record(of: job.request.order.url, key: job.key)
      let now = loop.readNow()
      job.deadline = now.monotonic.advanced(byMilliseconds: job.request.totalMilliseconds)
      job.begin(record: record, pauses: pauses(of: job))
      follow(job, job.download.begin(at: now.wall))
    }
  }

  /// The pauses of the hosts that a download asks first; those of a redirect are not looked up, since
  /// the first host decides where it leads.
  private func pauses(of job: FetchJob) -> [String: HostPause] {
    let origin = job.request.order.url.origin
    guard !settings.ignoresPauses,
      let pause = job.pauses.read(HostPause.name(of: origin)).flatMap({ HostPause($0, of: origin) })
    else { return [:] }
    return [origin: pause]
  }

  private func follow(_ job: FetchJob, _ step: Download.Step) {
    switch step {
    case .ask(let question): ask(job, question)
    case .finish(let outcome): finish(job, outcome)
    }
  }

  // MARK: Transfers

  private func session(isPublicOnly: Bool) throws(DownloadError) -> WebFetch {
    if let made = isPublicOnly ? publicOnly : open { return made }
    do throws(WebFetchError) {
      let made = try WebFetch(
        loop: loop,
        settings: WebFetch.Settings(
          userAgent: settings.userAgent, certificates: settings.certificates,
          isPublicOnly: isPublicOnly))
      if isPublicOnly { publicOnly = made } else { open = made }
      return made
    } catch {
      throw DownloadError(.protocolError, error.message, hint: "reinstall libcurl4")
    }
  }

  private func ask(_ job: FetchJob, _ question: Download.Question) {
    let left = job.deadline.milliseconds(since: loop.readNow().monotonic)
    guard left > 0 else { return end(job, .broken(timeout(question.url.host))) }
    let session: WebFetch
    do throws(DownloadError) {
      session = try self.session(isPublicOnly: job.request.isPublicOnly)
    } catch {
      return end(job, .broken(error))
    }
    let transfer = WebTransfer(
      url: question.url.text, headers: question.headers, totalMilliseconds: left)
    job.beginTransfer()
    transfer.onHead = { [unowned self, unowned job] head in
      job.received(head, at: loop.readNow().wall) && hasRoom(job)
    }
    transfer.onBody = { [unowned self, unowned job] bytes in job.take(bytes) && hasRoom(job) }
    transfer.onEnd = { [unowned self, unowned job] end in
      self.end(job, job.ending(end, host: question.url.host))
    }
    session.start(transfer)
  }

  /// Whether what this process hands out from a folder fits into it: nothing of that is removed to
  /// make room, since a provider is told of it.
  ///
  /// The person's cache may have one file that is larger than all others may be together.
  private func hasRoom(_ job: FetchJob) -> Bool {
    guard !job.request.isForPerson, job.reservedBytes > 0 else { return true }
    var total = job.reservedBytes
    for (key, bytes) in job.folder.handedOut where key != job.key { total += bytes }
    for other in active where other !== job && other.folder === job.folder {
      total += other.reservedBytes
    }
    guard total > job.request.folderBytesMax else { return true }
    job.refuse(
      DownloadError(
        .tooLarge,
        "with this file the downloads would have \(total) bytes, more than the \(job.request.folderBytesMax) that fit",
        hint: "ask for fewer files at once, or for smaller ones"))
    return false
  }

  private func end(_ job: FetchJob, _ ending: Download.Ending) {
    follow(job, job.download.ended(ending, at: loop.readNow().wall))
  }

  private func timeout(_ host: String) -> DownloadError { FetchJob.timeout(host) }

  // MARK: Ends

  private func finish(_ job: FetchJob, _ outcome: Download.Outcome) {
    let now = loop.readNow().wall
    // Best effort: without the note the host is asked again sooner.
    do throws(DownloadError) {
      switch job.download.pauseChange {
      case .set(let pause):
        try job.pauses.write(HostPause.name(of: pause.origin), pause.bytes)
        job.pauses.makeRoom(
          bytesMax: .max, fileCountMax: DownloadLimits.pauseCountMax, keeping: [], now: now)
      case .remove(let origin): job.pauses.remove(HostPause.name(of: origin))
      case nil: break
      }
    } catch {}
    let result = job.store(outcome)
    if let file = result.file { job.folder.handOut(job.key, byteCount: file.byteCount) }
    if case .fresh = outcome {
      job.folder.makeRoom(
        bytesMax: job.request.folderBytesMax,
        keeping: Set(job.folder.handedOut.map(\.key)), now: now)
    }
    active.removeAll { $0 === job }
    job.done(result)
    advance()
  }
}

/// One download under way: its decisions and its half-written body.
final class FetchJob {
  let request: DownloadRequest
  let folder: FetchFolder
  /// The folder with the pauses of hosts.
  let pauses: FetchFolder
  let key: String
  let done: (DownloadResult) -> Void
  var deadline = Instant(nanoseconds: 0)
  var download: Download
  private var old: CacheRecord?
  private var part: FetchFolder.Part?
  private var hash = SHA256()
  private var byteCount: Int64 = 0
  private var use = Download.BodyUse.stop
  /// Bytes of the body: those that were announced, or more when more came.
  private(set) var reservedBytes: Int64 = 0
  /// The error of our own that ended the transfer.
  private var refusal: DownloadError?
  private var hasOverflowed = false

  init(
    _ request: DownloadRequest, folder: FetchFolder, pauses: FetchFolder,
    _ done: @escaping (DownloadResult) -> Void
  ) {
    self.request = request
    self.folder = folder
    self.pauses = pauses
    self.done = done
    key = CacheRecord.key(request.order.url, headers: request.order.headers)
    download = Download(request, record: nil, pauses: [:])
  }

  func begin(record: CacheRecord?, pauses: [String: HostPause]) {
    old = record
    download = Download(request, record: record, pauses: pauses)
  }

  func discard() {
    part?.discard()
    part = nil
  }

  func beginTransfer() {
    discard()
    hash = SHA256()
    byteCount = 0
    reservedBytes = 0
    use = .stop
    hasOverflowed = false
  }

  /// Takes the error for which the transfer is ended.
  func refuse(_ error: DownloadError) { refusal = error }

  /// Takes the head; false ends the transfer.
  func received(_ head: ResponseHead, at now: WallTime) -> Bool {
    use = download.received(head, at: now)
    guard use != .stop else { return false }
    guard case .keep = use else { return true }
    do throws(DownloadError) {
      part = try FetchFolder.Part(in: folder)
      reservedBytes = head.contentLength ?? 0
      return true
    } catch {
      refusal = error
      return false
    }
  }

  /// Takes bytes of the body; false ends the transfer.
  func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
    byteCount += Int64(bytes.count)
    guard case .keep(let bytesMax) = use else {
      // The words beside a redirect or an error are of no use; a few are read, so that the connection
      // can be used again.
      return byteCount <= DownloadLimits.headBytesMax
    }
    guard byteCount <= bytesMax else {
      hasOverflowed = true
      return false
    }
    reservedBytes = max(reservedBytes, byteCount)
    let copy = Array(bytes)
    hash.update(copy[...])
    do throws(DownloadError) {
      try part?.write(copy)
      return true
    } catch {
      refusal = error
      return false
    }
  }

  /// Says how a transfer ended, in the words of the decisions.
  func ending(_ end: WebTransfer.End, host: String) -> Download.Ending {
    if let refusal { return .broken(refusal) }
    switch end {
    case .whole: return .whole(byteCount: byteCount, hash: hash.finish())
    case .stopped: return hasOverflowed ? .overflowed : .stopped
    case .failed(let fault, let message): return .broken(Self.error(fault, host, message))
    }
  }

  static func timeout(_ host: String) -> DownloadError {
    DownloadError(
      .timeout, "\(host) took too long", hint: "try again later, or allow more time: --timeout")
  }

  private static func error(
    _ fault: WebTransfer.Fault, _ host: String, _ message: String
  ) -> DownloadError {
    switch fault {
    case .unreachable:
      DownloadError(
        .unreachable, "\(host) cannot be reached: \(message)",
        hint: "is the network up, and the name right?")
    case .refusedAddress(let address):
      DownloadError(
        .privateAddress,
        "\(host) is at \(address), an address of this machine or of a private network",
        hint: "a widget that was installed may only ask servers of the internet")
    case .timeout: timeout(host)
    case .cut:
      DownloadError(
        .cut, "\(host) ended the connection before the file was whole: \(message)",
        hint: "try again later")
    case .tls:
      DownloadError(
        .tls, "no trusted connection to \(host): \(message)",
        hint: "is the clock right? A server with certificates of its own needs --certificates FILE")
    case .largeHead:
      DownloadError(
        .tooLarge, "\(host) sent more than \(DownloadLimits.headBytesMax) bytes of headers",
        hint: "the server is to be mended")
    case .other:
      DownloadError(
        .protocolError, "\(host): \(message)", hint: "look at the URL with: curl -v URL")
    }
  }

  /// Writes what is new into the cache, and makes the result.
  func store(_ outcome: Download.Outcome) -> DownloadResult {
    defer { discard() }
    do throws(DownloadError) {
      switch outcome {
      case .cached(let record, let status, let renewed):
        if let renewed { try folder.renew("\(key).json", renewed.bytes) }
        return DownloadResult(
          id: request.order.id, file: file(renewed ?? record, status: status, isUnchanged: true))
      case .fresh(let record, let isUnchanged):
        // The same body stays where it is: a reader of it is not disturbed.
        if isUnchanged { discard() }
        try part?.keep(as: CacheRecord.bodyName(key: key, hash: record.hash))
        part = nil
        try folder.write("\(key).json", record.bytes)
        if let old, old.hash != record.hash {
          folder.remove(CacheRecord.bodyName(key: key, hash: old.hash))
        }
        return DownloadResult(
          id: request.order.id, file: file(record, status: 200, isUnchanged: isUnchanged))
      case .failed(let error, let old):
        return DownloadResult(
          id: request.order.id, file: old.map { file($0, status: 0, isUnchanged: true) },
          error: error)
      }
    } catch {
      return DownloadResult(id: request.order.id, file: nil, error: error)
    }
  }

  private func file(
    _ record: CacheRecord, status: Int, isUnchanged: Bool
  ) -> DownloadResult.File {
    DownloadResult.File(
      path: folder.bodyPath(key: key, record), status: status, isUnchanged: isUnchanged,
      type: record.type, byteCount: record.byteCount, date: record.date)
  }
}
