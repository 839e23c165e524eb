import ArgumentParser
import DaemonCore
import Timekeeping
import VirtualTime

/// Measures the first order of the stack with many widgets, in a daemon that knows no order yet.
///
/// Each case is a daemon of its own. It is measured from the request to the end of the answer, and
/// a figure is the longest turn of that span. The world around the daemon is faked and costs
/// nothing.
struct OrderSpeed: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "order", abstract: "The longest turn of the first order of the stack.")

  @Option(help: "Widgets, each with two entries that declare a relevance, and 4 KiB.")
  var widgets = 10_000

  func run() throws {
    let order = #"{"jsonrpc":"2.0","id":1,"method":"stack.order"}"#
    let ids = #"{"jsonrpc":"2.0","id":1,"method":"stack.order","params":{"ids":true}}"#
    let attach = #"{"jsonrpc":"2.0","id":1,"method":"surface.attach","params":{"stack":true}}"#
    let moment =
      #"{"jsonrpc":"2.0","id":1,"method":"stack.order","params":{"at":"2026-11-20T08:01:30Z"}}"#
    report([
      "widgets": Double(widgets),
      "restored_order_max_ms": longest(order, isRead: false),
      "restored_ids_max_ms": longest(ids, isRead: false),
      "restored_attach_max_ms": longest(attach, isRead: false),
      "restored_moment_max_ms": longest(moment, isRead: false),
      "order_max_ms": longest(order, isRead: true),
      "ids_max_ms": longest(ids, isRead: true),
      "attach_max_ms": longest(attach, isRead: true),
      "moment_max_ms": longest(moment, isRead: true),
    ])
  }

  /// Measures the first request to a daemon and returns the longest turn until it is answered, in
  /// milliseconds.
  ///
  /// `isRead`: the daemon has read the entries of all its widgets; `false`: it has just restored
  /// them.
  private func longest(_ request: String, isRead: Bool) -> Double {
    var machine = Machine()
    machine.stored = .crowd(of: widgets, at: machine.clock.wall, scores: true)
    machine.files = .crowd(program: "/bin/false")
    machine.handle(.started)
    let client = ConnectionID(1)
    machine.handle(.connected(client, Peer(userID: 1, processID: 1)))
    if isRead { _ = machine.workOff() }
    let took = machine.longest(.received(client, Array((request + "\n").utf8)))
    precondition(
      machine.sentBytes > widgets * 7, "the client heard of \(machine.sentBytes) bytes only")
    return took / 1e6
  }
}
