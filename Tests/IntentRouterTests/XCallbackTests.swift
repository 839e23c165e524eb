import IntentRouter
import JSON
import Testing

private func catalog() -> IntentCatalog {
  let intent: JSONValue = [
    "name": "Add", "title": "", "description": "",
    "parameters": [["name": "item", "required": true], ["name": "count", "type": "integer"]],
    "routes": [
      "list://add/{item}", "wild://{item}/any",
      ["url": "list://x-callback-url/add?item={item}", "callbacks": ["Notes", "drafts"]],
    ],
  ]
  let (catalog, issues) = IntentCatalog.load([
    CatalogSource(file: "Add", document: located(intent), kind: .intent)
  ])
  precondition(issues.isEmpty, "\(issues)")
  return catalog
}

private func request(_ url: String) throws -> XCallback {
  let opened = try catalog().open(url: url).get()
  guard case .callback(let request) = opened else { throw RouterError(.noRoute, "\(opened)") }
  return request
}

@Suite struct XCallbackTests {
  @Test func `the x- parameters are the draft's, the others the action's`() throws {
    let request = try request(
      "intentd://x-callback-url/Add?x-source=My%20Notes&item=a+b&x-success=notes://ok?id=1&x-error=notes://no&x-cancel=notes:stop&count=2"
    )
    #expect(request.source == "My Notes")
    // The callback's query is escaped, or it ends at the first '&'.
    #expect(request.success?.text == "notes://ok?id=1")
    #expect(request.error?.text == "notes://no")
    #expect(request.cancel?.text == "notes:stop")
    #expect(
      try request.intent.get() == Intent(name: "Add", parameters: ["item": "a+b", "count": 2]))
    #expect(request.openCallbacks == ["notes", "drafts"])
  }

  @Test func `a route that is declared so is an action, and only so`() throws {
    let request = try request("LIST://X-Callback-URL/add/?item=milk&x-success=notes://ok")
    #expect(try request.intent.get() == Intent(name: "Add", parameters: ["item": "milk"]))
    #expect(request.openCallbacks == ["notes", "drafts"])
    // A plain route has no callbacks: the x- parameters belong to the app like any others.
    let plain = try catalog().open(url: "list://add/milk?x-success=notes://ok").get()
    #expect(plain == .intent(Intent(name: "Add", parameters: ["item": "milk"])))
    #expect(try self.intentFailure("list://x-callback-url/remove?item=a") == .noRoute)
    #expect(try self.intentFailure("other://x-callback-url/add?item=a") == .noRoute)
    // A plain route never takes the host of callbacks.
    #expect(try self.intentFailure("wild://x-callback-url/any") == .noRoute)
    #expect(catalog().url(for: Intent(name: "Add", parameters: ["item": "x"])) == "list://add/x")
    // A web page on a host of that name stays a web page.
    #expect(catalog().route(url: "https://x-callback-url/add").failure?.code == .noRoute)
    #expect(try !Route.parse("https://x-callback-url/{a}").get().isXCallback)
  }

  private func intentFailure(_ url: String) throws -> RouterError.Code? {
    try request(url).intent.failure?.code
  }

  @Test func `an action that means nothing still knows whom to tell, and shows no secrets`() throws
  {
    for url in [
      "intentd://x-callback-url/Ad?x-error=notes://no?token=SECRET",
      "list://x-callback-url/remove?x-error=notes://no?token=SECRET",
      "intentd://x-callback-url/?x-error=notes://no?token=SECRET",
    ] {
      let request = try request(url)
      #expect(request.error?.text == "notes://no?token=SECRET")
      let message = try #require(request.intent.failure?.message)
      #expect(!message.contains("SECRET"), "\(message)")
    }
  }

  @Test(arguments: [
    "x-success=notes:a&x-success=notes:b", "x-source=a&x-source=b", "x-foo=1", "X-Success=notes:a",
    "x-success=", "x-success=notes", "x-success=notes:%250A%0A", "x-success=notes://a@b",
    "x-source=a%07b",
  ])
  func `a URL that breaks the draft is refused as a whole`(query: String) {
    let url = "intentd://x-callback-url/Add?item=a&\(query)"
    #expect(catalog().open(url: url).failure?.code == .invalidCallback)
  }

  @Test(arguments: [
    "intentd://intent/Add", "INTENTD:x", "swiftbar://refreshallplugins", "xbar:x", "bitbar:x",
    "javascript:alert(1)", "file:///etc/passwd", "data:text/html,x", "https://example.org/",
    "http://a/",
    "mailto:a@b", "tel:1", "sms:1", "blob:x", "vnd.libreoffice.command:x",
  ])
  func `a callback to such a URL is refused`(callback: String) {
    for name in ["x-success", "x-error", "x-cancel"] {
      let items = [ProfiledURL.QueryItem(name: name, value: callback)]
      let url = "intentd://x-callback-url/Add?item=a&\(ProfiledURL.encoding(items))"
      #expect(catalog().open(url: url).failure?.code == .callbackDenied, "\(name) \(callback)")
    }
  }

  @Test func `a callback may be 2048 bytes long, and no longer`() throws {
    let longest = "notes:" + String(repeating: "a", count: 2_042)
    #expect(try request("intentd://x-callback-url/Add?item=a&x-success=\(longest)").success != nil)
    #expect(
      catalog().open(url: "intentd://x-callback-url/Add?item=a&x-success=\(longest)a").failure?.code
        == .invalidCallback)
  }

  @Test(arguments: [
    ("notes://ok", "notes://ok?a=1%262&b=%C3%A9"), ("notes://ok?", "notes://ok?a=1%262&b=%C3%A9"),
    ("notes://ok?x=y", "notes://ok?x=y&a=1%262&b=%C3%A9"),
    ("notes://ok?x=y&", "notes://ok?x=y&a=1%262&b=%C3%A9"),
    ("notes://ok?x=y?", "notes://ok?x=y?&a=1%262&b=%C3%A9"),
    ("notes:ok#top", "notes:ok?a=1%262&b=%C3%A9#top"),
    ("notes:ok?x#?y", "notes:ok?x&a=1%262&b=%C3%A9#?y"),
  ])
  func `results stand behind the query and before the fragment`(callback: String, expected: String)
    throws
  {
    let url = try ProfiledURL.parse(callback).get()
    let results = [
      ProfiledURL.QueryItem(name: "a", value: "1&2"), .init(name: "b", value: "é"),
    ]
    #expect(XCallback.url(url, with: results) == expected)
    #expect(XCallback.url(url, with: []) == url.text)
  }

  @Test func `a callback inside a callback is data`() throws {
    let inner = "notes://ok?x-success=https%3A%2F%2Fevil.example"
    let items = [ProfiledURL.QueryItem(name: "x-success", value: inner)]
    let request = try request("intentd://x-callback-url/Add?item=a&\(ProfiledURL.encoding(items))")
    #expect(request.callbacks.map(\.text) == [inner])
  }

  @Test(
    arguments: [
      (["url": "list://add/{item}", "callbacks": ["a"]], "calls nobody back"),
      (["url": "list://x-callback-url/a", "callbacks": ["https"]], "no scheme to call back"),
      (["url": "list://x-callback-url/a", "callbacks": ["javascript"]], "no scheme to call back"),
      (["url": "list://x-callback-url/a", "callbacks": ["intentd"]], "no scheme to call back"),
      (["url": "list://x-callback-url/a", "callbacks": ["a b"]], "no scheme to call back"),
      (["callbacks": ["a"]], "no key 'url'"),
      (["url": "list:a", "callback": ["a"]], "unknown key"),
    ] as [(JSONValue, String)])
  func `a declaration that cannot work is reported`(route: JSONValue, problem: String) {
    let (_, issues) = IntentCatalog.load([
      CatalogSource(
        file: "Add",
        document: located([
          "name": "Add", "title": "", "description": "", "parameters": [["name": "item"]],
          "routes": [route],
        ]), kind: .intent)
    ])
    #expect(issues.contains { $0.description.contains(problem) }, "\(issues)")
  }
}

extension IntentResolution {
  fileprivate func get() throws -> Intent {
    switch self {
    case .ready(let intent): return intent
    case .needs(let need): throw RouterError(.missingParameter, need.prompt)
    case .failed(let error): throw error
    }
  }

  fileprivate var failure: RouterError? {
    guard case .failed(let error) = self else { return nil }
    return error
  }
}
