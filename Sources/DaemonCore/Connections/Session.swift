import IntentProtocol
import JSONRPC
package import Timekeeping

/// A client that registered as the app to which kinds belong.
package struct HostApp: Hashable, Sendable {
  /// The desktop id of the app.
  package var id: String
  package var isForeground: Bool
  /// When this connection registered as the app.
  package var registeredAt: WallTime
  /// Counts the registrations, of all apps.
  package var number: UInt64
  /// The number of this connection's first registration as this app.
  package var firstNumber: UInt64
}

/// A connection that is registered as an app, with the process at its other end.
struct ConnectedApp: Sendable {
  var connection: ConnectionID
  var app: HostApp
  var peer: Peer
}

/// The clients that are registered as one app.
struct ConnectedHosts: Sendable {
  /// Those of the program that has the app; the first gets its taps.
  ///
  /// Those in the foreground come first, and of these the one that registered last: a person who
  /// starts an app anew means that one, even if the old process hangs.
  var holders: [ConnectedApp] = []
  /// Those of other programs, which get no taps; the one that registered last comes first.
  var others: [ConnectedApp] = []
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
  private var lastRegistration: UInt64 = 0
  /// The number of connections of each process that has one.
  private var processCounts: [Int32: Int] = [:]

  /// The clients, in ascending order.
  var connections: [ConnectionID] { sessions.keys }
  var count: Int { sessions.count }

  func contains(_ connection: ConnectionID) -> Bool { sessions.index(forKey: connection) != nil }

  mutating func open(_ connection: ConnectionID, _ peer: Peer) {
    sessions[connection] = Session(peer: peer)
    processCounts[peer.processID, default: 0] += 1
  }

  /// Returns the number of connections that this process has.
  func count(ofProcess processID: Int32) -> Int { processCounts[processID] ?? 0 }

  /// Returns the process that made this connection; `nil`: there is no such client.
  func processID(of connection: ConnectionID) -> Int32? {
    sessions.index(forKey: connection).map { sessions.values[$0].peer.processID }
  }

  /// Forgets a client; `false` when there is none.
  mutating func close(_ connection: ConnectionID) -> Bool {
    guard let session = sessions.removeValue(forKey: connection) else { return false }
    let left = count(ofProcess: session.peer.processID) - 1
    processCounts[session.peer.processID] = left > 0 ? left : nil
    return true
  }

  // MARK: Lines

  /// Whether the next byte of this client begins a line; `nil`: there is no such client.
  func isBetweenLines(_ connection: ConnectionID) -> Bool? {
    guard let index = sessions.index(forKey: connection) else { return nil }
    return sessions.values[index].framer.isBetweenLines
  }

  /// Returns the bytes that are kept of this client's unfinished line.
  func unfinishedBytes(of connection: ConnectionID) -> Int {
    guard let index = sessions.index(forKey: connection) else { return 0 }
    return sessions.values[index].framer.bufferedBytes
  }

  /// Drops what came of this client's unfinished line, and its rest when it comes.
  mutating func skipLine(_ connection: ConnectionID) {
    guard let index = sessions.index(forKey: connection) else { return }
    sessions.values[index].framer.skipLine()
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

  /// The clients that are registered as an app, with its id, in ascending order.
  ///
  /// O(clients).
  var apps: [(connection: ConnectionID, app: String)] {
    var apps: [(connection: ConnectionID, app: String)] = []
    for (connection, session) in zip(sessions.keys, sessions.values) {
      if let app = session.app { apps.append((connection, app.id)) }
    }
    return apps
  }

  /// Makes this client the host app `id`.
  mutating func register(
    _ id: String, isForeground: Bool, _ connection: ConnectionID, at now: WallTime
  ) {
    lastRegistration += 1
    let before = sessions[connection]?.app
    sessions[connection]?.app = HostApp(
      id: id, isForeground: isForeground,
      registeredAt: before?.id == id ? before?.registeredAt ?? now : now,
      number: lastRegistration,
      firstNumber: before?.id == id ? before?.firstNumber ?? lastRegistration : lastRegistration)
  }

  mutating func setForeground(_ isForeground: Bool, _ connection: ConnectionID) {
    sessions[connection]?.app?.isForeground = isForeground
  }

  /// Returns the clients that are registered as this app.
  ///
  /// The app belongs to the program of the connection that has been this app for longest, so that
  /// no other program takes its taps. O(clients).
  func hosts(of app: String) -> ConnectedHosts {
    var all: [ConnectedApp] = []
    for (connection, session) in zip(sessions.keys, sessions.values) {
      guard let known = session.app, known.id == app else { continue }
      all.append(ConnectedApp(connection: connection, app: known, peer: session.peer))
    }
    guard let eldest = all.min(by: { $0.app.firstNumber < $1.app.firstNumber }) else {
      return ConnectedHosts()
    }
    var hosts = ConnectedHosts()
    for host in all.sorted(by: { $0.app.number > $1.app.number }) {
      guard host.peer.isSameProgram(as: eldest.peer) else {
        hosts.others.append(host)
        continue
      }
      hosts.holders.append(host)
    }
    hosts.holders =
      hosts.holders.filter(\.app.isForeground) + hosts.holders.filter { !$0.app.isForeground }
    return hosts
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
