import IntentProtocol
import JSONRPC
import Timekeeping

/// A client that registered as the app to which kinds belong.
package struct HostApp: Hashable, Sendable {
  /// The desktop id of the app.
  package var id: String
  package var isForeground: Bool
}

/// The clients that are connected: their unfinished lines, and which of them are host apps.
///
/// `Outbox` has the bytes that wait for a client, and `Surfaces` the widgets that a surface shows.
struct Sessions: Sendable {
  private struct Session: Sendable {
    let peer: Peer
    var framer = LineFramer(frameBytesMax: WireLimits.frameBytesMax)
    var app: HostApp?
    /// The moment at which its reading of the stack was noted last; `nil`: never.
    var readStackAt: Instant?
  }

  private var sessions = ConnectionTable<Session>()

  var count: Int { sessions.count }

  func contains(_ connection: ConnectionID) -> Bool { sessions.index(forKey: connection) != nil }

  mutating func open(_ connection: ConnectionID, _ peer: Peer) {
    sessions[connection] = Session(peer: peer)
  }

  /// Forgets a client; `false` when there is none.
  mutating func close(_ connection: ConnectionID) -> Bool {
    sessions.removeValue(forKey: connection) != nil
  }

  // MARK: Lines

  /// Whether the next byte of this client begins a line; `nil`: there is no such client.
  func isBetweenLines(_ connection: ConnectionID) -> Bool? {
    guard let index = sessions.index(forKey: connection) else { return nil }
    return sessions.values[index].framer.isBetweenLines
  }

  /// Takes the framer out while its lines are handled, since handling them may change the session.
  mutating func takeFramer(_ connection: ConnectionID) -> LineFramer? {
    guard let index = sessions.index(forKey: connection) else { return nil }
    var framer = LineFramer(frameBytesMax: WireLimits.frameBytesMax)
    swap(&framer, &sessions.values[index].framer)
    return framer
  }

  mutating func putBack(_ framer: consuming LineFramer, _ connection: ConnectionID) {
    guard let index = sessions.index(forKey: connection) else { return }
    sessions.values[index].framer = framer
  }

  // MARK: Host apps

  /// Returns the host app that this client registered as; `nil`: none.
  func app(of connection: ConnectionID) -> HostApp? {
    guard let index = sessions.index(forKey: connection) else { return nil }
    return sessions.values[index].app
  }

  mutating func setApp(_ app: HostApp, _ connection: ConnectionID) {
    sessions[connection]?.app = app
  }

  /// Returns the clients that registered as this app, the oldest connection first.
  ///
  /// O(clients).
  func hosts(of app: String) -> [ConnectionID] {
    zip(sessions.keys, sessions.values).filter { $0.1.app?.id == app }.map(\.0)
  }

  // MARK: Readers of the stack

  /// Returns whether this client's reading was noted less than `Limits.stackCacheInterval` ago.
  func hasReadStack(_ connection: ConnectionID, at now: Instant) -> Bool {
    guard let index = sessions.index(forKey: connection),
      let last = sessions.values[index].readStackAt
    else { return false }
    return now < last.advanced(byMilliseconds: Limits.stackCacheInterval)
  }

  /// Notes that this client reads the stack, at most once in `Limits.stackCacheInterval`.
  ///
  /// - Returns: whether the reading was noted.
  mutating func noteReadingStack(_ connection: ConnectionID, at now: Instant) -> Bool {
    guard !hasReadStack(connection, at: now) else { return false }
    sessions[connection]?.readStackAt = now
    return true
  }
}
