import IntentRouter
import Testing

@Suite struct PluginHostURLTests {
  private func verb(_ url: String) -> Result<PluginHostURL, RouterError> {
    IntentCatalog().open(url: url).flatMap { opened in
      guard case .plugins(let verb) = opened else {
        return .failure(RouterError(.noRoute, "\(opened)"))
      }
      return .success(verb)
    }
  }

  @Test(arguments: [
    ("swiftbar://refreshallplugins", PluginHostURL.reloadAll),
    ("SwiftBar://refreshAllPlugins/", .reloadAll),
    ("xbar://app.xbarapp.com/refreshAllPlugins", .reloadAll),
    ("bitbar://refreshPlugin?name=*", .reloadAll),
    ("swiftbar://refreshplugin?name=weather", .reload(.named("weather"), ignored: [])),
    ("swiftbar://refreshplugin?plugin=My%20One", .reload(.named("My One"), ignored: [])),
    (
      "xbar://app.xbarapp.com/refreshPlugin?path=/p/weather.5m.sh",
      .reload(.named("/p/weather.5m.sh"), ignored: [])
    ), ("swiftbar://refreshplugin?index=3", .reload(.index(3), ignored: [])),
    (
      "swiftbar://refreshplugin?name=a&LD_PRELOAD=x&CITY=y",
      .reload(.named("a"), ignored: ["LD_PRELOAD", "CITY"])
    ),
  ])
  func `a URL that refreshes a plugin reloads its widgets`(url: String, expected: PluginHostURL) {
    #expect(verb(url).success == expected)
  }

  @Test(arguments: [
    "swiftbar://addplugin?src=https://example.org/x.sh", "SWIFTBAR://AddPlugin?src=x",
    "xbar://app.xbarapp.com/openPlugin?path=a/b.sh", "bitbar://openPlugin?src=https://a.example/x",
  ])
  func `code is never fetched`(url: String) {
    let refusal = verb(url).failure
    #expect(refusal?.code == .unsupportedVerb)
    #expect(refusal?.message.contains("fetch code and run it") == true)
    #expect(refusal?.message.contains("manifest in widgets/") == true)
  }

  @Test(arguments: [
    ("swiftbar://disableplugin?name=a", "intent-send remove"),
    ("swiftbar://enableplugin?name=a", "intent-send add"),
    ("swiftbar://toggleplugin?name=a", "placed or"),
    ("swiftbar://notify?plugin=a&title=b", "notify-send"),
    ("swiftbar://setephemeralplugin?name=a&content=b&exitafter=1e40", "intent-send push"),
    ("swiftbar://copysystemreport", "intent-send status"),
    ("swiftbar://refreshplugins", "did you mean 'refreshplugin'"), ("swiftbar:x", "unknown verb"),
    ("xbar://example.org/refreshAllPlugins", "unknown verb"),
  ])
  func `a URL without a meaning here is refused with a hint`(url: String, advice: String) {
    let refusal = verb(url).failure
    #expect(refusal?.code == .unsupportedVerb)
    #expect(refusal?.message.contains(advice) == true, "\(refusal?.message ?? "")")
  }

  @Test(arguments: [
    "swiftbar://refreshplugin", "swiftbar://refreshplugin?name=",
    "swiftbar://refreshplugin?name=a&plugin=b",
    "swiftbar://refreshplugin?name=a&name=b", "swiftbar://refreshplugin?index=-1",
    "swiftbar://refreshplugin?index=1e40", "swiftbar://refreshplugin?index=99999999999999999999",
    "swiftbar://refreshplugin?index=10000",
  ])
  func `a plugin is named once, or counted from 0`(url: String) {
    #expect(verb(url).failure?.code == .invalidParameter)
  }
}
