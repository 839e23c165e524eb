#ifndef INTENTD_CCURL_SHIM_H
#define INTENTD_CCURL_SHIM_H

// Put only declarations here that Swift cannot express, each with its reason. Functions with a
// variable number of arguments are the reason for those below.
#include <curl/curl.h>
#include <netinet/in.h>
#include <string.h>

#if LIBCURL_VERSION_NUM < 0x075500
#error "libcurl 7.85 or newer is needed (apt install libcurl4-openssl-dev)"
#endif

// Macros with casts.
static const curl_socket_t ccurl_no_socket = CURL_SOCKET_BAD;

static inline CURLcode ccurl_set_number(CURL *_Nonnull transfer, CURLoption option, long value) {
    return curl_easy_setopt(transfer, option, value);
}

static inline CURLcode ccurl_set_text(CURL *_Nonnull transfer, CURLoption option,
                                      const char *_Nullable value) {
    return curl_easy_setopt(transfer, option, value);
}

static inline CURLcode ccurl_set_lines(CURL *_Nonnull transfer, CURLoption option,
                                       struct curl_slist *_Nullable lines) {
    return curl_easy_setopt(transfer, option, lines);
}

/// The place for a message about the first error: `CURL_ERROR_SIZE` bytes.
static inline CURLcode ccurl_set_error_place(CURL *_Nonnull transfer, char *_Nonnull place) {
    return curl_easy_setopt(transfer, CURLOPT_ERRORBUFFER, place);
}

/// Takes bytes; returns another number than `size * count` to end the transfer.
typedef size_t (*ccurl_take)(char *_Nullable bytes, size_t size, size_t count,
                             void *_Nullable context);

/// Makes the socket of a connection, or returns `CURL_SOCKET_BAD` to refuse the address.
typedef curl_socket_t (*ccurl_open)(void *_Nullable context, curlsocktype purpose,
                                    struct curl_sockaddr *_Nullable address);

/// Copies the bytes of an address of IPv4 (4) or IPv6 (16) and returns their number; 0: another kind.
///
/// libcurl declares the member `addr` shorter than it is.
static inline int ccurl_address(const struct curl_sockaddr *_Nonnull from,
                                unsigned char *_Nonnull bytes) {
    if (from->family == AF_INET) {
        memcpy(bytes, &((const struct sockaddr_in *)(const void *)&from->addr)->sin_addr, 4);
        return 4;
    }
    if (from->family == AF_INET6) {
        memcpy(bytes, &((const struct sockaddr_in6 *)(const void *)&from->addr)->sin6_addr, 16);
        return 16;
    }
    return 0;
}

/// Sets what is called with a line of the head, with bytes of the body, and for a socket.
static inline CURLcode ccurl_set_callbacks(CURL *_Nonnull transfer, void *_Nonnull context,
                                           ccurl_take _Nonnull head, ccurl_take _Nonnull body,
                                           ccurl_open _Nonnull open) {
    CURLcode code = curl_easy_setopt(transfer, CURLOPT_HEADERFUNCTION, head);
    if (code == CURLE_OK) code = curl_easy_setopt(transfer, CURLOPT_HEADERDATA, context);
    if (code == CURLE_OK) code = curl_easy_setopt(transfer, CURLOPT_WRITEFUNCTION, body);
    if (code == CURLE_OK) code = curl_easy_setopt(transfer, CURLOPT_WRITEDATA, context);
    if (code == CURLE_OK) code = curl_easy_setopt(transfer, CURLOPT_OPENSOCKETFUNCTION, open);
    if (code == CURLE_OK) code = curl_easy_setopt(transfer, CURLOPT_OPENSOCKETDATA, context);
    if (code == CURLE_OK) code = curl_easy_setopt(transfer, CURLOPT_PRIVATE, context);
    return code;
}

/// Returns the context that `ccurl_set_callbacks` set.
static inline void *_Nullable ccurl_context(CURL *_Nonnull transfer) {
    char *context = NULL;
    curl_easy_getinfo(transfer, CURLINFO_PRIVATE, &context);
    return context;
}

/// Sets what is called when a socket is to be watched, and when time is to be told.
static inline CURLMcode ccurl_set_loop(CURLM *_Nonnull multi, void *_Nonnull context,
                                       curl_socket_callback _Nonnull socket,
                                       curl_multi_timer_callback _Nonnull timer) {
    CURLMcode code = curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, socket);
    if (code == CURLM_OK) code = curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, context);
    if (code == CURLM_OK) code = curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, timer);
    if (code == CURLM_OK) code = curl_multi_setopt(multi, CURLMOPT_TIMERDATA, context);
    return code;
}

/// Takes the next transfer that has ended, and its code; NULL: there is none.
static inline CURL *_Nullable ccurl_next_ended(CURLM *_Nonnull multi, CURLcode *_Nonnull code) {
    int left = 0;
    for (CURLMsg *message = curl_multi_info_read(multi, &left); message != NULL;
         message = curl_multi_info_read(multi, &left)) {
        if (message->msg != CURLMSG_DONE) continue;
        // A union.
        *code = message->data.result;
        return message->easy_handle;
    }
    return NULL;
}

#endif
