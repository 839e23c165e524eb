import DaemonCore
import DaemonRuntime
import DaemonTestSupport
import EventLoop
import Glibc
import Testing
import Timekeeping
import WidgetCenter

/// Runs scripts as providers of a sandbox, by a launcher of this process.
struct BoxRig {
  let sandbox: Sandbox
  /// The version of Landlock that the launcher believes in.
  var landlockVersion = Box.landlockVersion

  init(sandbox: Sandbox) {
    self.sandbox = sandbox
    home = sandbox.root + "/home"
  }

  /// Whether boxes can be entered on this machine at all; where not, an attack says so and passes.
  static var isPossible: Bool {
    if Box.landlockVersion > 0 { return true }
    print("this kernel has no Landlock: no provider is boxed here")
    return false
  }

  /// The folder of the provider's script, with a file beside it.
  var folder: String { sandbox.root + "/plugin" }
  var home: String
  var cache: String { sandbox.root + "/cache/intentd" }

  /// Runs a script once and returns what it printed, or the sentence of its failure.
  func run(
    _ script: String, interpreter: String = "/usr/bin/python3",
    _ permissions: ProviderPermissions? = ProviderPermissions(),
    variables: [String: String] = [:], change: (inout ProviderDeclaration) -> Void = { _ in }
  ) throws -> String {
    try sandbox.write("plugin/run", "#!\(interpreter)\n\(script)\n", mode: 0o755)
    try sandbox.write("plugin/beside", "beside it\n")
    var provider = ProviderDeclaration(exec: ["./run"], directory: folder)
    if let permissions { provider.containment = .boxed(permissions) }
    provider.environment = variables.sorted { $0.key < $1.key }
      .map { ProviderDeclaration.Variable(name: $0.key, value: $0.value) }
    change(&provider)
    return try outcome(of: provider)
  }

  private func outcome(of provider: ProviderDeclaration) throws -> String {
    var environment = sandbox.environment
    environment["HOME"] = home
    var options = RuntimeOptions(
      environment: environment, userID: getuid(), version: "rig",
      socketPath: sandbox.socket)
    options.supervisorProgram = Programs.daemon
    let loop = try Loop()
    var outcome: ProviderOutcome?
    let launcher = ProviderLauncher(
      loop: loop, options: options, landlockVersion: landlockVersion
    ) { event in
      if case .provider(_, let ended) = event { outcome = ended }
      loop.stop()
    }
    let watchdog = LoopTimer(loop: loop)
    watchdog.arm(at: loop.readNow().monotonic.advanced(byMilliseconds: 240_000)) { loop.stop() }
    launcher.run(
      ProviderRun(
        token: RunToken(1), kind: "boxed", family: .systemSmall, provider: provider,
        request: Array("{}".utf8)))
    // A run that is refused ends before the loop runs.
    if outcome == nil { loop.runUntilStopped() }
    launcher.close()
    loop.close()
    switch try #require(outcome, "the run has no outcome after four minutes") {
    case .answered(let bytes, let diagnostics):
      return String(decoding: bytes, as: UTF8.self) + diagnostics
    case .printed(let output): return String(decoding: output.bytes, as: UTF8.self)
    case .failed(let failure): return failure.message + "\n" + failure.diagnostics
    }
  }
}

/// The beginning of a Python script that attempts things and prints what became of each.
///
/// Denied is what the kernel forbids, moves between folders (EXDEV) and a socket of the bus that is
/// to be connected elsewhere (EISCONN). Any other failure proves nothing about a box.
let attempts = """
  import ctypes, errno, os, signal, socket, sys
  libc = ctypes.CDLL(None, use_errno=True)
  home, root = os.environ["ROOT"] + "/home", os.environ["ROOT"]
  daemon = int(os.environ.get("DAEMON", "1"))
  denials = (errno.EPERM, errno.EACCES, errno.EXDEV, errno.EISCONN)
  def attempt(name, action):
      try:
          action()
          print(name, "WORKED")
      except OSError as error:
          print(name, "is denied" if error.errno in denials else f"failed: {error}")
  def call(function, *arguments):
      if getattr(libc, function)(*arguments) < 0:
          raise OSError(ctypes.get_errno(), function)
  def put(path, how="w"):
      with open(path, how) as file: file.write("x")

  """
