// Reads processes and their descendants from /proc, and the size of a folder.
//
// A process that ended between two reads is skipped. The kernel promises the list of children only
// for processes that are stopped; the supervisor therefore looks again until it finds none.
#define _GNU_SOURCE
#include "ProcessTree.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "CPosix.h"

struct directory_entry {
    uint64_t inode;
    int64_t offset;
    unsigned short length;
    unsigned char type;
    char name[];
};

/// Calls back for each entry of an open folder until the callback returns false.
static void list(int folder, bool (*found)(const char *name, void *context), void *context) {
    _Alignas(8) char buffer[4096];
    long count;
    while ((count = syscall(SYS_getdents64, folder, buffer, sizeof buffer)) > 0) {
        for (long at = 0; at < count;) {
            const struct directory_entry *entry = (const void *)(buffer + at);
            at += entry->length;
            if (!found(entry->name, context)) return;
        }
    }
}

/// Reads the beginning of a file as text; its length, or -1.
static ssize_t read_text(const char *path, char *text, size_t size) {
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return -1;
    ssize_t count = read(file, text, size - 1);
    close(file);
    if (count >= 0) text[count] = 0;
    return count;
}

/// Reads a file like /proc/PID/stat.
static bool read_stat(const char *path, pid_t pid, struct process *process) {
    char text[1024];
    if (read_text(path, text, sizeof text) <= 0) return false;
    // The name of the program stands in parentheses, and may have some itself.
    char *field = strrchr(text, ')');
    if (field == NULL || field[1] != ' ') return false;
    field += 2;
    process->pid = pid;
    process->state = *field;
    uint64_t ticks = 0;
    // The third field is the first one here; proc(5) numbers them.
    for (int number = 3; number <= 24 && field != NULL && *field != 0; number++) {
        uint64_t value = number == 3 ? 0 : strtoull(field, NULL, 10);
        if (number == 4) process->parent = (pid_t)value;
        if (number == 5) process->group = (pid_t)value;
        if (number >= 14 && number <= 17) ticks += value;
        if (number == 20) process->threads = (uint32_t)value;
        if (number == 22) process->start = value;
        if (number == 24) process->resident_bytes = value * (uint64_t)sysconf(_SC_PAGESIZE);
        field = strchr(field, ' ');
        if (field != NULL) field += 1;
    }
    process->cpu_microseconds = ticks * (1000000u / (uint64_t)sysconf(_SC_CLK_TCK));
    return true;
}

static bool is_over(const struct process *process) {
    return process->state == 'Z' || process->state == 'X';
}

struct live_thread {
    struct process *process;
};

static bool read_live_thread(const char *thread, void *context) {
    struct live_thread *live = context;
    char path[80];
    if (thread[0] < '0' || thread[0] > '9') return true;
    struct process read = {0};
    snprintf(path, sizeof path, "/proc/%d/task/%.20s/stat", (int)live->process->pid, thread);
    if (!read_stat(path, live->process->pid, &read) || is_over(&read)) return true;
    live->process->state = read.state;
    live->process->resident_bytes = read.resident_bytes;
    return false;
}

