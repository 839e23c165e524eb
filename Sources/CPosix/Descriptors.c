// Sockets, pipes, locks and timers that need GNU flags or structures Swift does not import.
#define _GNU_SOURCE
#include "CPosix.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <malloc.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

_Static_assert(sizeof(((struct sockaddr_un *)0)->sun_path) == CPOSIX_SOCKET_PATH_MAX + 1,
               "the longest socket path is not what we check against");

int32_t cposix_pipe(int32_t *read_end, int32_t *write_end) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) < 0) return -errno;
    *read_end = ends[0];
    *write_end = ends[1];
    return 0;
}

int32_t cposix_peer(int32_t descriptor, uint32_t *uid, int32_t *pid) {
    struct ucred credentials;
    socklen_t length = sizeof credentials;
    if (getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &length) < 0) return -errno;
    *uid = credentials.uid;
    *pid = credentials.pid;
    return 0;
}

/// Fills `address` from a path or from an abstract name, written `@name`.
///
/// Returns its length or -errno.
static int32_t fill(struct sockaddr_un *address, const char *path, bool allows_abstract) {
    size_t count = strlen(path);
    if (count == 0) return -EINVAL;
    if (count > CPOSIX_SOCKET_PATH_MAX) return -ENAMETOOLONG;
    memset(address, 0, sizeof *address);
    address->sun_family = AF_UNIX;
    memcpy(address->sun_path, path, count);
    if (allows_abstract && path[0] == '@') {
        address->sun_path[0] = 0;
        return (int32_t)(offsetof(struct sockaddr_un, sun_path) + count);
    }
    return (int32_t)sizeof *address;
}

int32_t cposix_bind(const char *path, uint32_t mode) {
    struct sockaddr_un address;
    int32_t length = fill(&address, path, false);
    if (length < 0) return length;
    int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (descriptor < 0) return -errno;
    // Linux gives the file the mode of the unbound socket, less the umask.
    if (fchmod(descriptor, mode) < 0 ||
        bind(descriptor, (const struct sockaddr *)&address, (socklen_t)length) < 0) {
        int error = errno;
        close(descriptor);
        return -error;
    }
    return descriptor;
}

