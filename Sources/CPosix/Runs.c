// Finds the processes of runs, measures them and kills them.
//
// To which run does an orphan belong? Each run has a mark that its processes inherit: the hard
// limits of two resources that programs do not use, RLIMIT_LOCKS = base - n and RLIMIT_MSGQUEUE =
// base - (COUNT - n) for run n. A hard limit can only be lowered, and the mark of another run would
// need one of the two to be raised: so a mark can be destroyed but not forged. An orphan without
// the mark of a live run is killed.
#define _GNU_SOURCE
#include "Runs.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "ProcessTree.h"

_Static_assert(sizeof caches[0] >= PATH_MAX, "the path of a cache folder may not fit");

struct run runs[CPOSIX_RUN_COUNT_MAX];
char caches[CPOSIX_RUN_COUNT_MAX][4096];
int run_top;
bool has_children = true;
uint32_t features;
static uint64_t lock_base, queue_base;
static struct process_tree tree;
static pid_t direct[TREE_PROCESS_COUNT_MAX];

uint64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

// MARK: Marks

static bool hard_limit(pid_t pid, int resource, uint64_t *hard) {
    struct rlimit limit;
    if (prlimit(pid, resource, NULL, &limit) < 0) return false;
    *hard = limit.rlim_max;
    return true;
}

uint64_t choose_marks(void) {
    uint64_t locks, queue, chance = 0;
    if (!hard_limit(0, RLIMIT_LOCKS, &locks) || !hard_limit(0, RLIMIT_MSGQUEUE, &queue)) return 0;
    if (getrandom(&chance, sizeof chance, GRND_NONBLOCK) < 0) chance = (uint64_t)getpid();
    // No program comes near this number, and chance tells two supervisors' runs apart.
    uint64_t highest = ((uint64_t)1 << 40) + (chance >> 20 << 11);
    lock_base = locks > highest ? highest : locks - 1;
    // The same for all supervisors, so that one can sweep for another.
    queue_base = queue > 1u << 30 ? 1u << 30 : queue;
    if (locks < 4 * CPOSIX_RUN_COUNT_MAX || queue < 4 * CPOSIX_RUN_COUNT_MAX) return 0;
    features |= CPOSIX_FEATURE_MARKS;
    return lock_base;
}

/// Returns the place whose mark, under `base`, a process has; -1: none.
static int marked_place(pid_t pid, uint64_t base) {
    uint64_t locks, queue;
    if (!(features & CPOSIX_FEATURE_MARKS) || !hard_limit(pid, RLIMIT_LOCKS, &locks)) return -1;
    if (locks > base || base - locks >= CPOSIX_RUN_COUNT_MAX) return -1;
    if (!hard_limit(pid, RLIMIT_MSGQUEUE, &queue)) return -1;
    uint64_t place = base - locks;
    return queue == queue_base - (CPOSIX_RUN_COUNT_MAX - place) ? (int)place : -1;
}

/// Returns the place of the run that a child of ours belongs to; -1: none.
static int place_of(pid_t pid) {
    for (int place = 0; place < run_top; place++) {
        if (runs[place].state == RUNNING && runs[place].pid == pid) return place;
    }
    int place = marked_place(pid, lock_base);
    return place >= 0 && place < run_top && runs[place].state != FREE ? place : -1;
}

// MARK: Sweeping

static size_t swept;

static void sweep_one(pid_t pid, void *base) {
    if (marked_place(pid, *(uint64_t *)base) < 0) return;
    struct process process = {0};
    if (process_read(pid, &process) && process.state != 'Z' && tree_signal(&process, SIGKILL)) {
        swept += 1;
    }
}

/// Kills what a supervisor that died left behind: whatever has one of its marks.
void sweep(uint64_t base) {
    for (int round = 0; round < STOP_ROUNDS_MAX; round++) {
        swept = 0;
        tree_each_process(sweep_one, &base);
        if (swept == 0) return;
    }
}

uint32_t mark_limits(int place, struct cposix_resource_limit *limits) {
    if (!(features & CPOSIX_FEATURE_MARKS)) return 0;
    uint64_t locks = lock_base - (uint64_t)place;
    uint64_t queue = queue_base - (CPOSIX_RUN_COUNT_MAX - (uint64_t)place);
    limits[0] = (struct cposix_resource_limit){RLIMIT_LOCKS, locks, locks};
    limits[1] = (struct cposix_resource_limit){RLIMIT_MSGQUEUE, queue, queue};
    return 2;
}

// MARK: Processes of a run

