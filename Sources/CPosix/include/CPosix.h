#ifndef INTENTD_CPOSIX_H
#define INTENTD_CPOSIX_H

// Linux calls that Swift's Glibc module does not have, or that must not run Swift code (between the
// clone and the exec of a child). Every function returns 0 or more on success, or -errno.

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#if !defined(__clang__)
#define _Nonnull
#define _Nullable
#endif

/// Where a child's start failed.
enum cposix_child_step {
    CPOSIX_CHILD_STEP_NONE = 0,
    CPOSIX_CHILD_STEP_CLONE = 1,
    CPOSIX_CHILD_STEP_SESSION = 2,
    CPOSIX_CHILD_STEP_DESCRIPTORS = 3,
    CPOSIX_CHILD_STEP_LIMITS = 4,
    CPOSIX_CHILD_STEP_DIRECTORY = 5,
    CPOSIX_CHILD_STEP_EXEC = 6,
};

/// What to start. Pointers must stay valid during `cposix_child_start` only.
struct cposix_child_request {
    /// Passed to execve as it stands, after the change of directory.
    const char *_Nonnull program;
    /// NULL-terminated; used as they stand.
    char *_Nullable const *_Nonnull arguments;
    char *_Nullable const *_Nonnull environment;
    const char *_Nonnull directory;
    /// Descriptors that become 0, 1 and 2; -1 for /dev/null.
    int32_t input;
    int32_t output;
    int32_t errors;
    /// RLIMIT_DATA, bytes; 0 leaves it.
    uint64_t data_bytes_max;
    /// RLIMIT_CORE = 0.
    bool denies_core;
    /// SIGKILL to the child when the thread that started it ends.
    bool dies_with_parent;
};

struct cposix_child {
    int32_t pid;
    /// Close-on-exec; readable once the child has ended.
    int32_t pidfd;
    /// An `enum cposix_child_step`.
    int32_t failed_step;
};

/// Starts a child in a session of its own, with nothing inherited but the request's descriptors,
/// default signal actions and an empty signal mask. Returns once the child runs its program or
/// failed to.
int32_t cposix_child_start(const struct cposix_child_request *_Nonnull request,
                           struct cposix_child *_Nonnull child);

struct cposix_child_end {
    /// 0 while the child is running.
    bool has_ended;
    /// The signal that ended it, or 0.
    int32_t signal;
    /// Its exit code if no signal ended it.
    int32_t code;
    /// Processor time of it and of the children it waited for, microseconds.
    uint64_t cpu_microseconds;
};

/// How the child behind a pidfd ended. With `reap` false the zombie stays and keeps its pid, so
/// that its process group can still be signalled without hitting a stranger.
int32_t cposix_child_ended(int32_t pidfd, bool reap, struct cposix_child_end *_Nonnull end);

/// A pipe whose two ends are close-on-exec.
int32_t cposix_pipe(int32_t *_Nonnull read_end, int32_t *_Nonnull write_end);

/// SO_PEERCRED of a Unix socket.
int32_t cposix_peer(int32_t descriptor, uint32_t *_Nonnull uid, int32_t *_Nonnull pid);

/// Longest path of a Unix socket, bytes without the terminating zero.
enum { CPOSIX_SOCKET_PATH_MAX = 107 };

/// A Unix stream socket bound to `path`, whose file is created with `mode`: no window in which it
/// is wider and no change to the process' umask. Close-on-exec, non-blocking.
int32_t cposix_bind(const char *_Nonnull path, uint32_t mode);

/// The next waiting connection: non-blocking, close-on-exec. -EAGAIN if there is none.
int32_t cposix_accept(int32_t listening);

/// 0 if something listens on `path`, else -errno of the attempt (-ECONNREFUSED: nobody does).
int32_t cposix_probe(const char *_Nonnull path);

/// Opens (creates, 0600) and locks a file for as long as the returned descriptor is open.
/// -EWOULDBLOCK if another process has it.
int32_t cposix_lock(const char *_Nonnull path);

/// Unlocks what `cposix_lock` opened, also where a child that is about to exec has a copy, and closes it.
void cposix_unlock(int32_t descriptor);

/// Closes on exec, returns 0 or -errno.
int32_t cposix_close_on_exec(int32_t descriptor);

/// A descriptor that is readable whenever a link or a route of the machine changes.
int32_t cposix_routes_open(void);

/// Takes what there is to read; 1 if anything may have changed, lost messages included.
int32_t cposix_routes_changed(int32_t descriptor);

/// A descriptor that becomes readable when the wall clock is set (and on resume from suspend).
int32_t cposix_wall_clock_open(void);

/// 1 if the clock was set since the last call, 0 if not; watches on in both cases.
int32_t cposix_wall_clock_changed(int32_t descriptor);

/// A non-blocking, close-on-exec eventfd.
int32_t cposix_event_open(void);

/// One heap for all threads, which grows in steps of `step` bytes: for a process that takes much at once.
void cposix_grow_heap_by(int32_t step);

/// Sends one sd_notify datagram to `socket` (a path, or `@name` for an abstract one).
int32_t cposix_notify(const char *_Nonnull socket, const char *_Nonnull state, size_t length);

#endif
