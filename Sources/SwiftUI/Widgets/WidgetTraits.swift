/// The words of the modifiers of a configuration.
package struct WidgetTraits: Sendable {
  package var displayName: Text?
  package var description: Text?
  /// `nil`: all families of the system.
  package var families: [WidgetFamily]?
  /// Whether the content of a widget with a background stands within margins.
  package var hasContentMargins = true
  /// Modifiers without a meaning here, by their names; a manifest tells of them in a comment.
  package var recorded: [String] = []

  package init() {}
}

/// A configuration with a modifier.
struct ModifiedConfiguration<Base: WidgetConfiguration> {
  let base: Base
  let change: @Sendable (inout WidgetTraits) -> Void
}

// Conforming here keeps the type itself off the main actor: a modifier is called anywhere.
extension ModifiedConfiguration: WidgetConfiguration {
  typealias Body = Never
}

/// A configuration of any type with a modifier.
@MainActor
private protocol AnyModifiedConfiguration {
  var unmodified: any WidgetConfiguration { get }
  var traitChange: @Sendable (inout WidgetTraits) -> Void { get }
}

extension ModifiedConfiguration: AnyModifiedConfiguration {
  var unmodified: any WidgetConfiguration { base }
  var traitChange: @Sendable (inout WidgetTraits) -> Void { change }
}

/// A configuration of the system, and what its modifiers say.
package struct ResolvedConfiguration {
  /// A configuration without a body.
  package let leaf: any WidgetConfiguration
  package let traits: WidgetTraits

  /// Follows a configuration to the one of the system that it is made of.
  @MainActor
  package init(of configuration: any WidgetConfiguration) {
    if let modified = configuration as? any AnyModifiedConfiguration {
      let inner = ResolvedConfiguration(of: modified.unmodified)
      var traits = inner.traits
      modified.traitChange(&traits)
      self.init(leaf: inner.leaf, traits: traits)
    } else {
      self = Self.open(configuration)
    }
  }

  private init(leaf: any WidgetConfiguration, traits: WidgetTraits) {
    self.leaf = leaf
    self.traits = traits
  }

  @MainActor
  private static func open<C: WidgetConfiguration>(_ configuration: C) -> ResolvedConfiguration {
    C.Body.self == Never.self
      ? ResolvedConfiguration(leaf: configuration, traits: WidgetTraits())
      : ResolvedConfiguration(of: configuration.body)
  }
}

extension Widget {
  /// The configurations of this widget, or of all widgets of the list that it is.
  @MainActor
  package var resolvedConfigurations: [ResolvedConfiguration] {
    if let list = self as? _WidgetList { return list.widgets.flatMap(\.resolvedConfigurations) }
    return [ResolvedConfiguration(of: body)]
  }
}

extension WidgetConfiguration {
  /// Adds what a modifier says.
  package nonisolated func changing(
    _ change: @escaping @Sendable (inout WidgetTraits) -> Void
  ) -> some WidgetConfiguration {
    ModifiedConfiguration(base: self, change: change)
  }

  /// Notes a modifier that has no meaning here.
  package nonisolated func recording(_ modifier: String) -> some WidgetConfiguration {
    changing { $0.recorded.append(modifier) }
  }
}
