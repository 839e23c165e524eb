// Tries a box: a child enters it, attempts everything that it forbids, and notes what failed.
//
// That a call to the kernel succeeded proves nothing: on some systems a rule is taken and not kept.
// So the effect is looked at, on the machine where providers run.
#define _GNU_SOURCE
#include "Box.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ChildCode.h"

#if defined(__clang__)
#if __has_feature(thread_sanitizer)
extern int __clone(int (*)(void *), void *, int, void *, ...);
#define clone __clone
#endif
#endif

enum { STACK_BYTES = 64 * 1024, PATH_BYTES_MAX = 4096, SIGNAL_SET_BYTES = 8 };

static const char probe_name[] = "box-probe";
static const char socket_name[] = "box-probe.socket";

struct trial {
    const void *box;
    size_t length;
    const char *outside;
    char secret[PATH_BYTES_MAX];
    char inside[PATH_BYTES_MAX];
    char memory[64];
    struct sockaddr_un path_socket;
    struct sockaddr_in ip_socket;
    int32_t parent;
    char byte;
    volatile bool has_entered;
    volatile uint32_t kept;
};

/// Whether a file can be opened.
UNSANITIZED static bool opens(const char *path, int flags) {
    long file = syscall(SYS_openat, AT_FDCWD, path, flags | O_CLOEXEC, 0600);
    if (file >= 0) syscall(SYS_close, file);
    return file >= 0;
}

/// Whether the mode of an open file cannot be changed, here of one that the box may write to.
UNSANITIZED static bool keeps_modes(const char *path) {
    long file = syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0) return true;
    bool is_kept = syscall(SYS_fchmod, file, 0600) < 0;
    syscall(SYS_close, file);
    return is_kept;
}

UNSANITIZED static bool keeps_files(const struct trial *trial) {
    return !opens(trial->secret, O_RDONLY) && !opens(trial->secret, O_WRONLY)
           && !opens(trial->secret, O_WRONLY | O_TRUNC) && !opens(trial->outside, O_RDONLY)
           && syscall(SYS_truncate, trial->secret, 0) < 0
           && syscall(SYS_fchmodat, AT_FDCWD, trial->secret, 0777) < 0
           && syscall(SYS_unlinkat, AT_FDCWD, trial->secret, 0) < 0
           && syscall(SYS_inotify_init1, 0) < 0 && keeps_modes(trial->inside);
}

UNSANITIZED static bool reaches(int family, int type, const void *address, size_t length) {
    long descriptor = syscall(SYS_socket, family, type | SOCK_CLOEXEC, 0);
    if (descriptor < 0) return false;
    bool is_connected = syscall(SYS_connect, descriptor, address, length) == 0;
    syscall(SYS_close, descriptor);
    return is_connected;
}

/// A pair of datagram sockets is not connected for good: each could be sent elsewhere.
UNSANITIZED static bool keeps_sockets(const struct trial *trial) {
    int pair[2];
    if (syscall(SYS_socketpair, AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, pair) == 0) {
        syscall(SYS_close, pair[0]);
        syscall(SYS_close, pair[1]);
        return false;
    }
    return !reaches(AF_UNIX, SOCK_STREAM, &trial->path_socket, sizeof trial->path_socket);
}

