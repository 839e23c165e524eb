/// The variables of the person's session that a surface may name in `surface.attach`.
///
/// They let a program reach the person's screen, bus and window manager. The list is closed: a
/// client cannot choose other variables of programs that the daemon starts.
package enum SessionVariable: String, CaseIterable, Hashable, Sendable {
  case display = "DISPLAY"
  case waylandDisplay = "WAYLAND_DISPLAY"
  case xAuthority = "XAUTHORITY"
  case runtimeFolder = "XDG_RUNTIME_DIR"
  case busAddress = "DBUS_SESSION_BUS_ADDRESS"
  case sessionType = "XDG_SESSION_TYPE"
  case currentDesktop = "XDG_CURRENT_DESKTOP"
  case sessionDesktop = "XDG_SESSION_DESKTOP"
  case desktopSession = "DESKTOP_SESSION"
  case sway = "SWAYSOCK"
  case i3 = "I3SOCK"
  case hyprland = "HYPRLAND_INSTANCE_SIGNATURE"
  case niri = "NIRI_SOCKET"
  case sshAgent = "SSH_AUTH_SOCK"

  /// Whether it names a screen by itself.
  package var isScreen: Bool {
    switch self {
    case .display, .waylandDisplay: true
    case .xAuthority, .runtimeFolder, .busAddress, .sessionType, .currentDesktop, .sessionDesktop,
      .desktopSession, .sway, .i3, .hyprland, .niri, .sshAgent:
      false
    }
  }

  /// Whether it belongs to one screen, so that its value is wrong beside that of another screen.
  ///
  /// The folder and the bus are those of all sessions of a person; an agent may serve several.
  package var belongsToScreen: Bool {
    switch self {
    case .runtimeFolder, .busAddress, .sshAgent: false
    case .display, .waylandDisplay, .xAuthority, .sessionType, .currentDesktop, .sessionDesktop,
      .desktopSession, .sway, .i3, .hyprland, .niri:
      true
    }
  }

  /// Whether a value can be taken: at most `WireLimits.sessionValueBytesMax` bytes, and no control
  /// characters.
  package static func canBe(_ value: String) -> Bool {
    value.utf8.count <= WireLimits.sessionValueBytesMax
      && !value.unicodeScalars.contains { $0.properties.generalCategory == .control }
  }

  /// Returns the session of a client that shows widgets, by its environment; `nil`: it has no
  /// screen, as over a network, and must not take that of others away.
  ///
  /// Values that are empty or cannot be taken are left out.
  package static func session(_ environment: (String) -> String?) -> [(
    name: String, value: String
  )]? {
    var found: [(name: String, value: String)] = []
    var hasScreen = false
    for variable in allCases {
      guard let value = environment(variable.rawValue), !value.isEmpty, canBe(value) else {
        continue
      }
      found.append((variable.rawValue, value))
      hasScreen = hasScreen || variable.isScreen
    }
    return hasScreen ? found : nil
  }
}
