package import WebPages

/// Draws panels.
package enum PanelPicture {
  /// Returns a panel as a file in the form that was asked for; `nil` if there is no memory for it.
  ///
  /// `pictures` are the bytes of the pictures on it, by their hashes; one that is not among them, or
  /// cannot be drawn, is left out.
  package static func file(
    _ page: PanelPage, _ request: PanelRequest, pictures: [String: [UInt8]] = [:]
  ) -> [UInt8]? {
    guard let picture = draw(page, request, pictures: pictures) else { return nil }
    return switch request.format {
    case .bmp: picture.bmp(depth: request.depth)
    case .png: picture.png(depth: request.depth, deflate: deflated)
    }
  }

  /// Returns a panel as greys: black on white, and nothing of text in between but smooth edges.
  package static func draw(
    _ page: PanelPage, _ request: PanelRequest, pictures: [String: [UInt8]] = [:]
  ) -> GrayPicture? {
    var places: [Box] = []
    guard
      let canvas = Canvas(
        width: request.width, height: request.height, isSmooth: request.depth > 1)
    else { return nil }
    if page.tiles.isEmpty {
      let tile = PanelTile(name: "intentd", lines: ["nothing to show now"])
      draw(tile, in: Box(x: 0, y: 0, width: request.width, height: request.height), on: canvas)
    }
    for (index, tile) in page.tiles.enumerated() {
      let column = index % page.columnCount
      let row = index / page.columnCount
      let left = request.width * column / page.columnCount
      let top = request.height * row / page.rowCount
      let box = Box(
        x: left, y: top, width: request.width * (column + 1) / page.columnCount - left,
        height: request.height * (row + 1) / page.rowCount - top)
      draw(tile, in: box, on: canvas) { place, box in
        guard let bytes = pictures[place.hash],
          canvas.draw(png: bytes, width: place.width, height: place.height, in: box)
        else { return false }
        places.append(box)
        return true
      }
      if column > 0 { canvas.fill(Box(x: box.x, y: box.y, width: 2, height: box.height)) }
      if row > 0 { canvas.fill(Box(x: box.x, y: box.y, width: box.width, height: 2)) }
    }
    var picture = canvas.picture()
    for box in places {
      picture.dither(
        columns: box.x..<box.x + box.width, rows: box.y..<box.y + box.height,
        depth: request.depth)
    }
    return picture
  }

  /// The least size of letters, in pixels: smaller ones cannot be read without smooth edges.
  private static let letterPixelsMin = 13

  /// `show` draws a picture into a box; `false`: it cannot.
  private static func draw(
    _ tile: PanelTile, in box: Box, on canvas: Canvas,
    show: (PanelPicturePlace, Box) -> Bool = { _, _ in false }
  ) {
    let unit = max(letterPixelsMin, min(box.width / 24, box.height / 14))
    if tile.isUrgent { canvas.frame(box, thickness: max(3, unit / 4)) }
    var rest = box.inset(by: max(6, unit * 3 / 4))

    // From the edges inwards: the name above, and below why it is not current and how far it is.
    take(line: tile.name, size: unit, isBold: true, from: &rest, on: canvas)
    if let note = tile.note { takeBottom(note, size: unit, from: &rest, on: canvas) }
    if let percentage = tile.percentage, rest.height > 3 * unit {
      let bar = Box(
        x: rest.x, y: rest.y + rest.height - unit, width: rest.width, height: unit)
      canvas.frame(bar, thickness: 2)
      canvas.fill(Box(x: bar.x, y: bar.y, width: bar.width * percentage / 100, height: bar.height))
      rest.height -= unit + unit / 2
    }
    let text = tile.lines.joined(separator: "\n")
    if let picture = tile.picture, rest.height > 4 * unit {
      let isAlone = text.isEmpty && tile.rows.isEmpty && tile.title.isEmpty
      let place = picture.box(in: rest, heightMax: isAlone ? rest.height : rest.height / 2)
      if show(picture, place) {
        rest.y += place.height + unit / 2
        rest.height = max(0, rest.height - place.height - unit / 2)
      }
    }
    if !tile.title.isEmpty {
      let share = text.isEmpty && tile.rows.isEmpty ? rest.height : rest.height / 3
      take(paragraph: tile.title, heightMax: share, isBold: true, from: &rest, on: canvas)
    }
    if !text.isEmpty {
      let share = tile.rows.isEmpty ? rest.height : rest.height / 2
      take(paragraph: text, heightMax: share, isBold: false, from: &rest, on: canvas)
    }
    for row in tile.rows where rest.height >= unit * 3 / 2 {
      take(line: row, size: unit, isBold: false, from: &rest, on: canvas)
    }
  }

  private static func take(
    line: String, size: Int, isBold: Bool, from rest: inout Box, on canvas: Canvas
  ) {
    guard !line.isEmpty else { return }
    canvas.set(line, size: size, isBold: isBold, width: rest.width, cut: .afterLine)
    let height = canvas.measure().height
    guard height <= rest.height else { return }
    canvas.draw(x: rest.x, y: rest.y)
    rest.y += height + size / 3
    rest.height = max(0, rest.height - height - size / 3)
  }

  private static func takeBottom(
    _ line: String, size: Int, from rest: inout Box, on canvas: Canvas
  ) {
    canvas.set(line, size: size, isBold: false, width: rest.width, cut: .afterLine)
    let height = canvas.measure().height
    guard height + 4 <= rest.height else { return }
    let top = rest.y + rest.height - height
    canvas.draw(x: rest.x, y: top)
    canvas.fill(Box(x: rest.x, y: top - 4, width: rest.width, height: 2))
    rest.height -= height + 4 + size / 3
  }

  /// Draws text as large as its place allows.
  private static func take(
    paragraph: String, heightMax: Int, isBold: Bool, from rest: inout Box, on canvas: Canvas
  ) {
    var size = max(letterPixelsMin, min(heightMax * 3 / 4, rest.width / 5))
    while size > letterPixelsMin {
      canvas.set(paragraph, size: size, isBold: isBold, width: rest.width, cut: .never)
      let extent = canvas.measure()
      if extent.height <= heightMax, extent.width <= rest.width { break }
      size = max(letterPixelsMin, size * 3 / 4)
    }
    if size == letterPixelsMin {
      canvas.set(
        paragraph, size: size, isBold: isBold, width: rest.width, cut: .below(heightMax))
    }
    let height = canvas.measure().height
    guard height <= rest.height else { return }
    canvas.draw(x: rest.x, y: rest.y)
    rest.y += height + size / 4
    rest.height = max(0, rest.height - height - size / 4)
  }
}

extension PanelPicturePlace {
  /// The place that it gets at the top of `rest`: as large as that allows, and at most four times
  /// its own size.
  fileprivate func box(in rest: Box, heightMax: Int) -> Box {
    let scale = min(
      4, Double(rest.width) / Double(width), Double(heightMax) / Double(height))
    return Box(
      x: rest.x, y: rest.y, width: max(1, Int(Double(width) * scale)),
      height: max(1, Int(Double(height) * scale)))
  }
}
