/// A request of a browser or a panel, as the server read it: decoded, and not judged yet.
package struct WebRequest: Hashable, Sendable {
  /// A field of the head, or a value of the query.
  package struct Field: Hashable, Sendable {
    package var name: String
    package var value: String

    package init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  package var method: String
  /// The path without its query, percent-decoded.
  package var path: String
  package var query: [Field]
  package var head: [Field]

  package init(_ method: String, _ path: String, query: [Field] = [], head: [Field] = []) {
    self.method = method
    self.path = path
    self.query = query
    self.head = head
  }

  /// Returns a field of the head, whose name is compared without case; `nil` if it is absent, or
  /// there twice: then nobody can say which one a proxy or a browser meant.
  package func header(_ name: String) -> String? {
    let found = head.filter { $0.name.lowercased() == name }
    return found.count == 1 ? found[0].value : nil
  }

  /// Whether the head has a field of this name, once or more.
  package func has(_ name: String) -> Bool {
    head.contains { $0.name.lowercased() == name }
  }

  /// The reason why nobody can say where the body ends; `nil`: it is clear.
  ///
  /// A server in front of this one could read another end, and the rest as a request of its own.
  /// Source: RFC 9112, 6.1 and 6.3.
  package var framingRefusal: WebRefusal? {
    // A blank before the colon, or a line that goes on with the next one, hides a length from one
    // reader and not from another. Source: RFC 9112, 5.1 and 5.2.
    guard head.allSatisfy({ Self.isFieldName($0.name) }) else {
      return WebRefusal(400, "The head has a field whose name is none.")
    }
    let lengths = head.filter { $0.name.lowercased() == "content-length" }
    let codings = head.filter { $0.name.lowercased() == "transfer-encoding" }
    guard lengths.count + codings.count <= 1 else {
      return WebRefusal(400, "The request says twice how long it is.")
    }
    if let length = lengths.first,
      length.value.isEmpty || !length.value.utf8.allSatisfy({ (48...57).contains($0) })
    {
      return WebRefusal(400, "The length of the body is no number.")
    }
    if let coding = codings.first, coding.value.lowercased() != "chunked" {
      return WebRefusal(501, "A body can be chunked, and has no other coding.")
    }
    return nil
  }

  /// Whether a text is a token.
  ///
  /// Source: RFC 9110, 5.6.2.
  private static func isFieldName(_ name: String) -> Bool {
    !name.isEmpty
      && name.utf8.allSatisfy { byte in
        (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
          || "!#$%&'*+-.^_`|~".utf8.contains(byte)
      }
  }

  /// Returns a value of the query; `nil` if it is absent, or there twice.
  package func parameter(_ name: String) -> String? {
    let found = query.filter { $0.name == name }
    return found.count == 1 ? found[0].value : nil
  }

  /// Returns a cookie's value; `nil` if it is absent, or there twice.
  ///
  /// Source: RFC 6265, 4.2.
  package func cookie(_ name: String) -> String? {
    guard let line = header("cookie") else { return nil }
    let values = line.split(separator: ";").compactMap { pair -> String? in
      let pair = pair.drop { $0 == " " }
      guard let equals = pair.firstIndex(of: "="), pair[..<equals] == name else { return nil }
      return String(pair[pair.index(after: equals)...])
    }
    return values.count == 1 ? values[0] : nil
  }
}

/// The answer to a request.
package struct WebAnswer: Hashable, Sendable {
  /// The status of HTTP, 200 to 504.
  package var status: Int
  package var head: [WebRequest.Field]
  package var body: [UInt8]

  package init(_ status: Int, _ type: String, _ body: [UInt8], head: [WebRequest.Field] = []) {
    self.status = status
    self.body = body
    self.head = [WebRequest.Field("Content-Type", type)] + head
  }

  /// Makes an answer of a sentence.
  package init(_ status: Int, text: String) {
    self.init(status, "text/plain; charset=utf-8", Array((text + "\n").utf8))
  }

  /// Makes an answer without a body: 204 and 304.
  package init(empty status: Int, head: [WebRequest.Field] = []) {
    self.status = status
    self.head = head
    body = []
  }

  /// Makes the answer to a refused request.
  package init(_ refusal: WebRefusal) {
    self.init(refusal.status, text: refusal.message)
    if let methods = refusal.allow { head.append(WebRequest.Field("Allow", methods)) }
  }

  /// The fields that every answer has: nothing is kept, embedded, guessed or told to others, and a
  /// page runs only what this server serves.
  ///
  /// Source: Content Security Policy 3; Fetch, "Cross-Origin-Resource-Policy".
  package static let guarding: [WebRequest.Field] = [
    WebRequest.Field(
      "Content-Security-Policy",
      "default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self'; "
        + "img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; "
        + "frame-ancestors 'none'"),
    WebRequest.Field("X-Content-Type-Options", "nosniff"),
    WebRequest.Field("Referrer-Policy", "no-referrer"),
    WebRequest.Field("Cross-Origin-Resource-Policy", "same-origin"),
    WebRequest.Field("Cross-Origin-Opener-Policy", "same-origin"),
  ]
}

/// The reason why a request is not served.
package struct WebRefusal: Error, Hashable, Sendable {
  /// The status of HTTP, 400 to 504.
  package var status: Int
  /// A sentence for a person: the event, and the next step.
  package var message: String
  /// The methods that the address has, where another one was tried.
  package var allow: String?

  package init(_ status: Int, _ message: String, allow: String? = nil) {
    self.status = status
    self.message = message
    self.allow = allow
  }

  static let notFound = WebRefusal(404, "There is nothing at this address.")
  static func invalid(_ name: String, _ expected: String) -> WebRefusal {
    WebRefusal(400, "The value of '\(name)' is not valid; expected \(expected).")
  }
}
