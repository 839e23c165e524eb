// The supervisor's loop.
//
//   daemon ──orders──► supervisor ──clone, execve──► program ──► what the program starts
//          ◄─replies──     ▲                                        │
//                          └──────────── orphans come back ─────────┘
//
// The supervisor is the reaper of its descendants (PR_SET_CHILD_SUBREAPER): a process whose parent
// ends becomes its child, whatever session it made. Runs.c says how it knows the run of an orphan.
//
// One thread, no malloc, static tables. A look at a run reads /proc: processes, memory, processor
// time. What reaches a limit is ended whole.
#define _GNU_SOURCE
#include "Runs.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ChildStart.h"
#include "ProcessTree.h"

static int channel_end;
/// The failure to start that the daemon has not got yet: one, because no order is read meanwhile.
static struct cposix_reply failure;
static bool owes_failure, owes_ready;
static uint64_t mark;
/// The signals that have their default action here, as `cposix_child_request` has them.
static uint64_t default_signals;

/// An order as it came, and the start of its child, which reads the order until its program runs.
struct begun {
    _Alignas(8) char packet[sizeof(struct cposix_order) + CPOSIX_ORDER_PACKET_BYTES_MAX];
    /// Bytes of the packet that may hold secrets; 0: none.
    size_t length;
    struct cposix_read_order read;
    struct cposix_child_request request;
    struct cposix_resource_limit limits[6];
    struct child_start start;
    /// The run of the start; -1: its failure, if any, has been noted.
    int place;
    _Alignas(16) char stack[CHILD_STACK_BYTES];
};

/// As many children start at the same time. An order that comes meanwhile waits: whether one of them
/// runs its program by now is looked at so often.
enum { BEGUN_COUNT = 4, BEGUN_PAUSE_MILLISECONDS = 1 };

static struct begun begun[BEGUN_COUNT];

// MARK: Starting

static void fail_to_start(uint64_t number, int32_t step, int32_t error) {
    memset(&failure, 0, sizeof failure);
    failure.type = CPOSIX_REPLY_FAILED;
    failure.run = number;
    failure.step = (uint32_t)step;
    failure.error = error;
    owes_failure = true;
}

/// Adds a limit whose soft and hard half are the same.
static void limit(struct cposix_resource_limit *limits, uint32_t *count, int resource,
                  uint64_t value) {
    limits[(*count)++] = (struct cposix_resource_limit){resource, value, value};
}

/// Takes the results of the starts that are over, and forgets their orders.
///
/// An environment may hold a password, and others of the user can read this memory.
void settle_starts(void) {
    for (int index = 0; index < BEGUN_COUNT; index++) {
        struct begun *one = &begun[index];
        if (one->length == 0 || child_uses_memory(&one->start)) continue;
        if (one->place >= 0 && one->start.failed_step != 0) {
            runs[one->place].failed_step = one->start.failed_step;
            runs[one->place].failed_error = one->start.error;
        }
        explicit_bzero(one->packet, one->length);
        one->length = 0;
    }
}

/// Returns a place for an order; NULL: the children that were started last still read theirs.
static struct begun *free_begun(void) {
    settle_starts();
    for (int index = 0; index < BEGUN_COUNT; index++) {
        if (begun[index].length == 0) return &begun[index];
    }
    return NULL;
}

/// Returns the threads of the machine as they were at most a second ago.
static uint64_t recent_threads(void) {
    static uint64_t threads, read_at;
    uint64_t at = now();
    if (read_at == 0 || at - read_at > 1000 * (uint64_t)MILLISECOND) {
        threads = machine_threads();
        read_at = at;
    }
    return threads;
}

/// Puts the limits of a run into `limits`; returns their number.
static uint32_t child_limits(int place, const struct cposix_run_limits *of_run,
                             struct cposix_resource_limit *limits) {
    uint32_t count = mark_limits(place, limits);
    uint64_t threads = recent_threads();
    if (of_run->process_count_max > 0 && threads > 0) {
        limit(limits, &count, RLIMIT_NPROC, threads + CPOSIX_THREADS_BEYOND_MAX);
    }
    if (of_run->file_bytes_max > 0) limit(limits, &count, RLIMIT_FSIZE, of_run->file_bytes_max);
    if (of_run->cpu_microseconds_max > 0 && of_run->cpu_window_microseconds == 0) {
        uint64_t seconds = (of_run->cpu_microseconds_max + 999999) / 1000000;
        // A second between SIGXCPU and SIGKILL.
        limits[count++] = (struct cposix_resource_limit){RLIMIT_CPU, seconds, seconds + 1};
    }
    return count;
}

