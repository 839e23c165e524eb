#ifndef INTENTD_CMICROHTTP_SHIM_H
#define INTENTD_CMICROHTTP_SHIM_H

// Put only declarations here that Swift cannot express, each with its reason. Functions with a
// variable number of arguments are the reason for those below.
#include <microhttpd.h>

#if MHD_VERSION < 0x00097500
#error "libmicrohttpd 0.9.75 or newer is needed (apt install libmicrohttpd-dev)"
#endif

#include <string.h>

// Swift renames the members of these enumerations, differently in each version of the header.
static const enum MHD_Result cmicrohttp_yes = MHD_YES;
static const enum MHD_Result cmicrohttp_no = MHD_NO;
static const enum MHD_ValueKind cmicrohttp_head = MHD_HEADER_KIND;
static const enum MHD_ValueKind cmicrohttp_query = MHD_GET_ARGUMENT_KIND;
static const enum MHD_ResponseMemoryMode cmicrohttp_copied = MHD_RESPMEM_MUST_COPY;
static const enum MHD_ConnectionNotificationCode cmicrohttp_started =
    MHD_CONNECTION_NOTIFY_STARTED;

/// Decodes the `%XX` of a path, or of a name or value of a query, as libmicrohttpd does by itself.
///
/// A zero byte would cut the text short, and another thing than the one that was named be served. It
/// becomes bytes that are no UTF-8, which are refused.
static inline size_t cmicrohttp_decode(
    void *_Nullable context, struct MHD_Connection *_Nullable connection, char *_Nonnull text) {
    (void)context;
    (void)connection;
    for (char *zero = strstr(text, "%00"); zero; zero = strstr(zero, "%00")) memset(zero, 0xFF, 3);
    return MHD_http_unescape(text);
}

/// Starts a server without a thread of its own: its epoll descriptor says when `MHD_run` is due.
static inline struct MHD_Daemon *_Nullable cmicrohttp_start(
    int listening, MHD_AccessHandlerCallback _Nonnull handle, void *_Nonnull context,
    MHD_RequestCompletedCallback _Nonnull completed, MHD_NotifyConnectionCallback _Nonnull connected,
    unsigned int connections, unsigned int connections_of_address, size_t head_bytes,
    unsigned int silence_seconds) {
    return MHD_start_daemon(
        MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, handle, context,
        MHD_OPTION_LISTEN_SOCKET, listening,
        MHD_OPTION_NOTIFY_COMPLETED, completed, context,
        MHD_OPTION_NOTIFY_CONNECTION, connected, context,
        MHD_OPTION_CONNECTION_LIMIT, connections,
        MHD_OPTION_PER_IP_CONNECTION_LIMIT, connections_of_address,
        MHD_OPTION_UNESCAPE_CALLBACK, cmicrohttp_decode, NULL,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, head_bytes,
        MHD_OPTION_CONNECTION_TIMEOUT, silence_seconds,
        MHD_OPTION_STRICT_FOR_CLIENT, 1,
        MHD_OPTION_END);
}

/// Returns the epoll descriptor, or -1.
static inline int cmicrohttp_epoll(struct MHD_Daemon *_Nonnull server) {
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(server, MHD_DAEMON_INFO_EPOLL_FD);
    return info ? info->epoll_fd : -1;
}

/// Returns the descriptor of a connection, or -1.
static inline int cmicrohttp_descriptor(struct MHD_Connection *_Nonnull connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? info->connect_fd : -1;
}

#endif