static int open_threads(pid_t pid) {
    char path[40];
    snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
    return open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

bool process_read(pid_t pid, struct process *process) {
    char path[40];
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    if (!read_stat(path, pid, process)) return false;
    // Its first thread may have ended while others go on: the state and the memory are theirs then.
    if (is_over(process) && process->threads > 1) {
        int folder = open_threads(pid);
        if (folder < 0) return false;
        struct live_thread live = {process};
        list(folder, read_live_thread, &live);
        close(folder);
    }
    return true;
}

// MARK: Children

struct children {
    pid_t parent;
    pid_t *pids;
    size_t count;
    size_t max;
};

static void take_child(struct children *children, pid_t pid) {
    if (pid > 0 && children->count < children->max) children->pids[children->count++] = pid;
}

/// Takes the children that a file of /proc lists.
static void take_children(struct children *children, int file) {
    char text[4096];
    off_t place = 0;
    pid_t pid = 0;
    ssize_t count;
    while ((count = pread(file, text, sizeof text, place)) > 0) {
        for (ssize_t index = 0; index < count; index++) {
            if (text[index] >= '0' && text[index] <= '9') {
                pid = pid * 10 + (text[index] - '0');
            } else {
                take_child(children, pid);
                pid = 0;
            }
        }
        place += count;
    }
    take_child(children, pid);
}

static bool children_of_thread(const char *thread, void *context) {
    struct children *children = context;
    if (thread[0] < '0' || thread[0] > '9') return true;
    char path[80];
    snprintf(path, sizeof path, "/proc/%d/task/%.20s/children", (int)children->parent, thread);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return true;
    take_children(children, file);
    close(file);
    return true;
}

static void child_if_parent(pid_t pid, void *context) {
    struct children *children = context;
    struct process process = {0};
    if (process_read(pid, &process) && process.parent == children->parent) {
        take_child(children, pid);
    }
}

bool tree_has_children_files(void) {
    static int answer = -1;
    if (answer < 0) answer = access("/proc/thread-self/children", R_OK) == 0;
    return answer == 1;
}

size_t tree_children(pid_t pid, uint32_t threads, pid_t *pids, size_t max) {
    struct children children = {pid, pids, 0, max};
    char path[40];
    if (!tree_has_children_files()) {
        tree_each_process(child_if_parent, &children);
    } else if (threads == 1) {
        snprintf(path, sizeof path, "%d", (int)pid);
        children_of_thread(path, &children);
    } else {
        int folder = open_threads(pid);
        if (folder >= 0) {
            list(folder, children_of_thread, &children);
            close(folder);
        }
    }
    return children.count;
}

size_t tree_own_children(pid_t *pids, size_t max) {
    // It is read for each end of a run, and stays open.
    static int file = -1;
    if (file < 0 && tree_has_children_files()) {
        file = open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
    }
    if (file < 0) return tree_children(getpid(), 1, pids, max);
    struct children children = {getpid(), pids, 0, max};
    take_children(&children, file);
    return children.count;
}

void tree_add(struct process_tree *tree, pid_t pid) {
    if (tree->count == TREE_PROCESS_COUNT_MAX) return;
    struct process *process = &tree->found[tree->count];
    if (!process_read(pid, process) || is_over(process)) return;
    tree->count += 1;
}

void tree_grow(struct process_tree *tree, size_t enough) {
    static pid_t children[TREE_PROCESS_COUNT_MAX];
    for (size_t index = 0; index < tree->count && tree->count < enough; index++) {
        const struct process *parent = &tree->found[index];
        size_t count =
            tree_children(parent->pid, parent->threads, children, TREE_PROCESS_COUNT_MAX);
        for (size_t child = 0; child < count; child++) tree_add(tree, children[child]);
    }
}

bool tree_signal(const struct process *process, int signal) {
    int descriptor = (int)syscall(SYS_pidfd_open, process->pid, 0);
    if (descriptor < 0 && errno == ESRCH) return false;
    // With the descriptor open the number cannot pass to another process unseen.
    struct process now = {0};
    bool is_same = process_read(process->pid, &now) && now.start == process->start;
    bool reached = false;
    if (is_same && descriptor >= 0) {
        reached = syscall(SYS_pidfd_send_signal, descriptor, signal, NULL, 0) == 0;
    } else if (is_same) {
        reached = kill(process->pid, signal) == 0;
    }
    if (descriptor >= 0) close(descriptor);
    return reached;
}

bool tree_kill_group(const struct process *process) {
    struct process now = {0};
    if (process->group <= 1 || process->group == getpgrp()) return false;
    if (!tree_signal(process, SIGSTOP) || !process_read(process->pid, &now)) return false;
    if (now.start != process->start || now.group != process->group || is_over(&now)) return false;
    return kill(-now.group, SIGKILL) == 0;
}

struct each_process {
    void (*found)(pid_t pid, void *context);
    void *context;
};

static bool process_entry(const char *name, void *context) {
    struct each_process *each = context;
    if (name[0] >= '1' && name[0] <= '9') each->found((pid_t)atoi(name), each->context);
    return true;
}

void tree_each_process(void (*found)(pid_t pid, void *context), void *context) {
    int folder = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) return;
    struct each_process each = {found, context};
    list(folder, process_entry, &each);
    close(folder);
}

// MARK: Figures

uint64_t process_share(pid_t pid, uint64_t resident) {
    uint64_t all, share;
    // A process that denies inspection pays for everything that it has mapped.
    return cposix_memory(pid, &all, &share) < 0 ? resident : share;
}

uint64_t machine_threads(void) {
    char text[128];
    unsigned long threads = 0;
    // 0.20 0.18 0.12 1/80 11206: running and all threads follow the three loads.
    if (read_text("/proc/loadavg", text, sizeof text) <= 0) return 0;
    return sscanf(text, "%*s %*s %*s %*u/%lu", &threads) == 1 ? threads : 0;
}

struct folder_size {
    int folder;
    int depth;
    uint64_t bytes;
    uint32_t *entries;
};

static bool size_entry(const char *name, void *context);

/// Adds the entries of an open folder, and closes it.
static void size_folder(struct folder_size *size) {
    list(size->folder, size_entry, size);
    close(size->folder);
}

static bool size_entry(const char *name, void *context) {
    struct folder_size *size = context;
    if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0) return true;
    if (++*size->entries > CPOSIX_CACHE_ENTRY_COUNT_MAX) {
        size->bytes = UINT64_MAX;
        return false;
    }
    struct stat status;
    if (fstatat(size->folder, name, &status, AT_SYMLINK_NOFOLLOW) < 0) return true;
    uint64_t added = (uint64_t)status.st_blocks * 512;
    if (S_ISDIR(status.st_mode)) {
        struct folder_size inner = {-1, size->depth + 1, 0, size->entries};
        if (inner.depth > CPOSIX_CACHE_DEPTH_MAX) {
            inner.bytes = UINT64_MAX;
        } else {
            inner.folder = openat(size->folder, name,
                                  O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
            if (inner.folder >= 0) size_folder(&inner);
        }
        added = inner.bytes > UINT64_MAX - added ? UINT64_MAX : added + inner.bytes;
    }
    size->bytes = added > UINT64_MAX - size->bytes ? UINT64_MAX : size->bytes + added;
    return size->bytes < UINT64_MAX;
}

uint64_t folder_bytes(const char *path) {
    uint32_t entries = 0;
    struct folder_size size = {open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), 0, 0, &entries};
    if (size.folder < 0) return 0;
    size_folder(&size);
    return size.bytes;
}
