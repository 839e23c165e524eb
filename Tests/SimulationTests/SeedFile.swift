import Foundation

/// Reads `seeds.txt` beside this file, which lists the seeds that ever failed.
enum SeedFile {
  static var seeds: [(UInt64, Int)] {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "seeds.txt")
    do {
      return try read(String(contentsOf: file, encoding: .utf8))
    } catch {
      preconditionFailure("\(file.path()) cannot be read: \(error)")
    }
  }

  private static func read(_ text: String) -> [(UInt64, Int)] {
    text.split(separator: "\n").compactMap { line in
      let words = line.prefix { $0 != "#" }.split(separator: " ")
      guard !words.isEmpty else { return nil }
      guard let seed = UInt64(words[0]), let count = words.count > 1 ? Int(words[1]) : 2_000 else {
        preconditionFailure("a line of seeds.txt is '\(line)'; expected SEED or SEED EVENTS")
      }
      return (seed, count)
    }
  }
}
