import Plugins
import Testing

struct PolybarImportTests {
  @Test func `modules inherit, and values name others`() throws {
    let reading = imported(
      .polybar,
      """
      ; mine
      [colors]
      city = "New York"
      [bar/main]
      modules-left = weather date
      modules-right = ${bar/other.modules-right}
      [bar/other]
      modules-right = ipc gone
      [module/base]
      type = custom/script
      interval = 30
      click-left = ${env:BROWSER:firefox} https://x.example
      [module/weather]
      inherit = module/base
      exec = ~/bin/weather ${colors.city} ${self.unit:C}
      exec-if = ping -c 1 ${env:HOST}
      env-LANG = de
      label = W %output%
      [module/tail]
      type = custom/script
      tail = true
      exec = tail -f $HOME/log
      interval = 2
      [module/date]
      type = internal/date
      [module/ipc]
      type = custom/ipc
      hook-0 = date
      hook-1 = "uptime -p"
      initial = 2
      scroll-up = a
      [module/text]
      type = custom/text
      """, environment: ["HOST": "h.example"])
    #expect(reading.problems == [])
    let weather = try reading.plugin("weather")
    #expect(weather.exec == ["/h/bin/weather", "New", "York", "C"])
    var expected = PluginDeclaration(.polybar, .every(30_000))
    expected.condition = ["ping", "-c", "1", "h.example"]
    expected.clicks = [.left: ["firefox", "https://x.example"]]
    var look = PluginLook()
    look.format = "W {text}"
    expected.look = look
    #expect(weather.declaration == expected)
    #expect(weather.environment == [PluginVariable("LANG", "de")])
    #expect(weather.leftOut == [])
    #expect(try reading.module("weather").line == 13)

    let tail = try reading.plugin("tail")
    #expect(tail.exec == ["/bin/sh", "-c", "tail -f $HOME/log"])
    #expect(tail.declaration.isStream)
    #expect(tail.declaration.restart == 2_000)
    #expect(try !reading.module("tail").isShown)

    let ipc = try reading.plugin("ipc")
    #expect(ipc.exec == ["uptime", "-p"])
    #expect(ipc.declaration.schedule == .once)
    #expect(ipc.declaration.clicks == [.scrollUp: ["a"]])
    #expect(ipc.leftOut == ["hook-0"])
    #expect(try reading.module("ipc").isShown)
    #expect(
      reading.reasons == [
        "base": "no exec, nothing to show", "date": "built into polybar",
        "text": "a custom/text, nothing to run", "gone": "the file does not define it",
      ])
  }

  @Test func `a script without an interval runs every five seconds`() throws {
    let reading = imported(.polybar, "[module/a]\ntype=custom/script\nexec=a\n")
    #expect(try reading.plugin("a").declaration.schedule == .every(5_000))
  }

  @Test func `polybar's intervals after a failure and a condition are taken`() throws {
    let reading = imported(
      .polybar,
      """
      [module/a]
      type = custom/script
      exec = a
      exec-if = b
      interval-fail = 30
      interval-if = 2.5
      double-click-left = c
      [module/b]
      type = custom/script
      exec = a
      interval-if = 5
      interval-fail = never
      [module/c]
      type = custom/script
      tail = true
      exec = a
      interval-fail = 5
      """)
    let a = try reading.plugin("a")
    #expect(a.declaration.retry == 30_000)
    #expect(a.declaration.recheck == 2_500)
    #expect(a.leftOut == ["double-click-left"])
    let b = try reading.plugin("b")
    #expect(b.declaration.recheck == nil, "it has no condition")
    #expect(b.leftOut == ["interval-fail", "interval-if"])
    #expect(try reading.plugin("c").leftOut == ["interval-fail"])
  }

  @Test func `settings that name each other in a circle are refused`() {
    let reading = imported(
      .polybar,
      """
      [module/a]
      type = custom/script
      exec = ${module/b.exec}
      [module/b]
      type = custom/script
      exec = ${module/a.exec} ${module/a.exec}
      [module/c]
      inherit = module/c
      [module/d]
      type = custom/script
      exec = a ${no.such}
      [module/e]
      type = custom/script
      exec = a ${env:NONE}
      """)
    let endless = "refused: its settings name each other in a circle, or more than 16 deep"
    #expect(
      reading.reasons == [
        "a": endless, "b": endless, "c": endless,
        "d": "refused: '${no.such}' names nothing of the settings",
        "e": "refused: the variable 'NONE' that it names is not there",
      ])
  }

  @Test func `a section that inherits from one that is not there is refused`() {
    let reading = imported(
      .polybar,
      """
      [bar/main]
      modules-left = a b c d
      inherit = bar/gone
      [module/a]
      type = custom/script
      inherit = module/nothere
      [module/b]
      inherit = module/a
      [module/c]
      type = custom/script
      exec = c
      inherit = module/base module/other
      [module/base]
      [module/d]
      type = custom/script
      exec = d
      inherit = ${env:BASE:module/base}
      """)
    #expect(
      reading.reasons == [
        "a": "refused: inherits from module/nothere, which is not there",
        "b": "refused: inherits from module/a, which inherits from module/nothere, which is not"
          + " there",
        "c": "refused: inherits from module/other, which is not there",
        "base": "no type, so polybar shows nothing either",
      ])
    #expect(
      reading.problems == [
        ImportProblem(
          "/h/.config/bar/config", line: 3,
          "bar/main: inherits from bar/gone, which is not there")
      ])
  }

  @Test func `settings that name ever more others are refused`() {
    // Each section names the next one twice: 4,096 values in all, none of them its own.
    let sections = (0..<12).map { "[s\($0)]\nx = ${s\($0 + 1).x}${s\($0 + 1).x}\n" }
    let reading = imported(
      .polybar,
      "[module/a]\ntype = custom/script\nexec = ${s0.x}\n\(sections.joined())[s12]\nx = y\n")
    #expect(reading.reasons == ["a": "refused: its settings name others more than 1000 times"])
  }

  @Test func `included files are a part of the settings`() throws {
    let reading = imported(
      .polybar, "include-file = ~/m.ini\n[bar/x]\ninclude-file = $HOME/none.ini\n",
      files: ["/h/m.ini": "[module/a]\ntype = custom/script\nexec = a\n"])
    #expect(try reading.module("a").file == "/h/m.ini")
    #expect(reading.problems.map(\.line) == [3])
  }

  @Test func `a click that is an action of polybar is left out, and said`() throws {
    let plugin = try imported(
      .polybar,
      """
      [module/a]
      type = custom/script
      exec = date
      click-left = "#date.toggle"
      click-middle = kill -USR1 %pid%
      click-right = notify-send hi
      """
    ).plugin("a")
    #expect(plugin.declaration.clicks == [.right: ["notify-send", "hi"]])
    #expect(
      plugin.leftOut == ["click-left: an action of polybar", "click-middle: %pid%"])
  }
}
