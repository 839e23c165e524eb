import BusMessages
import DaemonCore
import EventLoop
import JSON
import JSONRPC
import PlainText
import Timekeeping
import UserBus
import WidgetCenter

/// Notifications of the desktop: one a widget, which a newer one replaces; a click on it is a tap.
///
/// The session bus is used from the first notification on, and only then: a person who wants none
/// pays for nothing.
final class Notifications {
  private static let name = "org.freedesktop.Notifications"
  private static let path = "/org/freedesktop/Notifications"

  private let loop: Loop
  private let link: BusLink?
  private let log: (LogLine) -> Void
  private let note: (DesktopService) -> Void
  /// Sends a line to the core as a client of its own.
  private let send: ([UInt8]) -> Void

  private var isStarted = false
  private var noted: DesktopService.State?
  private var subscriptions: [BusSubscription] = []
  /// Notices that wait for the connection or for the service, the latest of each widget.
  private var waiting: [UrgentNotice] = []
  /// The notifications that are there, the oldest first.
  private var shown: [(number: UInt32, notice: UrgentNotice)] = []
  /// The tokens that came for a click that is about to come.
  private var tokens: [UInt32: String] = [:]
  /// Whether the service reads markup in the text; `nil`: it was not asked yet.
  private var readsMarkup: Bool?

  /// `address` is the session bus; `nil`: there is none.
  init(
    loop: Loop, address: String?, log: @escaping (LogLine) -> Void,
    note: @escaping (DesktopService) -> Void, send: @escaping ([UInt8]) -> Void
  ) {
    self.loop = loop
    self.log = log
    self.note = note
    self.send = send
    link = address.map { BusLink(loop: loop, address: $0, isSession: true) }
  }

  func close() { link?.close() }

  /// Shows a notice in place of the widget's last one.
  func show(_ notice: UrgentNotice) {
    waiting.removeAll { $0.widget == notice.widget }
    waiting.append(notice)
    if waiting.count > RuntimeLimits.waitingNoticeCountMax { waiting.removeFirst() }
    guard let link else { return become(.absent(reason: "no session bus is named")) }
    if !isStarted {
      isStarted = true
      link.onUp = { [unowned self] in listen(on: $0) }
      link.onDown = { [unowned self] in
        forgetService()
        become($0)
      }
      link.start()
    } else {
      showWaiting()
    }
  }

  private func listen(on bus: UserBus) {
    forgetService()
    do throws(UserBusError) {
      for member in ["ActivationToken", "ActionInvoked", "NotificationClosed"] {
        let rule = BusSignalRule(
          sender: Self.name, path: Self.path, interface: Self.name, member: member)
        subscriptions.append(try bus.onSignal(rule) { [unowned self] in heard($0) })
      }
      var isFirst = true
      subscriptions.append(
        try bus.watchOwner(of: Self.name) { [unowned self] owner in
          // Another service has other numbers, and may read no markup.
          shown = []
          tokens = [:]
          readsMarkup = nil
          // One that can be started is: by the first notice.
          if owner != nil || isFirst { showWaiting() }
          if owner == nil, !isFirst { become(.absent(reason: "nobody has the name \(Self.name)")) }
          isFirst = false
        })
    } catch {
      become(.failing(reason: error.message))
    }
  }

  private func forgetService() {
    subscriptions = []
    shown = []
    tokens = [:]
    readsMarkup = nil
  }

  private func become(_ state: DesktopService.State) {
    guard noted != state else { return }
    let before = noted
    noted = state
    note(DesktopService(name: "notifications", state: state))
    switch state {
    case .connected: break
    case .absent(let reason), .failing(let reason):
      switch before {
      case .absent, .failing: break
      case .connected, nil:
        log(
          LogLine(
            .notice, "notifications.unshown",
            ["reason": reason, "effect": "urgent entries show on surfaces alone"]))
      }
    }
  }

  // MARK: - Showing

