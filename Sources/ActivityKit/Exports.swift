// Files that import ActivityKit alone use Foundation, as on iOS.
@_exported public import FoundationAdditions