/// Notes that the program of a place has been started.
static void note_start(int place, const struct cposix_read_order *read, pid_t pid) {
    const struct cposix_order *order = &read->order;
    struct run *run = &runs[place];
    memset(run, 0, sizeof *run);
    run->state = RUNNING;
    run->number = order->run;
    run->pid = pid;
    run->limits = order->limits;
    run->is_brief = order->value != 0;
    run->owes_start = !run->is_brief;
    run->is_attended = true;
    run->look_pause = CPOSIX_LOOK_MILLISECONDS_MIN;
    run->kill_pause = KILL_MILLISECONDS_MIN;
    uint64_t at = now();
    run->window_start = at;
    run->next_look = at + CPOSIX_LOOK_MILLISECONDS_MIN * MILLISECOND;
    run->next_cache_look = at + CPOSIX_LOOK_IDLE_MILLISECONDS * MILLISECOND;
    strcpy(caches[place], read->cache);
}

/// Starts a child and does not wait until its program runs: the failure of its start is its end.
static int32_t start_unwatched(struct begun *one, int place) {
    one->start.request = &one->request;
    int32_t pid = child_begin(&one->start, one->stack);
    if (pid < 0) return pid;
    one->place = place;
    note_start(place, &one->read, pid);
    return 0;
}

/// Starts a child and waits until its program runs; `*step` tells the step that failed.
static int32_t start_watched(struct begun *one, int place, int32_t *step) {
    const char *bus = NULL;
    if (one->read.box != NULL && cposix_box_is_whole(one->read.box, one->read.order.box_length)) {
        bus = cposix_box_bus(one->read.box);
    }
    *step = CPOSIX_CHILD_STEP_BOX;
    if (bus != NULL && strlen(bus) >= BUS_PATH_BYTES_MAX) return -ENAMETOOLONG;
    int channel[2] = {-1, -1};
    int32_t error = bus != NULL ? bus_channel(channel) : 0;
    if (error < 0) return error;

    one->request.listener_channel = channel[1];
    struct cposix_child child;
    error = cposix_child_start(&one->request, &child);
    *step = child.failed_step;
    int listener = bus != NULL ? bus_listener(channel[0]) : 0;
    for (int index = 0; index < 2; index++) {
        if (channel[index] >= 0) close(channel[index]);
    }
    if (error < 0) {
        if (listener > 0) close(listener);
        return error;
    }
    // SIGCHLD tells its end.
    close(child.pidfd);
    note_start(place, &one->read, child.pid);
    runs[place].listener = listener;
    if (bus != NULL) strcpy(runs[place].bus, bus);
    return 0;
}

static void start(struct begun *one, const int *descriptors) {
    const struct cposix_read_order *read = &one->read;
    const struct cposix_order *order = &read->order;
    int place = new_place();
    if (place < 0) return fail_to_start(order->run, CPOSIX_CHILD_STEP_CLONE, EAGAIN);
    if (strlen(read->cache) >= sizeof caches[place]) {
        return fail_to_start(order->run, CPOSIX_CHILD_STEP_DIRECTORY, ENAMETOOLONG);
    }
    uint32_t count = child_limits(place, &order->limits, one->limits);
    one->request = (struct cposix_child_request){
        .program = read->program, .arguments = read->arguments,
        .environment = read->environment, .directory = read->directory, .input = descriptors[0],
        .output = descriptors[1], .errors = descriptors[2],
        .data_bytes_max = order->limits.data_bytes_max, .denies_core = true,
        .dies_with_parent = true, .denies_privileges = order->denies_privileges != 0,
        .limits = one->limits, .limit_count = count, .box = read->box,
        .box_length = order->box_length, .listener_channel = -1,
        .default_signals = default_signals,
    };
    has_children = true;
    // A brief program's start is told later, if at all. A box is entered with glibc's functions,
    // and the bytes of a large order are gone soon.
    bool may_go_on = order->value != 0 && read->box == NULL && one->length > 1;
    int32_t step = CPOSIX_CHILD_STEP_CLONE;
    int32_t error = may_go_on ? start_unwatched(one, place) : start_watched(one, place, &step);
    if (error < 0) {
        free_place(place);
        fail_to_start(order->run, step, -error);
    }
}

// MARK: Orders

static int place_of_number(uint64_t number) {
    for (int place = 0; place < run_top; place++) {
        if (runs[place].state != FREE && runs[place].number == number) return place;
    }
    return -1;
}

static void attend(struct run *run, bool is_attended) {
    run->is_attended = is_attended;
    if (!is_attended || run->is_doomed || run->state != RUNNING) return;
    run->look_pause = CPOSIX_LOOK_MILLISECONDS_MIN;
    uint64_t soon = now() + run->look_pause * MILLISECOND;
    if (soon < run->next_look) run->next_look = soon;
}

