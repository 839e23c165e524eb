import FoundationAdditions
import ViewMarkup

/// Shapes, measures and everything that is tapped.
extension PictureWriter {
  // MARK: Shapes and measures

  func shape(_ picture: ShapePicture, isSquare: Bool, _ context: Context) -> Box {
    var box = Box(
      element: MarkupElement(.div), growsWidth: true, growsHeight: true, isPainted: true)
    if picture.outline == .other { return box }
    if case .arc(let start, let end) = picture.outline {
      let paint = picture.stroke ?? picture.fill ?? .hierarchical(0)
      ring(from: start, to: max(start, end), picture, paint, nil, context, &box)
      if !isSquare { maskCircle(&box, picture) }
      return box
    }
    // A corner of 50 % makes a circle of a square, and an ellipse of every other area.
    if picture.outline == .circle, !isSquare {
      box.set(.background, Markup.paint(picture.stroke ?? picture.fill ?? .tint, context, scheme))
      maskCircle(&box, picture)
      return box
    }
    if let radius = Markup.radius(of: picture.outline, container: context.containerRadius) {
      box.set(.borderRadius, radius)
    }
    if let fill = picture.fill { box.set(.background, Markup.paint(fill, context, scheme)) }
    if let stroke = picture.stroke {
      box.set(
        .border,
        "\(Markup.pixels(max(picture.lineWidth, 0))) solid \(Markup.paintColor(stroke, context, scheme))"
      )
      box.set(.boxSizing, "border-box")
    }
    return box
  }

  /// Cuts an area at the largest circle in it, and inside of its line if it is one.
  private func maskCircle(_ box: inout Box, _ picture: ShapePicture) {
    box.element.style.removeAll { $0.property == .borderRadius }
    let width = Markup.pixels(max(picture.lineWidth, 0))
    box.set(
      .mask,
      picture.stroke == nil
        ? "radial-gradient(circle closest-side,#000 100%,#0000 0)"
        : "radial-gradient(circle closest-side,#0000 calc(100% - \(width)),#000 0,#000 100%,#0000 0)"
    )
  }

  /// Draws a part of a ring; `track` is the paint of the rest.
  func ring(
    from start: Double, to end: Double, _ picture: ShapePicture, _ paint: Paint, _ track: Paint?,
    _ context: Context, _ box: inout Box
  ) {
    let color = Markup.paintColor(paint, context, scheme)
    let rest = track.map { Markup.paintColor($0, context, scheme) } ?? "#00000000"
    // CSS begins at twelve o'clock, a path at three.
    let angle = Markup.number((90 + start * 360).truncatingRemainder(dividingBy: 360))
    let part = Markup.number((end - start) * 100)
    box.set(
      .background,
      "conic-gradient(from \(angle)deg at 50% 50%,\(color) 0%,\(color) \(part)%,\(rest) \(part)%,\(rest) 100%)"
    )
    box.set(.borderRadius, "50%")
    if picture.stroke != nil {
      let width = Markup.pixels(max(picture.lineWidth, 0))
      box.set(.mask, "radial-gradient(closest-side,#0000 calc(100% - \(width)),#000 0)")
    }
  }

  mutating func measure(
    _ children: [ViewNode], _ picture: MeasurePicture, _ context: Context
  ) -> Box {
    if picture.form == .drawn {
      var box = layers(children.map { self.box(of: $0, context) }, .center)
      describe(&box, picture)
      return box
    }
    var labels: [MeasurePicture.Label: Box] = [:]
    for (label, node) in zip(picture.labels, children) {
      if label == .title, context.hidesLabels { continue }
      var inner = context
      if label != .title, inner.style.font == nil { inner.style.font = .caption }
      labels[label] = box(of: node, inner)
    }
    var box =
      picture.form == .line ? line(picture, labels, context) : ring(picture, labels, context)
    describe(&box, picture)
    return box
  }

  func describe(_ box: inout Box, _ picture: MeasurePicture) {
    box.element.attributes.append(.init(.role, "meter"))
    if let fraction = fraction(of: picture) {
      box.element.attributes.append(.init(.meterValue, "\(Int((fraction * 100).rounded()))"))
    }
  }

  /// How far a measure is at the moment of the picture.
  func fraction(of picture: MeasurePicture) -> Double? {
    guard let interval = picture.interval else { return picture.fraction }
    let whole = interval.end.timeIntervalSince(interval.start)
    guard whole > 0 else { return 1 }
    let part = min(max(date.timeIntervalSince(interval.start) / whole, 0), 1)
    return interval.countsDown ? 1 - part : part
  }

  func line(
    _ picture: MeasurePicture, _ labels: [MeasurePicture.Label: Box], _ context: Context
  ) -> Box {
    var fill = Box(element: MarkupElement(.div))
    fill.set(.width, "\(Markup.number((fraction(of: picture) ?? 0) * 100))%")
    fill.set(.height, "100%")
    fill.set(.borderRadius, "3px")
    fill.set(.background, Markup.paint(context.tint, context, scheme))
    var bar = Box(element: MarkupElement(.div), growsWidth: true, isPainted: true)
    bar.set(.height, "6px")
    bar.hasHeight = true
    bar.set(.borderRadius, "3px")
    bar.set(.overflow, "hidden")
    bar.set(.background, Markup.color(.named(.fill), scheme))
    bar.element.children = [.element(fill.element)]
    let sides = [labels[.minimum], bar, labels[.maximum]].compactMap { $0 }
    let row = sides.count == 1 ? bar : stack(sides, .standard, isRow: true)
    let parts = [labels[.title], row, labels[.currentValue]].compactMap { $0 }
    guard parts.count > 1 else { return row }
    return stack(parts, StackLayout(alignment: .start, spacing: 4), isRow: false)
  }

