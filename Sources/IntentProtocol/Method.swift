/// Every method of the wire, `noun.verb`.
///
/// `docs/PROTOCOL.md` describes each; a test holds the two together.
package enum Method: String, CaseIterable, Sendable {
  case intentSend = "intent.send"
  case intentRecognize = "intent.recognize"
  case intentDonate = "intent.donate"
  case intentList = "intent.list"
  case intentSetList = "intent.setList"
  case donationForget = "donation.forget"
  case donationSetPrivate = "donation.setPrivate"

  case widgetList = "widget.list"
  case widgetAdd = "widget.add"
  case widgetRemove = "widget.remove"
  case widgetConfigure = "widget.configure"
  case widgetReload = "widget.reload"
  case widgetReloadAll = "widget.reloadAll"
  case widgetPush = "widget.push"
  case widgetReceipt = "widget.receipt"
  case widgetTimeline = "widget.timeline"
  case widgetBudget = "widget.budget"
  case widgetTap = "widget.tap"
  case galleryList = "gallery.list"

  case stackOrder = "stack.order"
  case stackExplain = "stack.explain"
  case stackDismiss = "stack.dismiss"
  case stackReplay = "stack.replay"

  case surfaceAttach = "surface.attach"
  case surfaceVisibility = "surface.visibility"

  case appRegister = "app.register"
  case appState = "app.state"

  case urlOpen = "url.open"

  case daemonPing = "daemon.ping"
  case daemonStatus = "daemon.status"
  case daemonMetrics = "daemon.metrics"
  case daemonHistory = "daemon.history"
  case daemonReloadConfiguration = "daemon.reloadConfiguration"

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
}

/// The version that `daemon.status` reports as `protocol`; it changes when an old client would misread the new daemon.
package let protocolVersion: Int64 = 1

/// An open-addressing table over the method names: one hash and one comparison a look-up.
private struct MethodTable: Sendable {
  static let shared = MethodTable()

  private var slots: [(name: [UInt8], method: Method)?]
  private static let slotCount = 256

  init() {
    slots = Array(repeating: nil, count: Self.slotCount)
    for method in Method.allCases {
      let name = Array(method.rawValue.utf8)
      var slot = Self.hash(name.span)
      while slots[slot] != nil { slot = (slot + 1) % Self.slotCount }
      slots[slot] = (name, method)
    }
  }

  func find(_ name: Span<UInt8>) -> Method? {
    var slot = Self.hash(name)
    while let candidate = slots[slot] {
      if Self.equal(candidate.name.span, name) { return candidate.method }
      slot = (slot + 1) % Self.slotCount
    }
    return nil
  }

  /// FNV-1a, folded to a slot.
  private static func hash(_ bytes: Span<UInt8>) -> Int {
    var hash: UInt32 = 2_166_136_261
    bytes.withUnsafeBufferPointer { bytes in
      for byte in bytes { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
    }
    return Int((hash ^ (hash >> 16)) & UInt32(slotCount - 1))
  }

  private static func equal(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Bool {
    guard left.count == right.count else { return false }
    return left.withUnsafeBufferPointer { left in
      right.withUnsafeBufferPointer { right in
        for index in left.indices where left[index] != right[index] { return false }
        return true
      }
    }
  }
}
