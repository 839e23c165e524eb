import FoundationAdditions
import Timekeeping
import ViewMarkup

/// Makes markup of a tree: an element for each node, laid out by flexbox.
///
/// SwiftUI asks every view for its size; here the surface does, so no font is measured. Three rules
/// stand in for its layout:
///
/// - A stack is a flex container, a `ZStack` and what is attached a grid of one cell.
/// - A view that takes all the room it gets (a spacer, a colour, a shape, a frame without an upper
///   bound, and each stack around one) *grows* along that axis: it stretches, or shares the rest.
/// - A modifier changes the element of its view where CSS means the same (`padding`, then
///   `background`), and puts a box around it where the order matters (`background`, then `padding`).
struct PictureWriter {
  let scheme: ColorScheme
  /// The moment for which live dates are written.
  let date: Date
  let fontScale: Double
  /// Items that were met so far, in the order of the content.
  var itemCount = 0
  private(set) var background: [MarkupElement.Declaration] = []
  private(set) var backgroundLayer: MarkupElement?
  private(set) var hasContainerBackground = false
  /// Sentences for the author.
  var warnings: [String] = []

  init(scheme: ColorScheme, date: Date, fontScale: Double) {
    self.scheme = scheme
    self.date = date
    self.fontScale = fontScale
  }

  /// The values that a node takes from the nodes around it.
  struct Context {
    var style = TextStyle()
    var tint = Paint.color(.named(.blue))
    var lineLimit = 0
    var isRedacted = false
    var coversPrivate = false
    var hidesLabels = false
    /// Corners of the widget, for shapes that follow them.
    var containerRadius = 0.0

    /// Pixels of the font.
    func fontSize(_ scale: Double) -> Double {
      let font = style.font ?? .body
      return font.isScaled ? font.points * scale : font.points
    }
  }

  /// An element, and how its parent lays it out.
  struct Box {
    var element: MarkupElement
    var growsWidth = false
    var growsHeight = false
    /// Whether the size along an axis is said.
    var hasWidth = false
    var hasHeight = false
    /// Whether the element's own area is painted, so that padding needs a box of its own.
    var isPainted = false
    /// A spacer grows along its stack; its shortest length.
    var spacerLength: Double?
    var isDivider = false

    mutating func set(_ property: MarkupProperty, _ value: String) {
      if let index = element.style.firstIndex(where: { $0.property == property }) {
        element.style[index].value = value
      } else {
        element.style.append(.init(property, value))
      }
    }

    func has(_ property: MarkupProperty) -> Bool {
      element.style.contains { $0.property == property }
    }

    mutating func setAttribute(_ name: MarkupAttribute, _ value: String) {
      guard !value.isEmpty, !element.attributes.contains(where: { $0.name == name }) else { return }
      element.attributes.append(.init(name, Markup.words(value)))
    }
  }

  // MARK: Nodes

  /// Makes the box of a node with everything that changes it.
  mutating func box(of node: ViewNode, _ outer: Context) -> Box {
    var context = outer
    for property in node.properties.reversed() { inherit(property, into: &context) }
    let itemCountBefore = itemCount
    var box = bareBox(of: node, context)
    if node.isUnseen {
      // The content has no items of it, so nothing in it can be tapped.
      itemCount = itemCountBefore
      box.element = Self.untappable(box.element)
    }
    for property in node.properties { apply(property, to: &box, context) }
    if case .button(let tap) = node.kind, box.element.tag == .button, !node.hasWords {
      box.setAttribute(.label, tap.title)
    }
    return box
  }

  private static func untappable(_ element: MarkupElement) -> MarkupElement {
    var element = element
    if element.tag == .a || element.tag == .button { element.tag = .div }
    element.attributes.removeAll { $0.name == .item || $0.name == .href }
    for index in element.children.indices {
      guard case .element(let child) = element.children[index] else { continue }
      element.children[index] = .element(untappable(child))
    }
    return element
  }

