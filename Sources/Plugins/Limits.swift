/// The limits of this module, with their units and reasons.
package enum PluginLimits {
  // The settings of other bars, which `intent-send import` reads.

  /// Bytes of a settings file: the longest configurations that people show have 100 KB.
  package static let importBytesMax = 4 << 20
  /// Lines of a file of `key=value`; the longest that people show have 2,000.
  package static let importLineCountMax = 10_000
  /// Modules of all files of an import; further ones are left out, and that is said.
  package static let importModuleCountMax = 500
  /// Files that a settings file includes, those of the included ones too.
  package static let importIncludeCountMax = 32
  /// Files of a folder of scripts: twice the largest collection of scripts there is.
  package static let importFileCountMax = 2_000
  /// Containers inside each other in a settings file of Waybar.
  package static let importDepthMax = 64
  /// Values of a settings file of Waybar, containers included.
  package static let importValueCountMax = 200_000
  /// Sections of polybar that inherit from each other, and values that name each other.
  package static let importReferenceDepthMax = 16
  /// References of one module that are followed: to other sections, and to variables.
  package static let importLookupCountMax = 1_000
  /// Bytes of a command, as the manifests of widgets have it.
  package static let importCommandBytesMax = 32_768
  /// Words of a command that is run without a shell: as many as a manifest's `exec` has.
  package static let importWordCountMax = 64
  /// Variables that a module sets: as many as a manifest's `env` has.
  package static let importVariableCountMax = 64
  /// Bytes of the name of a kind that an import makes, without a number after it.
  package static let importKindBytesMax = 100
  /// Milliseconds between two runs: what a manifest takes as `every`, a tenth of a second to a year.
  package static let importIntervalMilliseconds: ClosedRange<Int64> = 100...31_622_400_000

  // The outputs of plugins.

  /// Bytes of a line; the rest is cut off.
  package static let lineBytesMax = 4_096
  /// Bytes of an output that is looked at for being one plain line.
  static let plainLineBytesMax = 256
  /// Lines of an output; further ones are left out.
  package static let lineCountMax = 2_000
  /// Titles that take turns in a bar.
  package static let titleCountMax = 16
  /// Levels of menus below each other.
  package static let menuDepthMax = 8
  /// Warnings of one output: a person mends the first ones first.
  package static let warningCountMax = 50
  /// Bytes of a picture, before it is decoded.
  package static let imageBytesMax = 256 * 1_024
  /// Pixels of a side of a picture: decoded, the largest one takes 16 MiB.
  package static let imageSidePixelsMax = 2_048
  /// Bytes of all pictures of one frame; further ones are left out.
  package static let frameImagesBytesMax = 1_024 * 1_024
  /// Elements of an SVG: a detailed map has some thousand.
  package static let svgElementCountMax = 10_000
  /// Elements that an SVG shows when its references to its own parts are followed.
  package static let svgElementsShownMax = 50_000
  /// Bytes of a text that stands for a picture, where the picture cannot be seen: two sentences.
  package static let imageAltBytesMax = 500
  /// Bytes of a colour as it is written; the longest is two times `rgba()` with blanks.
  package static let colorBytesMax = 128
  /// Levels of elements within each other in markup; people write three at most.
  package static let markupDepthMax = 64
  /// Points of a font: less cannot be read, and more is larger than a screen.
  package static let fontPoints = 1.0...500.0
  /// Bytes of one frame of a stream; the rest up to its separator is left out.
  package static let streamFrameBytesMax = 256 * 1_024
  /// Milliseconds of silence after which what has come of a frame is shown.
  package static let streamSilenceMilliseconds: Int64 = 100
  /// Milliseconds between two frames of a stream that are shown: ten a second.
  package static let streamIntervalMilliseconds: Int64 = 100
  /// Lines of a crontab in one schedule.
  package static let cronLineCountMax = 16
  /// Days that the next moment of a line of a crontab is looked for: 29 February on a certain
  /// weekday comes every 40 years at the latest.
  package static let cronDaysMax = 40 * 366
  /// Milliseconds of the shortest interval that a file name may ask for; a shorter one is this one.
  package static let intervalMillisecondsMin: Int64 = 1_000
  /// Milliseconds of the longest interval of a file name, a hundred days; a longer one is this one.
  package static let intervalMillisecondsMax: Int64 = 100 * 86_400_000
  /// Characters of the name of a kind that a file's name gives.
  package static let kindNameCountMax = 64
  /// Bytes of the name of a tag, with its prefix; a longer one is none.
  package static let tagNameBytesMax = 64
  /// Bytes of the lines of a plugin's file that have tags; further lines are left out.
  package static let tagLinesBytesMax = 64 << 10
  /// Bytes of the value of a tag; the rest is cut off.
  package static let tagBytesMax = 2_048
  /// Programs that a script's tags name.
  package static let dependencyCountMax = 32
  /// Variables that tags or files of values give to a script.
  package static let variableCountMax = 64
  /// Bytes of a file of values, `*.vars.json`.
  package static let valuesBytesMax = 64 * 1_024
  /// Bytes of an object of JSON, in one line or in several; a block with its state has some hundred.
  package static let objectBytesMax = 64 * 1_024
  /// Bytes of a template of a look, and of one of its icons, which may have markup.
  package static let lookTextBytesMax = 4_096
  /// Characters of a title, and of a value within its template: more than fits on any bar.
  package static let lookCharacterCountMax = 1_000
  /// Characters of a value within a template with its braces; `{percentage:*>1000.1000d}` has 26.
  package static let lookValueCountMax = 32
  /// Bytes of a template with its values, where no other value is put in: a title has 4 KiB.
  package static let lookResultBytesMax = 64 * 1_024
  /// Words for which a look has icons.
  package static let lookWordCountMax = 128
  /// Icons for one word: one for each percent.
  package static let lookIconCountMax = 101
  /// Bytes of a command of a click.
  package static let commandBytesMax = 4_096
  /// Bytes of a warning: two lines of a terminal or three.
  package static let warningBytesMax = 400
  /// Bytes of one text that is shown: more than fits on any screen.
  package static let textBytesMax = 4_096
  /// Runs of one text; a picture made of coloured characters has some hundred.
  package static let runCountMax = 512
  /// Bytes of all texts of a menu as they are printed; what follows is not read.
  ///
  /// Twice those that a frame may have: markup takes some.
  package static let menuTextBytesMax = 320 * 1_024
  /// Items of a menu, with those below others.
  package static let itemCountMax = 2_000
  /// Bytes of all texts and commands of a frame, where a run of text counts as `runCostBytes` more.
  ///
  /// An entry's content has a limit of 256 KiB, which a frame within this one keeps.
  package static let frameBytesMax = 160 * 1_024
  /// Bytes that a run of text, a word or an item counts as, beside its text.
  package static let runCostBytes = 32
  /// Bytes that an argument of a command counts as, beside its text: quotes and a comma.
  package static let argumentCostBytes = 8
  /// Bytes that a style or a colour counts as: its members, with two colours of two forms.
  package static let styleCostBytes = 192
  /// Words for styling.
  package static let classCountMax = 16
  /// Bytes of a word for styling, of a badge and of the name of an icon or a font.
  package static let wordBytesMax = 128
  /// Bytes of a URL; WidgetCenter takes no longer one in an entry.
  package static let urlBytesMax = 8_192
  /// Arguments of a command.
  package static let argumentCountMax = 64
  /// Bytes of the state that a block gets back, as an object of JSON: the only limit of one value.
  package static let stateBytesMax = 16 * 1_024
  /// Bytes of a line that is written to a plugin for a click: four of them fit into a pipe.
  package static let clickLineBytesMax = 16 * 1_024
  /// Members of its last output that a block gets back with a click; i3bar's protocol has twenty.
  package static let clickMemberCountMax = 256
  /// Bytes of a line of a menu with its picture; its text is cut at `lineBytesMax`.
  package static let menuLineBytesMax = 512 * 1_024
  /// Pipes of a line that parameters are looked for behind; further ones are text.
  package static let menuPipeCountMax = 16
  /// Bytes of a key of a parameter, with its `=`.
  package static let menuKeyBytesMax = 32
  /// Arguments after `param0`, `param1` and so on: with it and the program `argumentCountMax` words.
  package static let menuArgumentMax = argumentCountMax - 2
}
