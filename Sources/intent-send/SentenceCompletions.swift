import ArgumentParser
import BlockingClient
import IntentProtocol
import JSON
import PlainText

// Completes a sentence in a shell: `intent-send "show wea` and the Tab key.
//
// The scripts of swift-argument-parser complete commands, options and names. Behind an open
// quotation mark stands a sentence, and there the scripts below ask this program,
// `intent-send ---sentences QUOTE TEXT`, which prints one sentence a line. A sentence that ends with
// a space goes on with words of the person, so the quotation stays open behind it.
//
// A shell reads what stands in quotation marks: `"$(reboot)"` runs a program. Names of lists come
// from apps, so a sentence that is not inert behind this mark is not offered.

/// The completion of sentences in shells.
enum SentenceCompletions {
  /// The first word by which the scripts ask for sentences.
  private static let request = "---sentences"

  /// Answers the scripts, and whoever wants one; `nil`: the arguments are something else.
  static func answer(to arguments: [String]) -> String? {
    if arguments.first == request {
      guard arguments.count == 3 else { return "" }
      return sentences(from: arguments[2], behind: arguments[1]).map { $0 + "\n" }.joined()
    }
    guard arguments.count == 2, arguments[0] == "--generate-completion-script" else { return nil }
    return CompletionShell(rawValue: arguments[1]).map(script)
  }

  /// The sentences that begin as a text does, best first, behind an open quotation mark; none
  /// without a daemon, or if it does not answer in half a second: a person waits.
  private static func sentences(from text: String, behind quote: String) -> [String] {
    guard isInert(text, behind: quote) else { return [] }
    do throws(ClientError) {
      var client = try DaemonClient(
        connectingTo: CommonOptions.usualSocketPath, timeoutMilliseconds: 200)
      let languages = languageOrder(for: text, environment: environment)
      let result = try client.request(
        .intentComplete,
        ["text": .string(text), "languages": .array(languages.map { .string($0) })],
        timeoutMilliseconds: 500)
      return (result["completions"]?.arrayValue ?? []).compactMap { completion -> String? in
        guard let sentence = completion["sentence"]?.stringValue else { return nil }
        return completion["unfinished"] == true ? sentence : withoutTrailingSpace(sentence)
      }.filter { isInert($0, behind: quote) }
    } catch {
      // No completions: an error message would stand in the middle of the person's command line.
      return []
    }
  }

  private static func withoutTrailingSpace(_ text: String) -> String {
    var text = Substring(text)
    while text.last == " " { text.removeLast() }
    return String(text)
  }

  /// Returns whether bash, zsh and fish take a text as it is, behind this quotation mark.
  ///
  /// Within `"` they expand what begins with `$`, a backquote, a backslash or, in a history, `!`,
  /// and a person may change the mark; the mark itself ends the quotation. Characters that nobody
  /// sees are in no command line.
  static func isInert(_ text: String, behind quote: String) -> Bool {
    let active: String
    switch quote {
    case "\"": active = "\"$`\\!"
    case "'": active = "'$`\\!"
    default: return false
    }
    return text.unicodeScalars.allSatisfy { scalar in
      !active.unicodeScalars.contains(scalar) && (scalar == " " || !scalar.properties.isWhitespace)
    } && printable(text) == text
  }

  // MARK: Scripts

  /// The completion script for a shell: the parser's, with sentences.
  static func script(for shell: CompletionShell) -> String {
    let commands = IntentSend.completionScript(for: shell)
    switch shell {
    case .bash: return commands + "\n" + bash
    // The file is the function itself: the first Tab runs it from its last lines on.
    case .zsh:
      let call = #"if [[ "${funcstack[1]}" = _intent-send ]]; then"#
      let parts = commands.split(separator: call, maxSplits: 1, omittingEmptySubsequences: false)
      precondition(parts.count == 2, "the parser's script for zsh ends in another way")
      return String(parts[0]) + zsh + call + String(parts[1])
    // Of the parser's conditions, none holds behind a quotation mark.
    case .fish:
      let lines = commands.split(separator: "\n", omittingEmptySubsequences: false)
      return lines.map { line in
        line.hasPrefix("function __intent-send_should_offer_completions_for_")
          ? line + "\n    __intent-send_is_quoted; and return 1" : line
      }.joined(separator: "\n") + "\n" + fish
    default: return commands
    }
  }

  /// bash closes the quotation behind a single candidate; a second one, which is only shown, leaves
  /// it open.
  private static let bash = #"""
    # Behind a quotation mark stands a sentence, and the daemon completes it.
    _intent-send_or_sentence() {
        local -r word="${COMP_WORDS[COMP_CWORD]}"
        case "${word}" in
        [\"\']*)
            # As they are, and in their order: file names would be escaped.
            compopt +o filenames -o nosort
            mapfile -t COMPREPLY < <("${1}" ---sentences "${word:0:1}" "${2}" 2>/dev/null)
            if [[ "${#COMPREPLY[@]}" -eq 1 && "${COMPREPLY[0]}" = *' ' ]]; then
                COMPREPLY+=("${COMPREPLY[0]}…")
            fi
            ;;
        *) _intent-send "${@}" ;;
        esac
    }

    complete -o filenames -F _intent-send_or_sentence intent-send

    """#

  /// `-U`: a sentence may correct what was typed; `-V`: in their order; `-S ''`: the quotation stays
  /// open.
  private static let zsh = #"""
    # Behind a quotation mark stands a sentence, and the daemon completes it.
    functions -c _intent-send __intent-send_commands
    _intent-send() {
        if [[ "${QIPREFIX}" != [\"\'] ]]; then
            __intent-send_commands "${@}"
            return
        fi
        local -i ret=1
        local sentence
        for sentence in "${(@f)$("${words[1]}" ---sentences "${QIPREFIX}" "${PREFIX}" 2>/dev/null)}"; do
            case "${sentence}" in
            '') ;;
            *' ') compadd -U -V sentences -S '' -- "${sentence}" && ret=0 ;;
            *) compadd -U -V sentences -- "${sentence}" && ret=0 ;;
            esac
        done
        return "${ret}"
    }


    """#

  /// fish closes the quotation behind a single candidate, as bash does.
  private static let fish = #"""

    # Behind a quotation mark stands a sentence, and the daemon completes it.
    function __intent-send_is_quoted
        string match -qr '^["\']' -- (commandline -ct | string collect)
    end

    function __intent-send_sentences
        set -l word (commandline -ct | string collect)
        set -l program (commandline -po)[1]
        set -l quote (string sub -l 1 -- $word)
        set -l sentences ($program ---sentences $quote (string sub -s 2 -- $word) 2>/dev/null)
        if test (count $sentences) -eq 1; and string match -q '* ' -- $sentences[1]
            set -a sentences $sentences[1]…
        end
        printf '%s\n' $sentences
    end

    complete -c 'intent-send' -n '__intent-send_is_quoted' -kfa '(__intent-send_sentences)'

    """#
}
