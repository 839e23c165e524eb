/// What an intent answers.
public protocol IntentResult: Sendable {}
