// The box of a provider: Landlock and a seccomp filter (see Box.h for what it is for).
//
// `cposix_box_enter` runs in a child that shares its parent's memory until it calls execve, as
// Child.c says: raw system calls only, no malloc, nothing a sanitizer intercepts.
#define _GNU_SOURCE
#include "Box.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "ChildCode.h"

#if defined(__x86_64__)
#define NATIVE_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define NATIVE_ARCHITECTURE AUDIT_ARCH_AARCH64
#else
#error "name this machine's AUDIT_ARCH constant here"
#endif

// MARK: Landlock, of which the headers of older systems have only a part

// Source: linux/landlock.h. The numbers of the calls are the same on every architecture.
#define SYS_LANDLOCK_CREATE_RULESET 444
#define SYS_LANDLOCK_ADD_RULE 445
#define SYS_LANDLOCK_RESTRICT_SELF 446
#define RULE_PATH_BENEATH 1
#define FS_EXECUTE (1ull << 0)
#define FS_WRITE_FILE (1ull << 1)
#define FS_READ_FILE (1ull << 2)
#define FS_READ_DIR (1ull << 3)
#define FS_REMOVE_DIR (1ull << 4)
#define FS_REMOVE_FILE (1ull << 5)
#define FS_MAKE_DIR (1ull << 7)
#define FS_MAKE_REG (1ull << 8)
#define FS_MAKE_FIFO (1ull << 10)
#define FS_MAKE_SYM (1ull << 12)
#define FS_REFER (1ull << 13)
#define FS_TRUNCATE (1ull << 14)
#define FS_IOCTL_DEV (1ull << 15)
/// The rights that a rule about a file, not a folder, may have.
#define FS_OF_FILES (FS_EXECUTE | FS_WRITE_FILE | FS_READ_FILE | FS_TRUNCATE | FS_IOCTL_DEV)
#define NET_BIND_AND_CONNECT_TCP 3ull
#define SCOPE_ABSTRACT_SOCKETS_AND_SIGNALS 3ull

struct ruleset {
    uint64_t handled_fs;
    uint64_t handled_net;
    uint64_t scoped;
};

struct path_rule {
    uint64_t allowed;
    int32_t parent;
} __attribute__((packed));

/// Everything that this version of Landlock can forbid about files.
UNSANITIZED static uint64_t handled_files(int32_t version) {
    uint64_t all = (1ull << 13) - 1;
    if (version >= 2) all |= FS_REFER;
    if (version >= 3) all |= FS_TRUNCATE;
    if (version >= 5) all |= FS_IOCTL_DEV;
    return all;
}

UNSANITIZED static uint64_t rights(uint32_t access) {
    uint64_t all = FS_READ_FILE;
    if (access & CPOSIX_BOX_DEVICE) return all | FS_WRITE_FILE | FS_TRUNCATE | FS_IOCTL_DEV;
    all |= FS_READ_DIR;
    if (access & CPOSIX_BOX_RUN) all |= FS_EXECUTE;
    if (access & CPOSIX_BOX_WRITE) {
        all |= FS_WRITE_FILE | FS_REMOVE_DIR | FS_REMOVE_FILE | FS_MAKE_DIR | FS_MAKE_REG
               | FS_MAKE_FIFO | FS_MAKE_SYM | FS_REFER | FS_TRUNCATE;
    }
    return all;
}

int32_t cposix_box_landlock(void) {
    // LANDLOCK_CREATE_RULESET_VERSION
    long version = syscall(SYS_LANDLOCK_CREATE_RULESET, NULL, 0, 1u);
    return version > 0 ? (int32_t)version : 0;
}

// MARK: The filter of system calls

enum { FILTER_LENGTH_MAX = 400 };

struct filter {
    struct sock_filter code[FILTER_LENGTH_MAX];
    uint32_t count;
};

static void append(struct filter *filter, uint16_t code, uint8_t yes, uint8_t no, uint32_t value) {
    if (filter->count >= FILTER_LENGTH_MAX) {
        filter->count = FILTER_LENGTH_MAX + 1;
        return;
    }
    filter->code[filter->count++] = (struct sock_filter){code, yes, no, value};
}

