// The filter of system calls of a box, as a program for seccomp.
#define _GNU_SOURCE
#include "BoxFilter.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/seccomp.h>
#include <netinet/in.h>
#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include "Box.h"

#if defined(__x86_64__)
#define NATIVE_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define NATIVE_ARCHITECTURE AUDIT_ARCH_AARCH64
#else
#error "name this machine's AUDIT_ARCH constant here"
#endif

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void append(struct box_filter *filter, uint16_t code, uint8_t yes, uint8_t no,
                   uint32_t value) {
    if (filter->count >= BOX_FILTER_LENGTH_MAX) {
        filter->count = BOX_FILTER_LENGTH_MAX + 1;
        return;
    }
    filter->code[filter->count++] = (struct sock_filter){code, yes, no, value};
}

#define ARGUMENT(number) \
    (offsetof(struct seccomp_data, args) + 8 * (number) \
     + (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? 4 : 0))

static void load(struct box_filter *filter, size_t offset) {
    append(filter, BPF_LD | BPF_W | BPF_ABS, 0, 0, (uint32_t)offset);
}

static void answer(struct box_filter *filter, uint32_t action) {
    append(filter, BPF_RET | BPF_K, 0, 0, action);
}

static uint32_t failing(uint32_t error) { return SECCOMP_RET_ERRNO | error; }

/// Call `number` fails with `error`.
static void deny(struct box_filter *filter, uint32_t number, uint32_t error) {
    append(filter, BPF_JMP | BPF_JEQ | BPF_K, 0, 1, number);
    answer(filter, failing(error));
}

/// Makes calls fail with EPERM.
static void deny_all(struct box_filter *filter, const uint32_t *calls, size_t count) {
    for (size_t index = 0; index < count; index++) deny(filter, calls[index], EPERM);
}

/// Call `number` is let through only if its argument, after `mask`, is one of `values`.
static void restrict_argument(struct box_filter *filter, uint32_t number, uint32_t argument,
                              uint32_t mask, const uint32_t *values, uint8_t count,
                              uint32_t error) {
    append(filter, BPF_JMP | BPF_JEQ | BPF_K, 0, (uint8_t)(count + 4), number);
    load(filter, ARGUMENT(argument));
    append(filter, BPF_ALU | BPF_AND | BPF_K, 0, 0, mask);
    for (uint8_t index = 0; index < count; index++) {
        append(filter, BPF_JMP | BPF_JEQ | BPF_K, (uint8_t)(count - index), 0, values[index]);
    }
    answer(filter, failing(error));
    answer(filter, SECCOMP_RET_ALLOW);
}

/// Call `number` fails unless its argument is 0.
static void allow_zero(struct box_filter *filter, uint32_t number, uint32_t argument,
                       uint32_t error) {
    const uint32_t zero = 0;
    restrict_argument(filter, number, argument, ~0u, &zero, 1, error);
}

/// Call `number` fails if its argument is one of `values`.
static void forbid_argument(struct box_filter *filter, uint32_t number, uint32_t argument,
                            const uint32_t *values, uint8_t count, uint32_t error) {
    append(filter, BPF_JMP | BPF_JEQ | BPF_K, 0, (uint8_t)(count + 3), number);
    load(filter, ARGUMENT(argument));
    for (uint8_t index = 0; index < count; index++) {
        append(filter, BPF_JMP | BPF_JEQ | BPF_K, (uint8_t)(count - index), 0, values[index]);
    }
    answer(filter, SECCOMP_RET_ALLOW);
    answer(filter, failing(error));
}

