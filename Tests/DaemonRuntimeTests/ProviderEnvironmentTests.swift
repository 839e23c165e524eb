import Testing
import WidgetCenter

@testable import DaemonRuntime

/// Which of the daemon's variables a provider gets.
@Suite struct ProviderEnvironmentTests {
  private func variables(_ environment: [String: String], needsNetwork: Bool) -> [String: String] {
    var provider = ProviderDeclaration(exec: ["true"])
    provider.needsNetwork = needsNetwork
    return Dictionary(
      ProviderEnvironment(environment).variables(of: provider), uniquingKeysWith: { $1 })
  }

  @Test func `the password of a proxy goes only where the network is declared`() {
    let environment = [
      "PATH": "/bin", "http_proxy": "http://me:s3cret@proxy.example:3128/",
      "HTTPS_PROXY": "me:s3c@ret@proxy.example:3128", "all_proxy": "socks5://proxy.example:1080",
      "no_proxy": "localhost",
    ]
    let others = variables(environment, needsNetwork: false)
    #expect(others["http_proxy"] == "http://proxy.example:3128/")
    #expect(others["HTTPS_PROXY"] == "proxy.example:3128")
    #expect(others["all_proxy"] == "socks5://proxy.example:1080")
    #expect(others["no_proxy"] == "localhost")
    #expect(!others.values.contains { $0.contains("s3c") })
    #expect(
      variables(environment, needsNetwork: true).merging(environment) { $1 }
        == variables(environment, needsNetwork: true))
  }

  @Test func `a provider has the session that a script in a bar has, and no secrets`() {
    var environment = ["PATH": "/bin", "LC_TIME": "C", "GITHUB_TOKEN": "x", "INTENTD_SOCKET": "y"]
    environment["XDG_DATA_HOME"] = "/data"
    for name in ProviderEnvironment.session { environment[name] = "value" }
    let given = variables(environment, needsNetwork: false)
    #expect(
      given.keys.sorted()
        == (["LC_TIME", "PATH", "XDG_DATA_HOME"] + ProviderEnvironment.session).sorted())
  }
}