#define ARGUMENT(number) \
    (offsetof(struct seccomp_data, args) + 8 * (number) \
     + (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? 4 : 0))

static void load(struct filter *filter, size_t offset) {
    append(filter, BPF_LD | BPF_W | BPF_ABS, 0, 0, (uint32_t)offset);
}

static void answer(struct filter *filter, uint32_t action) {
    append(filter, BPF_RET | BPF_K, 0, 0, action);
}

static uint32_t failing(uint32_t error) { return SECCOMP_RET_ERRNO | error; }

/// Call `number` fails with `error`.
static void deny(struct filter *filter, uint32_t number, uint32_t error) {
    append(filter, BPF_JMP | BPF_JEQ | BPF_K, 0, 1, number);
    answer(filter, failing(error));
}

/// Call `number` is let through only if its argument, after `mask`, is one of `values`.
static void restrict_argument(struct filter *filter, uint32_t number, uint32_t argument,
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
static void allow_zero(struct filter *filter, uint32_t number, uint32_t argument, uint32_t error) {
    const uint32_t zero = 0;
    restrict_argument(filter, number, argument, ~0u, &zero, 1, error);
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
#if defined(__x86_64__)
    SYS_inotify_init, SYS_chmod, SYS_chown, SYS_lchown, SYS_utime, SYS_utimes, SYS_futimesat,
    SYS_ioperm, SYS_iopl, SYS_kexec_file_load,
#endif
};

/// The same for open files, which matters where a file of the person may be read.
static const uint32_t denied_for_readers[] = {
    SYS_fchmod, SYS_fchown, SYS_fsetxattr, SYS_fremovexattr, SYS_utimensat,
};

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

static void make_filter(struct filter *filter, uint32_t flags, int32_t landlock) {
    filter->count = 0;
    load(filter, offsetof(struct seccomp_data, arch));
    append(filter, BPF_JMP | BPF_JEQ | BPF_K, 1, 0, NATIVE_ARCHITECTURE);
    answer(filter, SECCOMP_RET_KILL_PROCESS);
    load(filter, offsetof(struct seccomp_data, nr));
    append(filter, BPF_JMP | BPF_JGE | BPF_K, 0, 1, FIRST_UNKNOWN_CALL);
    answer(filter, failing(ENOSYS));
    // The calls that a program makes all the time pass without being compared with all others.
    static const uint32_t frequent[] = {SYS_read, SYS_write, SYS_futex};
    for (size_t index = 0; index < sizeof frequent / sizeof *frequent; index++) {
        append(filter, BPF_JMP | BPF_JEQ | BPF_K, 0, 1, frequent[index]);
        answer(filter, SECCOMP_RET_ALLOW);
    }
    for (size_t index = 0; index < sizeof denied_calls / sizeof *denied_calls; index++) {
        deny(filter, denied_calls[index], EPERM);
    }
    if (flags & CPOSIX_BOX_READS_HOME) {
        for (size_t index = 0; index < sizeof denied_for_readers / sizeof *denied_for_readers;
             index++) {
            deny(filter, denied_for_readers[index], EPERM);
        }
    } else {
        // A path of NULL stands for the open file.
        allow_zero(filter, SYS_utimensat, 1, EPERM);
    }
    if (landlock < 3) {
        // This kernel's Landlock does not know that cutting a file is a change.
        deny(filter, SYS_truncate, EACCES);
        deny(filter, 437 /* openat2 */, ENOSYS);
        const uint32_t opening[] = {O_RDONLY, O_WRONLY, O_RDWR, O_WRONLY | O_TRUNC,
                                    O_RDWR | O_TRUNC};
        restrict_argument(filter, SYS_openat, 2, O_ACCMODE | O_TRUNC, opening, 5, EACCES);
#if defined(__x86_64__)
        restrict_argument(filter, SYS_open, 1, O_ACCMODE | O_TRUNC, opening, 5, EACCES);
#endif
    }
    for (size_t index = 0; index < sizeof calls_on_processes / sizeof *calls_on_processes;
         index++) {
        allow_zero(filter, calls_on_processes[index].number, calls_on_processes[index].argument,
                   EPERM);
    }
    // No namespaces: in its own, a program is root, and more of the kernel is open to it. The flags
    // of clone3 are in memory, where a filter cannot look; libraries fall back to clone.
    const uint32_t none = 0;
    restrict_argument(filter, SYS_clone, 0,
                      CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWNET | CLONE_NEWPID | CLONE_NEWIPC
                          | CLONE_NEWUTS | CLONE_NEWCGROUP,
                      &none, 1, EPERM);
    deny(filter, 435 /* clone3 */, ENOSYS);

    // A socket that could be sent elsewhere is never made: a pair of datagram sockets can.
    const uint32_t streams[] = {SOCK_STREAM, SOCK_SEQPACKET};
    restrict_argument(filter, SYS_socketpair, 1, 0xf, streams, 2, EACCES);
    if (flags & CPOSIX_BOX_NETWORK) {
        const uint32_t families[] = {AF_INET, AF_INET6, AF_NETLINK};
        restrict_argument(filter, SYS_socket, 0, ~0u, families, 3, EACCES);
    } else {
        deny(filter, SYS_socket, EACCES);
        deny(filter, SYS_connect, EACCES);
        deny(filter, SYS_bind, EACCES);
    }
    // Typing for the person into a terminal (TIOCSTI), and the console's own (TIOCLINUX).
    append(filter, BPF_JMP | BPF_JEQ | BPF_K, 0, 4, SYS_ioctl);
    load(filter, ARGUMENT(1));
    append(filter, BPF_JMP | BPF_JEQ | BPF_K, 1, 0, 0x5412);
    append(filter, BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0x541c);
    answer(filter, failing(EPERM));
    answer(filter, SECCOMP_RET_ALLOW);
}

// MARK: The bytes of a box

enum { BOX_MAGIC = 0x58424e49 };

struct box_header {
    uint32_t magic;
    /// Bytes of the whole box: this header, the filter, the paths.
    uint32_t length;
    uint32_t flags;
    int32_t landlock;
    uint32_t filter_count;
    uint32_t path_count;
};

/// Behind it: `size` bytes of a path, with its terminating zero and zeroes up to the next word.
struct box_path {
    uint32_t access;
    uint32_t size;
};

UNSANITIZED static size_t paths_offset(const struct box_header *header) {
    return sizeof *header + header->filter_count * sizeof(struct sock_filter);
}

int32_t cposix_box_begin(void *bytes, size_t capacity, uint32_t flags, int32_t landlock) {
    struct filter filter;
    make_filter(&filter, flags, landlock);
    if (filter.count > FILTER_LENGTH_MAX) return -E2BIG;
    struct box_header header = {.magic = BOX_MAGIC, .flags = flags, .landlock = landlock,
                                .filter_count = filter.count, .path_count = 0};
    size_t length = paths_offset(&header);
    if (length > capacity || capacity > CPOSIX_BOX_BYTES_MAX) return -EINVAL;
    header.length = (uint32_t)length;
    memcpy(bytes, &header, sizeof header);
    memcpy((char *)bytes + sizeof header, filter.code, length - sizeof header);
    return 0;
}

int32_t cposix_box_add(void *bytes, size_t capacity, const char *path, uint32_t access) {
    struct box_header *header = bytes;
    if (path[0] != '/') return -EINVAL;
    size_t size = (strlen(path) + 4) / 4 * 4;
    size_t needed = sizeof(struct box_path) + size;
    if (capacity > CPOSIX_BOX_BYTES_MAX || capacity - header->length < needed) return -ENOSPC;
    struct box_path record = {.access = access, .size = (uint32_t)size};
    char *place = (char *)bytes + header->length;
    memset(place, 0, needed);
    memcpy(place, &record, sizeof record);
    memcpy(place + sizeof record, path, strlen(path));
    header->length += (uint32_t)needed;
    header->path_count += 1;
    return 0;
}

size_t cposix_box_length(const void *bytes) { return ((const struct box_header *)bytes)->length; }

UNSANITIZED static bool is_whole(const void *bytes, size_t length) {
    const struct box_header *header = bytes;
    if (length < sizeof *header || length > CPOSIX_BOX_BYTES_MAX
        || (uintptr_t)bytes % sizeof(uint32_t) != 0) {
        return false;
    }
    if (header->magic != BOX_MAGIC || header->length != length || header->filter_count == 0
        || header->filter_count > FILTER_LENGTH_MAX) {
        return false;
    }
    size_t offset = paths_offset(header);
    for (uint32_t number = 0; number < header->path_count; number++) {
        if (offset > length || length - offset < sizeof(struct box_path)) return false;
        const struct box_path *path = (const void *)((const char *)bytes + offset);
        offset += sizeof *path;
        if (path->size == 0 || path->size % 4 != 0 || path->size > length - offset) return false;
        const char *text = (const char *)bytes + offset;
        if (text[0] != '/' || text[path->size - 1] != 0) return false;
        offset += path->size;
    }
    return offset == length;
}

bool cposix_box_is_whole(const void *bytes, size_t length) { return is_whole(bytes, length); }

// MARK: Entering

UNSANITIZED static int32_t add_paths(int ruleset, const struct box_header *header) {
    uint64_t handled = handled_files(header->landlock);
    size_t offset = paths_offset(header);
    for (uint32_t number = 0; number < header->path_count; number++) {
        const struct box_path *path = (const void *)((const char *)header + offset);
        const char *text = (const char *)header + offset + sizeof *path;
        offset += sizeof *path + path->size;
        int file = (int)syscall(SYS_openat, AT_FDCWD, text, O_PATH | O_CLOEXEC, 0);
        // A path that is not there, or not for this person, gives the program nothing.
        if (file < 0) continue;
        struct path_rule rule = {.allowed = rights(path->access) & handled, .parent = file};
        long added =
            syscall(SYS_LANDLOCK_ADD_RULE, ruleset, RULE_PATH_BENEATH, &rule, 0u);
        if (added < 0 && errno == EINVAL) {
            rule.allowed &= FS_OF_FILES;
            added = syscall(SYS_LANDLOCK_ADD_RULE, ruleset, RULE_PATH_BENEATH, &rule, 0u);
        }
        int32_t error = added < 0 ? errno : 0;
        syscall(SYS_close, file);
        if (error != 0) return error;
    }
    return 0;
}

/// Returns 0 or an errno.
UNSANITIZED static int32_t restrict_self(const struct box_header *header) {
    struct ruleset rules = {.handled_fs = handled_files(header->landlock)};
    size_t size = sizeof rules.handled_fs;
    if (header->landlock >= 4) {
        size = offsetof(struct ruleset, scoped);
        if (!(header->flags & CPOSIX_BOX_NETWORK)) rules.handled_net = NET_BIND_AND_CONNECT_TCP;
    }
    if (header->landlock >= 6) {
        size = sizeof rules;
        rules.scoped = SCOPE_ABSTRACT_SOCKETS_AND_SIGNALS;
    }
    int ruleset = (int)syscall(SYS_LANDLOCK_CREATE_RULESET, &rules, size, 0u);
    if (ruleset < 0) return errno;
    int32_t error = add_paths(ruleset, header);
    if (error == 0 && syscall(SYS_LANDLOCK_RESTRICT_SELF, ruleset, 0u) < 0) error = errno;
    syscall(SYS_close, ruleset);
    return error;
}

UNSANITIZED int32_t cposix_box_enter(const void *rules, uint64_t length) {
    if (!is_whole(rules, length)) return -EINVAL;
    const struct box_header *header = rules;
    if (header->landlock < 1) return -EOPNOTSUPP;
    if (syscall(SYS_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0) return -errno;
    int32_t error = restrict_self(header);
    if (error != 0) return -error;
    struct sock_fprog program = {
        .len = (unsigned short)header->filter_count,
        .filter = (struct sock_filter *)((char *)(uintptr_t)rules + sizeof *header),
    };
    return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0u, &program) < 0 ? -errno : 0;
}
