import Glibc
import WebPages

/// The place where panels reach this person's server, and the words about it.
struct PanelPlace {
  /// Such as `http://192.168.1.5:8737`.
  let base: String
  /// Whether programs of this machine alone reach it.
  private let isLoopback: Bool
  private let isRunning: Bool

  /// The port that the documents suggest for panels.
  private static let suggestedPort: UInt16 = 8_737

  /// Finds the place: where the server that runs serves panels alone, else that of its page.
  init(_ places: WebPlaces, page: UInt16?) {
    if let listener = Self.listener(places) {
      base = listener
      isLoopback = false
      isRunning = true
    } else {
      base = "http://127.0.0.1:\(page ?? WebPlaces.usualPort)"
      isLoopback = true
      isRunning = page != nil
    }
  }

  /// Sentences about a place that a panel cannot reach: the reason, and the next step.
  ///
  /// `path` is the rest of the panel's address; empty: the panel has the base alone.
  func hints(path: String) -> [String] {
    guard isLoopback else { return [] }
    let address = Self.ownAddress ?? "ADDRESS"
    let place = "\(address):\(Self.suggestedPort)"
    return [
      isRunning
        ? "that address is for this machine alone; for a panel elsewhere run: intent-web --listen"
          + " \(place)"
        : "intent-web is not running; for a panel elsewhere run: intent-web --listen \(place)",
      "its address is then: http://\(place)\(path)",
    ]
  }

  /// The first place of the file that the server wrote, if a server of ours listens there.
  private static func listener(_ places: WebPlaces) -> String? {
    for line in (PrivateFile.read(places.panels) ?? "").split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count == 2, let port = UInt16(words[1]),
        PortOwner.isOurs(port, isAnywhere: true)
      else { continue }
      // Every address of this machine, of which a panel needs one.
      let isAny = words[0] == "0.0.0.0" || words[0] == "::"
      guard let address = isAny ? ownAddress : String(words[0]) else { continue }
      return address.contains(":") ? "http://[\(address)]:\(port)" : "http://\(address):\(port)"
    }
    return nil
  }

  /// An address of IPv4 by which others in the network reach this machine; `nil`: it has none.
  private static var ownAddress: String? {
    var list: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&list) == 0 else { return nil }
    defer { freeifaddrs(list) }
    var next = list
    while let entry = next {
      next = entry.pointee.ifa_next
      let flags = entry.pointee.ifa_flags
      guard let address = entry.pointee.ifa_addr, address.pointee.sa_family == sa_family_t(AF_INET),
        flags & UInt32(IFF_UP) != 0, flags & UInt32(IFF_LOOPBACK) == 0
      else { continue }
      var text = [CChar](repeating: 0, count: Int(INET_ADDRSTRLEN))
      let status = address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { place in
        inet_ntop(AF_INET, &place.pointee.sin_addr, &text, socklen_t(text.count))
      }
      guard status != nil else { continue }
      return String(
        decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
    return nil
  }
}