  private func showWaiting() {
    guard !waiting.isEmpty, let bus = link?.bus else { return }
    guard let readsMarkup else { return askCapabilities(of: bus) }
    let notices = waiting
    waiting = []
    for notice in notices {
      let before = shown.first { $0.notice.widget == notice.widget }?.number ?? 0
      let request = BusRequest(
        Self.name, Self.path, Self.name, "Notify",
        [
          .string("intentd"), .uint32(before), .string("dialog-information"),
          .string(NotificationText.line(notice.title)),
          .string(NotificationText.body(notice.text, isMarkup: readsMarkup)),
          .strings(["default", "Open"]),
          .dictionary([
            "urgency": .byte(1), "desktop-entry": .string("org.intentd.Daemon"),
          ]), .int32(-1),
        ])
      call(request, on: bus) { [unowned self] values in
        guard let number = values.first?.integer.flatMap({ UInt32(exactly: $0) }) else { return }
        shown.removeAll { $0.notice.widget == notice.widget || $0.number == number }
        shown.append((number, notice))
        if shown.count > RuntimeLimits.shownNoticeCountMax { shown.removeFirst() }
      }
    }
  }

  private func askCapabilities(of bus: UserBus) {
    call(BusRequest(Self.name, Self.path, Self.name, "GetCapabilities", []), on: bus) {
      [unowned self] values in
      guard readsMarkup == nil else { return }
      readsMarkup = values.first?.texts?.contains("body-markup") ?? false
      showWaiting()
    }
  }

  private func call(
    _ request: BusRequest, on bus: UserBus, then take: @escaping ([BusValue]) -> Void
  ) {
    do throws(UserBusError) {
      try bus.call(request) { [unowned self] answer in
        switch answer {
        case .answered(let values):
          become(.connected)
          take(values)
        case .refused where answer.isFromNobody:
          waiting = []
          become(.absent(reason: "nobody has the name \(Self.name)"))
        case .refused(_, let message):
          // A notice that comes late is old.
          waiting = []
          become(
            .failing(reason: answer.isLate ? "\(Self.name) does not answer" : message))
        }
      }
    } catch {
      become(.failing(reason: error.message))
    }
  }

  // MARK: - Clicks

  private func heard(_ signal: BusSignal) {
    guard let number = signal.arguments.first?.integer.flatMap({ UInt32(exactly: $0) }),
      let place = shown.firstIndex(where: { $0.number == number })
    else { return }
    switch signal.member {
    case "ActivationToken":
      tokens[number] = signal.arguments.dropFirst().first?.text
    case "ActionInvoked":
      guard signal.arguments.dropFirst().first?.text == "default" else { return }
      tap(shown[place].notice, token: tokens.removeValue(forKey: number))
      closeNotification(number)
    case "NotificationClosed":
      shown.remove(at: place)
      tokens[number] = nil
    default: break
    }
  }

  /// Takes away a notification that was clicked, which some services leave there.
  private func closeNotification(_ number: UInt32) {
    guard let bus = link?.bus else { return }
    let request = BusRequest(
      Self.name, Self.path, Self.name, "CloseNotification", [.uint32(number)])
    // One that has gone is what is wanted.
    do throws(UserBusError) { try bus.call(request) { _ in } } catch { return }
  }

  /// Taps the widget, also if it shows something else by now: a notification may be ten minutes old.
  private func tap(_ notice: UrgentNotice, token: String?) {
    var params: JSONObject = ["id": .string(notice.widget)]
    params["activationToken"] = token.map { .string($0) }
    var line: [UInt8] = []
    appendRequest(id: .integer(1), method: "widget.tap", params: .object(params), to: &line)
    send(line)
  }
}

/// The words of a notification: foreign text that is neither markup nor control of anything.
enum NotificationText {
  /// One line of plain text.
  static func line(_ text: String) -> String { printable(text) }

  /// The text of a notification; `isMarkup`: the service reads tags and entities in it.
  static func body(_ text: String, isMarkup: Bool) -> String {
    let plain = printableLines(text).joined(separator: "\n")
    guard isMarkup else { return plain }
    var escaped = ""
    escaped.reserveCapacity(plain.utf8.count)
    for character in plain.unicodeScalars {
      switch character {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      default: escaped.unicodeScalars.append(character)
      }
    }
    return escaped
  }
}
