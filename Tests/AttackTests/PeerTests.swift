import DaemonTestSupport
import Testing

@Suite struct PeerTests {}
