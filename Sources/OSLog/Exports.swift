// Files that import OSLog alone use Foundation, as on iOS.
@_exported public import FoundationAdditions
