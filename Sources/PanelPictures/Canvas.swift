import CPango
import WebPages

/// A white sheet that black text is drawn on; the only importer of Pango and Cairo.
///
/// Pango chooses a font for each script, so a font that lacks Chinese or Arabic hands over to one
/// that has it. At 1 bit, edges are not smoothed: a smoothed edge would become a ragged one.
@safe
final class Canvas {
  private let surface: OpaquePointer
  private let context: OpaquePointer
  private let layout: OpaquePointer
  private let width: Int
  private let height: Int

  /// Makes a sheet; `nil` if there is no memory for it.
  init?(width: Int, height: Int, isSmooth: Bool) {
    self.width = width
    self.height = height
    // A surface, a context or a layout is never null; a failed one says so.
    guard
      let surface = unsafe cairo_image_surface_create(
        CAIRO_FORMAT_RGB24, Int32(width), Int32(height)),
      let context = unsafe cairo_create(surface)
    else { return nil }
    unsafe self.surface = unsafe surface
    unsafe self.context = unsafe context
    let options = unsafe cairo_font_options_create()
    unsafe cairo_font_options_set_antialias(
      options, isSmooth ? CAIRO_ANTIALIAS_GRAY : CAIRO_ANTIALIAS_NONE)
    unsafe cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_FULL)
    unsafe cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_ON)
    unsafe cairo_set_antialias(context, isSmooth ? CAIRO_ANTIALIAS_GRAY : CAIRO_ANTIALIAS_NONE)
    unsafe layout = pango_cairo_create_layout(context)
    unsafe pango_cairo_context_set_font_options(pango_layout_get_context(layout), options)
    unsafe cairo_font_options_destroy(options)
    guard unsafe cairo_status(context) == CAIRO_STATUS_SUCCESS else { return nil }
    unsafe cairo_set_source_rgb(context, 1, 1, 1)
    unsafe cairo_paint(context)
    unsafe cairo_set_source_rgb(context, 0, 0, 0)
  }

  deinit {
    unsafe g_object_unref(UnsafeMutableRawPointer(layout))
    unsafe cairo_destroy(context)
    unsafe cairo_surface_destroy(surface)
  }

  /// Fills a box with black.
  func fill(_ box: Box) {
    unsafe cairo_rectangle(
      context, Double(box.x), Double(box.y), Double(box.width), Double(box.height))
    unsafe cairo_fill(context)
  }

  /// Draws the four edges of a box, `thickness` pixels wide, inside of it.
  func frame(_ box: Box, thickness: Int) {
    fill(Box(x: box.x, y: box.y, width: box.width, height: thickness))
    fill(Box(x: box.x, y: box.y + box.height - thickness, width: box.width, height: thickness))
    fill(Box(x: box.x, y: box.y, width: thickness, height: box.height))
    fill(Box(x: box.x + box.width - thickness, y: box.y, width: thickness, height: box.height))
  }

  /// Draws a picture as large as a box is, at most four times its own size; `false`, and nothing
  /// drawn, if its bytes are no PNG of this size that Cairo reads.
  ///
  /// Cairo decompresses nothing before its header was read: a header that says more pixels than
  /// `width` × `height` is refused here, and those have a limit.
  func draw(png bytes: [UInt8], width: Int, height: Int, in box: Box) -> Bool {
    guard Self.pngSize(bytes) == [width, height] else { return false }
    var source = PNGSource(bytes: bytes)
    let image = unsafe withUnsafeMutablePointer(to: &source) { pointer in
      unsafe cairo_image_surface_create_from_png_stream(
        { closure, target, length in
          guard let closure = unsafe closure, let target = unsafe target else {
            return CAIRO_STATUS_READ_ERROR
          }
          let source = unsafe closure.assumingMemoryBound(to: PNGSource.self)
          return unsafe source.pointee.read(
            into: UnsafeMutableBufferPointer(start: target, count: Int(length)))
        }, pointer)
    }
    guard let image = unsafe image else { return false }
    defer { unsafe cairo_surface_destroy(image) }
    guard unsafe cairo_surface_status(image) == CAIRO_STATUS_SUCCESS,
      unsafe cairo_image_surface_get_width(image) == Int32(width),
      unsafe cairo_image_surface_get_height(image) == Int32(height)
    else { return false }
    unsafe cairo_save(context)
    unsafe cairo_translate(context, Double(box.x), Double(box.y))
    unsafe cairo_scale(
      context, Double(box.width) / Double(width), Double(box.height) / Double(height))
    unsafe cairo_set_source_surface(context, image, 0, 0)
    unsafe cairo_pattern_set_filter(cairo_get_source(context), CAIRO_FILTER_GOOD)
    // Else the edges of an enlarged picture fade into the ground.
    unsafe cairo_pattern_set_extend(cairo_get_source(context), CAIRO_EXTEND_PAD)
    unsafe cairo_rectangle(context, 0, 0, Double(width), Double(height))
    unsafe cairo_fill(context)
    unsafe cairo_restore(context)
    return unsafe cairo_status(context) == CAIRO_STATUS_SUCCESS
  }

  /// The width and the height that the header of a PNG says.
  private static func pngSize(_ bytes: [UInt8]) -> [Int]? {
    guard bytes.count > 24, bytes[0] == 0x89, bytes[1] == 0x50 else { return nil }
    return [16, 20].map { start in bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) } }
  }

  /// Sets the text that `measure` and `draw` take, in letters of `size` pixels, broken at `width`
  /// pixels.
  ///
  /// An ellipsis stands where a part is cut off.
  func set(_ text: String, size: Int, isBold: Bool, width: Int, cut: Cut) {
    let font = unsafe pango_font_description_new()
    unsafe pango_font_description_set_family(font, "sans-serif")
    unsafe pango_font_description_set_absolute_size(font, Double(size) * Double(PANGO_SCALE))
    unsafe pango_font_description_set_weight(
      font, isBold ? PANGO_WEIGHT_BOLD : PANGO_WEIGHT_NORMAL)
    unsafe pango_layout_set_font_description(layout, font)
    unsafe pango_font_description_free(font)
    unsafe pango_layout_set_width(layout, Int32(width) * PANGO_SCALE)
    unsafe pango_layout_set_wrap(layout, PANGO_WRAP_WORD_CHAR)
    unsafe pango_layout_set_ellipsize(
      layout, cut == .never ? PANGO_ELLIPSIZE_NONE : PANGO_ELLIPSIZE_END)
    switch cut {
    // A negative height is a number of lines.
    case .never, .afterLine: unsafe pango_layout_set_height(layout, -1)
    case .below(let pixels): unsafe pango_layout_set_height(layout, Int32(pixels) * PANGO_SCALE)
    }
    unsafe pango_layout_set_text(layout, text, Int32(text.utf8.count))
  }

  /// The pixels that the text takes.
  func measure() -> (width: Int, height: Int) {
    var width: Int32 = 0
    var height: Int32 = 0
    unsafe pango_layout_get_pixel_size(layout, &width, &height)
    return (Int(width), Int(height))
  }

  /// Draws the text with its upper left corner here.
  func draw(x: Int, y: Int) {
    unsafe cairo_move_to(context, Double(x), Double(y))
    unsafe pango_cairo_show_layout(context, layout)
  }

  /// Returns the sheet as greys.
  func picture() -> GrayPicture {
    unsafe cairo_surface_flush(surface)
    var pixels: [UInt8] = []
    pixels.reserveCapacity(width * height)
    let stride = Int(unsafe cairo_image_surface_get_stride(surface))
    guard let data = unsafe cairo_image_surface_get_data(surface) else {
      preconditionFailure("an image that was made has its bytes")
    }
    for row in 0..<height {
      let start = unsafe UnsafeRawPointer(data + row * stride)
      for column in 0..<width {
        let color = unsafe start.load(fromByteOffset: column * 4, as: UInt32.self)
        // The weights of ITU-R BT.601, in 256ths.
        let grey = (color >> 16 & 255) * 77 + (color >> 8 & 255) * 150 + (color & 255) * 29
        pixels.append(UInt8(grey >> 8))
      }
    }
    return GrayPicture(width: width, height: height, pixels: pixels)
  }
}

/// The bytes that Cairo reads a picture from.
private struct PNGSource {
  let bytes: [UInt8]
  private var offset = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  mutating func read(into target: UnsafeMutableBufferPointer<UInt8>) -> cairo_status_t {
    guard target.count <= bytes.count - offset else { return CAIRO_STATUS_READ_ERROR }
    for index in 0..<target.count { unsafe target[index] = bytes[offset + index] }
    offset += target.count
    return CAIRO_STATUS_SUCCESS
  }
}

/// The part of a text that is cut off.
enum Cut: Hashable {
  case never
  /// All but the first line.
  case afterLine
  /// The lines that do not fit into so many pixels.
  case below(Int)
}

/// A rectangle in pixels, from the upper left corner of the sheet.
struct Box: Hashable {
  var x: Int
  var y: Int
  var width: Int
  var height: Int

  /// Returns the box without `pixels` on each side; never less than one pixel wide and high.
  func inset(by pixels: Int) -> Box {
    Box(
      x: x + pixels, y: y + pixels, width: max(1, width - 2 * pixels),
      height: max(1, height - 2 * pixels))
  }
}
