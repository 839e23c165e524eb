#ifndef INTENTD_PROCESS_TREE_H
#define INTENTD_PROCESS_TREE_H

// Reads processes and folders from /proc, without malloc: for the supervisor alone, whose
// tables are static.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#pragma GCC visibility push(hidden)

/// Processes in one look; a look at more than these sees the first.
enum { TREE_PROCESS_COUNT_MAX = 8192 };

struct process {
    pid_t pid;
    pid_t parent;
    pid_t group;
    /// When it started, in the kernel's ticks: with the pid it names one process for good.
    uint64_t start;
    /// The letter of its state: Z and X have ended.
    char state;
    uint32_t threads;
    uint64_t resident_bytes;
    /// Of its own and of the children it waited for.
    uint64_t cpu_microseconds;
};

struct process_tree {
    struct process found[TREE_PROCESS_COUNT_MAX];
    size_t count;
};

/// Reads /proc/PID/stat; false if there is no such process.
bool process_read(pid_t pid, struct process *process);

/// Whether the kernel lists the children of a process.
bool tree_has_children_files(void);

/// Copies the children of a process, at most `max`; returns their number.
size_t tree_children(pid_t pid, uint32_t threads, pid_t *children, size_t max);

/// Copies the children of this process, which has one thread, in the same way.
size_t tree_own_children(pid_t *children, size_t max);

/// Adds a process to the tree, unless it has ended.
void tree_add(struct process_tree *tree, pid_t pid);

/// Adds the descendants of the processes in the tree, until there are `enough`.
///
/// A storm of processes grows faster than it can be counted.
void tree_grow(struct process_tree *tree, size_t enough);

/// Sends a signal to a process of the tree; false if there is none any more, or it is not ours.
bool tree_signal(const struct process *process, int signal);

/// Kills the process group of a process of the tree in one call; false if the process is gone.
///
/// It is stopped first, and cannot leave the group or end before the call: so the number is still
/// this group's. All members of a group are in one session, and so in one run.
bool tree_kill_group(const struct process *process);

/// Calls back for each process of the machine.
void tree_each_process(void (*found)(pid_t pid, void *context), void *context);

/// Returns a process' share of the memory that it uses, in bytes; `resident` if it cannot be read.
uint64_t process_share(pid_t pid, uint64_t resident);

/// Returns the threads of the whole machine; 0 if they cannot be read.
uint64_t machine_threads(void);

/// Returns the bytes that the files below a folder take; more entries or levels than allowed count
/// as the largest number.
uint64_t folder_bytes(const char *path);

#pragma GCC visibility pop

#endif
