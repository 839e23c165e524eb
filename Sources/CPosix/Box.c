// The box of a provider: Landlock, no capabilities, and a filter of system calls (see Box.h).
//
// `cposix_box_enter` runs in a child that shares its parent's memory until it calls execve, as
// Child.c says: raw system calls only, no malloc, nothing a sanitizer intercepts.
#define _GNU_SOURCE
#include "Box.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "BoxFilter.h"
#include "ChildCode.h"

// MARK: Landlock, of which the headers of older systems have only a part

// Source: linux/landlock.h. The numbers of the calls are the same on every architecture.
#define SYS_LANDLOCK_CREATE_RULESET 444
#define SYS_LANDLOCK_ADD_RULE 445
#define SYS_LANDLOCK_RESTRICT_SELF 446
#define CREATE_RULESET_VERSION 1u
#define RULE_PATH_BENEATH 1
// Source: linux/openat2.h. The call is older than Landlock.
#define SYS_OPENAT2 437
#define OPEN_WITHOUT_SYMLINKS 0x04ull
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
/// Everything below FS_REFER.
#define FS_OF_VERSION_1 (FS_REFER - 1)
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
    uint64_t all = FS_OF_VERSION_1;
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
    long version = syscall(SYS_LANDLOCK_CREATE_RULESET, NULL, 0, CREATE_RULESET_VERSION);
    return version > 0 ? (int32_t)version : 0;
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
    struct box_filter filter;
    box_filter_make(&filter, flags, landlock);
    if (filter.count > BOX_FILTER_LENGTH_MAX) return -E2BIG;
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
        || header->filter_count > BOX_FILTER_LENGTH_MAX) {
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

const char *cposix_box_bus(const void *bytes) {
    const struct box_header *header = bytes;
    if (!(header->flags & CPOSIX_BOX_BUS)) return NULL;
    size_t offset = paths_offset(header);
    for (uint32_t number = 0; number < header->path_count; number++) {
        const struct box_path *path = (const void *)((const char *)bytes + offset);
        offset += sizeof *path;
        if (path->access & CPOSIX_BOX_BUS_SOCKET) return (const char *)bytes + offset;
        offset += path->size;
    }
    return NULL;
}

// MARK: Entering

/// Source: linux/capability.h. A kernel has about forty capabilities, and at most this many.
enum { CAPABILITY_COUNT_MAX = 64, CAPABILITY_VERSION_3 = 0x20080522 };

/// User 0 is a user as others are, and keeps nothing when it becomes another; neither changes back.
/// Source: linux/securebits.h: NOROOT, NO_SETUID_FIXUP and NO_CAP_AMBIENT_RAISE, each with its
/// lock, and the lock of KEEP_CAPS.
enum { SECURE_NO_ROOT_LOCKED = 0x03 | 0x0c | 0x20 | 0xc0 };

struct open_request {
    uint64_t flags;
    uint64_t mode;
    uint64_t resolve;
};

/// Opens a path of a box for a rule; -1: the path gives nothing.
UNSANITIZED static int open_path(const char *text, uint32_t access) {
    if (access & CPOSIX_BOX_NO_LINKS) {
        // The kernel looks while it walks: no program can put a link there in between.
        struct open_request request = {.flags = O_PATH | O_CLOEXEC,
                                       .resolve = OPEN_WITHOUT_SYMLINKS};
        return (int)syscall(SYS_OPENAT2, AT_FDCWD, text, &request, sizeof request);
    }
    return (int)syscall(SYS_openat, AT_FDCWD, text, O_PATH | O_CLOEXEC, 0);
}

UNSANITIZED static int32_t add_paths(int ruleset, const struct box_header *header) {
    uint64_t handled = handled_files(header->landlock);
    size_t offset = paths_offset(header);
    for (uint32_t number = 0; number < header->path_count; number++) {
        const struct box_path *path = (const void *)((const char *)header + offset);
        const char *text = (const char *)header + offset + sizeof *path;
        offset += sizeof *path + path->size;
        if (path->access & CPOSIX_BOX_BUS_SOCKET) continue;
        int file = open_path(text, path->access);
        // A path that is not there, not for this person, or a forbidden link gives nothing.
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

/// Gives up every capability, for good: a daemon that runs as root has all of them.
///
/// Landlock and the filter leave open what a capability alone allows, such as to give a file to
/// another user. Returns 0 or an errno. Source: capabilities(7); linux/capability.h, version 3.
UNSANITIZED static int32_t drop_capabilities(void) {
    // The first two need CAP_SETPCAP. A person without it has nothing to give up there: no program
    // gains anything from the bounding set once privileges cannot be gained.
    for (unsigned long number = 0; number < CAPABILITY_COUNT_MAX; number++) {
        if (syscall(SYS_prctl, PR_CAPBSET_DROP, number, 0, 0, 0) < 0) break;
    }
    syscall(SYS_prctl, PR_SET_SECUREBITS, SECURE_NO_ROOT_LOCKED, 0, 0, 0);
    // Fails only where the kernel has no ambient capabilities.
    syscall(SYS_prctl, PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
    uint32_t header[2] = {CAPABILITY_VERSION_3, 0};
    uint32_t sets[6] = {0, 0, 0, 0, 0, 0};
    return syscall(SYS_capset, header, sets) < 0 ? errno : 0;
}

UNSANITIZED int32_t cposix_box_enter(const void *rules, uint64_t length) {
    if (!is_whole(rules, length)) return -EINVAL;
    const struct box_header *header = rules;
    if (header->landlock < 1) return -EOPNOTSUPP;
    if (syscall(SYS_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0) return -errno;
    int32_t error = restrict_self(header);
    if (error == 0) error = drop_capabilities();
    if (error != 0) return -error;
    struct sock_fprog program = {
        .len = (unsigned short)header->filter_count,
        .filter = (struct sock_filter *)((char *)(uintptr_t)rules + sizeof *header),
    };
    unsigned int flags = header->flags & CPOSIX_BOX_BUS ? SECCOMP_FILTER_FLAG_NEW_LISTENER : 0;
    long listener = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program);
    return listener < 0 ? -errno : (int32_t)listener;
}
