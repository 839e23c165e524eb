// The sockets of a box that has a bus.
//
// Neither Landlock nor a filter of system calls can tell to which path a program connects: the path
// is in memory that the program may change meanwhile. So a program in a box makes no local socket
// at all. Its filter hands the call to the supervisor (seccomp_unotify(2)), which puts a socket of
// its own into the program, connected to one path: the proxy of this run, that lets through what
// was granted. To connect it once more does nothing. No address that a program names is ever read.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "Runs.h"

int32_t bus_channel(int ends[2]) {
    return socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, ends) < 0 ? -errno : 0;
}

int bus_listener(int channel) {
    char byte;
    struct iovec part = {&byte, 1};
    union {
        char bytes[CMSG_SPACE(sizeof(int))];
        struct cmsghdr align;
    } control;
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes,
                             .msg_controllen = sizeof control.bytes};
    if (recvmsg(channel, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC) < 0) return 0;
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    if (header == NULL || header->cmsg_type != SCM_RIGHTS) return 0;
    int listener;
    memcpy(&listener, CMSG_DATA(header), sizeof listener);
    return listener;
}

/// Returns a socket that is connected to the bus, or -errno; never waits for the other end.
static int connected(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    strcpy(address.sun_path, path);
    int made = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (made < 0) return -errno;
    if (connect(made, (const struct sockaddr *)&address, sizeof address) < 0) {
        int error = errno;
        close(made);
        return -error;
    }
    return made;
}

void bus_answer(struct run *run) {
    struct seccomp_notif asked;
    memset(&asked, 0, sizeof asked);
    // Fails when the program was killed meanwhile.
    if (ioctl(run->listener, SECCOMP_IOCTL_NOTIF_RECV, &asked) < 0) return;
    int type = (int)asked.data.args[1];
    int made = connected(run->bus);
    if (made >= 0) {
        if (!(type & SOCK_NONBLOCK)) fcntl(made, F_SETFL, 0);
        struct seccomp_notif_addfd added = {
            .id = asked.id, .flags = SECCOMP_ADDFD_FLAG_SEND, .srcfd = (uint32_t)made,
            .newfd_flags = type & SOCK_CLOEXEC ? O_CLOEXEC : 0,
        };
        // The program has its own descriptor then, or it is gone.
        int status = ioctl(run->listener, SECCOMP_IOCTL_NOTIF_ADDFD, &added);
        int error = errno;
        close(made);
        if (status >= 0) return;
        made = -error;
    }
    struct seccomp_notif_resp refused = {.id = asked.id, .error = made};
    ioctl(run->listener, SECCOMP_IOCTL_NOTIF_SEND, &refused);
}
