// Starts a child process without copying the parent.
//
// fork() copies page tables: 39 ms in a process with a 1 GB heap, on the loop thread, which answers
// all clients. clone(CLONE_VM | CLONE_VFORK) shares the memory and stops this thread until the
// child has called execve or _exit. So the cost does not depend on the size of the heap, and the
// child reports a failure by writing to the parent's memory.
//
// Sharing memory has rules; child_main keeps them:
//   1. it runs on a stack of its own;
//   2. it makes raw system calls only: no malloc, no stdio, nothing a sanitizer intercepts or a
//      lock guards;
//   3. all signals are blocked before the clone, and have their default action before they are
//      unblocked in the child, so that no handler of ours ever runs there.
#define _GNU_SOURCE
#include "CPosix.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ChildCode.h"

#ifndef P_PIDFD
#define P_PIDFD 3
#endif
#ifndef CLONE_PIDFD
#define CLONE_PIDFD 0x00001000
#endif

#if defined(__clang__)
#if __has_feature(thread_sanitizer)
// ThreadSanitizer treats every clone as a fork and fails in the parent; __clone avoids its
// interceptor.
extern int __clone(int (*)(void *), void *, int, void *, ...);
#define clone __clone
#endif
#endif

/// The channel for the box's bus, in the child.
enum { CHANNEL = 3 };

enum { STACK_BYTES = 64 * 1024, KERNEL_SIGNAL_COUNT = 64, KERNEL_SIGNAL_SET_BYTES = 8 };

struct child_start {
    const struct cposix_child_request *request;
    volatile int32_t failed_step;
    volatile int32_t error;
};

UNSANITIZED static int fail(struct child_start *start, enum cposix_child_step step) {
    start->error = errno != 0 ? errno : EINVAL;
    start->failed_step = (int32_t)step;
    syscall(SYS_exit_group, 127);
    return 127;
}

/// Returns a copy of `descriptor` above 2, so that no dup3 in child_main overwrites a source.
UNSANITIZED static int lift(int descriptor) {
    if (descriptor < 0) {
        descriptor = (int)syscall(SYS_openat, AT_FDCWD, "/dev/null", O_RDWR | O_CLOEXEC, 0);
        if (descriptor < 0) return -1;
    }
    return (int)syscall(SYS_fcntl, descriptor, F_DUPFD_CLOEXEC, 3);
}

/// Lowers both halves of a limit, as far as they are not lower already.
UNSANITIZED static bool lower(const struct cposix_resource_limit *wanted) {
    struct rlimit limit = {0, 0};
    if (syscall(SYS_prlimit64, 0, wanted->resource, NULL, &limit) < 0) return false;
    // RLIM_INFINITY is the largest number.
    if (wanted->hard < limit.rlim_max) limit.rlim_max = (rlim_t)wanted->hard;
    if (wanted->soft < limit.rlim_cur) limit.rlim_cur = (rlim_t)wanted->soft;
    if (limit.rlim_cur > limit.rlim_max) limit.rlim_cur = limit.rlim_max;
    return syscall(SYS_prlimit64, 0, wanted->resource, &limit, NULL) == 0;
}

/// Sends the descriptor of the box's bus through the channel; 0 or -errno.
UNSANITIZED static int32_t hand_over(int32_t listener) {
    char byte = 0;
    struct iovec part = {&byte, 1};
    union {
        char bytes[CMSG_SPACE(sizeof(int))];
        struct cmsghdr header;
    } control;
    for (size_t index = 0; index < sizeof control; index++) control.bytes[index] = 0;
    control.header.cmsg_level = SOL_SOCKET;
    control.header.cmsg_type = SCM_RIGHTS;
    control.header.cmsg_len = CMSG_LEN(sizeof(int));
    *(int *)(void *)CMSG_DATA(&control.header) = listener;
    struct msghdr message;
    message.msg_name = NULL;
    message.msg_namelen = 0;
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = control.bytes;
    message.msg_controllen = sizeof control.bytes;
    message.msg_flags = 0;
    return syscall(SYS_sendmsg, CHANNEL, &message, MSG_NOSIGNAL) < 0 ? -errno : 0;
}

