import ArgumentParser
import DaemonCore
import Glibc
import Timekeeping
import VirtualTime
import WidgetCenter

/// Measures the turns of a daemon in which all widgets become due at one moment.
///
/// A surface shows all of them. The world around the daemon is faked and costs nothing.
struct TurnSpeed: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "turn", abstract: "Turns in which all widgets are due, and those after a start.")

  @Option(help: "Widgets, each with two entries and 4 KiB.")
  var widgets = 10_000

  func run() throws {
    var machine = Machine()
    machine.stored = .crowd(of: widgets, at: machine.clock.wall)
    machine.files = .crowd(program: "/bin/false")
    machine.handle(.started)
    let restoring = machine.workOff()
    let surface = ConnectionID(1)
    machine.handle(.connected(surface, Peer(userID: 1, processID: 1)))
    // The ids for a bar that shows few widgets, so that the bar adds little to the turns measured.
    let few = (0..<20).map { "\"w\(String(String($0 + 1_000_000).dropFirst()))\"" }.joined(
      separator: ",")
    func ask(_ text: String) -> Event { .received(surface, Array((text + "\n").utf8)) }
    /// Measures an event that changes all widgets, and the turns that follow from it.
    func longest(_ event: Event) -> Double { machine.longest(event) / 1e6 }
    let attachFew = longest(
      ask(#"{"jsonrpc":"2.0","id":1,"method":"surface.attach","params":{"widgets":[\#(few)]}}"#))
    let attachAll = longest(ask(#"{"jsonrpc":"2.0","id":1,"method":"surface.attach"}"#))
    let tool = ConnectionID(2)
    machine.handle(.connected(tool, Peer(userID: 1, processID: 1)))
    func list(_ method: String) -> Double {
      longest(
        .received(tool, Array(#"{"jsonrpc":"2.0","id":7,"method":"\#(method)"}"#.utf8 + [10])))
    }
    let lists = max(list("widget.list"), list("stack.order"))
    let hide = longest(
      ask(#"{"jsonrpc":"2.0","id":2,"method":"surface.visibility","params":{"visible":false}}"#))
    let show = longest(
      ask(#"{"jsonrpc":"2.0","id":3,"method":"surface.visibility","params":{"visible":true}}"#))
    machine.skip(milliseconds: 60_000)
    let switching = machine.workOff()
    machine.skip(milliseconds: 60_000)
    let reloading = machine.workOff()
    let status = machine.timed(ask(#"{"jsonrpc":"2.0","id":4,"method":"daemon.metrics"}"#)) / 1e6
    let reloadAll = longest(
      .received(tool, Array(#"{"jsonrpc":"2.0","id":8,"method":"widget.reloadAll"}"#.utf8 + [10])))
    let clock = longest(.clockChanged)
    let zone = longest(.zoneChanged(secondsEast: 3600))
    let locale = longest(
      ask(
        #"{"jsonrpc":"2.0","id":5,"method":"surface.attach","params":{"locale":"de_DE","widgets":[\#(few)]}}"#
      ))
    let viewAll = longest(ask(#"{"jsonrpc":"2.0","id":6,"method":"surface.attach"}"#))
    let provider = longest(.configuration(.crowd(program: "/bin/true")))
    let gone = longest(.configuration(ConfigurationFiles()))
    let back = longest(.configuration(.crowd(program: "/bin/true")))
    machine.skip(milliseconds: 3_600_000)
    let tick = machine.workOff().longest / 1e6
    precondition(
      machine.sentBytes > widgets * 4_000, "the surface heard of \(machine.sentBytes) bytes only")
    report([
      "widgets": Double(widgets), "attach_few_max_ms": attachFew,
      "attach_max_ms": max(attachAll, viewAll),
      "list_max_ms": lists, "provider_max_ms": provider, "kind_gone_max_ms": max(gone, back),
      "hide_max_ms": hide, "show_max_ms": show, "metrics_ms": status,
      "reload_all_max_ms": reloadAll,
      "clock_max_ms": clock, "zone_max_ms": zone, "locale_max_ms": locale,
      "tick_max_ms": tick, "restore_max_ms": restoring.longest / 1e6,
      "switch_turns": Double(switching.count), "switch_max_ms": switching.longest / 1e6,
      "switch_all_ms": switching.total / 1e6, "reload_turns": Double(reloading.count),
      "reload_max_ms": reloading.longest / 1e6, "reload_all_ms": reloading.total / 1e6,
    ])
  }
}
