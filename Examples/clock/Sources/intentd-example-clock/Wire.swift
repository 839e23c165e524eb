// The messages of the protocol, as far as this provider uses them.

struct Request: Decodable {
  var id: RequestID?
  var method: String
  var params: Params?

  struct Params: Decodable {
    var now: String?
    var intent: Intent?
  }
  struct Intent: Decodable { var parameters: Parameters? }
  struct Parameters: Decodable { var city: String? }
}

/// The id of a request, a number or a text.
///
/// The sender chooses it; the answer repeats it.
enum RequestID: Codable {
  case number(Int)
  case string(String)

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let number = try? container.decode(Int.self) {
      self = .number(number)
    } else {
      self = .string(try container.decode(String.self))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .number(let number): try container.encode(number)
    case .string(let string): try container.encode(string)
    }
  }
}

struct Response<Result: Encodable>: Encodable {
  var jsonrpc = "2.0"
  var id: RequestID
  var result: Result
}

struct Refusal: Encodable {
  var id: RequestID?
  var code: Int
  var message: String

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode("2.0", forKey: .jsonrpc)
    try container.encode(id, forKey: .id)  // null when the request could not be read
    var error = container.nestedContainer(keyedBy: Key.self, forKey: .error)
    try error.encode(code, forKey: .code)
    try error.encode(message, forKey: .message)
  }

  private enum Key: CodingKey { case jsonrpc, id, error, code, message }
}

struct Options: Encodable { var options: [String] }

struct Timeline: Encodable {
  var entries: [Entry]
  var policy: Policy
}

enum Policy: Encodable {
  case atEnd
  case after(String)

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .atEnd: try container.encode("atEnd")
    case .after(let date): try container.encode(["after": date])
    }
  }
}

struct Entry: Encodable {
  var date: String
  var relevance: Relevance?
  var content: Content
  var url: String
}

struct Relevance: Encodable { var score: Double }

struct Content: Encodable {
  var title: String
  var text: [Line]
  var short: String
  var symbol: String
  var className: [String]
  var tooltip: String
  var items: [Item]

  private enum CodingKeys: String, CodingKey {
    case title, text, short, symbol, tooltip, items
    case className = "class"
  }
}

/// A line of a text: words, or a date.
enum Line: Encodable {
  case text(String)
  case date(LiveDate)

  func encode(to encoder: any Encoder) throws {
    switch self {
    case .text(let text): try text.encode(to: encoder)
    case .date(let date): try date.encode(to: encoder)
    }
  }
}

/// A date that the surface keeps current without a reload or a new entry.
struct LiveDate: Encodable {
  var date: String
  var style: String
}

struct Item: Encodable {
  var text: String
  var url: String
}