/// Puts the processes of a run into `tree`, at least `enough` of them if there are so many, and
/// kills orphans that belong to none.
static void gather(int place, size_t enough) {
    tree.count = 0;
    size_t count = tree_own_children(direct, TREE_PROCESS_COUNT_MAX);
    for (size_t index = 0; index < count && tree.count < enough; index++) {
        int owner = place_of(direct[index]);
        // Only we wait for a child, so its number is not another process' yet.
        if (owner == -1) kill(direct[index], SIGKILL);
        if (owner == place) tree_add(&tree, direct[index]);
    }
    tree_grow(&tree, enough);
}

bool kill_strays(void) {
    size_t count = tree_own_children(direct, TREE_PROCESS_COUNT_MAX);
    for (size_t index = 0; index < count; index++) {
        if (place_of(direct[index]) == -1) kill(direct[index], SIGKILL);
    }
    return count > 0;
}

static size_t signal_tree(int signal) {
    size_t reached = 0;
    for (size_t index = 0; index < tree.count; index++) {
        if (tree_signal(&tree.found[index], signal)) reached += 1;
    }
    return reached;
}

/// Stops many processes until no new ones come: those that die would make room for others.
static void calm(int place) {
    size_t before = 0;
    for (int round = 0; round < STOP_ROUNDS_MAX && tree.count > STORM_PROCESS_COUNT; round++) {
        if (tree.count == before) return;
        before = tree.count;
        signal_tree(SIGSTOP);
        gather(place, TREE_PROCESS_COUNT_MAX);
    }
}

void free_place(int place) {
    runs[place].state = FREE;
    if (runs[place].listener > 0) close(runs[place].listener);
    runs[place].listener = 0;
    while (run_top > 0 && runs[run_top - 1].state == FREE) run_top -= 1;
}

/// Kills the groups of the first processes that are found: the usual storm has one group.
static void kill_groups(int place) {
    gather(place, STORM_PROCESS_COUNT);
    if (tree.count < STORM_PROCESS_COUNT) return;
    pid_t last = 0;
    for (size_t index = 0; index < tree.count; index++) {
        const struct process *process = &tree.found[index];
        if (process->group != last && tree_kill_group(process)) last = process->group;
    }
}

/// One round of killing; the next comes when a child has ended, or a little later.
void kill_round(int place) {
    struct run *run = &runs[place];
    kill_groups(place);
    gather(place, TREE_PROCESS_COUNT_MAX);
    calm(place);
    // A process that we may not kill (a set-user-ID program) cannot be waited for either.
    if (signal_tree(SIGKILL) == 0 && run->state == KILLING && !run->owes_end) {
        free_place(place);
        return;
    }
    if (run->kill_pause < KILL_MILLISECONDS_MAX) run->kill_pause *= 2;
    run->next_look = now() + run->kill_pause * MILLISECOND;
}

void doom(int place) {
    struct run *run = &runs[place];
    run->is_doomed = true;
    // Most processes of a run are in its program's group, where one call reaches all of them. We
    // have not waited for the program, so that the number is still the group's.
    if (run->state == RUNNING) kill(-run->pid, SIGKILL);
    run->kill_pause = KILL_MILLISECONDS_MIN;
    kill_round(place);
}

static void end_because(int place, enum cposix_run_limit limit, uint64_t measured) {
    struct run *run = &runs[place];
    if (run->end.limit == CPOSIX_RUN_LIMIT_NONE) {
        run->end.limit = limit;
        run->end.measured = measured;
    }
    if (run->state == ENDED) run->state = KILLING;
    doom(place);
}

// MARK: Places

/// Returns a free place, or -1.
int new_place(void) {
    for (int place = 0; place < CPOSIX_RUN_COUNT_MAX; place++) {
        if (runs[place].state != FREE) continue;
        if (place >= run_top) run_top = place + 1;
        return place;
    }
    return -1;
}

// MARK: Looking

/// The last looks at cache folders: a clock of one second would have its folder looked at each time.
static struct {
    uint64_t name;
    uint64_t at;
} seen_caches[SEEN_CACHE_COUNT];

/// Returns whether a cache folder was looked at a moment ago, and notes a look at it if not.
static bool was_just_seen(const char *cache) {
    // FNV-1a, 64 bits. Two folders of one number would only share their looks.
    uint64_t name = 0xcbf29ce484222325u;
    for (const char *at = cache; *at != 0; at++) name = (name ^ (unsigned char)*at) * 0x100000001b3u;
    uint64_t at = now(), place = name % SEEN_CACHE_COUNT;
    uint64_t pause = CPOSIX_CACHE_SEEN_MILLISECONDS * (uint64_t)MILLISECOND;
    if (seen_caches[place].name == name && at - seen_caches[place].at < pause) return true;
    seen_caches[place].name = name;
    seen_caches[place].at = at;
    return false;
}

