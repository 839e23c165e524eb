import DaemonCore
import IntentProtocol

/// The limits of the shell.
///
/// Those of the wire are in `WireLimits`, those of the daemon's state in the core's own `Limits`.
package enum RuntimeLimits {
  // MARK: The turn

  /// Events handled in one turn, so that a flood cannot keep the loop from its clock and its
  /// children.
  static let turnEventCountMax = 4_096
  /// Bytes sent in one turn from which on its further events wait for the next turn: until then the
  /// answers are in memory, whoever reads them.
  static let turnBytesMax = 16 * 1024 * 1024
  /// Bytes that the heap grows by in one step: with 10,000 widgets, small steps took a third of the
  /// start.
  static let heapStep = 16 * 1024 * 1024

  // MARK: Clients

  /// Bytes that clients may make the daemon hold, if nobody says otherwise.
  package static let clientBytesMax = DaemonCore.Limits.clientBytesMax
  /// Bytes of that budget that can be chosen: lines of all sizes fit in the least one.
  package static let clientBytesChoices = (64 << 20)...(64 << 30)
  /// Connections that the kernel keeps until the service accepts them.
  static let listenBacklog: Int32 = 512
  /// Connections accepted before the daemon can answer; more are closed at once.
  static let earlyConnectionCountMax = 4_096

  // MARK: Launches

  /// Milliseconds that a launch over the bus may take; its client has a typed answer then.
  static let launchWaitMax: Int64 = 25_000
  /// Milliseconds after which an unused connection to the bus is closed.
  static let busIdleInterval: Int64 = 10_000

  // MARK: The session

  /// Milliseconds for which runs wait until the session's variables are known.
  static let sessionWaitMax: Int64 = 500
  /// Milliseconds for which an answer about the session counts: a session may begin meanwhile.
  static let sessionAskInterval: Int64 = 10_000
  /// Milliseconds for which nobody looks again whether there is a session bus.
  static let busLookInterval: Int64 = 1_000

  // MARK: The desktop's search

  /// Milliseconds in which the session bus gives the daemon its name, or counts as hanging.
  static let busConnectWaitMax: Int64 = 10_000
  /// Milliseconds until a bus is tried again, the first time; twice as many each time after.
  static let busRetryInterval: Int64 = 500
  /// Failures in a row after which a bus is only tried again when its socket appears.
  static let busRetryCountMax = 8

  // MARK: The machine

  /// Milliseconds between two openings of the page that the desktop asks for; others are left out.
  static let pageOpenIntervalMin: Int64 = 2_000
  /// Milliseconds in which a service of the machine answers, or counts as hanging.
  static let machineAnswerMax: Int64 = 10_000
  /// Milliseconds for which a locked session stays locked while logind is gone: it may restart.
  static let logindGoneMax: Int64 = 10_000
  /// Milliseconds for which an answer about the battery counts.
  static let batteryLookInterval: Int64 = 120_000
  /// Notices that wait for the desktop.
  static let waitingNoticeCountMax = 64
  /// Notifications that are remembered, for their clicks.
  static let shownNoticeCountMax = 256

  // MARK: Plugins

  /// Milliseconds for which the process of a kind of plugin is started again without a look at the
  /// PATH and at its folders.
  static let knownSpecAge: Int64 = 60_000
  /// Kinds of plugins whose processes are remembered.
  static let knownSpecCountMax = 1_000

  // MARK: The log

  /// Lines of one cause in one window.
  static let logLineCountMax = 10
  /// Milliseconds of a window.
  static let logWindow: Int64 = 60_000
  /// Causes remembered, since kinds come from manifests; the oldest goes.
  static let logCauseCountMax = 256

  // MARK: Files

  /// Folders of the configuration that are watched for changes: far more than anybody has, and few
  /// of the kernel's own limit.
  static let watchedFolderCountMax = 1_024
  /// Bytes of one configuration file.
  static let configurationFileBytesMax = 4 << 20
  /// Files of one plugins folder that are taken: far more than anybody's bar has.
  static let pluginCountMax = 1_000
  /// Levels of folders below `plugins/swiftbar`.
  static let pluginFolderDepthMax = 4
  /// Bytes at the beginning of a plugin in which its tags are looked for, as SwiftBar does.
  package static let pluginScanBytesMax = 1 << 20
  /// Bytes of a file with the values of a plugin's variables.
  static let pluginValuesBytesMax = 64 << 10
  /// Kinds with a consent.
  package static let consentCountMax = 1_000
  /// Bytes of a consent's file: `Limits.pinnedFileCountMax` files with long paths.
  package static let consentFileBytesMax = 4 << 20
  /// Bytes of a file that a consent is about: the program of a large language.
  package static let pinnedFileBytesMax = 256 << 20
  /// Folders below `applications/`; deeper ones hold no application that anyone installed.
  static let applicationDepthMax = 8
  /// Desktop entries listed in one directory; a large desktop has 400.
  static let applicationCountMax = 20_000
  /// Applications tried for one URL; a longer list is broken.
  static let handlerCandidateCountMax = 64
  /// Bytes of a desktop entry: one more than the parsers take, so that they see it is too long.
  static let desktopFileBytesMax = (1 << 20) + 1
}

