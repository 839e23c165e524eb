#ifndef INTENTD_CPOSIX_H
#define INTENTD_CPOSIX_H

// Linux calls that Swift's Glibc module does not have, or that must not run Swift code (between the
// clone and the exec of a child). Every function returns 0 or more on success, or -errno.

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "Box.h"
#include "Supervise.h"

#if !defined(__clang__)
#define _Nonnull
#define _Nullable
#endif

/// The step at which the start of a child failed.
enum cposix_child_step {
    CPOSIX_CHILD_STEP_NONE = 0,
    CPOSIX_CHILD_STEP_CLONE = 1,
    CPOSIX_CHILD_STEP_SESSION = 2,
    CPOSIX_CHILD_STEP_DESCRIPTORS = 3,
    CPOSIX_CHILD_STEP_LIMITS = 4,
    CPOSIX_CHILD_STEP_DIRECTORY = 5,
    CPOSIX_CHILD_STEP_EXEC = 6,
    CPOSIX_CHILD_STEP_PRIVILEGES = 7,
    CPOSIX_CHILD_STEP_BOX = 8,
};

/// A resource limit of a child; each half only lowers what the child inherits.
struct cposix_resource_limit {
    int32_t resource;
    uint64_t soft;
    uint64_t hard;
};

/// The child to start.
///
/// Its pointers must be valid during `cposix_child_start` only.
struct cposix_child_request {
    /// The path for execve, unchanged.
    ///
    /// A relative one counts from the child's new directory.
    const char *_Nonnull program;
    /// NULL-terminated lists, passed to execve unchanged.
    char *_Nullable const *_Nonnull arguments;
    char *_Nullable const *_Nonnull environment;
    const char *_Nonnull directory;
    /// The descriptors that become the child's 0, 1 and 2; -1 stands for /dev/null.
    int32_t input;
    int32_t output;
    int32_t errors;
    /// RLIMIT_DATA of the child, bytes; 0 leaves the limit as it is.
    uint64_t data_bytes_max;
    /// Whether the child's RLIMIT_CORE is 0: no core dumps.
    bool denies_core;
    /// Whether the kernel sends the child SIGKILL when the thread that started it ends.
    bool dies_with_parent;
    /// Whether no program of the child gains privileges (no_new_privs): sudo and the like fail.
    bool denies_privileges;
    /// More limits, set in this order.
    const struct cposix_resource_limit *_Nullable limits;
    uint32_t limit_count;
    /// The rules of the child's box, see Box.h, and their length in bytes; NULL: it has no box.
    const void *_Nullable box;
    uint64_t box_length;
    /// The end of a datagram socket to which the child sends the descriptor of its box's bus, for
    /// CPOSIX_BOX_BUS; -1: its box has none.
    int32_t listener_channel;
    /// Bit n - 1: signal n has its default action in this process, which the child need not set.
    uint64_t default_signals;
};

/// Returns the signals that have their default action in this process now, as `default_signals`.
uint64_t cposix_default_signals(void);

struct cposix_child {
    int32_t pid;
    /// A descriptor of the child, close-on-exec, that is readable once the child has ended.
    int32_t pidfd;
    /// The `enum cposix_child_step` that failed.
    int32_t failed_step;
};

/// Starts a child in a session of its own, with default signal actions and an empty signal mask.
///
/// The child inherits the request's descriptors and no others. Returns once the child runs its
/// program or failed to.
int32_t cposix_child_start(const struct cposix_child_request *_Nonnull request,
                           struct cposix_child *_Nonnull child);

struct cposix_child_end {
    /// False while the child is running; the other members are 0 then.
    bool has_ended;
    /// The signal that ended the child, or 0.
    int32_t signal;
    /// The child's exit code, if no signal ended it.
    int32_t code;
    /// Processor time of the child and of the children it waited for, microseconds.
    uint64_t cpu_microseconds;
};

/// Tells how the child behind `pidfd` ended.
///
/// If `reap` is false, the zombie stays and keeps its pid, so that a signal to its process group
/// cannot reach a new, unrelated group.
int32_t cposix_child_ended(int32_t pidfd, bool reap, struct cposix_child_end *_Nonnull end);

/// Opens a pipe whose two ends are close-on-exec.
int32_t cposix_pipe(int32_t *_Nonnull read_end, int32_t *_Nonnull write_end);

/// Reads SO_PEERCRED of a Unix socket: the user and the process on the other side.
int32_t cposix_peer(int32_t descriptor, uint32_t *_Nonnull uid, int32_t *_Nonnull pid);

/// The longest path of a Unix socket, in bytes without the terminating zero.
enum { CPOSIX_SOCKET_PATH_MAX = 107 };

/// Makes a Unix stream socket bound to `path`, close-on-exec and non-blocking.
///
/// Its file has `mode` from the first moment on, and the process' umask stays as it is.
int32_t cposix_bind(const char *_Nonnull path, uint32_t mode);

/// Accepts the next waiting connection, non-blocking and close-on-exec. -EAGAIN if there is none.
int32_t cposix_accept(int32_t listening);

/// What a process held when it was killed is held for moments by a child of it that has not begun
/// its program yet. It is tried again so often, with so long a pause.
#define CPOSIX_LEFTOVER_TRIES 1000
#define CPOSIX_LEFTOVER_PAUSE_MILLISECONDS 5

/// Tries to connect to `path`: 0 if a process listens there, -ECONNREFUSED if none does, or another
/// -errno.
///
/// If the process that began to listen has ended, waits for its children to let go, as above.
int32_t cposix_probe(const char *_Nonnull path);

/// Opens a file, creates it with mode 0600 if need be, and locks it.
///
/// The lock lasts as long as the returned descriptor is open, also in a child that has a copy; the
/// file's content is then the number of this process and a newline. -EWOULDBLOCK if another process
/// holds it. If that one has ended, waits for its children to let go, as above.
int32_t cposix_lock(const char *_Nonnull path);

/// Unlocks and closes a descriptor of `cposix_lock`.
///
/// The explicit unlock matters when a child that is about to exec has a copy of the descriptor.
void cposix_unlock(int32_t descriptor);

/// Makes `descriptor` close-on-exec.
int32_t cposix_close_on_exec(int32_t descriptor);

/// Opens a descriptor that becomes readable when a network link or a route of the machine changes.
int32_t cposix_routes_open(void);

/// Reads the waiting messages.
///
/// 1 if a link or a route may have changed, which is also so when the kernel lost messages; else 0.
int32_t cposix_routes_changed(int32_t descriptor);

/// Opens a descriptor that becomes readable when the wall clock is set and on resume from suspend.
int32_t cposix_wall_clock_open(void);

/// 1 if the wall clock was set since the last call, else 0.
///
/// The descriptor goes on watching.
int32_t cposix_wall_clock_changed(int32_t descriptor);

/// Opens an eventfd, non-blocking and close-on-exec.
int32_t cposix_event_open(void);

/// Makes malloc use one heap for all threads and grow it in steps of `step` bytes.
///
/// Meant for a process that allocates much at once.
void cposix_grow_heap_by(int32_t step);

/// Sends one sd_notify datagram to `socket` (a path, or `@name` for an abstract one).
int32_t cposix_notify(const char *_Nonnull socket, const char *_Nonnull state, size_t length);

#endif
