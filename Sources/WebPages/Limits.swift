/// The limits of pages and panels, with their units and reasons.
package enum WebLimits {
  /// Connections at once, of all clients; a browser keeps six, and a panel one for a moment.
  package static let connectionCountMax = 64
  /// Connections at once of one address beyond this machine; a panel has one for a moment.
  package static let connectionCountOfAddressMax = 8
  /// Bytes of memory for the head of a request; a longer one is answered with 431.
  package static let headBytesMax = 16_384
  /// Bytes of the body of a request: the log of a panel is the only one that is read.
  package static let bodyBytesMax = 65_536
  /// Fields of the head of a request, and values of its query; more are answered with 431 and 400.
  package static let fieldCountMax = 64
  /// Seconds for which a connection may say nothing, in either direction.
  package static let silenceSecondsMax: UInt32 = 20
  /// Milliseconds within which the head of the first request must have come.
  package static let headMilliseconds: Int64 = 10_000
  /// Milliseconds that a request waits for the daemon's answer.
  package static let answerMilliseconds: Int64 = 5_000
  /// Milliseconds that a tap waits for it: a program may be at work, and a connection that is silent
  /// for longer than `silenceSecondsMax` ends.
  package static let tapMilliseconds: Int64 = 15_000
  /// Bytes of the key of a click.
  package static let keyBytesMax = 64
  /// Milliseconds between two signs of life on a stream of events.
  package static let pulseMilliseconds: Int64 = 25_000
  /// Bytes of an id of a widget in a request; the daemon's own limit is lower.
  package static let idBytesMax = 512
  /// Levels of an item of a widget, as the daemon has them.
  package static let itemDepthMax = 8
  /// Pixels of a side of a panel.
  package static let sidePixelsMax = 2_560
  /// Pixels of a side below which nothing can be read.
  package static let sidePixelsMin = 64
  /// Pixels of a panel in all: the largest e-ink panels have 1,872 × 1,404.
  package static let panelPixelsMax = 3_000_000
  /// Tiles on a panel of the stack.
  package static let tileCountMax = 12
  /// Widgets of the stack that are asked for to fill a panel: hidden ones among them take no place.
  package static let stackCountMax = 64
  /// Characters of a line on a panel.
  package static let lineCharacterCountMax = 300
  /// Characters of the words of a program, and of a question, on the page.
  package static let wordsCharacterCountMax = 2_000
  /// Words of programs that followed one another, each of which answers an act on the page.
  package static let wordsCountMax = 4
  /// Lines of text, and rows of items, of a widget on a panel.
  package static let lineCountMax = 40
  /// Seconds that a panel sleeps at least: a redraw of e-ink takes long and costs its battery.
  package static let sleepSecondsMin: Int64 = 60
  /// Seconds that a panel sleeps at most.
  package static let sleepSecondsMax: Int64 = 86_400
  /// Seconds that a panel sleeps when nothing is planned.
  package static let sleepSecondsUsual: Int64 = 3_600
  /// Seconds for which a code opens the page.
  package static let codeSecondsMax: Int64 = 120
  /// Seconds for which a browser stays signed in: 30 days.
  package static let sessionSecondsMax: Int64 = 2_592_000
  /// Sessions of browsers at once; the oldest makes room.
  package static let sessionCountMax = 32
  /// Devices that were given a token.
  package static let deviceCountMax = 64
  /// Bytes of the name of a device.
  package static let deviceNameBytesMax = 32
  /// Bytes of the file of a device.
  package static let deviceFileBytesMax = 4_096
  /// Reports of a device that are kept; the oldest makes room.
  package static let reportCountMax = 50
  /// Unicode scalars of a report of a device that are kept.
  package static let reportScalarCountMax = 1_000
  /// Bytes of the kept reports of a device.
  package static let logBytesMax = 60_000
  /// Bytes of events that are kept for browsers that come back.
  package static let eventLogBytesMax = 1_048_576
  /// Rows of items of a widget on the page.
  package static let pageItemCountMax = 200
}