/// Calls that no provider needs, or that reach past the box: other processes, the kernel's own
/// interfaces, memory and messages that all programs of a person share, and watches, which Landlock
/// does not know and which would tell the names of the person's files.
static const uint32_t denied_calls[] = {
    SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_kcmp, 438 /* pidfd_getfd */,
    440 /* process_madvise */, SYS_migrate_pages, SYS_move_pages,
    SYS_bpf, SYS_perf_event_open, SYS_userfaultfd, SYS_syslog, SYS_acct,
    425 /* io_uring_setup */, 426 /* io_uring_enter */, 427 /* io_uring_register */,
    SYS_add_key, SYS_request_key, SYS_keyctl,
    SYS_mount, SYS_umount2, SYS_pivot_root, SYS_chroot, SYS_unshare, SYS_setns,
    428 /* open_tree */, 429 /* move_mount */, 430 /* fsopen */, 431 /* fsconfig */,
    432 /* fsmount */, 433 /* fspick */, 442 /* mount_setattr */,
    SYS_kexec_load, SYS_init_module, SYS_finit_module, SYS_delete_module, SYS_reboot, SYS_swapon,
    SYS_swapoff, SYS_quotactl, 443 /* quotactl_fd */, SYS_settimeofday, SYS_clock_settime,
    SYS_name_to_handle_at, SYS_open_by_handle_at, SYS_fanotify_init, SYS_inotify_init1,
    SYS_inotify_add_watch,
    SYS_shmget, SYS_shmat, SYS_semget, SYS_msgget, SYS_msgsnd, SYS_msgrcv, SYS_mq_open,
    SYS_mq_unlink,
    SYS_fchmodat, 452 /* fchmodat2 */, SYS_fchownat, SYS_setxattr, SYS_lsetxattr, SYS_removexattr,
    SYS_lremovexattr,
    // The same for open files: to read a file, of the system too, is no permission to change it.
    SYS_fchmod, SYS_fchown, SYS_fsetxattr, SYS_fremovexattr,
#if defined(__x86_64__)
    SYS_inotify_init, SYS_chmod, SYS_chown, SYS_lchown, SYS_utime, SYS_utimes, SYS_futimesat,
    SYS_ioperm, SYS_iopl, SYS_kexec_file_load,
#endif
};

/// Requests to fcntl that name who gets a file's signals, and which: F_SETOWN, F_SETOWN_EX and
/// F_SETSIG. Before version 6 Landlock does not keep these signals inside the box either.
static const uint32_t denied_fcntl[] = {8, 15, 10};

/// Requests to ioctl: typing for the person into a terminal (TIOCSTI), the console's own
/// (TIOCLINUX), and who gets the signals of a socket (FIOSETOWN, SIOCSPGRP).
static const uint32_t denied_ioctl[] = {0x5412, 0x541c, 0x8901, 0x8902};

/// Calls whose argument names a process: only 0, the caller, is let through.
static const struct {
    uint32_t number;
    uint32_t argument;
} calls_on_processes[] = {
    {SYS_prlimit64, 0},         {SYS_setpriority, 1},  {SYS_ioprio_set, 1},
    {SYS_sched_setaffinity, 0}, {SYS_sched_setattr, 0}, {SYS_sched_setscheduler, 0},
    {SYS_sched_setparam, 0},
};

/// The first call that this file does not know: newer ones are missing in a box.
enum { FIRST_UNKNOWN_CALL = 463 };

/// Signals that name a process: only the caller's own group, where this kernel's Landlock does not
/// keep a signal inside the box.
///
/// A filter does not know the numbers of the box's processes. So a program here cannot end its own
/// children; its run ends them.
static void keep_signals(struct box_filter *filter) {
    allow_zero(filter, SYS_kill, 0, EPERM);
    static const uint32_t others[] = {SYS_tkill, SYS_tgkill, SYS_rt_sigqueueinfo,
                                      SYS_rt_tgsigqueueinfo, 424 /* pidfd_send_signal */};
    deny_all(filter, others, COUNT(others));
}

/// A local stream socket is asked for: it comes connected to the bus.
static void ask_for_streams(struct box_filter *filter) {
    append(filter, BPF_JMP | BPF_JEQ | BPF_K, 0, 7, SYS_socket);
    load(filter, ARGUMENT(0));
    append(filter, BPF_JMP | BPF_JEQ | BPF_K, 0, 4, AF_UNIX);
    load(filter, ARGUMENT(1));
    append(filter, BPF_ALU | BPF_AND | BPF_K, 0, 0, 0xf);
    append(filter, BPF_JMP | BPF_JEQ | BPF_K, 0, 1, SOCK_STREAM);
    answer(filter, SECCOMP_RET_USER_NOTIF);
    load(filter, offsetof(struct seccomp_data, nr));
}

/// To connect such a socket is to do nothing, whatever address is named. Where there are sockets of
/// the network too, addresses that have the size of theirs go to the kernel: it refuses to connect
/// a local socket again.
static void pretend_to_connect(struct box_filter *filter, uint32_t flags) {
    bool has_network = flags & CPOSIX_BOX_NETWORK;
    append(filter, BPF_JMP | BPF_JEQ | BPF_K, 0, has_network ? 5 : 1, SYS_connect);
    if (has_network) {
        load(filter, ARGUMENT(2));
        append(filter, BPF_JMP | BPF_JEQ | BPF_K, 1, 0, sizeof(struct sockaddr_in));
        append(filter, BPF_JMP | BPF_JEQ | BPF_K, 0, 1, sizeof(struct sockaddr_in6));
        answer(filter, SECCOMP_RET_ALLOW);
    }
    answer(filter, failing(0));
}

