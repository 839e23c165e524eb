import Foundation
import WidgetExtension

/// The configuration folder in which a program writes its files, beside those of other programs.
///
/// All files are looked at before the first is written: one of another program, or of a person, is
/// not replaced. Then files with this program's mark that it does not write any more are removed, so
/// that an intent that is gone from the code is not offered.
struct ManifestFolder {
  private let folder: URL
  private let mark: WriterMark

  init(path: String, program: String) {
    folder = URL(fileURLWithPath: NSString(string: path).expandingTildeInPath)
    mark = WriterMark(program: program)
  }

  /// Writes files, and names each; `false`: they are not there, and a sentence says why.
  func write(_ files: [ProgramDescription.File]) -> Bool {
    var planned: [(place: URL, text: String)] = []
    for file in files {
      let place = folder.appendingPathComponent(file.path)
      guard let old = text(of: place) else {
        planned.append((place, file.text))
        continue
      }
      guard let text = mark.replacement(of: old, by: file.text) else {
        refuse(place, old)
        return false
      }
      planned.append((place, text))
    }
    for (place, text) in planned {
      do {
        try FileManager.default.createDirectory(
          at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: place, options: .atomic)
        ProgramOutput.say(place.path)
      } catch {
        complain("cannot write \(place.path): \(error.localizedDescription)")
        return false
      }
    }
    removeOthers(than: Set(planned.map(\.place.path)))
    return true
  }

  private func refuse(_ place: URL, _ old: String) {
    let intent = place.deletingLastPathComponent().lastPathComponent
    if let writer = WriterMark.writer(of: old) {
      complain(
        "\(place.path) is of \(writer), so nothing was written: two programs cannot have one intent"
          + " of the name \(intent); give yours another name (persistentIdentifier), or remove the"
          + " file if \(writer) is gone")
    } else {
      complain(
        "\(place.path) was written by hand, or by an older version, so nothing was written; remove"
          + " it, and keep what you need of it elsewhere: only 'confirm' and 'links' of an intent"
          + " stay when a manifest is written again")
    }
  }

  /// Removes files of this program that are not among `written`.
  private func removeOthers(than written: Set<String>) {
    let intents = folder.appendingPathComponent("intents")
    for name in names(in: intents) {
      let one = intents.appendingPathComponent(name)
      let files = names(in: one).map { one.appendingPathComponent($0) }
      for file in files where isOwn(file) && !written.contains(file.path) {
        do {
          try FileManager.default.removeItem(at: file)
          complain("removed \(file.path): the code has it no more")
          if names(in: one).isEmpty { try FileManager.default.removeItem(at: one) }
        } catch {
          complain("cannot remove \(file.path): \(error.localizedDescription)")
        }
      }
    }
  }

  private func isOwn(_ file: URL) -> Bool {
    guard ["yaml", "intentdefinition"].contains(file.pathExtension), let text = text(of: file)
    else { return false }
    return mark.isMark(of: text)
  }

  private func names(in folder: URL) -> [String] {
    do {
      return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    } catch {
      // Without the folder there are none.
      return []
    }
  }

  /// The text of a file; `nil`: it is not there, or cannot be read, which writing it then tells.
  private func text(of place: URL) -> String? {
    do {
      return String(decoding: try Data(contentsOf: place), as: UTF8.self)
    } catch {
      return nil
    }
  }
}
