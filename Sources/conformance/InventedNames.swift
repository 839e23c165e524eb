import JSON

/// Names that nobody has, for measuring what many names cost.
struct InventedNames {
  let language: String

  /// Returns the lists of the corpus, with `count` invented names as the list `name`.
  func lists(_ count: Int, _ context: JSONValue, in union: JSONObject) -> JSONObject {
    let values = (0..<count).map { number -> JSONValue in
      ["in": .string(name(number)), "out": .string(name(number)), "context": context]
    }
    var lists = union
    lists["name"] = ["values": .array(values)]
    return lists
  }

  /// Returns a name of six syllables, unique for each number below a million; many begin alike.
  func name(_ number: Int) -> String {
    let syllables =
      language.hasPrefix("zh")
      ? ["客", "厅", "灯", "卧", "室", "书", "房", "台", "大", "小"]
      : ["ka", "li", "mo", "ne", "ru", "sta", "vo", "wen", "zi", "tor"]
    var text = ""
    var rest = number &* 7_919 &+ 104_729
    for _ in 0..<6 {
      text += syllables[rest % 10]
      rest /= 10
    }
    return text
  }
}
