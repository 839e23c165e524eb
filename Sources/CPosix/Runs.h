#ifndef INTENTD_RUNS_H
#define INTENTD_RUNS_H

// The runs of the supervisor: what Supervise.c orders and Runs.c does.

#include <signal.h>

#include "CPosix.h"

// Names that other libraries of a program may have too.
#pragma GCC visibility push(hidden)

/// From so many processes on, a run is stopped before it is killed: while some die, others fork.
enum { STORM_PROCESS_COUNT = 16, STOP_ROUNDS_MAX = 64 };
/// Milliseconds between two rounds of killing, when no child ends in between.
enum { KILL_MILLISECONDS_MIN = 1, KILL_MILLISECONDS_MAX = 200 };

/// Cache folders whose last look is remembered.
enum { SEEN_CACHE_COUNT = 256 };

/// Bytes of the path of a bus, with its zero: as many as an address of a socket has.
enum { BUS_PATH_BYTES_MAX = 108 };

enum run_state { FREE, RUNNING, ENDED, KILLING };

struct run {
    enum run_state state;
    /// The replies that the daemon has not got yet.
    bool owes_start;
    bool owes_end;
    bool is_attended;
    /// Whether its start is told only if it lives until the first look.
    bool is_brief;
    /// Whether its program has ended and left no process behind.
    bool is_over;
    /// Whether everything is to be killed while the program still runs.
    bool is_doomed;
    /// The `enum cposix_child_step` at which its start failed, and the errno; 0: it did not.
    int32_t failed_step;
    int32_t failed_error;
    uint64_t number;
    pid_t pid;
    struct cposix_run_limits limits;
    struct cposix_reply end;
    /// Of processes that have ended and that nobody of the run waited for, microseconds.
    uint64_t cpu_gone;
    uint64_t window_start;
    uint64_t window_cpu;
    uint64_t next_look;
    uint64_t next_cache_look;
    uint64_t look_pause;
    uint64_t kill_pause;
    /// When a run whose program has ended is killed though nobody released it.
    uint64_t release_at;
    /// The descriptor at which its box asks for sockets; 0: its box has no bus.
    int listener;
    /// The path to which these sockets are connected.
    char bus[BUS_PATH_BYTES_MAX];
};

/// One place for each run.
extern struct run runs[CPOSIX_RUN_COUNT_MAX];
/// The path of each run's cache folder; empty: it has none.
extern char caches[CPOSIX_RUN_COUNT_MAX][4096];
/// Whether we may have children: runs, and what they left behind.
extern bool has_children;
/// One more than the highest place in use.
extern int run_top;
/// Bits of `enum cposix_supervisor_feature`.
extern uint32_t features;

#define MILLISECOND 1000000u

/// Nanoseconds of the monotonic clock.
uint64_t now(void);

/// Chooses what the marks of this supervisor's runs begin with; returns it.
uint64_t choose_marks(void);

/// Puts the mark of a place into `limits`; returns how many it takes.
uint32_t mark_limits(int place, struct cposix_resource_limit *limits);

/// Kills what a supervisor that died left behind: whatever has one of its marks.
void sweep(uint64_t base);

/// Returns a free place, or -1.
int new_place(void);

void free_place(int place);

/// Kills all processes of a run, now and until none is left.
void doom(int place);

/// One round of that; the next comes when a child has ended, or a little later.
void kill_round(int place);

/// Kills children that belong to no run; false: there are no children at all.
bool kill_strays(void);

/// Measures a run, and ends it if it has reached a limit.
void look(int place);

/// Waits for the children that have ended.
void reap(void);

/// Notes of the runs that were started last whether their start has failed; it is Supervise.c's.
void settle_starts(void);

/// Makes the channel through which a child hands over the descriptor for its bus; 0 or -errno.
int32_t bus_channel(int ends[2]);

/// Takes that descriptor out of the channel; 0: there is none.
int bus_listener(int channel);

/// Answers one socket that the box of a run asks for.
void bus_answer(struct run *run);

/// Kills all descendants, now that nobody is there to order anything.
void end_all(void);

#pragma GCC visibility pop

#endif
