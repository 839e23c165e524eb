import Documents
import JSON
import WidgetCenter

/// Fuzzes the manifest reader: each file gives kinds that keep all limits, or an error.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = bytes(start, count)
  let loaded = within(2_000, "reading") { readYAML(text(input), file: "a.yaml") }
  precondition(loaded.value != nil || !loaded.issues.isEmpty || isEmpty(input), "lost silently")
  guard let document = loaded.value else { return 0 }
  let source = ManifestSource(file: "a.yaml", directory: "/a", document: document)
  let reading = within(1_000, "judging") { ManifestReader.read(source) }
  let issues = reading.issues
  let failed = issues.contains { $0.severity == .error }
  let isBundle = document["kinds"] != nil
  if isBundle {
    precondition(!reading.kinds.isEmpty || failed, "neither a kind nor an error")
    precondition(reading.kinds.count <= Limits.kindOfManifestCountMax)
  } else {
    precondition(reading.kinds.count == (failed ? 0 : 1), "a kind and an error, or neither")
  }
  let names = reading.kinds.map(\.kind)
  precondition(Set(names).count == names.count, "a kind twice")
  precondition(failed || (reading.broken.isEmpty && !reading.hasOtherMistakes), "lost silently")
  let written = Set(source.writtenKinds.map(\.kind))
  precondition(written.isSuperset(of: names) && written.isSuperset(of: reading.broken))
  precondition(reading.broken.union(names).isSubset(of: reading.lines.keys))
  for issue in issues {
    precondition(issue.file == "a.yaml")
    precondition((0...(input.count + 2)).contains(issue.line), "a line that is not there")
  }
  let first = reading.kinds.first?.provider.bundle
  for kind in reading.kinds {
    precondition(kind.provider.bundle == first, "a program with two names")
    precondition((first != nil) == (isBundle && kind.hasProvider))
    check(kind, document)
  }
  return 0
}

/// Checks that a kind keeps all limits.
private func check(_ kind: WidgetKind, _ document: LocatedValue) {
  precondition(ManifestReader.isIdentifier(kind.kind))
  precondition(!kind.families.isEmpty)
  precondition(Set(kind.families).count == kind.families.count, "a family twice")
  precondition((1_000...86_400_000).contains(kind.reload.spacing))
  precondition(kind.reload.perDay.lowerBound >= 1 && kind.reload.perDay.upperBound <= 86_400)
  let provider = kind.provider
  // Without `provider` a kind is for pushes alone; whoever wrote one named a program in it.
  let isWritten = document["provider"].map { $0.node != .null } ?? false
  precondition(kind.hasProvider == isWritten, "another program than written")
  precondition(provider.exec.first != "", "no program")
  precondition(provider.exec.count <= Limits.argumentCountMax)
  precondition((100...Limits.providerTimeoutMax).contains(provider.timeout))
  precondition(provider.memory >= 1 << 20)
  precondition(provider.environment.count <= Limits.environmentCountMax)
  let texts = provider.exec + provider.environment.flatMap { [$0.name, $0.value] }
  precondition(!texts.contains { $0.utf8.contains(0) }, "a NUL that execve would cut at")
  precondition(!provider.environment.contains { $0.name.contains("=") })
  precondition(kind.performs.isEmpty || provider.providerProtocol == .extension)
  precondition(kind.performs.count <= Limits.performedIntentCountMax)
  precondition(Set(kind.performs).count == kind.performs.count, "an intent twice")
}

/// Returns whether the document may be empty; an empty document has neither a kind nor an issue.
///
/// Bytes are compared: a mark that combines with `#` makes it another character.
private func isEmpty(_ input: [UInt8]) -> Bool {
  let beginnings = ["#", "%", "---", "...", "\u{FEFF}"]
  return text(input).split(whereSeparator: \.isNewline).allSatisfy { line in
    let words = line.drop(while: \.isWhitespace)
    return words.isEmpty || beginnings.contains { words.utf8.starts(with: $0.utf8) }
  }
}
