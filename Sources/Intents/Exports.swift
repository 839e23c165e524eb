// Files that import Intents alone use Foundation, as on iOS.
@_exported public import FoundationAdditions
