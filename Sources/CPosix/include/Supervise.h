#ifndef INTENTD_SUPERVISE_H
#define INTENTD_SUPERVISE_H

// The supervisor: one process that starts all runs, watches their limits, and ends every process of
// a run with the run.
//
// The daemon talks to it over a SOCK_SEQPACKET socket: orders go in, replies come out, one packet
// each. End of file means that the daemon is gone: the supervisor kills every descendant and exits.
// docs/decisions/0022-one-supervisor.md says why it is a process of its own.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if !defined(__clang__)
#define _Nonnull
#define _Nullable
#endif

/// Runs at the same time; more are refused.
#define CPOSIX_RUN_COUNT_MAX 1024
/// Strings of one order: the program, two folders, arguments and environment.
#define CPOSIX_ORDER_STRING_COUNT_MAX 16384
/// Bytes of one order. The kernel takes less than this for a new program.
#define CPOSIX_ORDER_BYTES_MAX (8u << 20)
/// Bytes of an order that travel in the packet itself; a larger one travels in a memfd.
#define CPOSIX_ORDER_PACKET_BYTES_MAX (32u << 10)

/// Milliseconds between two looks at a run: the first is this short, and each one doubles it.
#define CPOSIX_LOOK_MILLISECONDS_MIN 20
#define CPOSIX_LOOK_MILLISECONDS_MAX 100
/// Milliseconds between two looks at an extension without a request, and at a cache folder.
#define CPOSIX_LOOK_IDLE_MILLISECONDS 1000
/// Milliseconds between two looks at the cache folder of a brief program that runs again and again.
#define CPOSIX_CACHE_SEEN_MILLISECONDS 5000
/// Milliseconds for which what a program left behind may live on when nobody releases its run.
#define CPOSIX_RELEASE_MILLISECONDS 1000
/// Milliseconds for which the supervisor, once the daemon is gone, kills what it finds.
#define CPOSIX_LAST_KILL_MILLISECONDS 10000
/// Processes and threads that a run may add to those of the whole machine at its start, by
/// RLIMIT_NPROC. The limit of a run is looked at; this one bounds the worst between two looks.
#define CPOSIX_THREADS_BEYOND_MAX 4096
/// Files and folders of a cache folder that are counted, and levels; more of either is too much.
#define CPOSIX_CACHE_ENTRY_COUNT_MAX 20000
#define CPOSIX_CACHE_DEPTH_MAX 24

/// The limits of a run; 0 means no limit.
struct cposix_run_limits {
    /// RLIMIT_DATA of each process, bytes.
    uint64_t data_bytes_max;
    /// Memory of all processes together, bytes: resident, shared pages divided among their owners.
    uint64_t memory_bytes_max;
    /// RLIMIT_FSIZE: the size of each file that it writes, bytes.
    uint64_t file_bytes_max;
    /// The sizes of all files in its cache folder, bytes.
    uint64_t cache_bytes_max;
    /// Processor time of all processes together, microseconds: for the whole run, or for each
    /// window.
    uint64_t cpu_microseconds_max;
    /// The length of a window, microseconds; 0: the whole run is one.
    uint64_t cpu_window_microseconds;
    /// Processes at the same time.
    uint64_t process_count_max;
};

/// The limit that a run reached.
enum cposix_run_limit {
    CPOSIX_RUN_LIMIT_NONE = 0,
    CPOSIX_RUN_LIMIT_MEMORY = 1,
    CPOSIX_RUN_LIMIT_PROCESSES = 2,
    CPOSIX_RUN_LIMIT_CPU = 3,
    CPOSIX_RUN_LIMIT_FILE = 4,
    CPOSIX_RUN_LIMIT_CACHE = 5,
};

enum cposix_order_type {
    /// Starts a run. Answered by STARTED and ENDED, or by FAILED.
    CPOSIX_ORDER_START = 1,
    /// Sends a signal to the program's process group. SIGKILL goes to all processes of the run.
    CPOSIX_ORDER_SIGNAL = 2,
    /// The program has ended and its output was read: the rest of the run is killed.
    CPOSIX_ORDER_RELEASE = 3,
    /// Says whether a request is under way: how often to look.
    CPOSIX_ORDER_ATTEND = 4,
    /// Kills the runs of a supervisor that died; `mark` is its mark.
    CPOSIX_ORDER_SWEEP = 5,
};

