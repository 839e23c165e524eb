import DequeModule
import IntentProtocol
import IntentRouter
import JSON
import WidgetCenter

/// Why the files of the configuration are read.
enum LoadCause: Sendable {
  /// The daemon starts, or somebody asked: the files take effect in any case.
  case asked
  /// Files changed, or may have: they take effect only if they differ from those in force.
  case files
}

/// A request with an unknown name, which is tried again when the files were read that may have it.
struct RefusedRequest: Sendable {
  var method: Method
  var params: JSONValue?
  var address: ReplyAddress
}

/// The configuration in force: the intents, the clients' edits of lists, and the issues.
///
/// The kinds are in the engine; this part knows which of them an intent configures.
struct Configuration: Sendable {
  private(set) var catalog = IntentCatalog()
  /// The person's settings that are not the engine's.
  var settings = Settings()
  /// The catalogue without the clients' edits of lists.
  private var unedited = IntentCatalog()
  /// The issues that were found when the configuration took effect.
  private(set) var issues: [DocumentIssue] = []
  /// The names of kinds, sorted, by the intent that configures them.
  private var kindsByIntent: [String: [String]] = [:]
  /// By an intent's name, the programs that perform it: of each the first kind by name.
  private var performers: [String: [(kind: String, bundle: String)]] = [:]
  /// The clients' edits of lists, kept across restarts and configurations.
  private(set) var editedLists: [String: ListEdit] = [:]
  /// The requests for `daemon.reloadConfiguration` that wait.
  private var waiting: [ReplyAddress] = []
  private(set) var isLoading = false
  private var loadCause = LoadCause.files
  /// The number of configurations that took effect; 0 before the first.
  private(set) var revision: Int64 = 0
  /// The hash of the files in force; `nil`: none are.
  private var filesHash: Int?
  private var refused: [RefusedRequest] = []
  var goodDocuments = GoodDocuments()
  /// The URLs of the latest intents; dropped when the catalogue or one of its lists changes.
  private var urls = RememberedURLs()
  /// The examples that were made of templates; `nil`: nobody asked for them since the catalogue or
  /// one of its lists changed.
  private var made: [String: [String: [String]]]?

  // MARK: Loading

  /// Notes why the files are to be read; `false` when they are being read already.
  mutating func wantsLoading(because cause: LoadCause) -> Bool {
    if cause == .asked { loadCause = .asked }
    return !isLoading
  }

  mutating func beginLoading() {
    assert(!isLoading, "the files are read once at a time")
    isLoading = true
  }

  /// Ends loading; `false` when the files are those in force and nobody asked for them.
  mutating func endLoading(_ files: ConfigurationFiles) -> Bool {
    isLoading = false
    let isAsked = loadCause == .asked
    loadCause = .files
    let hash = files.hashValue
    guard isAsked || hash != filesHash else { return false }
    filesHash = hash
    return true
  }

  /// Counts a configuration that took effect.
  mutating func noteRevision() { revision += 1 }

  /// Lets a refused request wait for the configuration that is being loaded.
  mutating func retryLater(_ request: RefusedRequest) { refused.append(request) }

  /// Takes the refused requests that wait, in their order.
  mutating func takeRefused() -> [RefusedRequest] {
    let all = refused
    refused = []
    return all
  }

  /// The clients of the refused requests that wait, one for each request.
  var refusedConnections: [ConnectionID] { refusedAddresses.map(\.connection) }
  /// The refused requests that wait.
  var refusedAddresses: [ReplyAddress] { refused.map(\.address) }

  /// Lets a request wait for the configuration that is being loaded.
  mutating func wait(_ address: ReplyAddress) { waiting.append(address) }

  /// The clients of the requests that wait for the files, one for each request.
  var waitingConnections: [ConnectionID] { waiting.map(\.connection) }

  /// Takes the requests that wait, in their order.
  mutating func takeWaiting() -> [ReplyAddress] {
    let all = waiting
    waiting = []
    return all
  }

  func isAwaited(by connection: ConnectionID) -> Bool {
    waiting.contains { $0.connection == connection }
      || refused.contains { $0.address.connection == connection }
  }

  var isAwaited: Bool { !waiting.isEmpty || !refused.isEmpty }

  // MARK: Taking effect