/// Sends a signal to the program of a run and its group.
static void signal_program(const struct run *run, int signal) {
    // We have not waited for the program: its number and its group's are still its own. One that
    // is just starting may have no group yet.
    if (kill(-run->pid, signal) < 0 && errno == ESRCH) kill(run->pid, signal);
}

static void carry_out(struct begun *one, const int *descriptors) {
    const struct cposix_order *order = &one->read.order;
    if (order->type == CPOSIX_ORDER_START) return start(one, descriptors);
    if (order->type == CPOSIX_ORDER_SWEEP) return sweep(order->mark);
    int place = place_of_number(order->run);
    // It has ended: the order and the reply have crossed.
    if (place < 0) return;
    struct run *run = &runs[place];
    switch (order->type) {
    case CPOSIX_ORDER_SIGNAL:
        if (order->value == SIGKILL) {
            doom(place);
        } else if (run->state == RUNNING) {
            signal_program(run, (int)order->value);
        }
        return;
    case CPOSIX_ORDER_RELEASE:
        if (run->state == ENDED) run->state = KILLING;
        doom(place);
        return;
    case CPOSIX_ORDER_ATTEND: attend(run, order->value != 0); return;
    }
}

/// Moves the descriptors of a packet into `received`; returns their number.
static size_t take_descriptors(struct msghdr *message, int *received, size_t max) {
    size_t count = 0;
    for (struct cmsghdr *header = CMSG_FIRSTHDR(message); header != NULL;
         header = CMSG_NXTHDR(message, header)) {
        if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
        size_t here = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (size_t index = 0; index < here && count < max; index++) {
            memcpy(&received[count++], CMSG_DATA(header) + index * sizeof(int), sizeof(int));
        }
    }
    return count;
}

static void read_order(struct begun *one, char *bytes, size_t length, int *received, size_t count) {
    int standard[3] = {-1, -1, -1};
    // Orders come from the daemon alone: one that cannot be read is a mistake of ours.
    if (!cposix_order_read(bytes, length, &one->read)) return;
    const struct cposix_order *order = &one->read.order;
    for (size_t index = 0, next = 0; index < 3; index++) {
        if (!(order->descriptors >> index & 1)) continue;
        if (order->type != CPOSIX_ORDER_START || next == count) return;
        standard[index] = received[next++];
    }
    carry_out(one, standard);
}

/// Receives one order; false at the end of the channel.
static bool receive(void) {
    struct begun *one = free_begun();
    if (one == NULL) return true;
    union {
        char bytes[CMSG_SPACE(4 * sizeof(int))];
        struct cmsghdr align;
    } control;
    struct iovec part = {one->packet, sizeof one->packet};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes,
                             .msg_controllen = sizeof control.bytes};
    ssize_t length = recvmsg(channel_end, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    if (length < 0) return errno == EAGAIN || errno == EINTR;
    if (length == 0) return false;
    int received[4];
    size_t count = take_descriptors(&message, received, 4);
    struct stat status;
    one->length = (size_t)length;
    one->place = -1;
    if (length > 1) {
        read_order(one, one->packet, (size_t)length, received, count);
    } else if (count > 0 && fstat(received[count - 1], &status) == 0 && status.st_size > 0
               && status.st_size <= CPOSIX_ORDER_BYTES_MAX) {
        size_t size = (size_t)status.st_size;
        char *bytes = mmap(NULL, size, PROT_READ, MAP_PRIVATE, received[count - 1], 0);
        if (bytes != MAP_FAILED) {
            read_order(one, bytes, size, received, count - 1);
            munmap(bytes, size);
        }
    }
    for (size_t index = 0; index < count; index++) close(received[index]);
    return true;
}

// MARK: Replies

/// Sends a reply; false if the daemon must read first. A daemon that is gone is no error here.
static bool reply(const struct cposix_reply *reply) {
    ssize_t sent;
    do {
        sent = send(channel_end, reply, sizeof *reply, MSG_NOSIGNAL | MSG_DONTWAIT);
    } while (sent < 0 && errno == EINTR);
    return sent >= 0 || errno != EAGAIN;
}

/// Sends what the daemon has not got yet; false if something is left.
static bool reply_all(void) {
    if (owes_ready) {
        const struct cposix_reply ready = {.type = CPOSIX_REPLY_READY, .pid = getpid(),
                                           .features = features, .mark = mark};
        if (!reply(&ready)) return false;
        owes_ready = false;
    }
    if (owes_failure && !reply(&failure)) return false;
    owes_failure = false;
    for (int place = 0; place < run_top; place++) {
        struct run *run = &runs[place];
        if (run->state == FREE) continue;
        const struct cposix_reply started = {.type = CPOSIX_REPLY_STARTED, .run = run->number,
                                             .pid = run->pid};
        if (run->owes_start && !reply(&started)) return false;
        run->owes_start = false;
        if (run->owes_end && !reply(&run->end)) return false;
        run->owes_end = false;
        if (run->is_over) free_place(place);
    }
    return true;
}