/// Whether no file can be made to send signals to another process.
UNSANITIZED static bool keeps_owners(int32_t process) {
    int pair[2];
    if (syscall(SYS_socketpair, AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0) return true;
    struct {
        int32_t type, process;
    } owner = {1 /* F_OWNER_PID */, process};
    bool is_kept = syscall(SYS_fcntl, pair[0], 8 /* F_SETOWN */, process) < 0
                   && syscall(SYS_fcntl, pair[0], 15 /* F_SETOWN_EX */, &owner) < 0
                   && syscall(SYS_fcntl, pair[0], 10 /* F_SETSIG */, 0) < 0
                   && syscall(SYS_ioctl, pair[0], 0x8901 /* FIOSETOWN */, &process) < 0
                   && syscall(SYS_ioctl, pair[0], 0x8902 /* SIOCSPGRP */, &process) < 0;
    syscall(SYS_close, pair[0]);
    syscall(SYS_close, pair[1]);
    return is_kept;
}

UNSANITIZED static bool keeps_processes(struct trial *trial) {
    char copy = 0;
    struct iovec local = {&copy, 1}, remote = {&trial->byte, 1};
    return keeps_owners(trial->parent) && syscall(SYS_kill, trial->parent, 0) < 0
           && !opens(trial->memory, O_RDWR)
           && syscall(SYS_process_vm_readv, trial->parent, &local, 1, &remote, 1, 0) < 0;
}

/// Whether the child has no capability, and gets none from a program that it runs.
UNSANITIZED static bool keeps_privileges(void) {
    uint32_t header[2] = {0x20080522 /* _LINUX_CAPABILITY_VERSION_3 */, 0};
    uint32_t sets[6] = {~0u, ~0u, ~0u, ~0u, ~0u, ~0u};
    if (syscall(SYS_capget, header, sets) < 0) return false;
    uint32_t left = 0;
    for (int index = 0; index < 6; index++) left |= sets[index];
    return left == 0 && syscall(SYS_prctl, PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1;
}

UNSANITIZED static int try_everything(void *argument) {
    struct trial *trial = argument;
    if (cposix_box_enter(trial->box, trial->length) == 0) {
        trial->has_entered = true;
        uint32_t kept = 0;
        if (keeps_files(trial)) kept |= CPOSIX_BOX_KEEPS_FILES;
        if (!reaches(AF_INET, SOCK_STREAM, &trial->ip_socket, sizeof trial->ip_socket)) {
            kept |= CPOSIX_BOX_KEEPS_NETWORK;
        }
        if (keeps_sockets(trial)) kept |= CPOSIX_BOX_KEEPS_SOCKETS;
        if (keeps_processes(trial)) kept |= CPOSIX_BOX_KEEPS_PROCESSES;
        if (keeps_privileges()) kept |= CPOSIX_BOX_KEEPS_PRIVILEGES;
        if (opens(trial->inside, O_RDWR | O_CREAT) && opens("/usr", O_RDONLY)) {
            kept |= CPOSIX_BOX_WORKS;
        }
        trial->kept = kept;
    }
    syscall(SYS_exit_group, 0);
    return 0;
}

/// Makes the file and the two listening sockets that the child tries to reach.
static int32_t prepare(struct trial *trial, int listeners[2]) {
    int file = open(trial->secret, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file < 0) return -errno;
    close(file);
    unlink(trial->path_socket.sun_path);
    listeners[0] = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    listeners[1] = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (listeners[0] < 0
        || bind(listeners[0], (void *)&trial->path_socket, sizeof trial->path_socket) < 0
        || listen(listeners[0], 1) < 0) {
        return -errno;
    }
    // A machine without IPv4, or a daemon without these sockets, has nothing to reach over it.
    socklen_t size = sizeof trial->ip_socket;
    trial->ip_socket.sin_family = AF_INET;
    trial->ip_socket.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (listeners[1] >= 0
        && bind(listeners[1], (void *)&trial->ip_socket, sizeof trial->ip_socket) == 0
        && listen(listeners[1], 1) == 0) {
        getsockname(listeners[1], (void *)&trial->ip_socket, &size);
    }
    return 0;
}

/// Runs the child; this thread waits until it has ended.
static int32_t run(struct trial *trial) {
    char *stack = mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    if (stack == MAP_FAILED) return -errno;
    // No handler of this process may run in the child, which shares its memory.
    unsigned char all[SIGNAL_SET_BYTES], before[SIGNAL_SET_BYTES];
    memset(all, 0xff, sizeof all);
    syscall(SYS_rt_sigprocmask, SIG_SETMASK, all, before, SIGNAL_SET_BYTES);
    int child = clone(try_everything, stack + STACK_BYTES, CLONE_VM | CLONE_VFORK | SIGCHLD, trial);
    int error = errno;
    siginfo_t ignored;
    if (child > 0) {
        while (waitid(P_PID, (id_t)child, &ignored, WEXITED) < 0 && errno == EINTR) {
        }
    }
    syscall(SYS_rt_sigprocmask, SIG_SETMASK, before, NULL, SIGNAL_SET_BYTES);
    munmap(stack, STACK_BYTES);
    return child > 0 ? 0 : -error;
}

int32_t cposix_box_try(const void *bytes, size_t length, const char *outside, const char *inside) {
    struct trial trial = {.box = bytes, .length = length, .outside = outside, .parent = getpid(),
                          .byte = 1};
    trial.path_socket.sun_family = AF_UNIX;
    int sizes[] = {
        snprintf(trial.secret, sizeof trial.secret, "%s/%s", outside, probe_name),
        snprintf(trial.inside, sizeof trial.inside, "%s/%s", inside, probe_name),
    };
    // The path of a socket is short; it counts from the folder where a longer one would not fit.
    int folder = open(outside, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) return -errno;
    int socket_size = snprintf(trial.path_socket.sun_path, sizeof trial.path_socket.sun_path,
                               "/proc/self/fd/%d/%s", folder, socket_name);
    snprintf(trial.memory, sizeof trial.memory, "/proc/%d/mem", (int)trial.parent);
    // Nobody would answer when a socket is asked for.
    int32_t result = cposix_box_bus(bytes) != NULL ? -EINVAL : -ENAMETOOLONG;
    int listeners[2] = {-1, -1};
    if (result == -ENAMETOOLONG && sizes[0] < PATH_BYTES_MAX && sizes[1] < PATH_BYTES_MAX
        && (size_t)socket_size < sizeof trial.path_socket.sun_path) {
        result = prepare(&trial, listeners);
    }
    if (result == 0) result = run(&trial);
    if (result == 0) result = trial.has_entered ? (int32_t)trial.kept : 0;
    for (int index = 0; index < 2; index++) {
        if (listeners[index] >= 0) close(listeners[index]);
    }
    unlink(trial.secret);
    unlink(trial.inside);
    unlink(trial.path_socket.sun_path);
    close(folder);
    return result;
}