/// Returns whether the cache folder has grown too large; `next_cache_look` bounds the cost.
static bool is_cache_full(int place, uint64_t *bytes) {
    struct run *run = &runs[place];
    if (run->limits.cache_bytes_max == 0 || caches[place][0] == 0) return false;
    uint64_t before = now();
    *bytes = folder_bytes(caches[place]);
    uint64_t after = now();
    uint64_t pause = CPOSIX_LOOK_IDLE_MILLISECONDS * MILLISECOND;
    if (20 * (after - before) > pause) pause = 20 * (after - before);
    run->next_cache_look = after + pause;
    return *bytes > run->limits.cache_bytes_max;
}

/// Measures a run, and ends it if it has reached a limit.
void look(int place) {
    struct run *run = &runs[place];
    uint64_t processes_max = run->limits.process_count_max;
    gather(place, processes_max > 0 ? processes_max + 1 : TREE_PROCESS_COUNT_MAX);
    uint64_t memory = 0, cpu = run->cpu_gone;
    for (size_t index = 0; index < tree.count; index++) {
        memory += tree.found[index].resident_bytes;
        cpu += tree.found[index].cpu_microseconds;
    }
    // It lives long enough for its outputs to be read meanwhile.
    if (run->is_brief) run->owes_start = true;
    run->is_brief = false;
    const struct cposix_run_limits *limits = &run->limits;
    if (processes_max > 0 && tree.count > processes_max) {
        return end_because(place, CPOSIX_RUN_LIMIT_PROCESSES, tree.count);
    }
    if (limits->memory_bytes_max > 0 && memory > limits->memory_bytes_max) {
        // Pages that several of them share were counted for each.
        memory = 0;
        for (size_t index = 0; index < tree.count; index++) {
            memory += process_share(tree.found[index].pid, tree.found[index].resident_bytes);
        }
        if (memory > limits->memory_bytes_max) {
            return end_because(place, CPOSIX_RUN_LIMIT_MEMORY, memory);
        }
    }
    if (memory > run->end.memory_bytes_peak) run->end.memory_bytes_peak = memory;

    uint64_t at = now();
    if (limits->cpu_window_microseconds > 0
        && at - run->window_start >= limits->cpu_window_microseconds * 1000) {
        run->window_start = at;
        run->window_cpu = cpu;
    }
    if (cpu < run->window_cpu) run->window_cpu = cpu;
    if (limits->cpu_microseconds_max > 0
        && cpu - run->window_cpu > limits->cpu_microseconds_max) {
        return end_because(place, CPOSIX_RUN_LIMIT_CPU, cpu - run->window_cpu);
    }
    uint64_t bytes = 0;
    if (at >= run->next_cache_look && is_cache_full(place, &bytes)) {
        return end_because(place, CPOSIX_RUN_LIMIT_CACHE, bytes);
    }
    if (run->look_pause < CPOSIX_LOOK_MILLISECONDS_MAX) run->look_pause *= 2;
    if (run->look_pause > CPOSIX_LOOK_MILLISECONDS_MAX) {
        run->look_pause = CPOSIX_LOOK_MILLISECONDS_MAX;
    }
    uint64_t pause = run->is_attended ? run->look_pause : CPOSIX_LOOK_IDLE_MILLISECONDS;
    run->next_look = at + pause * MILLISECOND;
}

// MARK: Ends

static void program_ended(int place, const siginfo_t *info) {
    struct run *run = &runs[place];
    run->state = run->is_doomed ? KILLING : ENDED;
    run->end.type = run->failed_step == 0 ? CPOSIX_REPLY_ENDED : CPOSIX_REPLY_FAILED;
    run->end.step = (uint32_t)run->failed_step;
    run->end.error = run->failed_error;
    run->end.run = run->number;
    run->end.pid = run->pid;
    run->end.cpu_microseconds = run->cpu_gone;
    if (info->si_code == CLD_EXITED) {
        run->end.code = info->si_status;
    } else {
        run->end.signal = info->si_status;
    }
    if (run->end.limit == CPOSIX_RUN_LIMIT_NONE) {
        uint64_t bytes = 0;
        // A shell ends with the signal of its child as its code.
        bool is_file = run->end.signal == SIGXFSZ || run->end.code == 128 + SIGXFSZ;
        if (is_file && run->limits.file_bytes_max > 0) {
            run->end.limit = CPOSIX_RUN_LIMIT_FILE;
            run->end.measured = run->limits.file_bytes_max;
        } else if (run->end.signal == SIGXCPU && run->limits.cpu_microseconds_max > 0) {
            run->end.limit = CPOSIX_RUN_LIMIT_CPU;
            run->end.measured = run->end.cpu_microseconds;
        } else if (!(run->is_brief && was_just_seen(caches[place]))
                   && is_cache_full(place, &bytes)) {
            run->end.limit = CPOSIX_RUN_LIMIT_CACHE;
            run->end.measured = bytes;
        }
    }
    run->owes_end = true;
    run->release_at = now() + CPOSIX_RELEASE_MILLISECONDS * MILLISECOND;
    run->next_look = now() + (run->is_doomed ? 0 : CPOSIX_LOOK_MILLISECONDS_MIN * MILLISECOND);
}

