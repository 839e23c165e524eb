package import Timekeeping
package import WidgetCenter

/// Everything the daemon can do to the world.
///
/// Plain values, appended in order to the buffer of `Daemon.handle`; the shell carries them out. An
/// effect whose answer matters carries a token, and the answer comes back as a later `Event`.
package enum Effect: Hashable, Sendable {
  /// Sends whole lines to one client, or a slice of a long line.
  ///
  /// The shell writes all bytes that a turn has for a client at once.
  case send(ConnectionID, [UInt8])
  /// Closes the connection once its queued bytes have left.
  ///
  /// `reason` is a few words, which the service logs at the level debug; no code depends on it.
  case close(ConnectionID, reason: String)
  /// Stops reading from a client of which enough waits; the kernel keeps what it sends.
  case pauseReading(ConnectionID)
  /// Reads from the client again.
  case resumeReading(ConnectionID)

  /// Closes the connection at once: what the client has not read is dropped.
  ///
  /// `.disconnected` is of no interest any more.
  case drop(ConnectionID, reason: String)

  case store(StoreRequest)

  /// Starts a run: of a plugin that stays running, its process, which ends by itself or when it is
  /// cancelled.
  case runProvider(ProviderRun)
  /// Stops a run, because its deadline passed or no widget needs it.
  ///
  /// Its outcome still arrives.
  case cancelProvider(RunToken)
  /// Writes a line, its end included, to the standard input of a plugin that stays running.
  ///
  /// It is dropped if the plugin does not read; `Event.streamNotice` says so once.
  case tellStream(RunToken, [UInt8])

  case launch(LaunchToken, LaunchRequest)

  /// Starts the program that downloads; `Event.fetched` follows, exactly once.
  case fetch(FetchRequest)
  /// Stops downloads that take too long.
  ///
  /// Their outcome still arrives.
  case cancelFetch(FetchToken)

  /// Gives the programs that start from now on the person's session, as a surface described it.
  case useSession(SurfaceSession)

  /// Makes the folder of a group, which an app gets, before the lines that follow leave.
  case makeGroup(String)

  /// Shows a notification of a widget in place of its last one, if the desktop shows any.
  case notify(UrgentNotice)
  /// Lets the machine sleep, which waited since `MachineEvent.willSleep`: everything is on disk.
  case sleepMayCome

  /// Asks for `Event.wakeUp` at this moment, instead of the one asked for before; `nil`: for none.
  case wakeUp(at: Instant?)
  /// Reads the configuration's files; the shell answers with `Event.configuration`.
  case loadConfiguration
  /// Announces that the service is ready: the stored state is restored and requests are served.
  case ready
  case log(LogLine)
  /// Ends the process's loop, after the other effects of this turn.
  case stop(StopReason)
}

/// The reason for which the daemon ends its loop.
package enum StopReason: Hashable, Sendable {
  /// A signal asked for it, and everything that was acknowledged is on disk.
  case requested
  /// The store cannot be opened; without it the daemon cannot promise anything.
  case storeUnavailable(StoreFailure)
}

/// An application to open for a tap or a callback.
package struct LaunchRequest: Hashable, Sendable {
  /// The application that is meant.
  package enum Target: Hashable, Sendable {
    /// The desktop entry with this id, with or without its `.desktop`.
    case application(String)
    /// The application that the person chose for this scheme.
    case handler(scheme: String)
    /// A program that a click on a plugin runs; when it has ended, `Event.commandEnded` follows.
    case command(PluginCommand)
  }

  package var target: Target
  /// A URL that passed the URL profile; `nil` opens the application itself.
  package var url: String?

  /// Lets the application take the focus: a token of the compositor, good for this launch.
  package var activationToken: String?

  package init(target: Target, url: String?, activationToken: String? = nil) {
    self.target = target
    self.url = url
    self.activationToken = activationToken
  }
}

/// One event for the log: a level, a name, and fields that are written as `key=value`.
///
/// It carries no time; the log adds that.
package struct LogLine: Hashable, Sendable {
  /// error: someone must act; warning: something is wrong and handled; notice: state changed;
  /// debug: for developers.
  package enum Level: String, Hashable, Sendable { case error, warning, notice, debug }

  package var level: Level
  /// The event's name, such as `provider.failed`.
  package var event: String
  package var fields: [Field]

  /// A field of a line: `key=value`.
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
