import FoundationAdditions
package import JSON

/// Where a parameter's values come from: an options provider or a query, whatever its types.
package struct OptionsSource: Sendable {
  /// A value that a person may choose.
  package struct Option: Hashable, Sendable {
    /// The words for people.
    package var title: String
    /// Other words for it.
    package var synonyms: [String]
    /// The value that the daemon gives back.
    package var value: JSONValue

    package init(title: String, synonyms: [String] = [], value: JSONValue) {
      self.title = title
      self.synonyms = synonyms
      self.value = value
    }
  }

  private let findAll: @Sendable (_ search: String?) async throws -> [Option]
  private let makeDefault: @Sendable () async -> Any?

  package init<Provider: DynamicOptionsProvider>(_ provider: Provider) {
    findAll = { _ in Self.options(of: try await provider.results()) }
    makeDefault = { await provider.defaultResult() }
  }

  package init<Query: EntityQuery>(query: Query) {
    findAll = { search in
      if let search, let query = query as? any EntityStringQuery {
        return try await Self.options(matching: search, in: query)
      }
      return Self.options(of: try await query.results())
    }
    makeDefault = { await query.defaultResult() }
  }

  /// Returns the values; with `search` those that a query finds for these words.
  ///
  /// A provider that cannot search returns all; the daemon compares the words itself.
  package func options(matching search: String?) async throws -> [Option] {
    try await findAll(search)
  }

  /// Returns the value that holds where none is chosen.
  package func defaultValue() async -> Any? { await makeDefault() }

  private static func options<Query: EntityStringQuery>(
    matching search: String, in query: Query
  ) async throws -> [Option] {
    options(of: try await query.entities(matching: search))
  }

  private static func options(of results: some ResultsCollection) -> [Option] {
    results.items.compactMap { option(of: $0) }
  }

  private static func option(of item: Any) -> Option? {
    guard let value = item as? any _IntentValue else { return nil }
    let json = value._intentArgument.json
    guard !json.isNull else { return nil }
    let representation = (item as? any InstanceDisplayRepresentable)?.displayRepresentation
    let named = (item as? any CustomLocalizedStringResourceConvertible)?.localizedStringResource
    let title =
      named.map { String(localized: $0) } ?? json.stringValue ?? json.serialized
    return Option(
      title: title,
      synonyms: representation?.synonyms.map { String(localized: $0) } ?? [], value: json)
  }
}
