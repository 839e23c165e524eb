import ViewMarkup

extension ViewTree {
  /// The picture as markup of the vocabulary `ViewMarkup`; `nil`: it would break a limit, and a
  /// warning says which.
  package func html(
    in scheme: ColorScheme, at date: Date
  ) -> (html: String?, warnings: [String]) {
    // An accessory has neither a plate of its own nor margins.
    let isSystem = family.description.hasPrefix("system")
    var writer = PictureWriter(scheme: scheme, date: date, fontScale: fontScale)
    var context = PictureWriter.Context()
    context.containerRadius = isSystem ? 22 : 0
    context.isRedacted = redaction.contains(.placeholder)
    context.coversPrivate = redaction.contains(.privacy)
    var box = PictureWriter.Box(element: MarkupElement(.div))
    let content = writer.box(of: root, context)
    box.set(.position, "relative")
    box.set(.display, "grid")
    box.set(.width, Markup.pixels(size.width))
    box.set(.height, Markup.pixels(size.height))
    box.set(.boxSizing, "border-box")
    box.set(.overflow, "hidden")
    // A widget without a background of its own sets its margins itself.
    if isSystem, writer.hasContainerBackground { box.set(.padding, Markup.insets(margins)) }
    if isSystem { box.set(.borderRadius, "22px") }
    // A round accessory shows nothing beside its circle.
    if family == .accessoryCircular { box.set(.borderRadius, "50%") }
    for declaration in writer.background { box.set(declaration.property, declaration.value) }
    if isSystem, !box.has(.background) {
      box.set(.background, Markup.color(.named(.background), scheme))
    }
    box.set(.color, Markup.color(.named(.primary), scheme))
    box.set(.fontFamily, Markup.family(.default))
    box.set(.fontSize, Markup.pixels(17 * fontScale))
    box.set(.lineHeight, "1.25")
    box.set(.whiteSpace, "pre-line")
    box.set(.justifyItems, "center")
    box.set(.alignItems, "center")
    if let layer = writer.backgroundLayer {
      var plate = PictureWriter.Box(element: layer)
      plate.set(.position, "absolute")
      plate.set(.inset, "0")
      box.element.children.append(.element(plate.element))
    }
    var inner = content
    inner.set(.position, "relative")
    if inner.growsWidth { inner.set(.justifySelf, "stretch") }
    if inner.growsHeight { inner.set(.alignSelf, "stretch") }
    box.element.children.append(.element(inner.element))
    return Self.checked(box.element, writer.warnings)
  }

  /// The picture as text for a terminal of `columns`, in a frame.
  ///
  /// Words of the view are made printable. With `hasColours` lines have their colours and weights.
  package func ansi(
    columns: Int, hasColours: Bool, in scheme: ColorScheme = .dark, at date: Date
  ) -> String {
    TerminalPicture(scheme: scheme, date: date, hasColours: hasColours)
      .text(of: root, columns: columns)
  }

  private static func checked(
    _ element: MarkupElement, _ warnings: [String]
  ) -> (html: String?, warnings: [String]) {
    guard element.depth <= MarkupLimits.depthMax else {
      return (
        nil,
        warnings + [
          "the picture is left out: it is deeper than \(MarkupLimits.depthMax) elements"
        ]
      )
    }
    guard element.elementCount <= MarkupLimits.elementCountMax else {
      return (
        nil,
        warnings + [
          "the picture is left out: it has more than \(MarkupLimits.elementCountMax) elements"
        ]
      )
    }
    let html = element.html
    guard html.utf8.count <= MarkupLimits.bytesMax else {
      return (
        nil,
        warnings + [
          "the picture is left out: it has \(html.utf8.count) bytes of \(MarkupLimits.bytesMax)"
        ]
      )
    }
    return (html, warnings)
  }
}
