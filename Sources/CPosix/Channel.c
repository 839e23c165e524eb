// The channel between the daemon and its supervisor: both ends of the daemon's orders, and the
// daemon's end of the replies.
#define _GNU_SOURCE
#include "CPosix.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

bool cposix_order_read(char *bytes, size_t length, struct cposix_read_order *result) {
    struct cposix_order *order = &result->order;
    if (length < sizeof *order) return false;
    memcpy(order, bytes, sizeof *order);
    result->box = NULL;
    result->program = result->directory = result->cache = NULL;
    result->arguments = result->environment = NULL;
    size_t left = length - sizeof *order;
    if (order->type != CPOSIX_ORDER_START) {
        return left == 0 && order->type >= CPOSIX_ORDER_SIGNAL
            && order->type <= CPOSIX_ORDER_SWEEP;
    }

    if (order->box_length > left) return false;
    size_t padded = (order->box_length + 7) & ~(size_t)7;
    if (padded > left || order->strings_length != left - padded) return false;
    if (order->argument_count < 1 || order->descriptors > 7) return false;
    if (order->argument_count > CPOSIX_ORDER_STRING_COUNT_MAX
        || order->environment_count > CPOSIX_ORDER_STRING_COUNT_MAX
        || order->argument_count + order->environment_count > CPOSIX_ORDER_STRING_COUNT_MAX) {
        return false;
    }
    if (order->box_length > 0) result->box = bytes + sizeof *order;

    char *at = bytes + sizeof *order + padded;
    char *end = bytes + length;
    const char **named[3] = {&result->program, &result->directory, &result->cache};
    size_t next = 0;
    size_t count = 3 + (size_t)order->argument_count + order->environment_count;
    result->arguments = result->strings;
    result->environment = result->strings + order->argument_count + 1;
    for (size_t index = 0; index < count; index++) {
        char *zero = at < end ? memchr(at, 0, (size_t)(end - at)) : NULL;
        if (zero == NULL) return false;
        if (index < 3) {
            *named[index] = at;
        } else {
            result->strings[next++] = at;
        }
        // Behind the last argument.
        if (index == 2 + (size_t)order->argument_count) result->strings[next++] = NULL;
        at = zero + 1;
    }
    result->strings[next] = NULL;
    return at == end;
}

int32_t cposix_channel(int32_t *ours, int32_t *theirs) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0) return -errno;
    int flags = fcntl(ends[0], F_GETFL);
    if (flags < 0 || fcntl(ends[0], F_SETFL, flags | O_NONBLOCK) < 0) {
        int error = errno;
        close(ends[0]);
        close(ends[1]);
        return -error;
    }
    *ours = ends[0];
    *theirs = ends[1];
    return 0;
}

/// Puts an order that is too large for a packet into a file without a name; its descriptor or
/// -errno.
static int in_memory(const struct cposix_order *order, const void *body, size_t length) {
    int file = memfd_create("intentd order", MFD_CLOEXEC);
    if (file < 0) return -errno;
    const char *parts[2] = {(const char *)order, body};
    size_t lengths[2] = {sizeof *order, length};
    for (int part = 0; part < 2; part++) {
        for (size_t done = 0; done < lengths[part];) {
            ssize_t count = write(file, parts[part] + done, lengths[part] - done);
            if (count < 0 && errno == EINTR) continue;
            if (count <= 0) {
                int error = count < 0 ? errno : EIO;
                close(file);
                return -error;
            }
            done += (size_t)count;
        }
    }
    return file;
}

int32_t cposix_order_send(int32_t channel, const struct cposix_order *order, const void *body,
                          size_t length, const int32_t *descriptors, size_t descriptor_count) {
    if (sizeof *order + length > CPOSIX_ORDER_BYTES_MAX) return -E2BIG;
    if (descriptor_count > 3) return -EINVAL;
    int file = -1;
    if (sizeof *order + length > CPOSIX_ORDER_PACKET_BYTES_MAX) {
        file = in_memory(order, body, length);
        if (file < 0) return file;
    }
    // A packet of one byte says that the order is in the last descriptor.
    char in_file = 1;
    struct iovec parts[2] = {{(void *)(uintptr_t)order, sizeof *order},
                             {(void *)(uintptr_t)body, length}};
    if (file >= 0) parts[0] = (struct iovec){&in_file, 1};
    struct msghdr message = {.msg_iov = parts, .msg_iovlen = file >= 0 || length == 0 ? 1 : 2};

    int sent_descriptors[4];
    size_t count = 0;
    for (; count < descriptor_count; count++) sent_descriptors[count] = descriptors[count];
    if (file >= 0) sent_descriptors[count++] = file;
    union {
        char bytes[CMSG_SPACE(4 * sizeof(int))];
        struct cmsghdr align;
    } control;
    memset(&control, 0, sizeof control);
    if (count > 0) {
        message.msg_control = control.bytes;
        message.msg_controllen = CMSG_SPACE(count * sizeof(int));
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(count * sizeof(int));
        memcpy(CMSG_DATA(header), sent_descriptors, count * sizeof(int));
    }
    ssize_t sent;
    do {
        sent = sendmsg(channel, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
    } while (sent < 0 && errno == EINTR);
    int error = errno;
    if (file >= 0) close(file);
    return sent < 0 ? -error : 0;
}

int32_t cposix_reply_receive(int32_t channel, struct cposix_reply *reply) {
    ssize_t count;
    do {
        count = recv(channel, reply, sizeof *reply, MSG_DONTWAIT);
    } while (count < 0 && errno == EINTR);
    if (count < 0) return -errno;
    if (count == 0) return 0;
    return count == sizeof *reply ? 1 : -EPROTO;
}

int32_t cposix_deny_inspection(void) {
    return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) < 0 ? -errno : 0;
}

int32_t cposix_memory(int32_t pid, uint64_t *resident, uint64_t *share) {
    *resident = *share = 0;
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/smaps_rollup", (int)pid);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return -errno;
    char text[2048];
    ssize_t count = read(file, text, sizeof text - 1);
    int error = errno;
    close(file);
    if (count < 0) return -error;
    text[count] = 0;
    unsigned long long kilobytes = 0;
    const char *line = strstr(text, "\nRss:");
    if (line != NULL && sscanf(line + 5, "%llu", &kilobytes) == 1) *resident = kilobytes << 10;
    line = strstr(text, "\nPss:");
    if (line == NULL || sscanf(line + 5, "%llu", &kilobytes) != 1) return -ENODATA;
    *share = kilobytes << 10;
    return 0;
}
