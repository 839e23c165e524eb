/// A panel that is asked for: what it shows, and the form of its picture.
package struct PanelRequest: Hashable, Sendable {
  /// The form of the file.
  package enum Format: String, Hashable, Sendable {
    case png, bmp
  }

  /// The name of the panel that shows the top of the stack.
  package static let stackName = "stack"

  /// The id of a widget, or `stack`.
  package var name: String
  package var format: Format
  /// Pixels.
  package var width = 800
  /// Pixels.
  package var height = 480
  /// Bits of a pixel: 1, 2, 4 or 8; a BMP has no 2.
  package var depth = 1

  package init(name: String, format: Format) {
    self.name = name
    self.format = format
  }

  init(_ request: WebRequest) throws(WebRefusal) {
    let file = request.path.dropFirst("/panel/".count)
    guard let dot = file.lastIndex(of: "."),
      let format = Format(rawValue: String(file[file.index(after: dot)...]))
    else { throw WebRefusal(404, "The address of a panel is /panel/NAME.png or /panel/NAME.bmp.") }
    name = String(file[..<dot])
    self.format = format
    guard WebRoute.isID(name) else { throw .notFound }
    width = try Self.number(request, "w", width, in: Self.sides)
    height = try Self.number(request, "h", height, in: Self.sides)
    depth = try Self.number(request, "depth", depth, in: 1...8)
    guard [1, 2, 4, 8].contains(depth) else { throw .invalid("depth", "1, 2, 4 or 8") }
    guard format == .png || depth != 2 else {
      throw .invalid("depth", "1, 4 or 8, since a BMP has no other")
    }
    guard width * height <= WebLimits.panelPixelsMax else {
      throw .invalid("w", "at most \(WebLimits.panelPixelsMax) pixels in all")
    }
  }

  private static let sides = WebLimits.sidePixelsMin...WebLimits.sidePixelsMax

  /// Takes the size that a panel says in the head of its request, where it is a possible one.
  package mutating func takeSize(_ request: WebRequest) {
    guard let width = request.header("width").flatMap({ Int($0) }), Self.sides.contains(width),
      let height = request.header("height").flatMap({ Int($0) }), Self.sides.contains(height),
      width * height <= WebLimits.panelPixelsMax
    else { return }
    self.width = width
    self.height = height
  }

  /// The address on this server, without its token.
  package var address: String {
    var encoded = ""
    for byte in name.utf8 {
      let isPlain =
        (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
        || [45, 46, 95, 126].contains(byte)
      encoded += isPlain ? String(UnicodeScalar(byte)) : "%" + hexadecimal([byte]).uppercased()
    }
    return "/panel/\(encoded).\(format.rawValue)?w=\(width)&h=\(height)&depth=\(depth)"
  }

  private static func number(
    _ request: WebRequest, _ name: String, _ usual: Int, in range: ClosedRange<Int>
  ) throws(WebRefusal) -> Int {
    guard request.query.contains(where: { $0.name == name }) else { return usual }
    guard let number = request.parameter(name).flatMap({ Int($0) }), range.contains(number) else {
      throw .invalid(name, "a number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }
}
