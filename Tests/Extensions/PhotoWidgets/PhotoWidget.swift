import SwiftUI
import WidgetKit

struct PhotoEntry: TimelineEntry {
  var date: Date = .now
  var caption: String
  var imageName: String
}

struct PhotoProvider: TimelineProvider {
  func placeholder(in context: Context) -> PhotoEntry {
    PhotoEntry(caption: "Harbour", imageName: "Harbour")
  }

  func getSnapshot(in context: Context, completion: @escaping @Sendable (PhotoEntry) -> Void) {
    completion(placeholder(in: context))
  }

  func getTimeline(
    in context: Context, completion: @escaping @Sendable (Timeline<PhotoEntry>) -> Void
  ) {
    let entry = placeholder(in: context)
    Task {
      try? await Task.sleep(for: .milliseconds(5))
      completion(Timeline(entries: [entry], policy: .never))
    }
  }
}

struct PhotoView: View {
  @Environment(\.showsWidgetContainerBackground) private var showsBackground
  @Environment(\.widgetContentMargins) private var margins
  let entry: PhotoEntry

  var body: some View {
    GeometryReader { geometry in
      ZStack(alignment: .bottomLeading) {
        if let image = UIImage(named: entry.imageName) {
          Image(uiImage: image)
            .resizable()
            .widgetAccentedRenderingMode(.fullColor)
            .aspectRatio(contentMode: .fill)
            .frame(width: geometry.size.width, height: geometry.size.height)
            .clipped()
        } else {
          Image(systemName: "photo").resizable().scaledToFit()
        }
        caption
          .frame(width: geometry.size.width, alignment: .leading)
          .background {
            LinearGradient(
              stops: [.init(color: .clear, location: 0), .init(color: .black, location: 1)],
              startPoint: .top, endPoint: .bottom)
          }
      }
    }
    .containerBackground(.regularMaterial, for: .widget)
  }

  private var caption: some View {
    VStack(alignment: .leading, spacing: 0) {
      Text(entry.date, format: .dateTime.day().month(.abbreviated))
        .font(.caption2.smallCaps())
        .opacity(0.7)
      Text(entry.caption)
        .font(.headline)
        .truncationMode(.tail)
    }
    .foregroundColor(Color("Caption"))
    .padding(.init(top: 20, leading: margins.leading, bottom: 8, trailing: margins.trailing))
    .dynamicTypeSize(...DynamicTypeSize.xLarge)
  }
}

@main
struct PhotoWidget: Widget {
  var body: some WidgetConfiguration {
    StaticConfiguration(kind: "photo", provider: PhotoProvider()) { PhotoView(entry: $0) }
      .configurationDisplayName(Text("Photo"))
      .description(Text("One of your photos."))
      .contentMarginsDisabled()
      .containerBackgroundRemovable(false)
  }
}

#Preview("Photo", as: .systemLarge) {
  PhotoWidget()
} timeline: {
  PhotoEntry(caption: "Harbour", imageName: "Harbour")
  PhotoEntry(caption: "Nothing", imageName: "Nothing")
}
