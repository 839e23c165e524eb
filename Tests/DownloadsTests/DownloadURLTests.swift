import Downloads
import JSON
import Testing

@Suite struct DownloadURLTests {
  @Test(arguments: [
    ("https://example.org", "https://example.org/"),
    ("HTTPS://Example.ORG:443/A?b=c#part", "https://example.org/A?b=c"),
    ("http://example.org:8080", "http://example.org:8080/"),
    ("http://example.org?q", "http://example.org/?q"),
    ("https://[2001:DB8::1]:8443/x", "https://[2001:db8::1]:8443/x"),
    ("https://a_b.example.org/%20", "https://a_b.example.org/%20"),
    ("http://127.0.0.1:80/x", "http://127.0.0.1/x"),
  ])
  func `a URL is read, and written in one form`(text: String, expected: String) throws {
    #expect(try DownloadURL(text).text == expected)
  }

  @Test(arguments: [
    "", "example.org/x", "ftp://example.org/", "file:///etc/passwd", "https:/example.org",
    "https://", "https:///x", "https://user@example.org/", "https://user:word@example.org/",
    "https://example.org:0/", "https://example.org:65536/", "https://example.org:+80/",
    "https://exa mple.org/", "https://example.org/a b", "https://example.org\\@evil.org/",
    "https://exa%6Dple.org/", "https://bücher.example/", "https://example.org/\u{1}",
    "https://[fe80::1%25lo]/", "https://[::1/", "https://[1.2.3.4]/", "https://a:b:c/",
    "javascript://example.org/", "https://example.org/\n",
  ])
  func `a text that two readers could take differently is refused`(text: String) {
    #expect(throws: DownloadURL.Mistake.self) { try DownloadURL(text) }
  }

  @Test func `a URL has at most 2048 bytes`() throws {
    let start = "https://example.org/"
    let rest = DownloadLimits.urlBytesMax - start.utf8.count
    #expect(try DownloadURL(start + String(repeating: "a", count: rest)).text.utf8.count == 2_048)
    #expect(throws: DownloadURL.Mistake.self) {
      try DownloadURL(start + String(repeating: "a", count: rest + 1))
    }
  }

  @Test(arguments: [
    ("https://other.org/x", "https://other.org/x"), ("//other.org/x", "https://other.org/x"),
    ("/x?y", "https://example.org:8443/x?y"), ("?z", "https://example.org:8443/a/b?z"),
    ("c", "https://example.org:8443/a/c"), ("c/d?e", "https://example.org:8443/a/c/d?e"),
    ("http://example.org/", "http://example.org/"),
    ("", "https://example.org:8443/a/"),
  ])
  func `a redirect is read from where it stands`(location: String, expected: String) throws {
    let here = try DownloadURL("https://example.org:8443/a/b?q=/x")
    #expect(try here.following(location).text == expected)
  }

  @Test(arguments: [
    ("http://localhost:80/", true), ("http://a.localhost/", true), ("http://127.1.2.3/", true),
    ("http://[::1]:8080/", true), ("http://128.0.0.1/", false), ("http://localhost.org/", false),
    ("http://127.0.0.1.org/", false), ("https://example.org/", false),
  ])
  func `this machine is known by its names`(text: String, isOwn: Bool) throws {
    #expect(try DownloadURL(text).isOnThisMachine == isOwn)
  }

  @Test func `a redirect to another scheme is no URL to download`() throws {
    let here = try DownloadURL("https://example.org/")
    #expect(throws: DownloadURL.Mistake.self) { try here.following("file:///etc/passwd") }
    #expect(throws: DownloadURL.Mistake.self) { try here.following("javascript:alert(1)") }
  }
}

@Suite struct NetworkAddressTests {
  @Test(arguments: [
    "1.1.1.1", "8.8.8.8", "100.63.255.255", "100.128.0.0", "172.15.255.255", "172.32.0.1",
    "192.167.0.1", "192.169.0.1", "198.17.0.1", "198.20.0.1", "223.255.255.255", "11.0.0.1",
    "126.255.255.255", "128.0.0.1", "169.253.0.1",
  ])
  func `an address of the internet is public`(text: String) throws {
    #expect(try #require(NetworkAddress(ipv4: text)).isPublic)
    #expect(try #require(NetworkAddress(ipv6: "::ffff:\(text)")).isPublic)
    #expect(try #require(NetworkAddress(ipv6: "64:ff9b::\(text)")).isPublic)
  }