UNSANITIZED static int child_main(void *argument) {
    struct child_start *start = argument;
    const struct cposix_child_request *request = start->request;

    // All zero is SIG_DFL with no flags and an empty mask, in the kernel's layout of any
    // architecture. Ignored signals would stay ignored across exec (SIGPIPE, for one); handled ones
    // must not run here.
    unsigned char by_default[64];
    for (size_t index = 0; index < sizeof by_default; index++) by_default[index] = 0;
    for (int number = 1; number <= KERNEL_SIGNAL_COUNT; number++) {
        // Fails for SIGKILL and SIGSTOP, which cannot be changed anyway.
        syscall(SYS_rt_sigaction, number, by_default, NULL, KERNEL_SIGNAL_SET_BYTES);
    }

    if (syscall(SYS_setsid) < 0) return fail(start, CPOSIX_CHILD_STEP_SESSION);
    if (request->dies_with_parent) syscall(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);

    int standard[3] = {request->input, request->output, request->errors};
    for (int number = 0; number < 3; number++) {
        standard[number] = lift(standard[number]);
        if (standard[number] < 0) return fail(start, CPOSIX_CHILD_STEP_DESCRIPTORS);
    }
    int listener_channel =
        request->listener_channel < 0 ? -1 : lift(request->listener_channel);
    for (int number = 0; number < 3; number++) {
        if (syscall(SYS_dup3, standard[number], number, 0) < 0) {
            return fail(start, CPOSIX_CHILD_STEP_DESCRIPTORS);
        }
    }
    // The channel stays until execve closes it.
    bool has_channel = request->listener_channel >= 0;
    if (has_channel && (listener_channel < 0
        || (listener_channel != CHANNEL
            && syscall(SYS_dup3, listener_channel, CHANNEL, O_CLOEXEC) < 0))) {
        return fail(start, CPOSIX_CHILD_STEP_DESCRIPTORS);
    }
    unsigned int first = has_channel ? CHANNEL + 1 : CHANNEL;
    if (syscall(SYS_close_range, first, ~0u, 0u) < 0) {
        struct rlimit files = {0, 0};
        syscall(SYS_prlimit64, 0, RLIMIT_NOFILE, NULL, &files);
        for (rlim_t number = first; number < files.rlim_cur; number++) syscall(SYS_close, (int)number);
    }

    const struct cposix_resource_limit no_core = {RLIMIT_CORE, 0, 0};
    const struct cposix_resource_limit data = {RLIMIT_DATA, request->data_bytes_max,
                                               request->data_bytes_max};
    bool is_limited = (!request->denies_core || lower(&no_core))
        && (request->data_bytes_max == 0 || lower(&data));
    for (uint32_t index = 0; is_limited && index < request->limit_count; index++) {
        is_limited = lower(&request->limits[index]);
    }
    if (!is_limited) return fail(start, CPOSIX_CHILD_STEP_LIMITS);

    if (syscall(SYS_chdir, request->directory) < 0) return fail(start, CPOSIX_CHILD_STEP_DIRECTORY);

    if (request->denies_privileges && syscall(SYS_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0) {
        return fail(start, CPOSIX_CHILD_STEP_PRIVILEGES);
    }
    if (request->box != NULL) {
        int32_t entered = cposix_box_enter(request->box, request->box_length);
        if (entered >= 0 && has_channel) entered = hand_over(entered);
        if (entered < 0) {
            errno = -entered;
            return fail(start, CPOSIX_CHILD_STEP_BOX);
        }
    }

    // `by_default` is also an empty signal set.
    syscall(SYS_rt_sigprocmask, SIG_SETMASK, by_default, NULL, KERNEL_SIGNAL_SET_BYTES);
    syscall(SYS_execve, request->program, request->arguments, request->environment);
    return fail(start, CPOSIX_CHILD_STEP_EXEC);
}

int32_t cposix_child_start(const struct cposix_child_request *request, struct cposix_child *child) {
    child->pid = -1;
    child->pidfd = -1;
    child->failed_step = CPOSIX_CHILD_STEP_CLONE;

    char *stack = mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    if (stack == MAP_FAILED) return -errno;

    unsigned char all[KERNEL_SIGNAL_SET_BYTES], before[KERNEL_SIGNAL_SET_BYTES];
    memset(all, 0xff, sizeof all);
    // The raw call, because glibc's function leaves two signals of its own unblocked.
    syscall(SYS_rt_sigprocmask, SIG_SETMASK, all, before, KERNEL_SIGNAL_SET_BYTES);

    struct child_start start = {.request = request, .failed_step = 0, .error = 0};
    int pidfd = -1;
    int pid = clone(child_main, stack + STACK_BYTES,
                    CLONE_VM | CLONE_VFORK | CLONE_PIDFD | SIGCHLD, &start, &pidfd);
    int clone_error = errno;

    syscall(SYS_rt_sigprocmask, SIG_SETMASK, before, NULL, KERNEL_SIGNAL_SET_BYTES);
    munmap(stack, STACK_BYTES);

    if (pid < 0) return -clone_error;
    if (start.failed_step != 0) {
        siginfo_t ignored;
        while (waitid(P_PIDFD, (id_t)pidfd, &ignored, WEXITED) < 0 && errno == EINTR) {
        }
        close(pidfd);
        child->failed_step = start.failed_step;
        return -start.error;
    }
    child->pid = pid;
    child->pidfd = pidfd;
    child->failed_step = CPOSIX_CHILD_STEP_NONE;
    return 0;
}

int32_t cposix_child_ended(int32_t pidfd, bool reap, struct cposix_child_end *end) {
    siginfo_t info;
    struct rusage usage;
    memset(&info, 0, sizeof info);
    memset(&usage, 0, sizeof usage);
    end->cpu_microseconds = 0;
    end->has_ended = false;
    end->signal = 0;
    end->code = 0;
    int options = WEXITED | WNOHANG | (reap ? 0 : WNOWAIT);
    int result;
    do {
        // The system call, because glibc's waitid() does not return the resource usage.
        result = (int)syscall(SYS_waitid, P_PIDFD, pidfd, &info, options, &usage);
    } while (result < 0 && errno == EINTR);
    if (result < 0) return -errno;
    if (info.si_pid == 0) return 0;
    end->has_ended = true;
    end->cpu_microseconds =
        (uint64_t)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000u
        + (uint64_t)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
    if (info.si_code == CLD_EXITED) {
        end->code = info.si_status;
    } else {
        end->signal = info.si_status;
    }
    return 0;
}