// MARK: The loop

/// Does what is due, and returns the milliseconds until the next thing is; -1: nothing is planned.
static int do_what_is_due(void) {
    uint64_t next = UINT64_MAX;
    for (int place = 0; place < run_top; place++) {
        struct run *run = &runs[place];
        if (run->state == FREE) continue;
        uint64_t at = now();
        if (at >= run->next_look) {
            if (run->state == ENDED && at >= run->release_at) {
                // The daemon did not release it in time.
                run->state = KILLING;
                doom(place);
            } else if (run->state == KILLING || run->is_doomed) {
                kill_round(place);
            } else {
                look(place);
            }
        }
        if (run->state != FREE && run->next_look < next) next = run->next_look;
    }
    if (run_top == 0 && has_children && kill_strays()) next = now() + KILL_MILLISECONDS_MAX * MILLISECOND;
    if (next == UINT64_MAX) return -1;
    uint64_t at = now();
    return next <= at ? 0 : (int)((next - at + MILLISECOND - 1) / MILLISECOND);
}

static void find_features(void) {
    if (prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0) features |= CPOSIX_FEATURE_SUBREAPER;
    if (tree_has_children_files()) features |= CPOSIX_FEATURE_CHILDREN;
    uint64_t resident, share;
    if (cposix_memory(getpid(), &resident, &share) == 0) features |= CPOSIX_FEATURE_SHARES;
    mark = choose_marks();
}

/// The places of the runs whose boxes have a bus, in the order in which they are polled.
static int listening[CPOSIX_RUN_COUNT_MAX];

static nfds_t poll_listeners(struct pollfd *polled) {
    nfds_t count = 0;
    for (int place = 0; place < run_top; place++) {
        if (runs[place].state == FREE || runs[place].listener <= 0) continue;
        polled[count] = (struct pollfd){.fd = runs[place].listener, .events = POLLIN};
        listening[count++] = place;
    }
    return count;
}

static void answer_listeners(const struct pollfd *polled, nfds_t count) {
    for (nfds_t index = 0; index < count; index++) {
        struct run *run = &runs[listening[index]];
        if (polled[index].revents & POLLIN) {
            bus_answer(run);
        } else if (polled[index].revents & (POLLHUP | POLLERR)) {
            // All processes in the box have ended.
            close(run->listener);
            run->listener = 0;
        }
    }
}

int32_t cposix_supervise(int32_t channel) {
    channel_end = channel;
    prctl(PR_SET_NAME, "intentd-runs", 0, 0, 0);
    // The daemon says when to end: a signal to its whole unit must not leave runs behind.
    sigset_t all;
    sigfillset(&all);
    if (sigprocmask(SIG_SETMASK, &all, NULL) < 0) return -errno;
    sigset_t children;
    sigemptyset(&children);
    sigaddset(&children, SIGCHLD);
    int signals = signalfd(-1, &children, SFD_CLOEXEC | SFD_NONBLOCK);
    if (signals < 0) return -errno;
    if (fcntl(channel, F_SETFD, FD_CLOEXEC) < 0) return -errno;
    find_features();
    default_signals = cposix_default_signals();
    owes_ready = true;

    for (;;) {
        bool has_room = reply_all();
        int wait = do_what_is_due();
        // A round of killing may have found the end of a run whose reply waits.
        if (has_room) has_room = reply_all();
        static struct pollfd polled[2 + CPOSIX_RUN_COUNT_MAX];
        bool can_start = free_begun() != NULL;
        if (!can_start && (wait < 0 || wait > BEGUN_PAUSE_MILLISECONDS)) {
            wait = BEGUN_PAUSE_MILLISECONDS;
        }
        polled[0] = (struct pollfd){.fd = channel,
                                    .events = !has_room ? POLLOUT : can_start ? POLLIN : 0};
        polled[1] = (struct pollfd){.fd = signals, .events = POLLIN};
        nfds_t count = 2 + poll_listeners(polled + 2);
        if (poll(polled, count, wait) < 0 && errno != EINTR) break;
        // First: whatever follows may end runs and close their descriptors.
        answer_listeners(polled + 2, count - 2);
        struct signalfd_siginfo taken[8];
        if (polled[1].revents != 0 && read(signals, taken, sizeof taken) > 0) reap();
        if (polled[0].revents & POLLIN) {
            if (!receive()) break;
        } else if (polled[0].revents & (POLLHUP | POLLERR)) {
            break;
        }
    }
    end_all();
    close(signals);
    return 0;
}
