// Starts a child process without copying the parent.
//
// fork() copies page tables: 39 ms in a process with a 1 GB heap, on the loop thread, which answers
// all clients. clone(CLONE_VM) shares the memory. So the cost does not depend on the size of the
// heap, and the child reports a failure by writing to the parent's memory. CLONE_VFORK stops this
// thread until the child has called execve or _exit; the supervisor goes on meanwhile, because a
// program on a slow disk must not hold up the others.
//
// Sharing memory has rules; child_main keeps them:
//   1. it runs on a stack of its own;
//   2. it makes raw system calls only: no malloc, no stdio, nothing a sanitizer intercepts or a
//      lock guards; without CLONE_VFORK no errno either, which is the parent's;
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
#include <time.h>
#include <unistd.h>

#include "ChildCode.h"
#include "ChildStart.h"

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

enum { KERNEL_SIGNAL_COUNT = 64, KERNEL_SIGNAL_SET_BYTES = 8 };

/// A file that somebody else has open for writing cannot be executed: for moments each child that
/// is just starting holds what its parent was writing. It is tried again so often.
enum { BUSY_TRIES = 20, BUSY_PAUSE_MILLISECONDS = 1 };

UNSANITIZED static int fail(struct child_start *start, enum cposix_child_step step, long answer) {
    start->error = answer < 0 ? (int32_t)-answer : EINVAL;
    start->failed_step = (int32_t)step;
    raw_call(SYS_exit_group, 127, 0, 0, 0, 0);
    return 127;
}

/// Returns a copy of `descriptor` above 2, so that no dup3 in child_main overwrites a source.
UNSANITIZED static long lift(int descriptor) {
    long source = descriptor;
    if (descriptor < 0) {
        source = raw_call(SYS_openat, AT_FDCWD, (long)"/dev/null", O_RDWR | O_CLOEXEC, 0, 0);
        if (source < 0) return source;
    }
    return raw_call(SYS_fcntl, source, F_DUPFD_CLOEXEC, 3, 0, 0);
}