int32_t cposix_accept(int32_t listening) {
    int descriptor = accept4(listening, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    return descriptor < 0 ? -errno : descriptor;
}

/// Returns whether a process has ended for certain; false for one that cannot be seen.
static bool has_ended(pid_t process) {
    return process > 0 && kill(process, 0) < 0 && errno == ESRCH;
}

/// Pauses before the next try; false once there were enough.
static bool pauses(int *triesLeft) {
    if ((*triesLeft)-- <= 0) return false;
    const struct timespec pause = {0, (long)CPOSIX_LEFTOVER_PAUSE_MILLISECONDS * 1000000};
    nanosleep(&pause, NULL);
    return true;
}

/// Returns the process that listens at the other end of a connection; 0 if it cannot be seen.
static pid_t listening(int connected) {
    struct ucred peer = {0};
    socklen_t size = sizeof peer;
    return getsockopt(connected, SOL_SOCKET, SO_PEERCRED, &peer, &size) < 0 ? 0 : peer.pid;
}

int32_t cposix_probe(const char *path) {
    struct sockaddr_un address;
    int32_t length = fill(&address, path, false);
    if (length < 0) return length;
    int tries = CPOSIX_LEFTOVER_TRIES;
    for (;;) {
        int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
        if (descriptor < 0) return -errno;
        int result = connect(descriptor, (const struct sockaddr *)&address, (socklen_t)length);
        int error = errno;
        bool is_leftover = result == 0 && has_ended(listening(descriptor));
        close(descriptor);
        if (is_leftover && pauses(&tries)) continue;
        // EAGAIN: the backlog is full, so a process does listen.
        return result == 0 || error == EAGAIN ? 0 : -error;
    }
}

/// Returns the process id that a lock file says; 0 if it says none.
static pid_t holder(int descriptor) {
    char text[16] = {0};
    if (pread(descriptor, text, sizeof text - 1, 0) <= 0) return 0;
    return (pid_t)strtol(text, NULL, 10);
}

int32_t cposix_lock(const char *path) {
    int descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
    if (descriptor < 0) return -errno;
    int tries = CPOSIX_LEFTOVER_TRIES;
    while (flock(descriptor, LOCK_EX | LOCK_NB) < 0) {
        int error = errno;
        if (error == EWOULDBLOCK && has_ended(holder(descriptor)) && pauses(&tries)) continue;
        close(descriptor);
        return -error;
    }
    // Best effort: the number only tells others who holds the lock.
    char text[16];
    int count = snprintf(text, sizeof text, "%d\n", (int)getpid());
    if (ftruncate(descriptor, 0) == 0) (void)!pwrite(descriptor, text, (size_t)count, 0);
    return descriptor;
}

void cposix_unlock(int32_t descriptor) {
    flock(descriptor, LOCK_UN);
    close(descriptor);
}

int32_t cposix_close_on_exec(int32_t descriptor) {
    return fcntl(descriptor, F_SETFD, FD_CLOEXEC) < 0 ? -errno : 0;
}

static int32_t watch(int descriptor) {
    // The timer is there to be cancelled by a clock change. This date (after the year 4000) never
    // comes, and every kernel's arithmetic can hold it.
    const struct itimerspec never = {{0, 0}, {(time_t)1 << 36, 0}};
    int flags = TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET;
    return timerfd_settime(descriptor, flags, &never, NULL) < 0 ? -errno : 0;
}

int32_t cposix_wall_clock_open(void) {
    int descriptor = timerfd_create(CLOCK_REALTIME, TFD_NONBLOCK | TFD_CLOEXEC);
    if (descriptor < 0) return -errno;
    int32_t result = watch(descriptor);
    if (result < 0) {
        close(descriptor);
        return result;
    }
    return descriptor;
}

int32_t cposix_wall_clock_changed(int32_t descriptor) {
    uint64_t expirations = 0;
    ssize_t count = read(descriptor, &expirations, sizeof expirations);
    int error = errno;
    if (count < 0 && error == EAGAIN) return 0;
    int32_t result = watch(descriptor);
    if (count < 0 && error != ECANCELED) return -error;
    // The timer expired: somebody set the clock past that date, which is a change too.
    return result < 0 ? result : 1;
}

int32_t cposix_routes_open(void) {
    int descriptor =
        socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_ROUTE);
    if (descriptor < 0) return -errno;
    struct sockaddr_nl address;
    memset(&address, 0, sizeof address);
    address.nl_family = AF_NETLINK;
    address.nl_groups = RTMGRP_LINK | RTMGRP_IPV4_ROUTE | RTMGRP_IPV6_ROUTE;
    if (bind(descriptor, (const struct sockaddr *)&address, sizeof address) < 0) {
        int error = errno;
        close(descriptor);
        return -error;
    }
    return descriptor;
}

int32_t cposix_routes_changed(int32_t descriptor) {
    char message[8192];
    int32_t changed = 0;
    // Read a bounded number of messages: the descriptor stays readable while more are left.
    for (int count = 0; count < 256; count++) {
        ssize_t length = recv(descriptor, message, sizeof message, 0);
        if (length > 0 || (length < 0 && errno == ENOBUFS)) {
            changed = 1;
        } else if (length < 0 && errno == EINTR) {
            continue;
        } else {
            break;
        }
    }
    return changed;
}

int32_t cposix_event_open(void) {
    int descriptor = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    return descriptor < 0 ? -errno : descriptor;
}

int32_t cposix_notify(const char *path, const char *state, size_t length) {
    struct sockaddr_un address;
    int32_t address_length = fill(&address, path, true);
    if (address_length < 0) return address_length;
    int descriptor = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (descriptor < 0) return -errno;
    // The receiver's queue may be full. The loop thread waits for it, at most 200 ms.
    const struct timeval patience = {0, 200000};
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    ssize_t sent = sendto(descriptor, state, length, MSG_NOSIGNAL,
                          (const struct sockaddr *)&address, (socklen_t)address_length);
    int error = errno;
    close(descriptor);
    return sent < 0 ? -error : 0;
}

void cposix_grow_heap_by(int32_t step) {
  mallopt(M_ARENA_MAX, 1);
  mallopt(M_TOP_PAD, step);
  /* What a client makes the daemon hold goes back to the system, and leaves no holes in the heap. */
  mallopt(M_MMAP_THRESHOLD, 32 * 1024);
}
