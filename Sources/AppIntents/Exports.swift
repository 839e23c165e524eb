// Files that import AppIntents alone use Foundation, as on iOS.
@_exported public import FoundationAdditions