  func ring(
    _ picture: MeasurePicture, _ labels: [MeasurePicture.Label: Box], _ context: Context
  ) -> Box {
    let isSpinner = picture.form == .spinner
    let side = isSpinner ? 20.0 : 58.0
    var circle = Box(element: MarkupElement(.div), isPainted: true)
    circle.set(.width, Markup.pixels(side))
    circle.set(.height, Markup.pixels(side))
    circle.hasWidth = true
    circle.hasHeight = true
    let shape = ShapePicture(
      outline: .circle, stroke: context.tint, lineWidth: isSpinner ? 2.5 : 6)
    // A measure begins at twelve o'clock.
    ring(
      from: 0.75, to: 0.75 + (fraction(of: picture) ?? 0.75), shape,
      isSpinner ? .color(.named(.gray)) : context.tint, .color(.named(.fill)), context, &circle)
    if isSpinner {
      let parts = [circle, labels[.title], labels[.currentValue]].compactMap { $0 }
      return parts.count == 1 ? circle : stack(parts, .standard, isRow: false)
    }
    // The value stands in the middle, and the title where there is no value.
    guard let middle = labels[.currentValue] ?? labels[.title] else { return circle }
    var box = layers([circle, middle], .center)
    box.hasWidth = true
    box.hasHeight = true
    box.isPainted = true
    return box
  }

  // MARK: Taps

  mutating func link(_ children: [ViewNode], _ url: String, _ context: Context) -> Box {
    var inner = context
    if inner.style.paint == nil { inner.style.paint = context.tint }
    let item = nextItem()
    var box = layers(children.map { self.box(of: $0, inner) }, .center)
    box.element.tag = .a
    if MarkupURL.accepts(url) {
      box.element.attributes.append(.init(.href, url))
    } else {
      warn("the picture leaves out the URL '\(url.prefix(80))', which no surface would open")
      box.element.tag = .div
    }
    if let item { box.element.attributes.append(.init(.item, "\(item)")) }
    box.set(.color, Markup.paintColor(context.style.paint ?? context.tint, context, scheme))
    return box
  }

  mutating func button(
    _ children: [ViewNode], _ tap: TapPicture, _ context: Context
  ) -> Box {
    var inner = context
    if tap.isTinted, inner.style.paint == nil {
      inner.style.paint = tap.isDestructive ? .color(.named(.red)) : context.tint
    }
    let item = tap.intent == nil && !tap.isDisabled ? nil : nextItem()
    var box = layers(children.map { self.box(of: $0, inner) }, .center)
    if let isOn = tap.isOn {
      box.element.attributes.append(.init(.role, "switch"))
      box.element.attributes.append(.init(.isChecked, isOn ? "true" : "false"))
    }
    guard let item, tap.intent != nil else { return box }
    box.element.tag = .button
    box.element.attributes.append(.init(.item, "\(item)"))
    box.set(.color, Markup.paintColor(inner.style.paint ?? .hierarchical(0), context, scheme))
    return box
  }

  mutating func toggle(
    _ children: [ViewNode], _ isOn: Bool, _ tap: TapPicture, _ context: Context
  ) -> Box {
    let item = nextItem()
    var parts = context.hidesLabels ? [] : children.map { self.box(of: $0, context) }
    parts.append(Box(element: MarkupElement(.div), spacerLength: 4))
    var knob = Box(element: MarkupElement(.div), isPainted: true)
    knob.set(.width, "20px")
    knob.set(.height, "20px")
    knob.set(.borderRadius, "50%")
    knob.set(.background, "#ffffff")
    var track = Box(element: MarkupElement(.div), hasWidth: true, hasHeight: true, isPainted: true)
    track.set(.display, "flex")
    track.set(.justifyContent, isOn ? "flex-end" : "flex-start")
    track.set(.width, "40px")
    track.set(.padding, "2px")
    track.set(.boxSizing, "border-box")
    track.set(.borderRadius, "12px")
    track.set(.background, Markup.color(.named(isOn ? .green : .fill), scheme))
    track.element.children = [.element(knob.element)]
    parts.append(track)
    var box = stack(parts, .standard, isRow: true)
    box.element.attributes.append(.init(.role, "switch"))
    box.element.attributes.append(.init(.isChecked, isOn ? "true" : "false"))
    if let item, tap.intent != nil {
      box.element.tag = .button
      box.element.attributes.append(.init(.item, "\(item)"))
    }
    return box
  }

  /// The place of the next item of the content; `nil`: the content has no more.
  mutating func nextItem() -> Int? {
    itemCount += 1
    return itemCount <= Limits.itemCountMax ? itemCount - 1 : nil
  }

  mutating func warn(_ sentence: String) {
    guard warnings.count < Limits.warningCountMax, !warnings.contains(sentence) else { return }
    warnings.append(sentence)
  }
}

extension ViewNode {
  /// Whether the content leaves it out: it is hidden, or nearly transparent.
  var isUnseen: Bool {
    properties.contains { property in
      switch property {
      case .hidden: true
      case .opacity(let opacity): opacity <= 0.01
      default: false
      }
    }
  }

  /// Whether the innermost frame has one width and height.
  var isFramedAsSquare: Bool {
    for case .frame(let frame) in properties {
      return frame.width != nil && frame.width == frame.height
    }
    return false
  }
}
