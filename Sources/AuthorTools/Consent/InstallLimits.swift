/// The limits of what `intentd --install` takes in.
enum InstallLimits {
  /// Files of a folder.
  static let fileCountMax = 500
  /// Bytes of all files together: a program of a large language with its pictures.
  static let bytesMax = 64 << 20
  /// Levels of folders inside the one that is installed.
  static let folderDepthMax = 8
  /// Names of changed files that a question shows.
  static let shownFileCountMax = 10
  /// Columns of the name that a kind gives itself, in a question.
  static let nameColumnsMax = 40
}
