import SwiftUI
import WidgetKit

struct HabitGridView: View {
  @Environment(\.widgetFamily) var family: WidgetFamily
  @Environment(\.calendar) var calendar
  @Environment(\.layoutDirection) private var layoutDirection
  let entry: HabitEntry

  private let columns = [GridItem](repeating: GridItem(.flexible(), spacing: 2), count: 7)

  private var days: Range<Int> {
    calendar.range(of: .day, in: .month, for: entry.date) ?? 1..<31
  }

  private var shown: ArraySlice<Habit> {
    switch family {
    case .systemSmall: return entry.habits.prefix(1)
    case .systemLarge: return entry.habits.prefix(2)
    default: return entry.habits[...]
    }
  }

  var body: some View {
    VStack(alignment: .leading, spacing: 8) {
      if shown.isEmpty {
        Text("No habits yet").foregroundColor(.secondary)
      }
      ForEach(shown) { habit in
        header(habit)
        LazyVGrid(columns: columns, spacing: 2) {
          ForEach(Array(days), id: \.self) { day in
            DayCell(day: day, isDone: habit.done.contains(day), color: Color(hex: habit.color))
              .if(day == calendar.component(.day, from: entry.date)) { cell in
                cell.overlay(RoundedRectangle(cornerRadius: 2).stroke(Color.primary, lineWidth: 1))
              }
          }
        }
      }
      Spacer(minLength: 0)
    }
    .redacted(reason: entry.isPlaceholder ? .placeholder : [])
  }

  @ViewBuilder
  private func header(_ habit: Habit) -> some View {
    HStack(alignment: .firstTextBaseline) {
      Text(habit.name).font(.caption).bold()
      Spacer()
      Text("\(habit.done.count)/\(days.count)")
        .font(.caption2)
        .foregroundColor(.secondary)
        .accessibility(label: Text("\(habit.done.count) of \(days.count) days"))
    }
  }
}

struct DayCell: View {
  let day: Int
  let isDone: Bool
  let color: Color

  var body: some View {
    RoundedRectangle(cornerRadius: 2, style: .continuous)
      .fill(isDone ? color : Color.gray.opacity(0.2))
      .aspectRatio(1, contentMode: .fit)
      .accessibilityHidden(!isDone)
  }
}

extension View {
  @ViewBuilder
  func `if`<Content: View>(_ condition: Bool, transform: (Self) -> Content) -> some View {
    if condition {
      transform(self)
    } else {
      self
    }
  }
}

extension Color {
  init(hex: String) {
    var value: UInt64 = 0
    Scanner(string: hex).scanHexInt64(&value)
    self.init(
      .sRGB,
      red: Double((value >> 16) & 0xff) / 255,
      green: Double((value >> 8) & 0xff) / 255,
      blue: Double(value & 0xff) / 255,
      opacity: 1)
  }
}

struct HabitGridView_Previews: PreviewProvider {
  static var previews: some View {
    Group {
      HabitGridView(entry: HabitEntry(date: Date(), habits: []))
        .previewContext(WidgetPreviewContext(family: .systemSmall))
        .previewDisplayName("Empty")
    }
    .environment(\.colorScheme, .dark)
  }
}
