/// A script that somebody downloaded, as a manifest of a widget from elsewhere.
///
/// Such a script says by its name and tags what it is, and nothing about what it needs. So the
/// manifest asks for the network where the script names a program or a library of it. The person
/// sees the reason, and may say no; a box holds it in any case.
package struct InstalledPlugin: Hashable, Sendable {
  /// The name of its file; of a package of SwiftBar, with the name of the package before it.
  package var file: String
  package var format: PluginFormat
  /// The programs that its tags name.
  package var needs: [String]
  /// The word for which it asks for the network; `nil`: it asks for nothing.
  package var networkWord: String?
  /// The text of its manifest.
  package var manifest: String

  /// The reason why a file is no plugin.
  package struct Refusal: Error, Hashable, Sendable {
    /// Without a subject: "the file is empty".
    package var reason: String
  }

  /// Reads the beginning of a script, of at most a megabyte.
  ///
  /// `others` are the beginnings of the scripts that come with it, which may use the network in its
  /// place. `format` is the family that its folder chooses. The same bytes give the same manifest.
  /// O(bytes).
  package static func read(
    _ file: String, _ bytes: some Sequence<UInt8>, besides others: [ArraySlice<UInt8>] = [],
    format: PluginFormat? = nil
  ) -> Result<InstalledPlugin, Refusal> {
    let bytes = Array(bytes)
    let source = PluginSource(path: file, format: format, tags: PluginTagLines(in: bytes))
    let reading = ScriptImport.read([ScriptImport.Script(source, isEmpty: bytes.isEmpty)])
    guard let module = reading.modules.first else {
      return .failure(Refusal(reason: "it holds values of a script, and is none"))
    }
    switch module.outcome {
    case .hasNoCommand(let reason), .refused(let reason):
      return .failure(Refusal(reason: reason))
    case .taken(var plugin):
      let tags = PluginTags(source.tags)
      // In its folder it is looked up by its name alone, or by that within its package.
      plugin.exec = ["./" + file]
      var manifest = ImportedManifest(kind: module.kind, module: module, plugin: plugin)
      manifest.name = tags.title
      let word =
        NetworkWords.first(in: bytes)
        ?? others.lazy.compactMap { NetworkWords.first(in: Array($0)) }.first
      return .success(
        InstalledPlugin(
          file: file, format: plugin.declaration.format, needs: tags.dependencies,
          networkWord: word, manifest: text(manifest, tags, asksForNetwork: word != nil)))
    }
  }

  private static func text(
    _ manifest: ImportedManifest, _ tags: PluginTags, asksForNetwork: Bool
  ) -> String {
    var text =
      "# made of a script for \(manifest.plugin.declaration.format.rawValue) when it was installed\n"
      + manifest.body
    if let summary = tags.summary { text += "description: \(YAMLText.quoted(summary))\n" }
    text += "sandbox: strict\n"
    if asksForNetwork { text += "permissions: {network: true}\n" }
    return text
  }
}

/// The words in a script by which it is known to use the network.
///
/// A URL alone is none of them: a menu has many that a click opens. A script that hides its use is
/// not found, and has no network in its box.
enum NetworkWords {
  /// Programs and libraries of many languages.
  static let all = [
    "curl", "wget", "urllib", "urlopen", "requests", "httpx", "aiohttp", "http.client", "socket",
    "axios", "fetch", "XMLHttpRequest", "Net::HTTP", "open-uri", "LWP", "HTTP::Tiny", "ssh", "scp",
    "rsync", "ping", "ping6", "traceroute", "mtr", "dig", "nslookup", "nc", "ncat", "telnet", "gh",
    "speedtest-cli", "imaplib", "smtplib",
  ]

  /// Returns the first of these that stands in a text as a word, by its place in the text.
  ///
  /// O(bytes).
  static func first(in bytes: [UInt8]) -> String? {
    let words = Dictionary(grouping: all.map { Array($0.utf8) }) { $0[0] }
    var before: UInt8 = 0x20
    for index in bytes.indices {
      defer { before = bytes[index] }
      guard !isLetter(before), let candidates = words[bytes[index]] else { continue }
      for word in candidates where bytes[index...].starts(with: word) {
        let end = index + word.count
        guard end == bytes.count || !isLetter(bytes[end]) else { continue }
        return String(decoding: word, as: UTF8.self)
      }
    }
    return nil
  }

  /// Whether a byte goes on with a word: a letter, a digit, `_` or `-`.
  private static func isLetter(_ byte: UInt8) -> Bool {
    (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
      || byte == 45 || byte == 95 || byte >= 0x80
  }
}
