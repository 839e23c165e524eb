public import FoundationAdditions

extension WidgetConfiguration {
  /// Sets the name for people.
  public nonisolated func configurationDisplayName(
    _ displayName: Text
  ) -> some WidgetConfiguration { changing { $0.displayName = displayName } }
  /// Sets the name for people.
  public nonisolated func configurationDisplayName(
    _ displayNameKey: LocalizedStringKey
  ) -> some WidgetConfiguration { configurationDisplayName(Text(displayNameKey)) }
  /// Sets the name for people.
  @_disfavoredOverload
  public nonisolated func configurationDisplayName(
    _ displayName: LocalizedStringResource
  ) -> some WidgetConfiguration { configurationDisplayName(Text(displayName)) }
  /// Sets the name for people.
  @_disfavoredOverload
  public nonisolated func configurationDisplayName<S: StringProtocol>(
    _ displayName: S
  ) -> some WidgetConfiguration { configurationDisplayName(Text(displayName)) }

  /// Sets the sentence for people.
  public nonisolated func description(_ description: Text) -> some WidgetConfiguration {
    changing { $0.description = description }
  }
  /// Sets the sentence for people.
  public nonisolated func description(
    _ descriptionKey: LocalizedStringKey
  ) -> some WidgetConfiguration { description(Text(descriptionKey)) }
  /// Sets the sentence for people.
  @_disfavoredOverload
  public nonisolated func description(
    _ descriptionResource: LocalizedStringResource
  ) -> some WidgetConfiguration { description(Text(descriptionResource)) }
  /// Sets the sentence for people.
  @_disfavoredOverload
  public nonisolated func description<S: StringProtocol>(
    _ text: S
  ) -> some WidgetConfiguration { description(Text(text)) }

  /// Sets the sizes.
  public nonisolated func supportedFamilies(
    _ families: [WidgetFamily]
  ) -> some WidgetConfiguration { changing { $0.families = families } }

  /// Takes the margins away that the content of a widget has.
  public nonisolated func contentMarginsDisabled() -> some WidgetConfiguration {
    changing { $0.hasContentMargins = false }
  }
  /// Recorded: a surface decides about backgrounds.
  public nonisolated func containerBackgroundRemovable(
    _ isRemovable: Bool = true
  ) -> some WidgetConfiguration { recording("containerBackgroundRemovable") }
  /// Recorded: there are no downloads in the background of a session.
  public nonisolated func onBackgroundURLSessionEvents(
    matching matchingString: String,
    _ urlSessionEvent:
      @escaping (_ identifier: String, _ completion: @escaping () -> Void) -> Void
  ) -> some WidgetConfiguration { recording("onBackgroundURLSessionEvents") }
  /// Recorded: there are no downloads in the background of a session.
  public nonisolated func onBackgroundURLSessionEvents(
    matching: ((String) -> Bool)? = nil,
    _ urlSessionEvent:
      @escaping (_ identifier: String, _ completion: @escaping () -> Void) -> Void
  ) -> some WidgetConfiguration { recording("onBackgroundURLSessionEvents") }
  /// Recorded: a person configures a widget when they want.
  public nonisolated func promptsForUserConfiguration() -> some WidgetConfiguration {
    recording("promptsForUserConfiguration")
  }
  /// Recorded: there are no Live Activities.
  public nonisolated func supplementalActivityFamilies(
    _ families: [ActivityFamily]
  ) -> some WidgetConfiguration { recording("supplementalActivityFamilies") }
}
