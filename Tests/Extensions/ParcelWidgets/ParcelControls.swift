import AppIntents
import SwiftUI
import WidgetKit

@available(iOS 18.0, *)
struct ScanControl: ControlWidget {
  var body: some ControlWidgetConfiguration {
    StaticControlConfiguration(kind: "org.example.parcels.scan") {
      ControlWidgetButton(action: ScanParcel()) {
        Label("Scan", systemImage: "barcode.viewfinder")
      }
    }
    .displayName("Scan a Parcel")
    .description("Opens the scanner.")
  }
}

@available(iOS 18.0, *)
struct QuietControl: ControlWidget {
  var body: some ControlWidgetConfiguration {
    StaticControlConfiguration(kind: "org.example.parcels.quiet", provider: QuietProvider()) {
      isQuiet in
      ControlWidgetToggle(
        "Quiet delivery", isOn: isQuiet, action: SetQuiet()
      ) { isOn in
        Label(isOn ? "Quiet" : "Ring", systemImage: isOn ? "bell.slash" : "bell")
      }
      .tint(.brown)
    }
  }
}

@available(iOS 18.0, *)
struct QuietProvider: ControlValueProvider {
  var previewValue: Bool { false }
  func currentValue() async throws -> Bool { true }
}

struct ScanParcel: AppIntent {
  static let title: LocalizedStringResource = "Scan a Parcel"
  static let openAppWhenRun: Bool = true

  func perform() async throws -> some IntentResult & OpensIntent {
    .result(opensIntent: OpenURLIntent(URL(string: "parcels://scan")!))
  }
}

struct SetQuiet: SetValueIntent {
  static let title: LocalizedStringResource = "Quiet Delivery"

  @Parameter(title: "Quiet") var value: Bool

  func perform() async throws -> some IntentResult { .result() }
}
