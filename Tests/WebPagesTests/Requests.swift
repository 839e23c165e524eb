import WebPages

/// A request of the person's browser to the server on port 8736, with the cookie, if `session` is
/// given.
func request(
  _ method: String, _ path: String, query: [(String, String)] = [], session: String? = nil,
  _ head: (String, String)...
) -> WebRequest {
  var fields = head.map { WebRequest.Field($0.0, $0.1) }
  if !head.contains(where: { $0.0.lowercased() == "host" }) {
    fields.append(WebRequest.Field("Host", "127.0.0.1:8736"))
  }
  if let session { fields.append(WebRequest.Field("Cookie", "a=b; intentd-8736=\(session)")) }
  return WebRequest(
    method, path, query: query.map { WebRequest.Field($0.0, $0.1) }, head: fields)
}

func secret(_ digit: Character) -> WebSecret {
  guard let secret = WebSecret(String(repeating: digit, count: 64)) else {
    preconditionFailure("64 hexadecimal digits are a secret")
  }
  return secret
}

/// The outcome of a request at the door: the visitor, or the status of the refusal.
enum Outcome: Equatable {
  case visitor(WebDoor.Visitor)
  case status(Int)
}