/// The limits of a provider's process.
enum ProviderLimits {
  /// Bytes of an answer, as many as a client may send in one line.
  static let outputBytesMax = WireLimits.frameBytesMax
  /// Bytes of a plugin's output that are read and thrown away beyond those: its run has not failed
  /// as long as it ends by then.
  static let pluginSurplusBytesMax = 64 << 20
  /// Scripts of which it is remembered how they start.
  static let scriptStartCountMax = 2_000
  /// Arguments of an extension among which its script is looked for: a program with an interpreter
  /// has it among the first.
  static let startedFileCountMax = 8
  /// Characters of a line that is no JSON, as a failure shows it.
  static let shownLineLength = 60
  /// Bytes of standard error that are kept: its end, where the reason usually stands.
  static let diagnosticsBytesMax = 4_096
  /// Bytes of a script in which its first line is looked for: the kernel reads as many.
  static let firstLineBytesMax = 256
  /// Files beside a manifest that are looked through for the one that was probably meant.
  static let neighbourCountMax = 500
  /// Bytes of the path of a proxy's socket: as many as the kernel takes.
  static let socketPathBytesMax = 107
  /// Milliseconds for which the daemon waits for the end of a program that a click started.
  ///
  /// In a box it is ended then.
  static let commandWatchMax: Int64 = 600_000
  /// Bytes of memory of the program that downloads: bodies go to files, a piece at a time.
  static let fetchBytesMax: UInt64 = 256 << 20
  /// Bytes of memory of a proxy of the session bus.
  static let busProxyBytesMax: UInt64 = 256 << 20
  /// Processes of a proxy, which has one.
  static let busProxyProcessCountMax: UInt64 = 8
  /// Milliseconds between SIGTERM and SIGKILL.
  static let killGrace: Int64 = 500
  /// Milliseconds that an extension may take to leave after the end of its input.
  static let leaveGrace: Int64 = 2_000
  /// Milliseconds of a window in which a stream's output and standard error are counted.
  static let streamWindow: Int64 = 100
  /// Bytes of a stream that are read in a window, and up to 64 KiB more; then it waits.
  ///
  /// A frame of the longest that there are takes two windows.
  static let streamWindowBytesMax = 128 << 10
  /// Reads of a stream in a window; then it is read in the next one.
  ///
  /// A script that writes line by line has each of them read by itself: more of them than frames
  /// that are shown are work for nothing.
  static let streamWindowReadCountMax = 16
  /// Windows in a row in which a stream had to wait, after which it is said to flood: a large menu
  /// is no flood.
  static let streamFloodWindowCount = 10
  /// Bytes that a pipe holds, as Linux makes it.
  static let pipeBytes = 64 << 10
  /// Bytes that wait for a stream to read its standard input; further lines are left out.
  static let streamInputBytesMax = 64 << 10
  /// Milliseconds after which an extension without requests is asked to leave.
  static let idleInterval: Int64 = 300_000
}