  mutating func bareBox(of node: ViewNode, _ context: Context) -> Box {
    switch node.kind {
    case .text(let runs): return text(runs, context)
    case .symbol(let picture): return symbol(picture, context)
    case .asset(let picture): return asset(picture, context)
    case .row(let layout): return stack(node.children, layout, isRow: true, context)
    case .column(let layout): return stack(node.children, layout, isRow: false, context)
    case .layers(let place): return layers(node.children.map { box(of: $0, context) }, place)
    case .grid(let layout): return grid(node.children, layout, context)
    case .spacer(let length):
      return Box(element: MarkupElement(.div), spacerLength: length ?? 8)
    case .divider:
      var box = Box(element: MarkupElement(.div), isPainted: true, isDivider: true)
      box.set(.background, Markup.color(.named(.separator), scheme))
      return box
    case .shape(let picture): return shape(picture, isSquare: node.isFramedAsSquare, context)
    case .fill(let paint):
      var box = Box(
        element: MarkupElement(.div), growsWidth: true, growsHeight: true, isPainted: true)
      box.set(.background, Markup.paint(paint, context, scheme))
      return box
    case .measure(let picture): return measure(node.children, picture, context)
    case .link(let url): return link(node.children, url, context)
    case .button(let tap): return button(node.children, tap, context)
    case .toggle(let isOn, let tap): return toggle(node.children, isOn, tap, context)
    case .attached(let isBehind, let place):
      return attached(node.children, isBehind, place, context)
    case .unshown:
      return Box(
        element: MarkupElement(.div), growsWidth: true, growsHeight: true, isPainted: true)
    }
  }

  func text(_ runs: [TextRun], _ context: Context) -> Box {
    var box = Box(element: MarkupElement(.div))
    if runs.count == 1, runs[0].link == nil, case .text(let words) = runs[0].content {
      let style = runs[0].style
      for declaration in declarations(of: style, context) { box.element.style.append(declaration) }
      box.element.children = words.isEmpty ? [] : [.text(Markup.words(words))]
    } else {
      box.element.children = runs.compactMap { child(of: $0, context) }
    }
    if context.lineLimit > 0 {
      box.set(.display, "-webkit-box")
      box.set(.boxOrient, "vertical")
      box.set(.lineClamp, "\(min(context.lineLimit, 100))")
      box.set(.overflow, "hidden")
    }
    if context.isRedacted {
      box.set(.color, "#00000000")
      box.set(.background, Markup.color(.named(.fill), scheme))
      box.set(.borderRadius, "4px")
      box.setAttribute(.isHidden, "true")
      box.element.children = Self.blanked(box.element.children)
      box.isPainted = true
    }
    return box
  }

  /// Covered content leaves the machine as blanks of the same length.
  static func blanked(_ children: [MarkupElement.Child]) -> [MarkupElement.Child] {
    children.map { child in
      switch child {
      case .text(let text): .text(String(text.map { $0.isWhitespace ? $0 : "–" }))
      case .element(let element):
        .element(
          MarkupElement(.span, style: element.style, children: blanked(element.children)))
      }
    }
  }

  func child(of run: TextRun, _ context: Context) -> MarkupElement.Child? {
    var inner = context
    inner.style = run.style.over(context.style)
    let style = declarations(of: run.style, context)
    switch run.content {
    case .text(let words):
      if let url = run.link, MarkupURL.accepts(url) {
        let color = MarkupElement.Declaration(
          .color, Markup.paintColor(context.tint, inner, scheme))
        return .element(
          MarkupElement(
            .a, attributes: [.init(.href, url)],
            style: style.contains { $0.property == .color } ? style : style + [color],
            children: [.text(Markup.words(words))]))
      }
      if words.isEmpty { return nil }
      if style.isEmpty { return .text(Markup.words(words)) }
      return .element(MarkupElement(.span, style: style, children: [.text(Markup.words(words))]))
    case .live(let live):
      var attributes: [MarkupElement.Attribute] = [
        .init(.datetime, WallTime(live.date).rfc3339), .init(.liveStyle, live.style.rawValue),
      ]
      if let end = live.end { attributes.append(.init(.liveEnd, WallTime(end).rfc3339)) }
      return .element(
        MarkupElement(
          .time, attributes: attributes, style: style,
          children: [.text(LiveText.text(of: live, at: date))]))
    case .symbol(let name):
      let box = symbol(SymbolPicture(name: name), inner)
      var element = box.element
      element.style.append(.init(.display, "inline-flex"))
      return .element(element)
    case .asset(let picture): return .element(asset(picture, inner).element)
    }
  }

