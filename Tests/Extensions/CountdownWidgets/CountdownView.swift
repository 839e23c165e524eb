import SwiftUI
import WidgetKit

struct CountdownView: View {
  @Environment(\.widgetFamily) private var family
  @Environment(\.widgetRenderingMode) private var renderingMode
  let entry: CountdownEntry

  var body: some View {
    Group {
      switch family {
      case .accessoryInline:
        Label {
          Text(entry.start, style: .relative)
        } icon: {
          Image(systemName: "timer")
        }
      case .accessoryRectangular:
        VStack(alignment: .leading) {
          Text(entry.title).font(.headline)
          Text(entry.start, style: .timer).monospacedDigit()
          Text(entry.start, style: .date).foregroundStyle(.secondary)
        }
        .frame(maxWidth: .infinity, alignment: .leading)
      default:
        large
      }
    }
    .containerBackground(for: .widget) {
      if renderingMode == .fullColor {
        LinearGradient(
          gradient: Gradient(colors: entry.theme.colors), startPoint: .topLeading,
          endPoint: .bottomTrailing)
      } else {
        Color.clear
      }
    }
  }

  private var large: some View {
    VStack(spacing: 6) {
      Text(entry.title)
        .font(.caption.weight(.semibold))
        .textCase(.uppercase)
        .kerning(1.5)
      switch entry.state {
      case .waiting:
        Text(timerInterval: entry.date...entry.start, pauseTime: nil, countsDown: true)
          .font(.system(.largeTitle, design: .rounded).monospacedDigit())
          .multilineTextAlignment(.center)
          .lineLimit(1)
      case .running:
        ProgressView(timerInterval: entry.start...entry.end, countsDown: false) {
          Text("Under way")
        } currentValueLabel: {
          Text(entry.end, style: .timer)
        }
        .progressViewStyle(.linear)
        .tint(.white)
      case .over:
        Image(systemName: "checkmark.seal.fill").imageScale(.large)
        Text("\(entry.title) is over")
      }
      if family == .systemMedium {
        Text("Begins \(entry.start, style: .time) and ends \(entry.end, style: .time)")
          .font(.footnote)
          .opacity(0.8)
      }
    }
    .foregroundStyle(.white)
    .shadow(radius: 2)
  }
}