/// An order's fixed part. With START the box's rules follow, padded to 8 bytes, and then strings,
/// each with its zero: program, working folder, cache folder, arguments, environment.
struct cposix_order {
    uint32_t type;
    /// START: the run gains no privileges.
    uint32_t denies_privileges;
    uint64_t run;
    struct cposix_run_limits limits;
    uint64_t box_length;
    uint64_t strings_length;
    uint32_t argument_count;
    uint32_t environment_count;
    /// START: bits 0, 1 and 2: this descriptor comes along; otherwise it is /dev/null.
    uint32_t descriptors;
    /// SIGNAL: the signal; ATTEND: 1 while a request is under way; START: 1 for a brief program, of
    /// which STARTED is told at the first look, and not if it has ended by then.
    uint32_t value;
    /// SWEEP: the mark of the supervisor that died.
    uint64_t mark;
};

enum cposix_reply_type {
    /// The first reply: what this machine has.
    CPOSIX_REPLY_READY = 1,
    CPOSIX_REPLY_STARTED = 2,
    CPOSIX_REPLY_FAILED = 3,
    /// The program ended; processes that it left behind live until the run is released. If it left
    /// none, the run is released already.
    CPOSIX_REPLY_ENDED = 4,
};

/// The features that the supervisor found on this machine; a missing one weakens a promise.
enum cposix_supervisor_feature {
    /// It is the reaper of orphans: a process cannot leave its run.
    CPOSIX_FEATURE_SUBREAPER = 1,
    /// An orphan's run is known by a mark, which can only be destroyed.
    CPOSIX_FEATURE_MARKS = 2,
    /// /proc lists a process' children; without it all processes are read.
    CPOSIX_FEATURE_CHILDREN = 4,
    /// Shared memory is divided among its owners; without it each owner pays for all of it.
    CPOSIX_FEATURE_SHARES = 8,
};

struct cposix_reply {
    uint32_t type;
    /// FAILED: an `enum cposix_child_step`.
    uint32_t step;
    uint64_t run;
    int32_t pid;
    /// FAILED: the errno.
    int32_t error;
    /// ENDED: the signal that ended the program, or 0, and its exit code.
    int32_t signal;
    int32_t code;
    /// ENDED: an `enum cposix_run_limit`, and what was measured (bytes, microseconds, processes).
    uint32_t limit;
    /// READY: bits of `enum cposix_supervisor_feature`. ENDED: 1: it left no process behind.
    uint32_t features;
    uint64_t measured;
    /// ENDED: processor time of all its processes that have ended, microseconds.
    uint64_t cpu_microseconds;
    /// ENDED: the most memory that was seen, bytes: of the largest process, or of a look at all.
    uint64_t memory_bytes_peak;
    /// READY: the mark of this supervisor, for a sweep.
    uint64_t mark;
};

/// An order as it was read; pointers lead into the bytes that were read.
struct cposix_read_order {
    struct cposix_order order;
    const void *_Nullable box;
    const char *_Nullable program;
    const char *_Nullable directory;
    const char *_Nullable cache;
    char *_Nullable *_Nullable arguments;
    char *_Nullable *_Nullable environment;
    /// Both lists, each with its NULL.
    char *_Nullable strings[CPOSIX_ORDER_STRING_COUNT_MAX + 2];
};

/// Reads an order; false if the bytes are none. `bytes` must be aligned to 8.
bool cposix_order_read(char *_Nonnull bytes, size_t length,
                       struct cposix_read_order *_Nonnull result);

/// Supervises until the other end of `channel` is closed, and then kills all descendants.
///
/// Never returns before; the process has one thread and inherits nothing that it needs.
int32_t cposix_supervise(int32_t channel);

/// Makes the two ends of a channel, close-on-exec; `ours` does not block.
int32_t cposix_channel(int32_t *_Nonnull ours, int32_t *_Nonnull theirs);

/// Sends an order with its body (box and strings) and its descriptors.
///
/// -EAGAIN: the supervisor is busy; try again when `channel` is writable.
int32_t cposix_order_send(int32_t channel, const struct cposix_order *_Nonnull order,
                          const void *_Nullable body, size_t length,
                          const int32_t *_Nullable descriptors, size_t descriptor_count);

/// Receives a reply: 1, or 0 at the end of the channel, or -errno.
int32_t cposix_reply_receive(int32_t channel, struct cposix_reply *_Nonnull reply);

/// Denies others of the same user to read this process' memory, and core dumps of it.
int32_t cposix_deny_inspection(void);

/// Reads the resident memory of a process, and its share of what several share, both in bytes.
int32_t cposix_memory(int32_t pid, uint64_t *_Nonnull resident, uint64_t *_Nonnull share);

#endif
