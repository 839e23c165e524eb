import AppIntents

struct TrackParcel: AppIntent, WidgetConfigurationIntent {
  static let title: LocalizedStringResource = "Track Parcel"
  static let isDiscoverable = false

  @Parameter(title: "Parcel") var parcel: Parcel?
}

struct ReceiveParcel: AppIntent {
  static let title: LocalizedStringResource = "Receive Parcel"
  static let openAppWhenRun = false

  @Parameter(title: "Parcel", requestValueDialog: "Which parcel?")
  var parcel: Parcel

  static var parameterSummary: some ParameterSummary { Summary("Receive \(\.$parcel)") }

  init() {}

  init(parcel: Parcel) { self.parcel = parcel }

  func perform() async throws -> some IntentResult & ProvidesDialog {
    guard parcel.status.step == 1 else { throw ParcelError.notOut(parcel.name) }
    return .result(dialog: IntentDialog(full: "Thank you for \(parcel.name).", supporting: "Done."))
  }
}

enum ParcelError: Error, CustomLocalizedStringResourceConvertible {
  case notOut(String)

  var localizedStringResource: LocalizedStringResource {
    switch self {
    case .notOut(let name): "\(name) is not on its way."
    }
  }
}

struct OpenParcels: OpenIntent {
  static let title: LocalizedStringResource = "Open Parcels"
  static let description: IntentDescription = "Opens a parcel in the app."
  static let openAppWhenRun = true

  @Parameter(title: "Parcel") var target: Parcel

  @MainActor func perform() async throws -> some IntentResult { .result() }
}

struct ParcelShortcuts: AppShortcutsProvider {
  static let shortcutTileColor: ShortcutTileColor = .orange

  static var appShortcuts: [AppShortcut] {
    AppShortcut(
      intent: ReceiveParcel(),
      phrases: [
        "Receive \(\.$parcel) with \(.applicationName)",
        "I have got \(\.$parcel) in \(.applicationName)",
      ],
      shortTitle: "Receive", systemImageName: "shippingbox")
    AppShortcut(
      intent: OpenParcels(), phrases: ["Show \(\.$target) in \(.applicationName)"],
      shortTitle: "Show", systemImageName: "eye")
  }
}
