import JSON
import PlainText
import Plugins

/// Fuzzes the readers of pictures that scripts print: the header of a file, its hash, Base64, and
/// the record in which the daemon keeps it.
///
/// The input is a file of any type.
///
/// - A header has a size, and bytes behind it do not change what it says.
/// - A picture keeps the limits; a refusal is one clean line.
/// - The hash of all bytes is that of their pieces. A record that is read is the same picture.
/// - A menu shows the picture, or tells why it does not.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = bytes(start, count)
  within(500, "a picture") {
    if let header = PictureHeader.read(input) {
      precondition(header.width > 0 && header.height > 0, "a picture without a size")
      precondition(PictureHeader.read(input + [0xFF, 0, 0]) == header, "its end changes its size")
    }
    checkText(input)
    switch PluginPicture.read(input) {
    case .success(let picture):
      check(picture, input)
      precondition(shown(input).frame.titles.first?.picture == picture, "it is not shown")
    case .failure(let refusal):
      precondition(printable(refusal.message) == refusal.message, "a message that is not clean")
      precondition(refusal.message.utf8.count <= PluginLimits.warningBytesMax)
      let reading = shown(input)
      precondition(reading.frame.titles.allSatisfy { $0.picture == nil })
      precondition(!reading.warnings.isEmpty, "a picture is left out, and nobody says why")
    }
  }
  return 0
}

private func check(_ picture: PluginPicture, _ input: [UInt8]) {
  precondition(picture.bytes == input && input.count <= PluginLimits.imageBytesMax)
  precondition(max(picture.header.width, picture.header.height) <= PluginLimits.imageSidePixelsMax)
  var hash = SHA256()
  let middle = input.count * Int(input.last ?? 0) / 255
  hash.update(input[..<middle])
  hash.update(input[middle...])
  precondition(picture.hash == "sha256-" + hash.finish(), "pieces have another hash")
  do throws(JSONError) {
    let record = try JSONValue(parsing: picture.record.serialized)
    precondition(PluginPicture(record: record) == picture, "another picture came back")
  } catch {
    preconditionFailure("a record is no JSON: \(error.message)")
  }
}

/// Base64 gives back what it was made of, and any text is Base64 or none.
private func checkText(_ input: [UInt8]) {
  let encoded = Base64.encode(input)
  precondition(Base64.decode(encoded[...].utf8) == input, "Base64 gives other bytes back")
  guard let decoded = Base64.decode(text(input)[...].utf8) else { return }
  precondition(Base64.decode(Base64.encode(decoded)[...].utf8) == decoded)
  precondition(decoded.count <= input.count)
}

private func shown(_ input: [UInt8]) -> PluginReading {
  PluginReader.read(Array("a | image=\(Base64.encode(input))".utf8), .xbar)
}