/// Whether each child of ours is the program of a run: none was left behind.
///
/// The orphans of a process are our children before its end is told.
static bool only_programs(void) {
    if (!has_children) return true;
    const uint32_t needed = CPOSIX_FEATURE_SUBREAPER | CPOSIX_FEATURE_CHILDREN;
    if ((features & needed) != needed) return false;
    size_t count = tree_own_children(direct, TREE_PROCESS_COUNT_MAX);
    for (size_t index = 0; index < count; index++) {
        bool is_program = false;
        for (int place = 0; place < run_top && !is_program; place++) {
            is_program = runs[place].state == RUNNING && runs[place].pid == direct[index];
        }
        if (!is_program) return false;
    }
    return true;
}

/// Releases the runs whose end is not told yet, if they left no process behind: most do not, and
/// the daemon need not order it.
static void release_finished(void) {
    bool is_known = false, is_alone = false;
    for (int place = 0; place < run_top; place++) {
        struct run *run = &runs[place];
        if (run->state != ENDED || !run->owes_end) continue;
        if (!is_known) is_alone = only_programs();
        is_known = true;
        if (!is_alone) return;
        run->state = KILLING;
        run->is_over = true;
        run->end.features = 1;
        run->next_look = UINT64_MAX;
    }
}

/// Waits for the children that have ended.
void reap(void) {
    for (;;) {
        siginfo_t info = {0};
        struct rusage usage = {0};
        // First a look: the mark of a child can be read until it is waited for.
        int status = waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT);
        if (status < 0 && errno == ECHILD) has_children = false;
        if (status < 0 || info.si_pid == 0) return release_finished();
        // A child that has ended uses our memory no longer.
        settle_starts();
        int place = place_of(info.si_pid);
        bool is_program = place >= 0 && runs[place].state == RUNNING
            && runs[place].pid == info.si_pid;
        if (is_program && runs[place].is_doomed) kill(-info.si_pid, SIGKILL);
        if (syscall(SYS_waitid, P_PID, info.si_pid, &info, WEXITED | WNOHANG, &usage) < 0) return;
        if (place < 0) continue;
        struct run *run = &runs[place];
        run->cpu_gone += (uint64_t)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000u
            + (uint64_t)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
        uint64_t peak = (uint64_t)usage.ru_maxrss << 10;
        if (peak > run->end.memory_bytes_peak) run->end.memory_bytes_peak = peak;
        if (is_program) {
            program_ended(place, &info);
        } else if (run->is_doomed) {
            run->next_look = now();
        }
    }
}

/// Kills all descendants, now that nobody is there to order anything.
void end_all(void) {
    for (int place = 0; place < run_top; place++) {
        if (runs[place].state == RUNNING) kill(-runs[place].pid, SIGKILL);
    }
    for (int place = 0; place < run_top; place++) {
        if (runs[place].state != FREE) kill_groups(place);
    }
    uint64_t last = now() + CPOSIX_LAST_KILL_MILLISECONDS * MILLISECOND;
    for (;;) {
        siginfo_t info = {0};
        int result;
        do {
            info.si_pid = 0;
            result = waitid(P_ALL, 0, &info, WEXITED | WNOHANG);
        } while (result == 0 && info.si_pid != 0);
        if (result < 0 || now() > last) return;
        size_t before = 0;
        for (int round = 0; round < STOP_ROUNDS_MAX; round++) {
            tree.count = 0;
            size_t count = tree_own_children(direct, TREE_PROCESS_COUNT_MAX);
            for (size_t index = 0; index < count; index++) tree_add(&tree, direct[index]);
            tree_grow(&tree, TREE_PROCESS_COUNT_MAX);
            if (tree.count <= STORM_PROCESS_COUNT || tree.count == before) break;
            before = tree.count;
            signal_tree(SIGSTOP);
        }
        signal_tree(SIGKILL);
        const struct timespec pause = {0, KILL_MILLISECONDS_MIN * 1000000};
        nanosleep(&pause, NULL);
    }
}