  @Test(arguments: [
    "0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "100.64.0.0", "100.127.255.255",
    "127.0.0.1", "127.255.255.254", "169.254.169.254", "172.16.0.1", "172.31.255.255",
    "192.0.0.1", "192.0.2.1", "192.88.99.1", "192.168.0.1", "192.168.255.255", "198.18.0.1",
    "198.19.255.255", "198.51.100.7", "203.0.113.9", "224.0.0.1", "239.1.1.1", "240.0.0.1",
    "255.255.255.255",
  ])
  func `one of this machine, of a private network or set aside is not`(text: String) throws {
    #expect(try !#require(NetworkAddress(ipv4: text)).isPublic)
    #expect(try !#require(NetworkAddress(ipv6: "::ffff:\(text)")).isPublic)
    #expect(try !#require(NetworkAddress(ipv6: "64:ff9b::\(text)")).isPublic)
  }

  @Test(arguments: [
    ("2606:4700:4700::1111", true), ("2a00:1450:4001:800::200e", true), ("2003::1", true),
    ("::", false), ("::1", false), ("::127.0.0.1", false), ("fe80::1", false), ("febf::1", false),
    ("fc00::1", false), ("fdff::1", false), ("fec0::1", false), ("ff02::1", false),
    ("2001::1", false), ("2001:1ff::1", false), ("2001:200::1", true), ("2001:db8::1", false),
    ("2002:7f00:1::", false), ("3fff::1", false), ("3fff:1000::1", true), ("4000::1", false),
    ("100::1", false), ("64:ff9b:1::1", false), ("1fff::1", false),
  ])
  func `of IPv6 only what is given out is public`(text: String, isPublic: Bool) throws {
    #expect(try #require(NetworkAddress(ipv6: text)).isPublic == isPublic)
  }

  @Test func `public addresses of the own networks are not others'`() throws {
    func address(_ text: String) throws -> NetworkAddress {
      try #require(NetworkAddress(ipv4: text) ?? NetworkAddress(ipv6: text))
    }
    func interface(
      _ text: String, _ mask: String?, isPointToPoint: Bool = false
    ) throws -> LocalNetworks.Interface {
      .init(
        address: try address(text), mask: try mask.map(address), isPointToPoint: isPointToPoint)
    }
    let networks = LocalNetworks([
      try interface("9.9.9.70", "255.255.255.192"), try interface("8.8.0.1", "0.0.0.0"),
      try interface("7.7.7.7", nil), try interface("6.6.6.6", "255.0.0.0", isPointToPoint: true),
      try interface("2600:1::1", "ffff:ffff:ffff:ffff::"),
    ])
    for own in [
      "9.9.9.64", "9.9.9.127", "8.8.0.1", "7.7.7.7", "6.6.6.6", "2600:1::1", "2600:1::ffff:1",
      "::ffff:9.9.9.65", "64:ff9b::9.9.9.65",
    ] {
      #expect(networks.contains(try address(own)), "\(own)")
    }
    for other in [
      "9.9.9.63", "9.9.9.128", "8.8.0.2", "7.7.7.8", "6.6.6.7", "2600:1:0:1::1", "::ffff:9.9.9.1",
    ] {
      #expect(!networks.contains(try address(other)), "\(other)")
    }
    #expect(!LocalNetworks([]).contains(try address("9.9.9.9")))
  }

  @Test(arguments: [
    "1.2.3", "1.2.3.4.5", "1.2.3.256", "01.2.3.4", "1.2.3.-4", "0x7f.0.0.1", "", "1..2.3",
    "+1.2.3.4",
  ])
  func `what is no address of IPv4 is none`(text: String) {
    #expect(NetworkAddress(ipv4: text) == nil)
  }

  @Test(arguments: [
    "", ":", ":::", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1::2::3", "12345::", "g::", "-1::",
    "1:2:3:4:5:6:7::8", "::1.2.3", "1.2.3.4::", "fe80::1%lo",
  ])
  func `what is no address of IPv6 is none`(text: String) {
    #expect(NetworkAddress(ipv6: text) == nil)
  }
}
