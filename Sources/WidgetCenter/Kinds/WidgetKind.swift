package import JSON
package import Plugins

/// The shapes a widget comes in.
///
/// Names are WidgetKit's; only names are ever stored.
package enum WidgetFamily: String, CaseIterable, Hashable, Sendable {
  case systemSmall, systemMedium, systemLarge, systemExtraLarge, systemExtraLargePortrait
  case accessoryCircular, accessoryRectangular, accessoryInline, accessoryCorner

  /// By its case.
  ///
  /// The hash that a type with a raw value has by default hashes the text at each look-up.
  package func hash(into hasher: inout Hasher) { hasher.combine(place) }

  /// Its place among the cases.
  var place: UInt8 {
    switch self {
    case .systemSmall: 0
    case .systemMedium: 1
    case .systemLarge: 2
    case .systemExtraLarge: 3
    case .systemExtraLargePortrait: 4
    case .accessoryCircular: 5
    case .accessoryRectangular: 6
    case .accessoryInline: 7
    case .accessoryCorner: 8
    }
  }
}

/// A kind of widget, as its manifest declares it.
package struct WidgetKind: Hashable, Sendable {
  /// Stable for ever: placed widgets refer to it.
  package var kind: String
  package var name: String
  package var description: String
  /// The name and the description by language, where they have several versions; `name` and
  /// `description` are shown where no language decides.
  package var names: LocalizedText?
  package var descriptions: LocalizedText?
  /// Never empty; the first is the default.
  package var families: [WidgetFamily]
  /// The modes that its provider makes content for, the compact one first; never empty.
  package var modes: [WidgetMode] = [.compact]
  /// The intent that configures it; `nil` for a static configuration.
  package var intent: String?
  /// The intents whose code is in the program, in the manifest's order; empty: none is.
  package var performs: [String] = []
  /// Without a program when the kind has no provider: see `hasProvider`.
  package var provider: ProviderDeclaration
  /// The rules by which it is reloaded by itself.
  package var reload: ReloadRules
  /// Its provider is of no use without the network.
  package var needsNetwork = false
  /// Whether its widgets show personal data, which nobody sees while the session is locked.
  package var isPrivate = false
  /// Whether its provider is asked for a view beside the content: `view: html`.
  package var wantsView = false
  /// Whether its downloads may use a network that costs.
  package var mayDownloadMetered = false
  /// Names it had before: widgets placed under them are its own.
  package var aliases: [String] = []
  /// When it wants to be suggested.
  package var suggest: [SuggestedWindow] = []
  /// The default tap URL with `{parameter}` places, when an entry has none.
  package var url: String?
  /// Desktop id of the containing app.
  package var app: String?
  /// The group whose folder its app and its widgets share; see `SharedGroups`.
  package var group: String?
  /// The manifest, for messages, and for the consent that was given to it.
  package var file: String
  /// The folder in which its manifest stands.
  package var origin = ManifestOrigin.own
  /// The permissions that its manifest asks for; they count only where its provider is in a box.
  package var asked = ProviderPermissions()
  /// Whether the person's own manifest wants a box: `sandbox: strict`.
  package var isStrict = false
  /// The consent that holds for this manifest; `nil`: nobody was asked, or for another manifest.
  package private(set) var consent: Consent?

  package init(
    kind: String, name: String, description: String = "", families: [WidgetFamily],
    intent: String? = nil, provider: ProviderDeclaration,
    reload: ReloadRules = ReloadRules(), url: String? = nil, app: String? = nil,
    file: String = ""
  ) {
    precondition(!families.isEmpty, "a kind comes in at least one family")
    self.kind = kind
    self.name = name
    self.description = description
    self.families = families
    self.intent = intent
    self.provider = provider
    self.reload = reload
    self.url = url
    self.app = app
    self.file = file
  }

  /// Returns the kind with its provider held as its origin, its manifest and a consent say.
  ///
  /// A manifest in the person's own folder has what a script in their bar has, unless it wants a
  /// box. What came from elsewhere is in a box. In a box it has what it asks for and was granted,
  /// and nothing without a consent. A consent to another manifest of the same kind is none.
  ///
  /// A group of another app is granted by a consent outside a box, too.
  package func held(by consent: Consent?) -> WidgetKind {
    var kind = self
    let isBoxed = origin == .installed || isStrict
    let valid = (isBoxed || group != nil) && consent?.manifest == file ? consent : nil
    kind.consent = valid
    kind.provider.pin = isBoxed ? valid?.pin : nil
    kind.provider.group =
      asked.group == nil ? provider.group : asked.group == valid?.granted.group ? group : nil
    kind.provider.containment =
      isBoxed
      ? .boxed(asked.intersection(valid?.granted ?? ProviderPermissions())) : .open
    return kind
  }

  /// Returns the name for a person who reads `languages`.
  package func name(in languages: [String]) -> String { names?.text(in: languages) ?? name }

  /// Returns the description for a person who reads `languages`.
  package func description(in languages: [String]) -> String {
    descriptions?.text(in: languages) ?? description
  }

  /// Whether a program can be asked for the timelines of its widgets.
  ///
  /// `false`: they show what producers push to them. Each widget has a timeline to itself then, so
  /// that a push to one does not change the others.
  package var hasProvider: Bool { !provider.exec.isEmpty }

  /// The kind under whose id its program is known: its own, or of several kinds of one manifest the
  /// first.
  ///
  /// The consent to the program and its cache folder have this name.
  package var bundle: String { provider.bundle ?? kind }

  /// Whether its provider makes content for more than the compact mode, and is told the mode.
  package var hasModes: Bool { modes.contains(.expanded) }

  /// The permissions that its provider was granted, of those that it asks for; none without a box.
  package var granted: ProviderPermissions {
    var granted = ProviderPermissions()
    if case .boxed(let permissions) = provider.containment { granted = permissions }
    granted.group = asked.group == nil ? nil : provider.group
    return granted
  }
}

