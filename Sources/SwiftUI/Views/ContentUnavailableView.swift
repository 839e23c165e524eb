public import FoundationAdditions

/// Says that there is nothing to show, and why.
///
/// Source: SwiftUI.
public struct ContentUnavailableView<Label: View, Description: View, Actions: View>: View {
  private let label: Label
  private let description: Description
  private let actions: Actions

  /// Makes the view of its parts.
  public init(
    @ViewBuilder label: () -> Label, @ViewBuilder description: () -> Description = { EmptyView() },
    @ViewBuilder actions: () -> Actions = { EmptyView() }
  ) {
    self.label = label()
    self.description = description()
    self.actions = actions()
  }

  /// The label, with the description below it and then what can be done.
  public var body: some View {
    VStack(spacing: 6) {
      label.font(.headline).labelStyle(CentredLabelStyle())
      description.font(.subheadline).foregroundStyle(.secondary)
      actions
    }
    .multilineTextAlignment(.center)
    .frame(maxWidth: .infinity, maxHeight: .infinity)
  }
}

/// The icon stands above the title.
private struct CentredLabelStyle: LabelStyle {
  func makeBody(configuration: Configuration) -> some View {
    VStack(spacing: 4) {
      configuration.icon.font(.largeTitle).foregroundStyle(.secondary)
      configuration.title
    }
  }
}

extension ContentUnavailableView where Description == Text?, Actions == EmptyView {
  private init(_ label: Label, _ description: Text?) {
    self.label = label
    self.description = description
    actions = EmptyView()
  }
}

extension ContentUnavailableView
where Label == SwiftUI.Label<Text, Image>, Description == Text?, Actions == EmptyView {
  /// Makes the view of a text and a symbol.
  public init(_ title: LocalizedStringKey, systemImage name: String, description: Text? = nil) {
    self.init(SwiftUI.Label(title, systemImage: name), description)
  }

  /// Makes the view of a text and a symbol.
  @_disfavoredOverload
  public init<S: StringProtocol>(_ title: S, systemImage name: String, description: Text? = nil) {
    self.init(SwiftUI.Label(title, systemImage: name), description)
  }

  /// Makes the view of a text and a symbol.
  @_disfavoredOverload
  public init(
    _ title: LocalizedStringResource, systemImage name: String, description: Text? = nil
  ) {
    self.init(SwiftUI.Label(title, systemImage: name), description)
  }

  /// Makes the view of a text and an image.
  public init(_ title: LocalizedStringKey, image name: String, description: Text? = nil) {
    self.init(SwiftUI.Label(title, image: name), description)
  }

  /// Makes the view of a text and an image.
  @_disfavoredOverload
  public init<S: StringProtocol>(_ title: S, image name: String, description: Text? = nil) {
    self.init(SwiftUI.Label(title, image: name), description)
  }

  /// The view of a search that found nothing.
  @MainActor public static var search: ContentUnavailableView {
    Self.init("No Results", systemImage: "magnifyingglass")
  }

  /// The view of a search for `text` that found nothing.
  @MainActor public static func search(text: String) -> ContentUnavailableView {
    Self.init("No Results for “\(text)”", systemImage: "magnifyingglass")
  }
}