/// Lowers both halves of a limit, as far as they are not lower already; 0 or -errno.
UNSANITIZED static long lower(const struct cposix_resource_limit *wanted) {
    struct rlimit limit = {0, 0};
    long answer = raw_call(SYS_prlimit64, 0, wanted->resource, 0, (long)&limit, 0);
    if (answer < 0) return answer;
    // RLIM_INFINITY is the largest number.
    if (wanted->hard < limit.rlim_max) limit.rlim_max = (rlim_t)wanted->hard;
    if (wanted->soft < limit.rlim_cur) limit.rlim_cur = (rlim_t)wanted->soft;
    if (limit.rlim_cur > limit.rlim_max) limit.rlim_cur = limit.rlim_max;
    return raw_call(SYS_prlimit64, 0, wanted->resource, (long)&limit, 0, 0);
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

/// Runs the program; returns only if that fails, with -errno.
UNSANITIZED static long execute(const struct cposix_child_request *request) {
    const struct timespec pause = {0, BUSY_PAUSE_MILLISECONDS * 1000000};
    for (int tries = 1;; tries++) {
        long answer = raw_call(SYS_execve, (long)request->program, (long)request->arguments,
                               (long)request->environment, 0, 0);
        if (answer != -ETXTBSY || tries == BUSY_TRIES) return answer;
        raw_call(SYS_nanosleep, (long)&pause, 0, 0, 0, 0);
    }
}

/// Sets the limits of a request; 0 or -errno.
UNSANITIZED static long set_limits(const struct cposix_child_request *request) {
    const struct cposix_resource_limit no_core = {RLIMIT_CORE, 0, 0};
    const struct cposix_resource_limit data = {RLIMIT_DATA, request->data_bytes_max,
                                               request->data_bytes_max};
    long answer = request->denies_core ? lower(&no_core) : 0;
    if (answer >= 0 && request->data_bytes_max != 0) answer = lower(&data);
    for (uint32_t index = 0; answer >= 0 && index < request->limit_count; index++) {
        answer = lower(&request->limits[index]);
    }
    return answer;
}

/// Makes the child's descriptors of the request's, and closes all others; 0 or -errno.
UNSANITIZED static long set_descriptors(const struct cposix_child_request *request) {
    long standard[3] = {request->input, request->output, request->errors};
    for (int number = 0; number < 3; number++) {
        standard[number] = lift((int)standard[number]);
        if (standard[number] < 0) return standard[number];
    }
    bool has_channel = request->listener_channel >= 0;
    long channel = has_channel ? lift(request->listener_channel) : 0;
    if (channel < 0) return channel;
    for (int number = 0; number < 3; number++) {
        long answer = raw_call(SYS_dup3, standard[number], number, 0, 0, 0);
        if (answer < 0) return answer;
    }
    // The channel stays until execve closes it.
    if (has_channel && channel != CHANNEL) {
        channel = raw_call(SYS_dup3, channel, CHANNEL, O_CLOEXEC, 0, 0);
        if (channel < 0) return channel;
    }
    unsigned int first = has_channel ? CHANNEL + 1 : CHANNEL;
    if (raw_call(SYS_close_range, first, ~0u, 0u, 0, 0) < 0) {
        struct rlimit files = {0, 0};
        raw_call(SYS_prlimit64, 0, RLIMIT_NOFILE, 0, (long)&files, 0);
        for (rlim_t number = first; number < files.rlim_cur; number++) {
            raw_call(SYS_close, (long)number, 0, 0, 0, 0);
        }
    }
    return 0;
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
        if (request->default_signals >> (number - 1) & 1) continue;
        // Fails for SIGKILL and SIGSTOP, which cannot be changed anyway.
        raw_call(SYS_rt_sigaction, number, (long)by_default, 0, KERNEL_SIGNAL_SET_BYTES, 0);
    }

    long answer = raw_call(SYS_setsid, 0, 0, 0, 0, 0);
    if (answer < 0) return fail(start, CPOSIX_CHILD_STEP_SESSION, answer);
    if (request->dies_with_parent) {
        raw_call(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
        // The parent may have ended just before.
        if (raw_call(SYS_getppid, 0, 0, 0, 0, 0) != start->parent) {
            return fail(start, CPOSIX_CHILD_STEP_SESSION, -ESRCH);
        }
    }

    answer = set_descriptors(request);
    if (answer < 0) return fail(start, CPOSIX_CHILD_STEP_DESCRIPTORS, answer);
    answer = set_limits(request);
    if (answer < 0) return fail(start, CPOSIX_CHILD_STEP_LIMITS, answer);
    answer = raw_call(SYS_chdir, (long)request->directory, 0, 0, 0, 0);
    if (answer < 0) return fail(start, CPOSIX_CHILD_STEP_DIRECTORY, answer);

    if (request->denies_privileges) {
        answer = raw_call(SYS_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
        if (answer < 0) return fail(start, CPOSIX_CHILD_STEP_PRIVILEGES, answer);
    }
    if (request->box != NULL) {
        // It uses errno: the parent waits.
        int32_t entered = cposix_box_enter(request->box, request->box_length);
        if (entered >= 0 && request->listener_channel >= 0) entered = hand_over(entered);
        if (entered < 0) return fail(start, CPOSIX_CHILD_STEP_BOX, entered);
    }

    // `by_default` is also an empty signal set.
    raw_call(SYS_rt_sigprocmask, SIG_SETMASK, (long)by_default, 0, KERNEL_SIGNAL_SET_BYTES, 0);
    return fail(start, CPOSIX_CHILD_STEP_EXEC, execute(request));
}

/// Clones with all signals blocked; returns the child's number or -errno.
static int32_t begin(struct child_start *start, char *stack, int flags, int *pidfd) {
    unsigned char all[KERNEL_SIGNAL_SET_BYTES], before[KERNEL_SIGNAL_SET_BYTES];
    memset(all, 0xff, sizeof all);
    // The raw call, because glibc's function leaves two signals of its own unblocked.
    syscall(SYS_rt_sigprocmask, SIG_SETMASK, all, before, KERNEL_SIGNAL_SET_BYTES);
    start->parent = getpid();
    start->failed_step = start->error = 0;
    start->uses_memory = 1;
    int pid = clone(child_main, stack + CHILD_STACK_BYTES, flags | CLONE_VM | SIGCHLD, start, pidfd,
                    NULL, &start->uses_memory);
    int error = errno;
    if (pid < 0) start->uses_memory = 0;
    syscall(SYS_rt_sigprocmask, SIG_SETMASK, before, NULL, KERNEL_SIGNAL_SET_BYTES);
    return pid < 0 ? -error : pid;
}

int32_t cposix_child_start(const struct cposix_child_request *request, struct cposix_child *child) {
    child->pid = -1;
    child->pidfd = -1;
    child->failed_step = CPOSIX_CHILD_STEP_CLONE;

    char *stack = mmap(NULL, CHILD_STACK_BYTES, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    if (stack == MAP_FAILED) return -errno;
    struct child_start start = {.request = request};
    int pidfd = -1;
    int32_t pid = begin(&start, stack, CLONE_VFORK | CLONE_PIDFD, &pidfd);
    munmap(stack, CHILD_STACK_BYTES);

    if (pid < 0) return pid;
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

int32_t child_begin(struct child_start *start, char *stack) {
    int waits = HAS_RAW_CALLS ? 0 : CLONE_VFORK;
    return begin(start, stack, waits | CLONE_CHILD_CLEARTID, NULL);
}

bool child_uses_memory(const struct child_start *start) {
    return __atomic_load_n(&start->uses_memory, __ATOMIC_ACQUIRE) != 0;
}

uint64_t cposix_default_signals(void) {
    uint64_t found = 0;
    for (int number = 1; number <= KERNEL_SIGNAL_COUNT; number++) {
        struct sigaction action;
        if (sigaction(number, NULL, &action) < 0 || action.sa_handler != SIG_DFL) continue;
        found |= (uint64_t)1 << (number - 1);
    }
    return found;
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
