/// The limits on sentences, templates, lists and URLs.
///
/// Reaching a limit is a typed refusal.
package enum Limits {
  /// Unicode scalars of a sentence.
  ///
  /// People say a tenth of this.
  package static let sentenceScalarsMax = 1_024
  /// Matching steps for one sentence over all templates of a language; a step is some 20 ns.
  ///
  /// A template that needs more is written so that it explodes, and the sentence is refused instead
  /// of holding the loop.
  package static let matchingStepsMax = 200_000
  /// Steps of the unmatched mode for one sentence; a step is some 200 ns.
  package static let unmatchedStepsMax = 400_000
  /// Steps of the unmatched mode, in all languages, where the answer to a person waits for it: some
  /// four milliseconds.
  package static let misunderstandingStepsMax = 20_000
  /// Unicode scalars of a text that are one more step for each step of the unmatched mode.
  static let scalarsForStep = 64
  /// Values of a list that are one more step where the unmatched mode chooses among them.
  static let listValuesForStep = 32
  /// Commands of one sentence.
  package static let commandsMax = 4
  /// Places at which a sentence is tried to be cut.
  package static let commandAttemptsMax = 16
  /// Conjunctions of one language.
  package static let conjunctionsMax = 64
  /// Open branches while one template is matched: bounds the stack.
  package static let matchingDepthMax = 1_000
  /// Branches of `matchingDepthMax` that a list in a value of a list counts for: some sixty such
  /// levels.
  static let listDepthWeight = 15
  /// Items inside items while a template is interpreted: bounds the stack, where lists lead to
  /// lists.
  package static let interpretationDepthMax = 400
  /// Matches kept for one sentence.
  package static let matchesMax = 10_000
  /// Candidates that a recognition reports.
  package static let candidatesMax = 20

  /// Unicode scalars of one template or rule.
  package static let templateScalarsMax = 4_096
  /// Groups inside groups in one template.
  package static let templateDepthMax = 32
  /// Rules that use rules.
  package static let ruleDepthMax = 32
  /// Templates and rules in one document.
  package static let templatesPerDocumentMax = 20_000
  /// Branches of one permutation: n branches have n! orders.
  package static let permutationBranchesMax = 8

  /// Numbers of one range that are spelled out; a longer range is for digits.
  package static let spelledNumbersMax = 10_001
  /// Numbers that can be said in words, of all ranges of one language: about 60 MB.
  package static let indexedNumbersMax = 200_000

  /// Values of one list.
  package static let listValuesMax = 100_000
  /// UTF-8 bytes of one list value that is plain text.
  ///
  /// One that is a template, with all the inflections of a word, is as long as other templates.
  package static let listValueBytesMax = 256
  /// Bytes of JSON in the value of a list entry that a client sends.
  package static let listOutBytesMax = 1_024

  /// Sentences of one template that the linter tries.
  package static let lintedSentencesMax = 32
  /// Sentences of one language that the linter tries: with more templates each has fewer.
  package static let lintedLanguageSentencesMax = 20_000
  /// Matching steps of the linter for all languages: some ten seconds.
  package static let lintedStepsMax = 500_000_000
  /// Steps of the linter over templates, to count and to make sentences: some seconds.
  package static let lintedWalkStepsMax = 50_000_000
  /// Values of one context key that the linter compares with others.
  package static let lintedContextValuesMax = 100
  /// Characters and items that the linter looks at for required keywords.
  package static let lintedKeywordStepsMax = 20_000_000
  /// Sentences of one language that may be refused as too complex before the linter stops trying.
  package static let lintedRefusalsMax = 8
  /// Choices made to build one sentence of a template.
  ///
  /// A sentence that needs more is not tried.
  package static let lintedChoicesMax = 4_096
  /// Items of a template that are looked at to say it in its shortest way.
  static let madeExampleStepsMax = 1_000
  /// Scalars of a sentence that is made as an example.
  static let madeExampleScalarsMax = 120
  /// Groups, rules and list values inside each other that the linter follows: bounds the stack.
  package static let lintedDepthMax = 500
  /// Findings of one kind about one template.
  package static let lintedFindingsPerTemplateMax = 3
  /// Findings that are given; the others are counted.
  package static let lintedFindingsMax = 1_000
  /// Scalars of a required keyword that the linter looks for: its states are the bits of a word.
  package static let lintedKeywordScalarsMax = 60

  /// Choices that a person is offered.
  package static let choicesMax = 20
  /// Values of a parameter that takes several.
  package static let arrayElementsMax = 256
  /// Cases of one enumeration, and combinations of one intent.
  package static let casesMax = 1_000
  /// Intents of one definition file.
  ///
  /// The largest known has 82.
  package static let definedIntentsMax = 1_000
  /// Numbers that a title takes where a definition file gives no limit.
  package static let titleNumberMax = 1_000_000
  /// Parameters of one intent.
  package static let parametersMax = 64
  /// UTF-8 bytes of a text parameter.
  package static let parameterBytesMax = 4_096
  /// Bytes of all parameters of one intent, as the name under which a widget's timeline is stored
  /// has them.
  package static let intentBytesMax = 32_768
  /// Words of a value that is in no list, when its parameter has one.
  package static let otherValueWordsMax = 4
  /// Routes of one intent.
  package static let routesMax = 16
  /// Bytes of a URL after percent-encoding.
  package static let urlBytesMax = 8_192
  /// Bytes of a callback, decoded: results are appended to it, and the whole must be a URL again.
  package static let callbackBytesMax = 2_048
  /// Schemes that one route lets be called back.
  package static let callbackSchemesMax = 16
  /// Kinds counted by an index in a URL.
  package static let barIndexMax = 9_999

  /// Near misses in one answer.
  package static let suggestionsMax = 3
  /// Examples compared with a sentence that did not match.
  package static let examplesComparedMax = 500
  /// Scalars of a sentence that are compared with examples: the cost is their product.
  package static let comparedScalarsMax = 96
  /// List values compared letter by letter with words that are in no list, for one answer: some two
  /// milliseconds.
  package static let comparedValuesMax = 4_000
  /// List values looked at for one answer to a sentence that did not match.
  package static let glancedValuesMax = 400_000
  /// Names compared with an unknown one.
  package static let comparedNamesMax = 5_000
  /// Characters of a sentence for one slip of the pen in it.
  package static let slipLength = 6
  /// Slips in a sentence whose meaning is not in doubt.
  package static let slipsMax = 3
  /// Unicode scalars of a sentence that is read nearly: people say a third of this.
  package static let nearScalarsMax = 192
  /// Words of a sentence that is read nearly.
  static let nearWordsMax = 64
  /// Languages in which one sentence is read nearly.
  static let nearLanguagesMax = 3
  /// Phrases of one document that near reading leaves out, or that it does nothing with.
  package static let nearPhrasesMax = 512
  /// Words of a sentence that is tried in another order.
  static let nearMovedWordsMax = 20
  /// Parts of one template that near reading lays out.
  static let nearPiecesMax = 20_000
  /// Ways through one template by whole words.
  static let nearEdgesMax = 20_000
  /// Looks at names of lists that one sentence may take; some ten milliseconds.
  static let nearNameStepsMax = 2_000_000
  /// Endings of one list's names in which a slip is looked for.
  static let nearLongAffixesMax = 64
  /// Ways in which one value of a list is said.
  static let nearSpellingsMax = 64
  /// Templates that are laid beside one sentence.
  static let nearTemplatesMax = 96
  /// Steps of one near reading: some ten milliseconds.
  static let nearStepsMax = 1_500_000
  /// Readings that a person is asked about.
  static let nearChoicesMax = 3
  /// Words of a name that is in no list.
  static let nearWildcardWordsMax = 12
  /// Values of a long list that a person is told.
  package static let toldValuesMax = 6

  /// Sentences that one completion offers.
  package static let completionsMax = 20
  /// Scalars that a completion adds to a text.
  static let completionScalarsMax = 256
  /// Steps over the typed part of one completion, in one language: some half a millisecond.
  static let completionWalkStepsMax = 20_000
  /// Steps over the part that is still to be written: some half a millisecond.
  static let completionSearchStepsMax = 8_000
  /// Sentences of one language that are written, before recognition judges them.
  static let completionCandidatesMax = 48
  /// Wordings of what may be one meaning that are written.
  static let completionWordingsMax = 3
  /// Sentences that recognition judges for one completion in one language.
  static let completionChecksMax = 24
  /// Names that stand in one place of one template.
  static let completionNamesMax = 8
  /// Names that are looked at for these.
  static let completionNamesSeenMax = 64
  /// Names of one kind, as the context of a list's value tells it, among them.
  static let completionNamesOfKindMax = 3
  /// Languages in which one text is completed.
  package static let completionLanguagesMax = 3
  /// Scalars of a text, of a word and of what was typed of it, that may have a slip.
  static let completionSlipScalarsMin = 4
  /// Names with one beginning that a text with a slip is compared with.
  static let completionNearNamesMax = 256
  /// Steps to lay one word beside the text.
  static let completionAlignmentStepsMax = 256
  /// Habits that are looked at.
  package static let completionHabitsMax = 64
}
