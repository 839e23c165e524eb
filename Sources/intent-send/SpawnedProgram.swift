import Glibc

/// Another program that this one starts, and waits for.
enum SpawnedProgram {
  /// Starts a program with these descriptors; searches PATH for a name without a slash.
  ///
  /// Returns the process, or the kernel's `errno` where the program cannot be started. `arguments`
  /// begins with the program, and is not empty.
  static func start(
    _ arguments: [String], input: Int32 = STDIN_FILENO, output: Int32 = STDOUT_FILENO,
    messages: Int32 = STDERR_FILENO
  ) -> (child: pid_t?, code: Int32) {
    var pointers: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) }
    pointers.append(nil)
    defer { for pointer in pointers { free(pointer) } }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // `main` ignores SIGPIPE, and an ignored signal stays ignored in the new program; the other two
    // are a bar's.
    var signals = sigset_t()
    sigemptyset(&signals)
    for signal in [SIGPIPE, SIGUSR1, SIGUSR2] { sigaddset(&signals, signal) }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    if input != STDIN_FILENO {
      posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
    }
    if output != STDOUT_FILENO {
      posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
    }
    if messages != STDERR_FILENO {
      posix_spawn_file_actions_adddup2(&actions, messages, STDERR_FILENO)
    }
    var child: pid_t = 0
    let code = posix_spawnp(&child, arguments[0], &actions, &attributes, pointers, environ)
    return (code == 0 ? child : nil, code)
  }

  /// Waits for a program; returns its exit status, `nil` if a signal ended it.
  static func status(of child: pid_t) -> Int32? {
    var ending: Int32 = 0
    while waitpid(child, &ending, 0) < 0 {
      guard errno == EINTR else { return nil }
    }
    return ending & 0x7f == 0 ? (ending >> 8) & 0xff : nil
  }
}