  /// Puts a catalogue in force (`nil`: the present one stays) and applies the clients' edits of
  /// lists to it.
  ///
  /// - Returns: the lists that could not be edited, and why.
  mutating func adopt(_ catalog: IntentCatalog?) -> [(list: String, error: RouterError)] {
    if let catalog { unedited = catalog }
    self.catalog = unedited
    forgetMade()
    var failed: [(list: String, error: RouterError)] = []
    for (name, edit) in editedLists.sorted(by: { $0.key < $1.key }) {
      if case .failure(let error) = self.catalog.setList(name: name, edit) {
        failed.append((name, error))
      }
    }
    return failed
  }

  mutating func setKinds(_ kinds: [WidgetKind]) {
    kindsByIntent = [:]
    performers = [:]
    for kind in kinds {
      for intent in kind.performs
      where performers[intent]?.contains(where: { $0.bundle == kind.bundle }) != true {
        performers[intent, default: []].append((kind.kind, kind.bundle))
      }
      if let intent = kind.intent { kindsByIntent[intent, default: []].append(kind.kind) }
    }
  }

  mutating func setIssues(_ issues: [DocumentIssue]) { self.issues = issues }

  /// Returns the kinds that the intent configures, sorted by name.
  func kinds(of intent: String) -> [String] { kindsByIntent[intent] ?? [] }

  /// Returns the kinds whose programs perform the intent, one of each program, in the order of
  /// their names.
  func performers(of intent: String) -> [String] { performers[intent]?.map(\.kind) ?? [] }

  /// Returns the URL that opens as this intent; `nil`: there is none.
  ///
  /// A URL is tried before it is given, which costs a second resolution. People say the same things
  /// again, so the last `Limits.rememberedURLCountMax` are kept.
  mutating func url(for intent: Intent) -> String? {
    if let known = urls[intent] { return known }
    let url = catalog.url(for: intent)
    urls.remember(url, of: intent)
    return url
  }

  /// Returns at most `Limits.shownExampleCountMax` sentences of each intent and language without
  /// examples, by the name of the intent and the code of the language.
  ///
  /// `tried` counts the sentences that had to be understood, each a recognition: none if they are
  /// known from an earlier request.
  mutating func madeExamples(tried: inout Int) -> [String: [String: [String]]] {
    if let made { return made }
    let all = catalog.madeExamples(most: Limits.shownExampleCountMax, tried: &tried)
    made = all
    return all
  }

  /// Forgets what was made of the catalogue, since it changes.
  private mutating func forgetMade() {
    urls = RememberedURLs()
    made = nil
  }

  // MARK: Lists

  /// Edits a list and remembers the edit; a failure changes nothing.
  ///
  /// - Returns: the number of values that the list has then.
  mutating func setList(_ name: String, _ edit: ListEdit) -> Result<Int, RouterError> {
    let result = catalog.setList(name: name, edit)
    forgetMade()
    if case .success = result { editedLists[name] = edit }
    return result
  }

  /// Forgets every edit, before the stored ones are restored.
  mutating func forgetEdits() {
    catalog = unedited
    editedLists = [:]
    forgetMade()
  }

  /// Restores a stored edit; the result is the error of a list that does not take it, else `nil`.
  ///
  /// The edit is remembered in both cases, since a later configuration may have the list.
  mutating func restoreList(_ name: String, _ edit: ListEdit) -> RouterError? {
    editedLists[name] = edit
    forgetMade()
    guard case .failure(let error) = catalog.setList(name: name, edit) else { return nil }
    return error
  }
}

/// The URLs of the last `Limits.rememberedURLCountMax` intents, which may have none.
private struct RememberedURLs: Sendable {
  private var urls: [Intent: String?] = [:]
  /// The intents of `urls`, in the order in which they came.
  private var intents: Deque<Intent> = []

  /// The URL of the intent, or that it has none; `nil`: the intent is not remembered.
  subscript(intent: Intent) -> String?? { urls[intent] }

  mutating func remember(_ url: String?, of intent: Intent) {
    if intents.count >= Limits.rememberedURLCountMax {
      urls.removeValue(forKey: intents.removeFirst())
    }
    intents.append(intent)
    urls.updateValue(url, forKey: intent)
    assert(urls.count == intents.count, "an intent is remembered once")
  }
}
