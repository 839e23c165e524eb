package import JSON
package import Timekeeping

/// The reason why a download gave no file.
package struct DownloadError: Error, Hashable, Sendable {
  package enum Code: String, Hashable, Sendable, CaseIterable {
    /// The request cannot be read, or asks for what is not allowed.
    case badRequest
    /// There is no network, or no such host, or nobody listens there.
    case unreachable
    /// The network is one that costs, and the kind does not allow it.
    case metered
    /// The address is one of this machine or of a private network.
    case privateAddress
    /// The certificate is not trusted, or the two ends agree on no keys.
    case tls
    /// It took too long, or was too slow.
    case timeout
    /// The connection ended before the body was whole.
    case cut
    /// The body, or the head, is larger than allowed.
    case tooLarge
    /// The body has another type than expected.
    case wrongType
    /// A redirect leads out of https, in a circle, or too far.
    case redirect
    /// The server refused: a status of 400 or more.
    case status
    /// The host is left alone for a while: it asked for it, or failed.
    case waiting
    /// The cache has no copy, and the network was not to be asked.
    case notInCache
    /// The kind may not use the network.
    case notAllowed
    /// `intent-fetch` is not installed.
    case noProgram
    /// The file cannot be written.
    case disk
    /// The answer is none that HTTP allows.
    case protocolError = "protocol"
  }

  package var code: Code
  /// A sentence without a period; begins in lower case.
  package var message: String
  package var hint: String
  /// The status of the answer; `nil`: there was none.
  package var status: Int?
  /// The moment before which it is of no use to ask again; `nil`: whenever it is wanted.
  package var retryAt: WallTime?

  package init(
    _ code: Code, _ message: String, hint: String, status: Int? = nil, retryAt: WallTime? = nil
  ) {
    self.code = code
    self.message = message
    self.hint = hint
    self.status = status
    self.retryAt = retryAt
  }

  /// Whether it may well succeed later without any change of the request.
  package var isTemporary: Bool {
    switch code {
    case .unreachable, .metered, .timeout, .cut, .waiting: true
    case .status: (status ?? 0) == 429 || (status ?? 0) >= 500
    case .badRequest, .privateAddress, .tls, .tooLarge, .wrongType, .redirect, .notInCache,
      .notAllowed, .noProgram, .disk, .protocolError:
      false
    }
  }

  /// Whether the host is to be left alone for a while: it was reached, and cannot serve.
  package var isFaultOfHost: Bool {
    switch code {
    case .timeout, .cut: true
    case .status: (status ?? 0) == 429 || (status ?? 0) >= 500
    default: false
    }
  }

  package var json: JSONValue {
    var object: JSONObject = [
      "code": .string(code.rawValue), "message": .string(message), "hint": .string(hint),
    ]
    if let status { object["status"] = .int(Int64(status)) }
    if let retryAt { object["retryAt"] = .string(retryAt.rfc3339) }
    return .object(object)
  }

  /// Reads what `json` writes; `nil` if it is something else.
  package init?(_ json: JSONValue) {
    guard let object = json.objectValue,
      let code = object["code"]?.stringValue.flatMap({ Code(rawValue: $0) }),
      let message = object["message"]?.stringValue, let hint = object["hint"]?.stringValue
    else { return nil }
    self.init(
      code, message, hint: hint,
      status: object["status"]?.intValue.flatMap { Int(exactly: $0) },
      retryAt: object["retryAt"]?.stringValue.flatMap { WallTime(rfc3339: $0) })
  }
}
