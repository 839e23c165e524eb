import BarLines
import JSON
import Testing

struct TemplateTests {
  private func shown(_ template: String, _ content: JSONValue) throws -> String {
    var wishes = BarWishes()
    wishes.template = try BarTemplate(parsing: template)
    return try line(.text, [widget(content)], wishes)
  }

  @Test func `a template is filled with the values of a widget`() throws {
    let content: JSONValue = ["title": "Akku", "text": ["full", "soon"], "percentage": 40.4]
    #expect(try shown("{title} {percentage}%", content) == "Akku 40%")
    #expect(
      try shown("{{{text}}} {name} {id} {line}{short}", content) == "{full} Weather weather full")
    #expect(try shown("just words", content) == "just words")
  }

  @Test(arguments: [
    ("{title} {percentage}%", "Akku"), ("{percentage}% {title}", "Akku"),
    ("{title} ({percentage}%) now", "Akku now"), (" {short} {title}", "Akku"),
    (" {title}  {text}. ", "Akku"), ("{title}{percentage}", "Akku"), ("{short}x y", "Akku"),
  ])
  func `a word whose value is missing is left out with its blanks`(
    template: String, shown text: String
  ) throws {
    #expect(try shown(template, ["title": "Akku"]) == text)
  }

  @Test func `without any of its values the template is not used`() throws {
    #expect(try shown("{percentage}%", ["text": "3°"]) == "3°")
  }

  @Test(arguments: [
    ("{titel}", "the format names '{titel}'; there is {line} {title}"),
    ("{title", "the format has a '{' without a '}'"), ("a}", "the format has a '}' without a '{'"),
    (String(repeating: "x", count: 1_001), "the format has more than 1000 characters"),
  ])
  func `a mistake in a template is named`(template: String, start: String) {
    let mistake = #expect(throws: BarTemplate.Mistake.self) {
      try BarTemplate(parsing: template)
    }
    #expect(mistake?.message.hasPrefix(start) == true, "\(mistake?.message ?? "")")
  }
}
