package import Timekeeping
package import WidgetCenter

/// Everything the daemon can do to the world.
///
/// Plain values, appended in order to the buffer of `Daemon.handle`; the shell carries them out. An
/// effect whose answer matters carries a token, and the answer comes back as a later `Event`.
package enum Effect: Hashable, Sendable {
  /// Whole lines for one client, or a piece of a long one, whose others follow. Several in a turn leave in one write.
  case send(ConnectionID, [UInt8])
  /// Close after what is queued has left; `reason` is for the log.
  case close(ConnectionID, reason: String)

  case store(StoreRequest)

  case runProvider(ProviderRun)
  /// Its deadline passed, or nobody needs it any more: stop it. The outcome still arrives.
  case cancelProvider(RunToken)

  case launch(LaunchToken, LaunchRequest)

  /// Send `Event.wakeUp` at this moment; replaces the last one. `nil`: nothing is due.
  case wakeUp(at: Instant?)
  /// Read the configuration's files and answer with `Event.configuration`.
  case loadConfiguration
  /// The service is ready: the socket answers and what was stored is back.
  case ready
  case log(LogLine)
  /// Everything acknowledged is on disk: leave the loop.
  case stop
}

/// An application to open for a tap.
package struct LaunchRequest: Hashable, Sendable {
  package enum Target: Hashable, Sendable {
    /// The desktop entry with this id, with or without its `.desktop`.
    case application(String)
    /// Whoever the person chose for this scheme.
    case handler(scheme: String)
  }

  package var target: Target
  /// Already through the URL profile; `nil` opens the application itself.
  package var url: String?

  package init(target: Target, url: String?) {
    self.target = target
    self.url = url
  }
}

/// One event for the log: `key=value`, the level, and nothing that needs a clock.
package struct LogLine: Hashable, Sendable {
  /// error: someone must act; warning: something is wrong and handled; notice: state changed; debug: for us.
  package enum Level: String, Hashable, Sendable { case error, warning, notice, debug }

  package var level: Level
  /// The event's name, such as `provider.failed`.
  package var event: String
  package var fields: [Field]

  package struct Field: Hashable, Sendable {
    package var key: String
    package var value: String

    package init(key: String, value: String) {
      self.key = key
      self.value = value
    }
  }

  package init(_ level: Level, _ event: String, _ fields: KeyValuePairs<String, String> = [:]) {
    self.level = level
    self.event = event
    self.fields = fields.map { Field(key: $0.key, value: $0.value) }
  }
}
