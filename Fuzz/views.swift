import IntentRouter
import ViewMarkup

/// Fuzzes the reader of a view's markup.
///
/// What it takes is written again as markup that it takes and reads as the same. Each URL in it is
/// one of the strict profile, and no text leaves its element.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = line(bytes(start, count))
  within(1_000, "a view") {
    switch MarkupReader.read(input) {
    case .failure(let error):
      precondition(!error.message.isEmpty, "a refusal without a sentence")
      precondition((0...max(input.utf8.count, MarkupLimits.bytesMax)).contains(error.offset))
    case .success(let element):
      precondition(element.depth <= MarkupLimits.depthMax, "too deep")
      let html = element.html
      precondition(MarkupReader.read(html) == .success(element), "not the same once more: \(html)")
      check(element)
    }
    if MarkupURL.accepts(input) {
      guard case .success = ProfiledURL.parse(input) else {
        preconditionFailure("a URL that the router refuses: \(input)")
      }
    }
  }
  return 0
}

private func check(_ element: MarkupElement) {
  for attribute in element.attributes {
    if attribute.name == .href {
      guard case .success = ProfiledURL.parse(attribute.value) else {
        preconditionFailure("a URL that the router refuses: \(attribute.value)")
      }
    }
    precondition(attribute.name.tags?.contains(element.tag) ?? true, "an attribute of another tag")
  }
  for declaration in element.style {
    precondition(
      declaration.value.utf8.allSatisfy { byte in
        (0x20...0x7E).contains(byte) && byte != UInt8(ascii: ";") && byte != UInt8(ascii: "\"")
          && byte != UInt8(ascii: "<") && byte != UInt8(ascii: "\\")
      }, "a value that leaves its declaration: \(declaration.value)")
  }
  for case .element(let child) in element.children { check(child) }
}
