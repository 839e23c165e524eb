import AppIntents
import FoundationAdditions
import JSON
import SwiftUI
import Testing

// Declarations as public widgets write them. The file has to compile; one test evaluates it.

@MainActor
struct DeclarationTests {
  @Test func `every declaration is evaluated and drawn`() {
    let entry = DeclaredEntry(date: Fixture.now, emoji: "x")
    for view in [
      AnyView(DeclaredTexts(entry: entry)), AnyView(DeclaredContainers(entry: entry)),
      AnyView(DeclaredTile { Text(verbatim: "tile") }), AnyView(DeclaredPreviews.previews),
    ] {
      let tree = Fixture.evaluated(view, .systemLarge)
      #expect(tree.html(in: .light, at: Fixture.now).html != nil)
      #expect(tree.content(for: .systemLarge)["title"] != nil)
    }
  }
}

private struct DeclaredEntry { let date: Date; let emoji: String; var value: Double = 0.3 }

private struct DeclaredTexts: View {
  @Environment(\.widgetFamily) var family: WidgetFamily
  @Environment(\.colorScheme) private var scheme
  @Environment(\.widgetContentMargins) var margins
  @Environment(\.showsWidgetContainerBackground) var shows
  @ScaledMetric var size: CGFloat = 20
  @ScaledMetric(relativeTo: .title) var big = 20.0
  var entry: DeclaredEntry
  let gradient = LinearGradient(
    gradient: Gradient(colors: [Color.red, .blue]), startPoint: .topLeading,
    endPoint: .bottomTrailing)
  var body: some View {
    ZStack(alignment: .topLeading) {
      gradient
      Color(UIColor.systemBackground).edgesIgnoringSafeArea(.all)
      Color(.systemGray6)
      Color("WidgetBackground").ignoresSafeArea()
      VStack(alignment: .leading, spacing: 8) {
        Text(entry.date, style: .time).font(.system(size: 30, weight: .bold, design: .rounded))
        Text(
          "\(entry.emoji) and \(entry.value, specifier: "%.2f") \(entry.value, format: .percent)")
        Text(entry.date.formatted(date: .omitted, time: .shortened))
        Text(entry.value, format: .number.precision(.fractionLength(2)))
        Text(entry.date, format: .dateTime.day().month())
        Text(LocalizedStringKey(entry.emoji))
        Text(String(localized: "x"))
        Text("A") + Text(" ") + Text(entry.date, style: .relative).fontWeight(.semibold)
        Text(verbatim: "x").kerning(2).baselineOffset(3)
        Image(systemName: family == .systemSmall ? "a" : "b").font(.title).foregroundColor(
          scheme == .dark ? .white : .black)
        Label {
          Text("t").font(.caption)
        } icon: {
          Image(systemName: "star").foregroundStyle(.yellow)
        }
        Label("x", systemImage: "y").labelStyle(.titleAndIcon)
        Divider().background(Color.white)
        Rectangle().frame(height: 1).foregroundColor(.gray.opacity(0.4))
        RoundedRectangle(cornerRadius: 10, style: .continuous).strokeBorder(Color.red, lineWidth: 2)
        RoundedRectangle(cornerRadius: 10).stroke(style: StrokeStyle(lineWidth: 2, dash: [4]))
        Circle().fill(AngularGradient(gradient: Gradient(colors: [.red]), center: .center))
        Circle().strokeBorder(lineWidth: 3).foregroundStyle(.tint)
        Capsule().fill(Color.accentColor).frame(width: 20, height: 4)
        Gauge(value: 0.5, in: 0...1) {
          Image(systemName: "x")
        } currentValueLabel: {
          Text("x")
        } minimumValueLabel: {
          Text("0")
        } maximumValueLabel: {
          Text("1")
        }
        .gaugeStyle(.accessoryCircular).tint(Gradient(colors: [.green, .red]))
        ProgressView(value: 0.5) { Text("x") }.progressViewStyle(.circular).tint(.red)
        ProgressView(value: 3, total: 5).progressViewStyle(LinearProgressViewStyle(tint: .red))
          .scaleEffect(x: 1, y: 2, anchor: .center)
        ProgressView("a", value: 0.2)
        Link(destination: Fixture.url("a:b")) { Text("x") }
      }
      .padding([.leading, .trailing], 10).padding(.bottom)
      .frame(maxWidth: .infinity, maxHeight: .infinity, alignment: .bottomLeading)
      .background(RoundedRectangle(cornerRadius: 8).fill(Color.white))
      .background(Color.black.opacity(0.2).cornerRadius(8))
      .background(.ultraThinMaterial, in: RoundedRectangle(cornerRadius: 8))
      .background(gradient)
      .overlay(RoundedRectangle(cornerRadius: 8).stroke(Color.red, lineWidth: 1))
      .overlay(alignment: .top) { Text("x") }
      .clipShape(.rect(cornerRadius: 8)).clipShape(ContainerRelativeShape())
      .mask(RoundedRectangle(cornerRadius: 3))
      .shadow(color: .black.opacity(0.3), radius: 4, x: 0, y: 2)
      .foregroundStyle(scheme == .dark ? AnyShapeStyle(.secondary) : AnyShapeStyle(Color.red))
      .lineLimit(2).multilineTextAlignment(.center).minimumScaleFactor(0.5).truncationMode(.tail)
      .redacted(reason: entry.emoji.isEmpty ? .placeholder : [])
      .accessibilityElement(children: .combine).accessibilityLabel(Text("x"))
      .transition(.push(from: .bottom)).animation(.spring(duration: 0.2), value: entry.value)
      .contentTransition(.numericText(value: 3))
      .id(entry.date).unredacted().privacySensitive()
      .widgetURL(URL(string: "x:y")).environment(\.colorScheme, .dark)
    }
    .containerBackground(.fill.tertiary, for: .widget)
    .containerBackground(for: .widget) { Color.clear }
    .dynamicTypeSize(...DynamicTypeSize.xxxLarge)
  }
}
private struct DeclaredContainers: View {
  var entry: DeclaredEntry
  @State private var on = false
  var columns: [GridItem] = [
    GridItem(.adaptive(minimum: 40, maximum: 80)),
    GridItem(.fixed(3), spacing: 2, alignment: .leading),
  ]
  var body: some View {
    GeometryReader { geo in
      HStack(spacing: 0) {
        ForEach(0..<3, id: \.self) { i in
          VStack { Text("\(i)") }.frame(width: geo.size.width / 3)
        }
        ForEach(Array(["a", "b"].enumerated()), id: \.offset) { index, item in Text(item).tag(index)
        }
        ForEach(Array(zip(1..., ["a"])), id: \.0) { n, s in Text("\(n) \(s)") }
        if entry.value > 0.2, let x = Int("3") {
          Text("\(x)")
        } else if on {
          EmptyView()
        } else {
          Spacer().frame(height: 3)
        }
      }.position(x: geo.size.width / 2, y: geo.size.height / 2)
    }
    LazyVGrid(columns: columns, alignment: .leading, spacing: 4) { Text("a") }
    Toggle(isOn: $on) { Text("x") }.toggleStyle(.switch).labelsHidden()
    Button {
      on.toggle()
    } label: {
      Image(systemName: "x")
    }.buttonStyle(.plain).tint(.red).disabled(on)
    Button("x", role: .destructive) {}.buttonStyle(.borderedProminent).controlSize(.small)
    Button("x", systemImage: "y", action: {}).buttonBorderShape(.capsule)
    Image(uiImage: UIImage(named: "x") ?? UIImage()).resizable().scaledToFill().frame(
      width: 10, height: 10
    ).clipped()
    Image("x", bundle: .main).renderingMode(.template).resizable().aspectRatio(contentMode: .fit)
    Path { p in
      p.move(to: .zero); p.addLine(to: CGPoint(x: 1, y: 1)); p.closeSubpath()
    }.stroke(Color.red, lineWidth: 2)
    Canvas { context, size in
      context.fill(Path(ellipseIn: CGRect(origin: .zero, size: size)), with: .color(.red))
    }
    ViewThatFits(in: .horizontal) {
      Text("long"); Text("s")
    }
    DeclaredShape(phase: 2).fill(
      LinearGradient(colors: [.red], startPoint: .leading, endPoint: .trailing))
    TimelineView(.periodic(from: .now, by: 1)) { context in Text(context.date, style: .timer) }
    AsyncImage(url: nil) { image in
      image.resizable()
    } placeholder: {
      Color.gray
    }
    Grid(alignment: .leading, horizontalSpacing: 3) {
      GridRow { Text("a").gridColumnAlignment(.leading) }
    }
    Section {
      Text("x")
    } header: {
      Text("h")
    }
    Group {
      switch entry.emoji {
      case "a": Text("a");
      default: EmptyView()
      }
    }.font(.custom("Menlo", size: 12))
    helper(title: "x") { Text("y") }
  }
  @ViewBuilder func helper<C: View>(title: LocalizedStringKey, @ViewBuilder content: () -> C)
    -> some View
  {
    VStack {
      Text(title); content()
    }.cardStyle(corner: 3).modifier(DeclaredModifier(color: .red)).eraseToAnyView()
  }
}
private struct DeclaredShape: Shape {
  var phase: Double
  var animatableData: Double {
    get { phase }
    set { phase = newValue }
  }
  func path(in rect: CGRect) -> Path {
    var path = Path()
    path.move(to: CGPoint(x: rect.minX, y: rect.midY))
    path.addQuadCurve(to: CGPoint(x: rect.maxX, y: rect.midY), control: .zero)
    return path
  }
}
private struct DeclaredModifier: ViewModifier {
  let color: Color;
  func body(content: Content) -> some View {
    content.foregroundColor(color).background(color.opacity(0.1))
  }
}
extension View {
  fileprivate func cardStyle(corner: CGFloat) -> some View { self.padding().cornerRadius(corner) }
  fileprivate func eraseToAnyView() -> AnyView { AnyView(self) }
  @ViewBuilder fileprivate func widgetBackground(_ backgroundView: some View) -> some View {
    if #available(iOSApplicationExtension 17.0, *) {
      containerBackground(for: .widget) { backgroundView }
    } else {
      background(backgroundView)
    }
  }
  @ViewBuilder fileprivate func `if`<T: View>(_ c: Bool, transform: (Self) -> T) -> some View {
    if c { transform(self) } else { self }
  }
}
extension Color {
  fileprivate static let brand = Color(red: 3 / 255, green: 0.2, blue: 0.3)
  fileprivate init(hex: UInt) {
    self.init(.sRGB, red: Double((hex >> 16) & 0xff) / 255, green: 0, blue: 0, opacity: 1)
  }
}
extension ShapeStyle where Self == Color { fileprivate static var brandStyle: Color { .brand } }
extension Font {
  fileprivate static let mine = Font.system(.caption, design: .monospaced).weight(.heavy)
}
private struct DeclaredKey: EnvironmentKey { static let defaultValue = 3 }
extension EnvironmentValues {
  fileprivate var my: Int {
    get { self[DeclaredKey.self] }
    set { self[DeclaredKey.self] = newValue }
  }
}
private struct DeclaredButtonStyle: ButtonStyle {
  func makeBody(configuration: Configuration) -> some View {
    configuration.label.scaleEffect(configuration.isPressed ? 0.9 : 1)
  }
}
private struct DeclaredToggleStyle: ToggleStyle {
  func makeBody(configuration: Configuration) -> some View {
    Image(systemName: configuration.isOn ? "a" : "b").onTapGesture { configuration.isOn.toggle() }
  }
}
private struct DeclaredProgressStyle: ProgressViewStyle {
  func makeBody(configuration: Configuration) -> some View {
    Rectangle().frame(width: CGFloat(configuration.fractionCompleted ?? 0) * 10)
  }
}
private struct DeclaredPreviews: PreviewProvider {
  static var previews: some View {
    DeclaredTexts(entry: DeclaredEntry(date: Date(), emoji: "x")).previewDisplayName("x")
    Group { DeclaredContainers(entry: .init(date: .now, emoji: "")) }.environment(\.my, 3)
  }
}
private struct DeclaredTile<Content: View>: View {
  let content: Content
  init(@ViewBuilder content: () -> Content) { self.content = content() }
  var body: some View {
    content.frame(minWidth: 0, maxWidth: .infinity).foregroundStyle(.brandStyle, .secondary)
      .foregroundStyle(Color.brand.gradient).font(.mine)
  }
}
