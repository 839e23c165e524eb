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

#include "ProcessTree.h"

static int channel_end;
/// The failure to start that the daemon has not got yet: one, because no order is read meanwhile.
static struct cposix_reply failure;
static bool owes_failure, owes_ready;
static uint64_t mark;

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

static void start(const struct cposix_read_order *read, const int *descriptors) {
    const struct cposix_order *order = &read->order;
    int place = new_place();
    if (place < 0) return fail_to_start(order->run, CPOSIX_CHILD_STEP_CLONE, EAGAIN);
    if (strlen(read->cache) >= sizeof caches[place]) {
        return fail_to_start(order->run, CPOSIX_CHILD_STEP_DIRECTORY, ENAMETOOLONG);
    }

    const char *bus = NULL;
    if (read->box != NULL && cposix_box_is_whole(read->box, order->box_length)) {
        bus = cposix_box_bus(read->box);
    }
    if (bus != NULL && strlen(bus) >= BUS_PATH_BYTES_MAX) {
        return fail_to_start(order->run, CPOSIX_CHILD_STEP_BOX, ENAMETOOLONG);
    }
    int channel[2] = {-1, -1};
    int32_t error = bus != NULL ? bus_channel(channel) : 0;
    if (error < 0) return fail_to_start(order->run, CPOSIX_CHILD_STEP_BOX, -error);

    struct cposix_resource_limit limits[6];
    uint32_t count = mark_limits(place, limits);
    uint64_t threads = machine_threads();
    if (order->limits.process_count_max > 0 && threads > 0) {
        limit(limits, &count, RLIMIT_NPROC, threads + CPOSIX_THREADS_BEYOND_MAX);
    }
    if (order->limits.file_bytes_max > 0) {
        limit(limits, &count, RLIMIT_FSIZE, order->limits.file_bytes_max);
    }
    if (order->limits.cpu_microseconds_max > 0 && order->limits.cpu_window_microseconds == 0) {
        uint64_t seconds = (order->limits.cpu_microseconds_max + 999999) / 1000000;
        // A second between SIGXCPU and SIGKILL.
        limits[count++] = (struct cposix_resource_limit){RLIMIT_CPU, seconds, seconds + 1};
    }
    const struct cposix_child_request request = {
        .program = read->program, .arguments = read->arguments,
        .environment = read->environment, .directory = read->directory, .input = descriptors[0],
        .output = descriptors[1], .errors = descriptors[2],
        .data_bytes_max = order->limits.data_bytes_max, .denies_core = true,
        .dies_with_parent = true, .denies_privileges = order->denies_privileges != 0,
        .limits = limits, .limit_count = count, .box = read->box,
        .box_length = order->box_length, .listener_channel = channel[1],
    };
    struct cposix_child child;
    has_children = true;
    error = cposix_child_start(&request, &child);
    int listener = bus != NULL ? bus_listener(channel[0]) : 0;
    for (int index = 0; index < 2; index++) {
        if (channel[index] >= 0) close(channel[index]);
    }
    if (error < 0) {
        if (listener > 0) close(listener);
        free_place(place);
        return fail_to_start(order->run, child.failed_step, -error);
    }
    // SIGCHLD tells its end.
    close(child.pidfd);

    struct run *run = &runs[place];
    memset(run, 0, sizeof *run);
    run->state = RUNNING;
    run->number = order->run;
    run->pid = child.pid;
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
    run->listener = listener;
    if (bus != NULL) strcpy(run->bus, bus);
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

static void carry_out(const struct cposix_read_order *read, const int *descriptors) {
    const struct cposix_order *order = &read->order;
    if (order->type == CPOSIX_ORDER_START) return start(read, descriptors);
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
            // We have not waited for the program: its number and its group's are still its own.
            kill(-run->pid, (int)order->value);
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

static void read_order(char *bytes, size_t length, int *received, size_t count) {
    static struct cposix_read_order order;
    int standard[3] = {-1, -1, -1};
    // Orders come from the daemon alone: one that cannot be read is a mistake of ours.
    if (!cposix_order_read(bytes, length, &order)) return;
    for (size_t index = 0, next = 0; index < 3; index++) {
        if (!(order.order.descriptors >> index & 1)) continue;
        if (order.order.type != CPOSIX_ORDER_START || next == count) return;
        standard[index] = received[next++];
    }
    carry_out(&order, standard);
}

/// Receives one order; false at the end of the channel.
static bool receive(void) {
    static _Alignas(8) char packet[sizeof(struct cposix_order) + CPOSIX_ORDER_PACKET_BYTES_MAX];
    union {
        char bytes[CMSG_SPACE(4 * sizeof(int))];
        struct cmsghdr align;
    } control;
    struct iovec part = {packet, sizeof packet};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes,
                             .msg_controllen = sizeof control.bytes};
    ssize_t length = recvmsg(channel_end, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    if (length < 0) return errno == EAGAIN || errno == EINTR;
    if (length == 0) return false;
    int received[4];
    size_t count = take_descriptors(&message, received, 4);
    struct stat status;
    if (length > 1) {
        read_order(packet, (size_t)length, received, count);
        // An environment may hold a password, and others of the user can read this memory.
        explicit_bzero(packet, (size_t)length);
    } else if (count > 0 && fstat(received[count - 1], &status) == 0 && status.st_size > 0
               && status.st_size <= CPOSIX_ORDER_BYTES_MAX) {
        size_t size = (size_t)status.st_size;
        char *bytes = mmap(NULL, size, PROT_READ, MAP_PRIVATE, received[count - 1], 0);
        if (bytes != MAP_FAILED) {
            read_order(bytes, size, received, count - 1);
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
    owes_ready = true;

    for (;;) {
        bool has_room = reply_all();
        int wait = do_what_is_due();
        // A round of killing may have found the end of a run whose reply waits.
        if (has_room) has_room = reply_all();
        static struct pollfd polled[2 + CPOSIX_RUN_COUNT_MAX];
        polled[0] = (struct pollfd){.fd = channel, .events = has_room ? POLLIN : POLLOUT};
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
