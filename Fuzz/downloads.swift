import Downloads
import JSON
import Timekeeping

/// Fuzzes what files, servers and providers say of downloads.
///
/// The input has sections: a URL and a `Location`, a line each; a record of the cache; the head of an
/// answer; an order of a provider as JSON; an address.
///
/// - A URL that was read is read again as the same one, and a redirect is read from it or refused.
/// - Whatever a record says, its file has a plain name, and no header that it gives has a line break.
/// - A download ends after a few answers, whatever they are, and never by a redirect out of https.
/// - An order that was read is read again as the same one.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let parts = sections(bytes(start, count), countMax: 5)
  within(2_000, "a download") {
    let lines = text(parts[0]).split(separator: "\n", omittingEmptySubsequences: false)
    let url = read(String(lines.first ?? ""))
    if let url, lines.count > 1 { checkRedirect(url, String(lines[1])) }
    let here = url ?? known
    let record = parts.count > 1 ? checkRecord(parts[1], here) : nil
    if parts.count > 2 { checkAnswers(parts[2], here, record) }
    if parts.count > 3 { checkOrder(parts[3]) }
    if parts.count > 4 { checkAddress(line(parts[4])) }
  }
  return 0
}

private let now = WallTime(milliseconds: 1_795_161_600_000)
private let known: DownloadURL = {
  guard let url = read("https://example.org/feed") else { fatalError("it is a URL") }
  return url
}()

private func read(_ text: String) -> DownloadURL? {
  guard let url = try? DownloadURL(text) else { return nil }
  precondition((try? DownloadURL(url.text)) == url, "a URL changed when it was read again")
  precondition(url.text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }, "a URL has a blank")
  return url
}

private func checkRedirect(_ url: DownloadURL, _ location: String) {
  guard let target = try? url.following(location) else { return }
  precondition(read(target.text) == target, "a redirect leads to no URL")
}

private func checkRecord(_ part: [UInt8], _ url: DownloadURL) -> CacheRecord? {
  _ = HostPause(part, of: url.origin)
  guard let record = CacheRecord(part, of: url) else { return nil }
  precondition(CacheRecord(record.bytes, of: url) == record, "a record changed in its file")
  let name = CacheRecord.bodyName(key: CacheRecord.key(url, headers: []), hash: record.hash)
  precondition(name.utf8.allSatisfy { $0 != 0x2F && $0 != 0x2E }, "a name leads elsewhere")
  for line in record.conditions(for: read(record.finalURL) ?? url) {
    precondition(line.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F }, "a header has a line break")
  }
  return record
}

private func checkAnswers(_ part: [UInt8], _ url: DownloadURL, _ record: CacheRecord?) {
  var heads: [ResponseHead] = []
  var reader = ResponseHeadReader()
  for line in part.split(separator: 10, omittingEmptySubsequences: false) {
    guard case .complete(let head) = reader.take(Array(line)) else { continue }
    heads.append(head)
    reader = ResponseHeadReader()
  }
  guard !heads.isEmpty else { return }
  let order = DownloadOrder(id: "a", url: url, bytesMax: 1_000)
  let request = DownloadRequest(byKind: order, folder: "/f", isPublicOnly: true, mayCost: false)
  var download = Download(request, record: record, pauses: [:])
  var step = download.begin(at: now)
  var count = 0
  while case .ask(let question) = step {
    precondition(count == 0 || question.url.isSecure, "a redirect leads out of https")
    precondition(count <= DownloadLimits.redirectCountMax, "a download never ends")
    let use = download.received(heads[count % heads.count], at: now)
    count += 1
    let hash = String(repeating: "0", count: 64)
    step = download.ended(
      use == .stop ? .stopped : .whole(byteCount: 1_000, hash: hash), at: now)
  }
  if case .set(let pause) = download.pauseChange {
    precondition(
      pause.until.milliseconds(since: now) <= DownloadLimits.retryAfterMillisecondsMax,
      "a host is left alone for ever")
  }
}

private func checkOrder(_ part: [UInt8]) {
  guard let json = try? JSONValue(parsing: part) else { return }
  _ = try? DownloadRequest(json)
  if let result = DownloadResult(json) {
    precondition(DownloadResult(result.json) == result, "a result changed on its way")
  }
  guard let order = try? DownloadOrder(json) else { return }
  precondition((try? DownloadOrder(order.json)) == order, "an order changed on its way")
  for header in order.headers {
    precondition(header.line.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F }, "a header is two")
  }
}

private func checkAddress(_ text: String) {
  guard let address = NetworkAddress(ipv6: text) ?? NetworkAddress(ipv4: text) else { return }
  if address.bytes.count == 16 {
    precondition(NetworkAddress(ipv6: address.description) == address, "an address changed")
  }
  _ = address.isPublic
}
