import JSON
import PlainText
import ViewMarkup

/// A view of a widget as the page gets it: a tree of elements as data.
///
/// The daemon sends markup that it wrote itself. It is read here once more, as strictly, because this
/// is the door to a browser: the page's script makes elements and sets properties of what this
/// returns, and no HTML and no CSS of others is ever parsed. An element is
/// `[tag, attributes, style, children…]`, and a child is an element or a text.
enum PageView {
  /// Returns the trees for light and dark surroundings; `nil`: there is no view that can be shown.
  static func members(of view: JSONValue?) -> JSONValue? {
    guard let view else { return nil }
    if let markup = view.stringValue {
      return tree(of: markup).map { ["light": $0] }
    }
    guard let light = view["light"]?.stringValue.flatMap(tree),
      let dark = view["dark"]?.stringValue.flatMap(tree)
    else { return nil }
    return ["light": light, "dark": dark]
  }

  private static func tree(of markup: String) -> JSONValue? {
    guard case .success(let element) = MarkupReader.read(markup) else { return nil }
    return tree(of: element)
  }

  private static func tree(of element: MarkupElement) -> JSONValue {
    var attributes = JSONObject()
    for attribute in element.attributes {
      let value =
        switch attribute.name.form {
        case .words: printable(attribute.value)
        case .url, .symbolName, .date, .number, .keywords, .declarations: attribute.value
        }
      attributes[attribute.name.rawValue] = .string(value)
    }
    var style = JSONObject()
    for declaration in element.style {
      style[declaration.property.rawValue] = .string(declaration.value)
    }
    var parts: [JSONValue] = [
      .string(element.tag.rawValue), .object(attributes), .object(style),
    ]
    for child in element.children {
      switch child {
      case .element(let inner): parts.append(tree(of: inner))
      case .text(let text): parts.append(.string(printableLines(text).joined(separator: "\n")))
      }
    }
    return .array(parts)
  }
}
