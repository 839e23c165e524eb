/// An element of a view's markup.
package struct MarkupElement: Hashable, Sendable {
  /// An attribute with its value; `style` is not among them.
  package struct Attribute: Hashable, Sendable {
    package var name: MarkupAttribute
    package var value: String

    package init(_ name: MarkupAttribute, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// A declaration of the style.
  package struct Declaration: Hashable, Sendable {
    package var property: MarkupProperty
    package var value: String

    package init(_ property: MarkupProperty, _ value: String) {
      self.property = property
      self.value = value
    }
  }

  /// The content of an element.
  package enum Child: Hashable, Sendable {
    case element(MarkupElement)
    case text(String)
  }

  package var tag: MarkupTag
  package var attributes: [Attribute]
  package var style: [Declaration]
  package var children: [Child]

  package init(
    _ tag: MarkupTag, attributes: [Attribute] = [], style: [Declaration] = [],
    children: [Child] = []
  ) {
    self.tag = tag
    self.attributes = attributes
    self.style = style
    self.children = children
  }

  /// The markup of the element; what `MarkupReader` accepts, if the limits are kept.
  package var html: String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(1_024)
    write(into: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends the markup of the element.
  package func write(into bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "<"))
    bytes.append(contentsOf: tag.rawValue.utf8)
    for attribute in attributes {
      bytes.append(UInt8(ascii: " "))
      bytes.append(contentsOf: attribute.name.rawValue.utf8)
      bytes.append(contentsOf: "=\"".utf8)
      Self.escape(attribute.value, into: &bytes)
      bytes.append(UInt8(ascii: "\""))
    }
    if !style.isEmpty {
      bytes.append(contentsOf: " style=\"".utf8)
      for (index, declaration) in style.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ";")) }
        bytes.append(contentsOf: declaration.property.rawValue.utf8)
        bytes.append(UInt8(ascii: ":"))
        bytes.append(contentsOf: declaration.value.utf8)
      }
      bytes.append(UInt8(ascii: "\""))
    }
    bytes.append(UInt8(ascii: ">"))
    for child in children {
      switch child {
      case .element(let element): element.write(into: &bytes)
      case .text(let text): Self.escape(text, into: &bytes)
      }
    }
    bytes.append(contentsOf: "</".utf8)
    bytes.append(contentsOf: tag.rawValue.utf8)
    bytes.append(UInt8(ascii: ">"))
  }

  /// Elements inside each other, with this one.
  package var depth: Int {
    var deepest = 0
    for case .element(let element) in children { deepest = max(deepest, element.depth) }
    return deepest + 1
  }

  /// Elements, with this one.
  package var elementCount: Int {
    var count = 1
    for case .element(let element) in children { count += element.elementCount }
    return count
  }

  /// The element without the words of dates that follow the clock.
  ///
  /// They are true for the moment at which they were written; the surface writes its own. So two
  /// pictures that differ in nothing but the moment are the same.
  package var withoutLiveTexts: MarkupElement {
    var element = self
    let names = attributes.map(\.name)
    if tag == .time, names.contains(.datetime), names.contains(.liveStyle) {
      element.children = []
      return element
    }
    for index in children.indices {
      guard case .element(let child) = children[index] else { continue }
      element.children[index] = .element(child.withoutLiveTexts)
    }
    return element
  }

  private static func escape(_ text: String, into bytes: inout [UInt8]) {
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "&"): bytes.append(contentsOf: "&amp;".utf8)
      case UInt8(ascii: "<"): bytes.append(contentsOf: "&lt;".utf8)
      case UInt8(ascii: ">"): bytes.append(contentsOf: "&gt;".utf8)
      case UInt8(ascii: "\""): bytes.append(contentsOf: "&quot;".utf8)
      default: bytes.append(byte)
      }
    }
  }
}
