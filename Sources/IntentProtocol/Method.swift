/// Every method of the wire, `noun.verb`.
///
/// `docs/PROTOCOL.md` describes each; a test holds the two together.
package enum Method: String, CaseIterable, Sendable {
  case intentSend = "intent.send"
  case intentRecognize = "intent.recognize"
  case intentComplete = "intent.complete"
  case intentDonate = "intent.donate"
  case intentList = "intent.list"
  case intentSetList = "intent.setList"
  case donationForget = "donation.forget"
  case donationSetPrivate = "donation.setPrivate"

  case widgetList = "widget.list"
  case widgetAdd = "widget.add"
  case widgetRemove = "widget.remove"
  case widgetRestore = "widget.restore"
  case widgetConfigure = "widget.configure"
  case widgetSetMode = "widget.setMode"
  case widgetReload = "widget.reload"
  case widgetReloadAll = "widget.reloadAll"
  case widgetSignal = "widget.signal"
  case widgetPush = "widget.push"
  case widgetReceipt = "widget.receipt"
  case widgetTimeline = "widget.timeline"
  case widgetBudget = "widget.budget"
  case widgetTap = "widget.tap"
  case widgetOpenMenu = "widget.openMenu"
  case galleryList = "gallery.list"
  case imageGet = "image.get"

  case stackOrder = "stack.order"
  case stackExplain = "stack.explain"
  case stackDismiss = "stack.dismiss"
  case stackReplay = "stack.replay"

  case surfaceAttach = "surface.attach"
  case surfaceVisibility = "surface.visibility"
  case surfaceDetach = "surface.detach"
  case surfaceRotate = "surface.rotate"

  case appRegister = "app.register"
  case appState = "app.state"

  case urlOpen = "url.open"

  case daemonPing = "daemon.ping"
  case daemonStatus = "daemon.status"
  case daemonMetrics = "daemon.metrics"
  case daemonHistory = "daemon.history"
  case daemonReloadConfiguration = "daemon.reloadConfiguration"

  /// Whether its answer promises that something was changed for good.
  package var changesState: Bool {
    switch self {
    case .intentSend, .intentDonate, .intentSetList, .donationForget, .donationSetPrivate,
      .widgetAdd, .widgetRemove, .widgetRestore, .widgetConfigure, .widgetSetMode, .widgetReload,
      .widgetReloadAll, .widgetSignal, .widgetPush, .widgetTap, .stackDismiss, .urlOpen:
      true
    case .intentRecognize, .intentComplete, .intentList, .widgetList, .widgetReceipt,
      .widgetTimeline, .widgetBudget, .widgetOpenMenu, .galleryList, .imageGet, .stackOrder,
      .stackExplain, .stackReplay,
      .surfaceAttach, .surfaceVisibility, .surfaceDetach, .surfaceRotate, .appRegister, .appState,
      .daemonPing, .daemonStatus, .daemonMetrics, .daemonHistory, .daemonReloadConfiguration:
      false
    }
  }

  /// Finds a method by the bytes of its name, without making a `String`.
  ///
  /// O(length of the name).
  package init?(utf8 name: Span<UInt8>) {
    guard let found = MethodTable.shared.find(name) else { return nil }
    self = found
  }
}

/// Notifications that the daemon sends.
///
/// They carry no `id` and need no answer.
package enum DaemonNotification: String, CaseIterable, Sendable {
  case receiptUpdate = "receipt.update"
  case surfaceUpdate = "surface.update"
  case appOpen = "app.open"
  case appWidgetsChanged = "app.widgetsChanged"
  case configurationUpdate = "configuration.update"
  case intentQuestion = "intent.question"
}

/// The version that `daemon.status` reports as `protocol`; it changes when an old client would
/// misread the new daemon.
package let protocolVersion: Int64 = 1

/// An open-addressing table over the method names: one hash and five comparisons a look-up.
private struct MethodTable: Sendable {
  static let shared = MethodTable()

  /// A power of two, several times the number of methods, so that most look-ups end at the first
  /// slot.
  private static let slotCount = 256

  private var slots: [Slot]

  /// Free while `method` is `nil`.
  private struct Slot: Sendable {
    var name = PackedName()
    var method: Method?
  }

  init() {
    slots = Array(repeating: Slot(), count: Self.slotCount)
    for method in Method.allCases {
      guard let name = PackedName(Array(method.rawValue.utf8).span) else {
        preconditionFailure("\(method.rawValue) is not \(PackedName.lengths) bytes long")
      }
      var index = Self.index(of: name)
      while slots[index].method != nil { index = (index + 1) % Self.slotCount }
      slots[index] = Slot(name: name, method: method)
    }
  }

  func find(_ bytes: Span<UInt8>) -> Method? {
    guard let name = PackedName(bytes) else { return nil }
    var index = Self.index(of: name)
    while let method = slots[index].method {
      if slots[index].name == name { return method }
      index = (index + 1) % Self.slotCount
    }
    return nil
  }

  @inline(__always)
  private static func index(of name: PackedName) -> Int {
    let mixed = (name.first ^ name.last &* 0x9e37_79b9_7f4a_7c15) &* 0xc2b2_ae3d_27d4_eb4f
    return Int(truncatingIfNeeded: mixed >> 56)
  }
}

/// All bytes of a short name as four words that overlap where the name is shorter: two names are
/// equal when their packed forms are.
private struct PackedName: Equatable, Sendable {
  /// Bytes that a name may have; those of all methods lie between.
  static let lengths = 8...32

  var count = 0
  /// The first eight bytes.
  var first: UInt64 = 0
  /// The eight bytes behind `first`; 0 in a name of at most 16 bytes.
  var second: UInt64 = 0
  /// The eight bytes in front of `last`; 0 in a name of at most 16 bytes.
  var third: UInt64 = 0
  /// The last eight bytes.
  var last: UInt64 = 0

  init() {}

  /// `nil` for a name of another length than `lengths`.
  @inline(__always)
  init?(_ name: Span<UInt8>) {
    guard Self.lengths.contains(name.count) else { return nil }
    self = name.withUnsafeBytes { bytes in
      func word(_ offset: Int) -> UInt64 {
        bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      }
      var packed = PackedName()
      packed.count = bytes.count
      packed.first = word(0)
      packed.last = word(bytes.count - 8)
      if bytes.count > 16 {
        packed.second = word(8)
        packed.third = word(bytes.count - 16)
      }
      return packed
    }
  }
}
