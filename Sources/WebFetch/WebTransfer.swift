import CCurl
package import Downloads
import Glibc

/// One request and its answer.
///
/// It belongs to the loop's thread. A `WebFetch` retains it from `start` to its end.
@safe
package final class WebTransfer {
  /// How a transfer ended.
  package enum End: Hashable, Sendable {
    /// The answer is whole.
    case whole
    /// A closure of this transfer ended it.
    case stopped
    case failed(Fault, message: String)
  }

  package enum Fault: Hashable, Sendable {
    /// No such host, or no way to it, or nobody listens there.
    case unreachable
    /// Each address of the host is refused.
    case refusedAddress(NetworkAddress)
    /// The time is over, or the transfer was too slow.
    case timeout
    /// The connection ended too early.
    case cut
    case tls
    /// The head is larger than allowed.
    case largeHead
    /// Something that is not HTTP, or an error that has no other name here.
    case other
  }

  package let url: String
  package let headers: [String]
  package let totalMilliseconds: Int64
  /// Is called with the head; false ends the transfer.
  package var onHead: (ResponseHead) -> Bool = { _ in true }
  /// Is called with bytes of the body, which are valid during the call only; false ends the transfer.
  package var onBody: (UnsafeRawBufferPointer) -> Bool = { _ in true }
  /// Is called once, unless the transfer is cancelled.
  package var onEnd: (End) -> Void = { _ in }

  private var handle: UnsafeMutableRawPointer?
  private var lines: UnsafeMutablePointer<curl_slist>?
  /// The message about the first error; libcurl writes it.
  private let errorPlace: UnsafeMutablePointer<CChar>
  private var reader = ResponseHeadReader()
  private var isPublicOnly = false
  private var localNetworks = LocalNetworks([])
  private var refused: NetworkAddress?
  private var hasPublicAddress = false
  private var isStopped = false
  private var isHeadLarge = false

  package init(url: String, headers: [String], totalMilliseconds: Int64) {
    self.url = url
    self.headers = headers
    self.totalMilliseconds = totalMilliseconds
    unsafe errorPlace = .allocate(capacity: Int(CURL_ERROR_SIZE))
    unsafe errorPlace.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
  }

  deinit {
    precondition(unsafe handle == nil, "a transfer was dropped while libcurl had it")
    unsafe errorPlace.deallocate()
  }

  // MARK: - For WebFetch

  /// Makes libcurl's handle with all its settings.
  ///
  /// `localNetworks` are refused together with private ones, where only public ones are allowed.
  func prepare(
    _ settings: WebFetch.Settings, _ localNetworks: LocalNetworks
  ) throws(WebFetchError) -> UnsafeMutableRawPointer {
    precondition(unsafe handle == nil, "a transfer is started once")
    guard let handle = unsafe curl_easy_init() else {
      throw WebFetchError(message: "there is no memory for a transfer")
    }
    unsafe self.handle = unsafe handle
    isPublicOnly = settings.isPublicOnly
    self.localNetworks = localNetworks
    func number(_ option: CURLoption, _ value: Int64) throws(WebFetchError) {
      unsafe try check(ccurl_set_number(handle, option, Int(value)))
    }
    func text(_ option: CURLoption, _ value: String) throws(WebFetchError) {
      unsafe try check(ccurl_set_text(handle, option, value))
    }
    unsafe try check(ccurl_set_error_place(handle, errorPlace))
    try text(CURLOPT_URL, url)
    try text(CURLOPT_PROTOCOLS_STR, "https,http")
    try text(CURLOPT_USERAGENT, settings.userAgent)
    try text(CURLOPT_ACCEPT_ENCODING, "gzip")
    try number(CURLOPT_FOLLOWLOCATION, 0)
    try number(CURLOPT_HTTP09_ALLOWED, 0)
    try number(CURLOPT_NETRC, 0)
    try number(CURLOPT_NOSIGNAL, 1)
    try number(CURLOPT_NOPROGRESS, 1)
    try number(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    try number(
      CURLOPT_CONNECTTIMEOUT_MS, min(DownloadLimits.connectMilliseconds, totalMilliseconds))
    try number(CURLOPT_TIMEOUT_MS, totalMilliseconds)
    try number(CURLOPT_LOW_SPEED_LIMIT, DownloadLimits.slowBytesPerSecond)
    try number(CURLOPT_LOW_SPEED_TIME, DownloadLimits.slowSeconds)
    if let certificates = settings.certificates { try text(CURLOPT_CAINFO, certificates) }
    // An empty text: no proxy, also none of the environment.
    if settings.isPublicOnly { try text(CURLOPT_PROXY, "") }
    for line in headers {
      guard let longer = unsafe curl_slist_append(lines, line) else {
        throw WebFetchError(message: "there is no memory for a header")
      }
      unsafe lines = unsafe longer
    }
    unsafe try check(ccurl_set_lines(handle, CURLOPT_HTTPHEADER, lines))
    unsafe try check(
      ccurl_set_callbacks(
        handle, Unmanaged.passUnretained(self).toOpaque(),
        { bytes, size, count, context in
          guard let context = unsafe context else { return 0 }
          let transfer = unsafe Unmanaged<WebTransfer>.fromOpaque(context).takeUnretainedValue()
          let line = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
          return unsafe transfer.takeHead(line) ? size * count : 0
        },
        { bytes, size, count, context in
          guard let context = unsafe context else { return 0 }
          let transfer = unsafe Unmanaged<WebTransfer>.fromOpaque(context).takeUnretainedValue()
          let part = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
          return unsafe transfer.takeBody(part) ? size * count : 0
        },
        { context, _, address in
          guard let context = unsafe context, let address = unsafe address else {
            return ccurl_no_socket
          }
          let transfer = unsafe Unmanaged<WebTransfer>.fromOpaque(context).takeUnretainedValue()
          return unsafe transfer.open(address)
        }))
    return unsafe handle
  }

  private func check(_ code: CURLcode) throws(WebFetchError) {
    guard code == CURLE_OK else {
      throw WebFetchError(message: unsafe String(cString: curl_easy_strerror(code)))
    }
  }

  func takeHandle() -> UnsafeMutableRawPointer? {
    defer { unsafe handle = nil }
    return unsafe handle
  }

  func freeLines() {
    unsafe curl_slist_free_all(lines)
    unsafe lines = nil
  }

  func end(code: CURLcode, message: String?) -> End {
    if isStopped { return .stopped }
    if code == CURLE_OK { return .whole }
    let own = unsafe String(cString: errorPlace)
    let words =
      message ?? (own.isEmpty ? unsafe String(cString: curl_easy_strerror(code)) : own)
    if let refused { return .failed(.refusedAddress(refused), message: words) }
    if isHeadLarge { return .failed(.largeHead, message: words) }
    let fault: Fault =
      switch code {
      case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY, CURLE_COULDNT_CONNECT:
        .unreachable
      case CURLE_OPERATION_TIMEDOUT: .timeout
      case CURLE_PARTIAL_FILE, CURLE_GOT_NOTHING, CURLE_RECV_ERROR, CURLE_SEND_ERROR,
        CURLE_HTTP2_STREAM, CURLE_HTTP2:
        .cut
      case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM,
        CURLE_SSL_CIPHER, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR,
        CURLE_SSL_INVALIDCERTSTATUS:
        .tls
      default: .other
      }
    return .failed(fault, message: words)
  }

  // MARK: - Callbacks

  private func takeHead(_ line: UnsafeRawBufferPointer) -> Bool {
    switch unsafe reader.take(Array(line)) {
    case .more: return true
    case .tooLarge:
      isHeadLarge = true
      return false
    case .complete(let head):
      isStopped = !onHead(head)
      return !isStopped
    }
  }

  private func takeBody(_ part: UnsafeRawBufferPointer) -> Bool {
    isStopped = unsafe !onBody(part)
    return !isStopped
  }

  /// Makes the socket for an address, unless it is refused.
  ///
  /// libcurl asks for each address that the name has, right before it connects: a name that means
  /// another address by now than a moment ago changes nothing.
  private func open(_ address: UnsafeMutablePointer<curl_sockaddr>) -> curl_socket_t {
    if isPublicOnly {
      let found = unsafe Self.address(of: address)
      guard let found, found.isPublic, !localNetworks.contains(found) else {
        // With a public address besides, it is that one whose failure counts.
        if !hasPublicAddress { refused = found ?? NetworkAddress(bytes: [0, 0, 0, 0]) }
        return ccurl_no_socket
      }
      hasPublicAddress = true
      refused = nil
    }
    return unsafe socket(
      address.pointee.family, address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue),
      address.pointee.protocol)
  }

  private static func address(of place: UnsafePointer<curl_sockaddr>) -> NetworkAddress? {
    var bytes = [UInt8](repeating: 0, count: 16)
    let count = unsafe ccurl_address(place, &bytes)
    return NetworkAddress(bytes: Array(bytes.prefix(Int(count))))
  }
}
