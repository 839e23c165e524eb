import Digests
import JSON
import PlainText
import Plugins
import WidgetCenter

/// Fuzzes the readers of pictures that providers give: the header of a file, SVG, the cut of files
/// that move, its hash, Base64, the record in which the daemon keeps it, and `image` of an answer.
///
/// The input is a file of any type.
///
/// - A header has a size, and bytes behind it do not change what it says.
/// - A picture keeps the limits; a refusal is one clean line.
/// - The hash of all bytes is that of their pieces. A record that is read is the same picture.
/// - A menu shows the picture, or tells why it does not; an answer as well.
/// - A still picture has the type and the size of its file, does not move, and its cut is its own.
/// - An SVG that is taken has no script, and no bytes behind it are ignored.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = bytes(start, count)
  within(500, "a picture") {
    if let header = PictureHeader.read(input) {
      precondition(header.width > 0 && header.height > 0, "a picture without a size")
      precondition(PictureHeader.read(input + [0xFF, 0, 0]) == header, "its end changes its size")
    }
    checkText(input)
    checkAnswer(input)
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
  precondition((picture.motion?.bytes ?? picture.bytes) == input)
  precondition(input.count <= PluginLimits.imageBytesMax)
  checkStill(picture)
  precondition(max(picture.header.width, picture.header.height) <= PluginLimits.imageSidePixelsMax)
  var hash = SHA256()
  let middle = input.count * Int(input.last ?? 0) / 255
  hash.update(input[..<middle])
  hash.update(input[middle...])
  precondition(picture.sourceHash == "sha256-" + hash.finish(), "pieces have another hash")
  do throws(JSONError) {
    let record = try JSONValue(parsing: picture.record.serialized)
    precondition(PluginPicture(record: record) == picture, "another picture came back")
  } catch {
    preconditionFailure("a record is no JSON: \(error.message)")
  }
}

/// A still picture is one by every reader, and its hash is its own.
private func checkStill(_ picture: PluginPicture) {
  guard picture.header.form != .svg else {
    let folded = text(picture.bytes).lowercased()
    precondition(!folded.contains("<script") && !folded.contains("<!doctype"), "an SVG that runs")
    return
  }
  precondition(PictureHeader.read(picture.bytes) == picture.header, "another header")
  precondition(
    MovingPicture.read(picture.bytes, picture.header) == .isStill, "a still picture moves")
  guard let motion = picture.motion else { return }
  precondition(motion.hash != picture.hash && motion.bytes != picture.bytes)
  precondition(picture.bytes.count <= motion.bytes.count + 32, "the cut is longer than the file")
}

/// An answer shows the picture that the readers take, or says why not.
private func checkAnswer(_ input: [UInt8]) {
  let answer: JSONValue = [
    "entries": [["content": ["image": ["data": .string(Base64.encode(input)), "alt": ""]]]]
  ]
  let taken = AnswerPictures.take(from: answer)
  let isTaken = if case .success = PluginPicture.read(input) { true } else { false }
  precondition(taken.pictures.count == (isTaken ? 1 : 0), "an answer has other pictures")
  precondition(taken.warnings.isEmpty == isTaken, "a picture is left out, and nobody says why")
  let again = AnswerPictures.take(from: taken.answer) { taken.pictures }
  precondition(again.answer == taken.answer, "the same content is another one")
  // Whatever the input is, it is an answer or none.
  do throws(JSONError) {
    _ = AnswerPictures.take(from: try JSONValue(parsing: input))
  } catch { return }
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