/// The provider of a kind, as its manifest declares it.
package struct ProviderDeclaration: Hashable, Sendable {
  /// The form in which a provider is asked and answers.
  package enum ProviderProtocol: String, CaseIterable, Hashable, Sendable {
    /// A process a request: JSON on its input, JSON on its output.
    case timeline
    /// A long-lived process: JSON-RPC lines over its input and output.
    case `extension`
  }

  /// The program and its arguments; a program with a slash is relative to `directory`, others are
  /// looked for on PATH.
  ///
  /// Empty: there is none, and nothing ever runs.
  package var exec: [String]
  package var providerProtocol: ProviderProtocol
  /// The contract of a script that was written for another bar; `nil`: it is asked in
  /// `providerProtocol`.
  package var plugin: PluginDeclaration?
  /// Whether it is a plugin that stays running.
  package var isStream: Bool { plugin?.isStream == true }
  /// The first kind of the manifest, where it offers several (`kinds`); else `nil`.
  ///
  /// They have one program, with one cache folder and one consent; an extension is one process for
  /// all of them.
  package var bundle: String?
  /// The manifest's folder: where the provider starts.
  package var directory: String
  /// Milliseconds.
  package var timeout: Int64
  /// Bytes: of all its processes together, and of the private data of each.
  package var memory: UInt64
  package var allowance = ProviderAllowance()
  /// Whether the manifest declares that the provider uses the network.
  package var needsNetwork = false
  /// The hold on it while it runs; decided by `WidgetKind.held(by:)`.
  package var containment = Containment.open
  /// Whether its programs may gain privileges, as sudo does: only the person's own manifest can.
  package var hasPrivileges = false
  /// The files that a person agreed to: it runs only while they are the same.
  ///
  /// `nil`: they may change.
  package var pin: ProgramPin?
  /// The group whose folder it has; `nil`: none, or none that it may have.
  package var group: String?
  /// Added to the clean environment, in the manifest's order.
  package var environment: [Variable]

  /// A variable of the environment.
  package struct Variable: Hashable, Sendable {
    package var name: String
    package var value: String
    package init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  package init(
    exec: [String], providerProtocol: ProviderProtocol = .timeline, directory: String = "/",
    timeout: Int64 = Limits.providerTimeoutDefault, memory: UInt64 = Limits.providerMemoryDefault,
    environment: [Variable] = []
  ) {
    self.exec = exec
    self.providerProtocol = providerProtocol
    self.directory = directory
    self.timeout = timeout
    self.memory = memory
    self.environment = environment
  }
}
