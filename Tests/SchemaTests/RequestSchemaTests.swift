import Downloads
import JSON
import Testing
import Timekeeping
import WidgetCenter

/// Tests that `docs/schema/request.json` describes what the daemon writes.
@Suite struct RequestSchemaTests {
  private static func request(_ kind: ProviderRequest.Request = .timeline) -> ProviderRequest {
    ProviderRequest(
      request: kind, kind: "org.example.weather", family: .systemSmall,
      intent: ["name": "ShowWeather", "parameters": ["city": "Beijing"]], locale: "en_US",
      now: WallTime(milliseconds: 1_795_000_000_123))
  }

  private static let error = DownloadError(
    .status, "it answered with the status 503", hint: "later", status: 503,
    retryAt: WallTime(seconds: 1_795_000_000))

  @Test func `each outcome of a download is valid`() throws {
    let schema = try Self.schema()
    var request = Self.request()
    let file = DownloadResult.File(
      path: "/cache/a", status: 200, isUnchanged: true, type: "text/plain", byteCount: 7,
      date: WallTime(seconds: 1_795_000_000))
    for code in DownloadError.Code.allCases {
      var error = Self.error
      error.code = code
      request.downloads.append(DownloadResult(id: code.rawValue, file: nil, error: error))
    }
    request.downloads.append(DownloadResult(id: "file", file: file))
    #expect(schema.mistakes(in: request.json) == [])
  }

  private static func schema() throws -> JSONSchema {
    try JSONSchema(project: "docs/schema/request.json")
  }

  @Test func `every request that the daemon writes is valid`() throws {
    let schema = try Self.schema()
    for kind in [ProviderRequest.Request.timeline, .options, .placeholder, .snapshot] {
      for family in WidgetFamily.allCases {
        for size in TextSize.allCases {
          var request = Self.request(kind)
          request.family = family
          request.displaySize = family.displaySize
          request.textSize = size
          request.now = WallTime(seconds: 1_795_000_000)
          request.parameter = "room"
          request.search = "kit"
          request.values = try WidgetValues.none.setting(["rows": 6, "all": true])
          request.room = .init(mode: .expanded, maximumSize: family.displaySize)
          #expect(schema.mistakes(in: request.json) == [])
        }
      }
    }
    var plain = Self.request()
    plain.intent = .null
    #expect(schema.mistakes(in: plain.json) == [])
    #expect(schema.mistakes(in: Self.request().json) == [])
  }

  @Test func `each key that the daemon always writes is required, and of its type`() throws {
    let schema = try Self.schema()
    let request = Self.request().json
    for place in request.places where written(place) != "intent.parameters.city" {
      #expect(!schema.isValid(request.replacing(place, with: nil)), "\(written(place)) is gone")
      let other: JSONValue = written(place) == "intent" ? 5 : []
      #expect(!schema.isValid(request.replacing(place, with: other)), "\(written(place))")
    }
  }

  @Test func `the schema names the keys, families and sizes of the code`() throws {
    let schema = try Self.schema()
    var request = Self.request()
    request.parameter = "room"
    request.search = "kit"
    request.values = try WidgetValues.none.setting(["rows": 6])
    request.room = .init(mode: .compact, maximumSize: request.displaySize)
    request.wantsView = true
    request.downloads = [DownloadResult(id: "feed", file: nil, error: Self.error)]
    let written = request.json.objectValue?.members.map(\.key) ?? []
    let named = schema.properties.map(\.key)
    #expect(Set(named) == Set(written))
    func values(_ key: String) -> [String] {
      schema.properties.first { $0.key == key }?.value["enum"]?.arrayValue?
        .compactMap(\.stringValue) ?? []
    }
    #expect(values("family") == WidgetFamily.allCases.map(\.rawValue))
    #expect(values("mode") == WidgetMode.allCases.map(\.rawValue))
    #expect(values("textSize") == TextSize.allCases.map(\.rawValue))
  }
}