  func symbol(_ picture: SymbolPicture, _ context: Context) -> Box {
    var box = Box(element: MarkupElement(.span), isPainted: true)
    let name = picture.name.filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == ".") }
    if !name.isEmpty { box.element.attributes.append(.init(.symbol, String(name.prefix(128)))) }
    box.element.attributes.append(.init(.role, "img"))
    if picture.isResizable {
      box.growsWidth = true
      box.growsHeight = true
    } else {
      let side = Markup.pixels(context.fontSize(fontScale) * 1.2)
      box.set(.width, side)
      box.set(.height, side)
      box.hasWidth = true
      box.hasHeight = true
    }
    return box
  }

  func asset(_ picture: AssetPicture, _ context: Context) -> Box {
    var box = Box(element: MarkupElement(.span), isPainted: true)
    if picture.label.isEmpty {
      box.element.attributes.append(.init(.isHidden, "true"))
    } else {
      box.element.attributes.append(.init(.role, "img"))
      box.setAttribute(.label, picture.label)
    }
    box.set(.background, Markup.color(.named(.fill), scheme))
    box.set(.borderRadius, "4px")
    if picture.isResizable {
      box.growsWidth = true
      box.growsHeight = true
    } else {
      box.set(.width, "40px")
      box.set(.height, "40px")
      box.hasWidth = true
      box.hasHeight = true
    }
    return box
  }

  // MARK: Containers

  mutating func stack(
    _ children: [ViewNode], _ layout: StackLayout, isRow: Bool, _ context: Context
  ) -> Box {
    stack(children.map { box(of: $0, context) }, layout, isRow: isRow)
  }

  func stack(_ children: [Box], _ layout: StackLayout, isRow: Bool) -> Box {
    var box = Box(element: MarkupElement(.div))
    box.set(.display, "flex")
    if !isRow { box.set(.flexDirection, "column") }
    box.set(.alignItems, Markup.flexPlace(layout.alignment))
    let spacing = layout.spacing ?? (isRow ? 8 : 4)
    if spacing > 0, children.count > 1 { box.set(.gap, Markup.pixels(spacing)) }
    box.element.children.reserveCapacity(children.count)
    for child in children {
      box.element.children.append(
        .element(Self.placed(child, inRow: isRow, growth: &box)))
    }
    return box
  }

  /// Returns the element of a child of a stack, and lets the stack grow with it.
  static func placed(_ child: Box, inRow isRow: Bool, growth box: inout Box)
    -> MarkupElement
  {
    var child = child
    if let length = child.spacerLength {
      child.set(.flex, "1 1 0")
      child.set(isRow ? .minWidth : .minHeight, Markup.pixels(length))
      if isRow { box.growsWidth = true } else { box.growsHeight = true }
      return child.element
    }
    if child.isDivider {
      child.set(isRow ? .width : .height, "1px")
      child.set(.flex, "none")
      child.set(.alignSelf, "stretch")
      if isRow { box.growsHeight = true } else { box.growsWidth = true }
      return child.element
    }
    let growsAlong = isRow ? child.growsWidth : child.growsHeight
    let growsAcross = isRow ? child.growsHeight : child.growsWidth
    if growsAlong {
      child.set(.flex, "1 1 0")
      if !child.has(isRow ? .minWidth : .minHeight) {
        child.set(isRow ? .minWidth : .minHeight, "0")
      }
    } else if isRow ? child.hasWidth : child.hasHeight {
      child.set(.flex, "none")
    }
    if growsAcross { child.set(.alignSelf, "stretch") }
    box.growsWidth = box.growsWidth || child.growsWidth
    box.growsHeight = box.growsHeight || child.growsHeight
    return child.element
  }

  func layers(_ children: [Box], _ place: AlignmentPair) -> Box {
    var box = Box(element: MarkupElement(.div))
    box.set(.display, "grid")
    box.set(.justifyItems, Markup.gridPlace(place.horizontal))
    box.set(.alignItems, Markup.gridPlace(place.vertical))
    for var child in children {
      child.set(.gridArea, "1/1")
      // A later layer is drawn over an earlier one, also where that is positioned.
      child.set(.position, "relative")
      if child.growsWidth { child.set(.justifySelf, "stretch") }
      if child.growsHeight { child.set(.alignSelf, "stretch") }
      box.growsWidth = box.growsWidth || child.growsWidth
      box.growsHeight = box.growsHeight || child.growsHeight
      box.element.children.append(.element(child.element))
    }
    return box
  }

  mutating func grid(
    _ children: [ViewNode], _ layout: GridLayout, _ context: Context
  ) -> Box {
    var box = Box(element: MarkupElement(.div))
    box.set(.display, "grid")
    let tracks = layout.tracks.prefix(MarkupLimits.trackCountMax).map { track in
      switch track {
      case .fixed(let size): Markup.pixels(size)
      case .flexible(let minimum): "minmax(\(Markup.pixels(min(minimum, 10))),1fr)"
      case .adaptive(let minimum): "repeat(auto-fill,minmax(\(Markup.pixels(minimum)),1fr))"
      }
    }
    if !tracks.isEmpty {
      box.set(
        layout.isHorizontal ? .gridTemplateRows : .gridTemplateColumns,
        tracks.joined(separator: " "))
    }
    if layout.isHorizontal { box.set(.gridAutoFlow, "column") }
    box.set(.gap, "\(Markup.pixels(layout.rowSpacing)) \(Markup.pixels(layout.columnSpacing))")
    box.set(.justifyItems, "center")
    box.set(.alignItems, "center")
    for node in children {
      var child = self.box(of: node, context)
      if child.growsWidth { child.set(.justifySelf, "stretch") }
      if child.growsHeight { child.set(.alignSelf, "stretch") }
      box.element.children.append(.element(child.element))
    }
    if layout.isHorizontal { box.growsHeight = true } else { box.growsWidth = true }
    return box
  }

  mutating func attached(
    _ children: [ViewNode], _ isBehind: Bool, _ place: AlignmentPair, _ context: Context
  ) -> Box {
    guard children.count == 2 else {
      return children.first.map { box(of: $0, context) } ?? Box(element: MarkupElement(.div))
    }
    let base = box(of: children[0], context)
    let layer = box(of: children[1], context)
    return Self.attached(base, layer, isBehind: isBehind, place)
  }

  static func attached(
    _ base: Box, _ layer: Box, isBehind: Bool, _ place: AlignmentPair
  ) -> Box {
    var base = base
    base.set(.position, "relative")
    var box = Box(
      element: MarkupElement(.div), growsWidth: base.growsWidth, growsHeight: base.growsHeight,
      hasWidth: base.hasWidth, hasHeight: base.hasHeight, isPainted: true)
    box.set(.display, "grid")
    box.set(.position, "relative")
    var plate = Box(element: MarkupElement(.div))
    plate.set(.position, "absolute")
    plate.set(.inset, "0")
    plate.set(.display, "flex")
    plate.set(.justifyContent, Markup.flexPlace(place.horizontal, isMain: true))
    plate.set(.alignItems, Markup.flexPlace(place.vertical, isMain: true))
    plate.element.children = [.element(placed(layer, inRow: true, growth: &plate))]
    base.set(.gridArea, "1/1")
    box.element.children =
      isBehind
      ? [.element(plate.element), .element(base.element)]
      : [.element(base.element), .element(plate.element)]
    return box
  }

  // MARK: Properties

  func inherit(_ property: ViewProperty, into context: inout Context) {
    switch property {
    case .text(let style): context.style = style.over(context.style)
    case .tint(let paint): context.tint = paint == .tint ? context.tint : paint
    case .lineLimit(let count): context.lineLimit = count
    case .labelHidden: context.hidesLabels = true
    case .redacted(let isPrivacy):
      if isPrivacy { context.coversPrivate = true } else { context.isRedacted = true }
    case .unredacted:
      context.isRedacted = false
      context.coversPrivate = false
    case .privacySensitive: context.isRedacted = context.isRedacted || context.coversPrivate
    default: break
    }
  }

  mutating func apply(_ property: ViewProperty, to box: inout Box, _ context: Context) {
    switch property {
    case .text(let style):
      for declaration in declarations(of: style, context) where !box.has(declaration.property) {
        box.element.style.append(declaration)
      }
    case .padding(let insets):
      if box.isPainted || box.has(.padding) || box.spacerLength != nil || box.isDivider {
        wrap(&box)
      }
      box.set(.padding, Markup.insets(insets))
    case .frame(let frame): applyFrame(frame, to: &box)
    case .background(let paint, let outline):
      if box.isPainted || box.has(.background) || box.has(.borderRadius) { wrap(&box) }
      box.set(.background, Markup.paint(paint, context, scheme))
      if let radius = Markup.radius(of: outline, container: context.containerRadius) {
        box.set(.borderRadius, radius)
      }
      box.isPainted = true
    case .clip(let outline):
      let radius = Markup.radius(of: outline, container: context.containerRadius)
      if radius != nil, box.has(.borderRadius) { wrap(&box) }
      box.set(.overflow, "hidden")
      if let radius { box.set(.borderRadius, radius) }
      box.isPainted = true
    case .border(let paint, let width):
      if box.has(.border) { wrap(&box) }
      box.set(
        .border,
        "\(Markup.pixels(max(width, 0))) solid \(Markup.paintColor(paint, context, scheme))")
      box.set(.boxSizing, "border-box")
      box.isPainted = true
    case .shadow(let paint, let radius, let x, let y):
      // The shadow of a view without a background would be that of its letters.
      guard box.has(.background), !box.has(.boxShadow) else { return }
      box.set(
        .boxShadow,
        "\(Markup.pixels(x)) \(Markup.pixels(y)) \(Markup.pixels(max(radius * 2, 0))) "
          + Markup.paintColor(paint, context, scheme))
    case .opacity(let opacity):
      if box.has(.opacity) { wrap(&box) }
      box.set(.opacity, Markup.number(min(max(opacity, 0), 1)))
    case .hidden: box.set(.visibility, "hidden")
    case .offset(let x, let y):
      transform(&box, "translate(\(Markup.pixels(x)),\(Markup.pixels(y)))")
    case .rotation(let degrees):
      transform(
        &box, "rotate(\(Markup.number(degrees.truncatingRemainder(dividingBy: 360)))deg)")
    case .scale(let x, let y): transform(&box, "scale(\(Markup.number(x)),\(Markup.number(y)))")
    case .position(let x, let y):
      wrap(&box)
      box.growsWidth = true
      box.growsHeight = true
      transform(&box, "translate(\(Markup.pixels(x)),\(Markup.pixels(y)))")
    case .aspectRatio(let ratio, let isFilling):
      if let ratio, (0.01...100).contains(ratio), !box.has(.aspectRatio) {
        box.set(.aspectRatio, Markup.number(ratio))
      }
      if isFilling { box.set(.overflow, "hidden") }
    case .fixedSize(let horizontal, let vertical):
      if horizontal { box.growsWidth = false }
      if vertical { box.growsHeight = false }
      if horizontal && !box.has(.width) { box.set(.width, "max-content") }
      if horizontal { box.hasWidth = true }
    case .lineSpacing(let points):
      let size = max(context.fontSize(fontScale), 1)
      box.set(.lineHeight, Markup.number(min(max(1.25 + points / size, 0.5), 4)))
    case .textAlignment(let place):
      if !box.has(.textAlign) { box.set(.textAlign, Markup.textPlace(place)) }
    case .textCase(let isUpper):
      if !box.has(.textTransform) { box.set(.textTransform, isUpper ? "uppercase" : "lowercase") }
    case .accessibilityLabel(let words): box.setAttribute(.label, words)
    case .accessibilityHidden: box.setAttribute(.isHidden, "true")
    case .privacySensitive: box.setAttribute(.isPrivate, "true")
    case .help(let words): box.setAttribute(.title, words)
    case .containerBackground(let paint):
      hasContainerBackground = true
      if background.isEmpty {
        background = [.init(.background, Markup.paint(paint, context, scheme))]
      }
    case .containerLayer(let node, let place):
      hasContainerBackground = true
      guard backgroundLayer == nil else { return }
      backgroundLayer = layers([self.box(of: node, context)], place).element
    case .tint, .lineLimit, .truncatesMiddle, .labelHidden, .redacted, .unredacted, .disabled,
      .layoutPriority, .widgetURL, .accentable:
      break
    }
  }

  func applyFrame(_ frame: FrameLimits, to box: inout Box) {
    // An area of one paint takes the size itself.
    let isArea =
      box.growsWidth && box.growsHeight && box.isPainted && !box.hasWidth && !box.hasHeight
      && !box.has(.minWidth) && !box.has(.minHeight)
    if !isArea { wrap(&box, frame.alignment) }
    if let width = frame.width {
      box.set(.width, Markup.pixels(max(width, 0)))
      box.set(.boxSizing, "border-box")
      box.hasWidth = true
      box.growsWidth = false
    }
    if let height = frame.height {
      box.set(.height, Markup.pixels(max(height, 0)))
      box.set(.boxSizing, "border-box")
      box.hasHeight = true
      box.growsHeight = false
    }
    if let width = frame.minWidth, width > 0, width.isFinite {
      box.set(.minWidth, Markup.pixels(width))
    }
    if let height = frame.minHeight, height > 0, height.isFinite {
      box.set(.minHeight, Markup.pixels(height))
    }
    if let width = frame.maxWidth {
      box.growsWidth = true
      if width.isFinite { box.set(.maxWidth, Markup.pixels(max(width, 0))) }
    }
    if let height = frame.maxHeight {
      box.growsHeight = true
      if height.isFinite { box.set(.maxHeight, Markup.pixels(max(height, 0))) }
    }
  }

  func transform(_ box: inout Box, _ value: String) {
    if box.has(.transform) { wrap(&box) }
    box.set(.transform, value)
    box.isPainted = true
  }

  /// Puts a box around the element, in which it keeps its size or grows as it did.
  func wrap(_ box: inout Box, _ place: AlignmentPair = .center) {
    var outer = Box(element: MarkupElement(.div))
    outer.set(.display, "flex")
    outer.set(.justifyContent, Markup.flexPlace(place.horizontal, isMain: true))
    outer.set(.alignItems, Markup.flexPlace(place.vertical, isMain: true))
    outer.element.children = [.element(Self.placed(box, inRow: true, growth: &outer))]
    box = outer
  }

  /// The declarations of a style of text.
  func declarations(of style: TextStyle, _ context: Context) -> [MarkupElement.Declaration] {
    var found: [MarkupElement.Declaration] = []
    if let font = style.font {
      found.append(
        .init(.fontSize, Markup.pixels(font.isScaled ? font.points * fontScale : font.points)))
      if style.weight == nil, let weight = font.weight {
        found.append(.init(.fontWeight, "\(weight.number)"))
      }
      if style.design == nil, let design = font.design {
        found.append(.init(.fontFamily, Markup.family(design)))
      }
      if font.isItalic, style.isItalic == nil { found.append(.init(.fontStyle, "italic")) }
      if font.leading != .standard {
        found.append(.init(.lineHeight, font.leading == .tight ? "1.1" : "1.4"))
      }
    }
    if let weight = style.weight { found.append(.init(.fontWeight, "\(weight.number)")) }
    if let design = style.design { found.append(.init(.fontFamily, Markup.family(design))) }
    if let isItalic = style.isItalic {
      found.append(.init(.fontStyle, isItalic ? "italic" : "normal"))
    }
    if style.hasMonospacedDigits == true || style.font?.hasMonospacedDigits == true {
      found.append(.init(.fontVariantNumeric, "tabular-nums"))
    }
    let lines = [
      style.underline?.isActive == true ? "underline" : nil,
      style.strikethrough?.isActive == true ? "line-through" : nil,
    ].compactMap { $0 }
    if !lines.isEmpty { found.append(.init(.textDecoration, lines.joined(separator: " "))) }
    if let kerning = style.kerning { found.append(.init(.letterSpacing, Markup.pixels(kerning))) }
    if let paint = style.paint {
      found.append(.init(.color, Markup.paintColor(paint, context, scheme)))
    }
    return found
  }
}
