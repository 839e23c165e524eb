/// The type and the size of a picture, as the header of its file says them.
///
/// Nothing is decoded here: a surface decodes what it shows, and is told the size before. Sources:
/// PNG (ISO/IEC 15948, 11.2.2), JPEG (ITU-T T.81, B.2.2), GIF89a (section 18), WebP (RFC 9649).
package struct PictureHeader: Hashable, Sendable {
  package enum Form: String, CaseIterable, Hashable, Sendable { case png, jpeg, gif, webp, svg }

  package var form: Form
  /// In pixels, 1 or more.
  package var width: Int
  /// In pixels, 1 or more.
  package var height: Int

  package init(form: Form, width: Int, height: Int) {
    self.form = form
    self.width = width
    self.height = height
  }

  /// Reads the beginning of a file; `nil`: it is none of these types, or has no size.
  ///
  /// `SVGPicture` reads SVG, which has no header.
  ///
  /// O(1), for JPEG O(segments).
  package static func read(_ bytes: [UInt8]) -> PictureHeader? {
    let reader = Reader(bytes: bytes)
    let found = reader.png ?? reader.gif ?? reader.webp ?? reader.jpeg
    guard let found, found.width > 0, found.height > 0 else { return nil }
    return found
  }

  /// Returns the name of a type that is known and not shown, such as "PDF"; `nil`: it is unknown.
  static func refusedType(of bytes: [UInt8]) -> String? {
    let types: [(start: String, name: String)] = [
      ("%PDF", "PDF"), ("II*\0", "TIFF"), ("MM\0*", "TIFF"), ("BM", "BMP"), ("\0\0\u{1}\0", "ICO"),
      ("icns", "ICNS"),
    ]
    return types.first { bytes.starts(with: $0.start.utf8) }?.name
  }

  private struct Reader {
    let bytes: [UInt8]

    private func has(_ text: String, at offset: Int) -> Bool {
      let text = Array(text.utf8)
      guard offset + text.count <= bytes.count else { return false }
      return bytes[offset..<offset + text.count].elementsEqual(text)
    }

    /// Returns a number of `count` bytes, the highest first; `nil`: the file ends before.
    private func big(_ offset: Int, _ count: Int) -> Int? {
      guard offset + count <= bytes.count else { return nil }
      return bytes[offset..<offset + count].reduce(0) { $0 << 8 | Int($1) }
    }

    private func little(_ offset: Int, _ count: Int) -> Int? {
      guard offset + count <= bytes.count else { return nil }
      return bytes[offset..<offset + count].reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    private func header(_ form: Form, _ width: Int?, _ height: Int?) -> PictureHeader? {
      guard let width, let height else { return nil }
      return PictureHeader(form: form, width: width, height: height)
    }

    var png: PictureHeader? {
      guard bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]),
        has("IHDR", at: 12)
      else { return nil }
      return header(.png, big(16, 4), big(20, 4))
    }

    var gif: PictureHeader? {
      guard has("GIF87a", at: 0) || has("GIF89a", at: 0) else { return nil }
      return header(.gif, little(6, 2), little(8, 2))
    }

    var webp: PictureHeader? {
      guard has("RIFF", at: 0), has("WEBP", at: 8) else { return nil }
      if has("VP8 ", at: 12), big(23, 3) == 0x9D012A {
        return header(.webp, little(26, 2).map { $0 & 0x3FFF }, little(28, 2).map { $0 & 0x3FFF })
      }
      if has("VP8L", at: 12), big(20, 1) == 0x2F, let bits = little(21, 4) {
        return header(.webp, bits & 0x3FFF + 1, bits >> 14 & 0x3FFF + 1)
      }
      if has("VP8X", at: 12) {
        return header(.webp, little(24, 3).map { $0 + 1 }, little(27, 3).map { $0 + 1 })
      }
      return nil
    }

    var jpeg: PictureHeader? {
      guard bytes.starts(with: [0xFF, 0xD8, 0xFF]) else { return nil }
      var offset = 2
      while offset + 1 < bytes.count {
        guard bytes[offset] == 0xFF else { return nil }
        let marker = bytes[offset + 1]
        switch marker {
        case 0xFF: offset += 1
        case 0x01, 0xD0...0xD8: offset += 2
        // The frame: its length, the precision, the height, the width.
        case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
          return header(.jpeg, big(offset + 7, 2), big(offset + 5, 2))
        // The pixels begin, or the file ends, before a frame said their size.
        case 0xD9, 0xDA: return nil
        default:
          guard let length = big(offset + 2, 2), length >= 2 else { return nil }
          offset += 2 + length
        }
      }
      return nil
    }
  }
}
