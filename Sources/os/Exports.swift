// On iOS `import os` brings what `import OSLog` does.
@_exported public import OSLog