/// Cutting a file, which this kernel's Landlock does not know to be a change.
static void keep_lengths(struct box_filter *filter) {
    deny(filter, SYS_truncate, EACCES);
    deny(filter, 437 /* openat2 */, ENOSYS);
    const uint32_t opening[] = {O_RDONLY, O_WRONLY, O_RDWR, O_WRONLY | O_TRUNC, O_RDWR | O_TRUNC};
    restrict_argument(filter, SYS_openat, 2, O_ACCMODE | O_TRUNC, opening, 5, EACCES);
#if defined(__x86_64__)
    restrict_argument(filter, SYS_open, 1, O_ACCMODE | O_TRUNC, opening, 5, EACCES);
#endif
}

/// No namespaces: in its own, a program is root, and more of the kernel is open to it.
static void keep_namespaces(struct box_filter *filter) {
    const uint32_t none = 0;
    restrict_argument(filter, SYS_clone, 0,
                      CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWNET | CLONE_NEWPID | CLONE_NEWIPC
                          | CLONE_NEWUTS | CLONE_NEWCGROUP,
                      &none, 1, EPERM);
    // Its flags are in memory, where a filter cannot look; libraries fall back to clone.
    deny(filter, 435 /* clone3 */, ENOSYS);
}

/// No sockets but those that `flags` allow.
static void keep_sockets(struct box_filter *filter, uint32_t flags) {
    // A socket that could be sent elsewhere is never made: a pair of datagram sockets can.
    const uint32_t streams[] = {SOCK_STREAM, SOCK_SEQPACKET};
    restrict_argument(filter, SYS_socketpair, 1, 0xf, streams, 2, EACCES);
    if (flags & CPOSIX_BOX_BUS) {
        ask_for_streams(filter);
        pretend_to_connect(filter, flags);
    }
    if (flags & CPOSIX_BOX_NETWORK) {
        const uint32_t families[] = {AF_INET, AF_INET6, AF_NETLINK};
        restrict_argument(filter, SYS_socket, 0, ~0u, families, 3, EACCES);
        return;
    }
    deny(filter, SYS_socket, EACCES);
    deny(filter, SYS_connect, EACCES);
    deny(filter, SYS_bind, EACCES);
}

void box_filter_make(struct box_filter *filter, uint32_t flags, int32_t landlock) {
    filter->count = 0;
    load(filter, offsetof(struct seccomp_data, arch));
    append(filter, BPF_JMP | BPF_JEQ | BPF_K, 1, 0, NATIVE_ARCHITECTURE);
    answer(filter, SECCOMP_RET_KILL_PROCESS);
    load(filter, offsetof(struct seccomp_data, nr));
    append(filter, BPF_JMP | BPF_JGE | BPF_K, 0, 1, FIRST_UNKNOWN_CALL);
    answer(filter, failing(ENOSYS));
    // The calls that a program makes all the time pass without being compared with all others.
    static const uint32_t frequent[] = {SYS_read, SYS_write, SYS_futex};
    for (size_t index = 0; index < COUNT(frequent); index++) {
        append(filter, BPF_JMP | BPF_JEQ | BPF_K, 0, 1, frequent[index]);
        answer(filter, SECCOMP_RET_ALLOW);
    }
    deny_all(filter, denied_calls, COUNT(denied_calls));
    if (flags & CPOSIX_BOX_READS_HOME) {
        deny(filter, SYS_utimensat, EPERM);
    } else {
        // A path of NULL stands for the open file.
        allow_zero(filter, SYS_utimensat, 1, EPERM);
    }
    if (landlock < 3) keep_lengths(filter);
    if (landlock < 6) keep_signals(filter);
    for (size_t index = 0; index < COUNT(calls_on_processes); index++) {
        allow_zero(filter, calls_on_processes[index].number, calls_on_processes[index].argument,
                   EPERM);
    }
    keep_namespaces(filter);
    keep_sockets(filter, flags);
    forbid_argument(filter, SYS_fcntl, 1, denied_fcntl, COUNT(denied_fcntl), EPERM);
    forbid_argument(filter, SYS_ioctl, 1, denied_ioctl, COUNT(denied_ioctl), EPERM);
    answer(filter, SECCOMP_RET_ALLOW);
}
