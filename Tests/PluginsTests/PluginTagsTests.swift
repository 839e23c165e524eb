import JSON
import Plugins
import Testing
import Timekeeping

struct PluginTagsTests {
  @Test func `tags of xbar are read in any comment`() {
    let tags = PluginTags(
      """
      #!/bin/bash
      # <xbar.title>CPU</xbar.title> <xbar.version>v1.0</xbar.version>
      // <XBAR.AUTHOR>Jo</xbar.author>
      -- <bitbar.desc>Shows \u{202E}load\u{1B}[31m</bitbar.desc>
      # <xbar.dependencies>python3, jq</xbar.dependencies>
      # <xbar.title>Second</xbar.title>
      # <xbar.abouturl>https://example.org
      """)
    #expect(tags.title == "CPU")
    #expect(tags.version == "v1.0")
    #expect(tags.author == "Jo")
    #expect(tags.summary == #"Shows load\x1B[31m"#)
    #expect(tags.dependencies == ["python3", "jq"])
    #expect(tags.about == nil)
    #expect(tags.format == .xbar)
    #expect(tags.warnings.isEmpty)
  }

  @Test func `variables are read with quotes and without`() {
    let tags = PluginTags(
      #"""
      # <xbar.var>string(NAME="a (b) \"c\""): Your name.</xbar.var>
      # <xbar.var>number(COUNT=5): Lines (at most 9).</xbar.var>
      # <xbar.var>boolean(SHOW=true): Show it.</xbar.var>
      # <xbar.var>select(STYLE="big"): The look. [small, "big"]</xbar.var>
      # <xbar.var>string(EMPTY=): Nothing.</xbar.var>
      # <xbar.var>string(QUOTED=''): Nothing.</xbar.var>
      """#)
    #expect(
      tags.variables.map { "\($0.kind) \($0.name)=\($0.value): \($0.summary) \($0.options)" } == [
        #"string NAME=a (b) \"c\": Your name. []"#, "number COUNT=5: Lines (at most 9). []",
        "boolean SHOW=true: Show it. []", #"select STYLE=big: The look. ["small", "big"]"#,
        "string EMPTY=: Nothing. []", "string QUOTED=: Nothing. []",
      ])
    #expect(tags.warnings.isEmpty)
  }

  @Test func `tags of SwiftBar say how a script runs`() {
    let tags = PluginTags(
      """
      # <swiftbar.schedule>01,16,31,46 * * * *|0 9 * * 1</swiftbar.schedule>
      # <swiftbar.type>streamable</swiftbar.type>
      # <swiftbar.useTrailingStreamSeparator>true</swiftbar.useTrailingStreamSeparator>
      # <swiftbar.environment>[A=1, B: two, LD_PRELOAD=x]</swiftbar.environment>
      # <swiftbar.runInBash>false</swiftbar.runInBash>
      # <swiftbar.refreshOnOpen>true</swiftbar.refreshOnOpen>
      # <swiftbar.alwaysVisible>true</swiftbar.alwaysVisible>
      # <swiftbar.hideAbout>true</swiftbar.hideAbout>
      """)
    #expect(tags.schedule.count == 2)
    #expect(tags.isStream)
    #expect(tags.hasTrailingSeparator)
    #expect(tags.environment == [PluginVariable("A", "1"), PluginVariable("B", "two")])
    #expect(!tags.runsInShell)
    #expect(tags.runsWhenOpened)
    #expect(tags.isAlwaysVisible)
    #expect(tags.format == .swiftbar)
    #expect(tags.warnings.map(\.line) == [4])
  }

  @Test func `a script of xbar that hides lines of SwiftBar stays one of xbar`() {
    let text = "# <xbar.title>T</xbar.title> <swiftbar.hideAbout>true</swiftbar.hideAbout>"
    #expect(PluginTags(text).format == .xbar)
    #expect(PluginTags("no tags <b>here</b>").format == nil)
  }

  @Test(arguments: [
    ("<xbar.titel>x</xbar.titel>", "did you mean 'title'"),
    ("<swiftbar.schedule>often</swiftbar.schedule>", "no line of a crontab"),
    ("<swiftbar.type>stream</swiftbar.type>", "streamable"),
    ("<swiftbar.alwaysVisible>maybe</swiftbar.alwaysVisible>", "not true or false"),
    ("<xbar.var>text(A=1)</xbar.var>", "begin with string("),
    ("<xbar.var>string(A)</xbar.var>", "names no value"),
    ("<xbar.var>string(A B=1): x</xbar.var>", "no name of an environment variable"),
    ("<xbar.var>string(PATH=/x): x</xbar.var>", "no name of an environment variable"),
    ("<xbar.var>string(A=1: x</xbar.var>", "no ')'"),
    ("<swiftbar.environment>A</swiftbar.environment>", "no NAME=VALUE"),
  ])
  func `a tag that cannot be read is ignored and named`(text: String, message: String) {
    let tags = PluginTags("\n" + text)
    #expect(tags.warnings.map(\.line) == [2])
    #expect(tags.warnings.first?.message.contains(message) == true)
  }

  @Test func `a tag without its end takes nothing from the others of its line`() {
    let tags = PluginTags(
      "</xbar.title><xbar.title><xbar.desc>a</XBAR.Desc> <xbar.author>b</xbar.version>"
        + "<xbar.version>c</xbar.version></xbar.author><xbar.author>d</xbar.author>")
    #expect(tags.title == nil)
    #expect(tags.summary == "a")
    // Tags do not nest: what stands within one is its value.
    #expect(tags.author == "b</xbar.version><xbar.version>c</xbar.version>")
    #expect(tags.version == nil)
  }

  @Test func `thousands of tags without an end are read in one pass`() {
    let line = (0..<6_000).map { "<xbar.\($0)>" }.joined() + "<xbar.title>a</xbar.title>"
    // With a search of the rest for each it would be 400 million steps.
    let tags = PluginTags(line)
    #expect(tags.title == "a")
    #expect(tags.warnings.isEmpty)
  }
}

struct PluginVariablesTests {
  private static func variables(_ change: (inout PluginVariables) -> Void = { _ in })
    -> PluginVariables
  {
    var variables = PluginVariables(
      file: "/p/a.5s.sh", folder: "/p", cacheFolder: "/c", dataFolder: "/d")
    change(&variables)
    return variables
  }

  private static func text(_ variables: PluginVariables, _ format: PluginFormat) -> [String] {
    variables.all(format).map { "\($0.name)=\($0.value)" }
  }

  @Test func `each family has its own variables`() {
    #expect(Self.text(Self.variables(), .xbar) == ["BitBar=1", "XBARDarkMode=false"])
    #expect(
      Self.text(Self.variables { $0.isDark = true }, .xbar)
        == ["BitBar=1", "BitBarDarkMode=1", "XBARDarkMode=true"])
    #expect(
      Self.text(Self.variables { $0.isMenuOpen = true }, .argos)
        == ["ARGOS_MENU_OPEN=true", "ARGOS_VERSION=2"])
    #expect(Self.text(Self.variables(), .waybar) == [])
    let swiftbar = Self.variables {
      $0.reason = .firstLaunch
      $0.launch = WallTime(seconds: 0)
      $0.systemVersion = [6, 1, 0]
      $0.lastWake = WallTime(seconds: 1)
    }
    #expect(
      Self.text(swiftbar, .swiftbar) == [
        "OS_APPEARANCE=Light", "OS_LAST_WAKE_TIME=1970-01-01T00:00:01Z", "OS_VERSION_MAJOR=6",
        "OS_VERSION_MINOR=1", "OS_VERSION_PATCH=0", "SWIFTBAR=1", "SWIFTBAR_BUILD=0",
        "SWIFTBAR_LAUNCH_TIME=1970-01-01T00:00:00Z", "SWIFTBAR_PLUGINS_PATH=/p",
        "SWIFTBAR_PLUGIN_CACHE_PATH=/c", "SWIFTBAR_PLUGIN_DATA_PATH=/d",
        "SWIFTBAR_PLUGIN_PATH=/p/a.5s.sh", "SWIFTBAR_PLUGIN_REFRESH_REASON=FirstLaunch",
        "SWIFTBAR_VERSION=2.1.2",
      ])
  }

  @Test func `the person's values win over a URL, the environment tag and defaults`() {
    let variables = Self.variables {
      $0.tags = PluginTags(
        """
        <xbar.var>string(A="default"): a</xbar.var> <xbar.var>string(B=default): b</xbar.var>
        <xbar.var>string(C=default): c</xbar.var> <xbar.var>string(D=default): d</xbar.var>
        <xbar.var>string(E=): dropped</xbar.var>
        <swiftbar.environment>[B=tag, C=tag, D=tag]</swiftbar.environment>
        """)
      $0.query = [
        PluginVariable("C", "url"), PluginVariable("D", "url"), PluginVariable("LD_PRELOAD", "x"),
      ]
      $0.values = ["D": true, "N": 5, "LIST": [1], "XBARDarkMode": "no", "PATH": "/x"]
    }
    #expect(
      Self.text(variables, .xbar)
        == ["A=default", "B=tag", "BitBar=1", "C=url", "D=true", "N=5", "XBARDarkMode=false"])
  }

  @Test func `values come from the files of both apps, and xbar's wins`() {
    #expect(
      PluginVariables.valueFiles(of: "tail.5s.sh") == ["tail.5s.vars.json", "tail.5s.sh.vars.json"])
    #expect(PluginVariables.valueFiles(of: "tail") == ["tail.vars.json"])
    let read = PluginVariables.values(of: [
      ("tail.5s.vars.json", Array(#"{"A":"s","B":"s"}"#.utf8)),
      ("tail.5s.sh.vars.json", Array(#"{"B":2,"C":[1]}"#.utf8)), ("bad", Array("{".utf8)),
    ])
    #expect(read.values == ["A": "s", "B": 2])
    #expect(read.warnings.count == 2)
  }
}
