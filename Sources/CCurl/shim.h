#pragma once

#include <curl/curl.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

// curl's setters and getters are variadic, which Swift cannot call, so there is one function for each argument type.
static inline CURLcode rx_curl_set_long(CURL *handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode rx_curl_set_offset(CURL *handle, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode rx_curl_set_string(CURL *handle, CURLoption option, const char *value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode rx_curl_set_pointer(CURL *handle, CURLoption option, void *value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode rx_curl_set_list(CURL *handle, CURLoption option, struct curl_slist *value) {
    return curl_easy_setopt(handle, option, value);
}

typedef size_t (*rx_curl_data_callback)(char *bytes, size_t size, size_t count, void *context);

static inline CURLcode rx_curl_set_data_callback(CURL *handle, CURLoption option, rx_curl_data_callback callback) {
    return curl_easy_setopt(handle, option, callback);
}

static inline CURLcode rx_curl_set_open_socket_callback(CURL *handle, curl_opensocket_callback callback) {
    return curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, callback);
}

static inline CURLcode rx_curl_get_long(CURL *handle, CURLINFO info, long *value) {
    return curl_easy_getinfo(handle, info, value);
}

static inline CURLcode rx_curl_get_offset(CURL *handle, CURLINFO info, curl_off_t *value) {
    return curl_easy_getinfo(handle, info, value);
}

static inline CURLcode rx_curl_get_string(CURL *handle, CURLINFO info, const char **value) {
    return curl_easy_getinfo(handle, info, value);
}

static inline CURLcode rx_curl_get_certificates(CURL *handle, struct curl_certinfo **value) {
    return curl_easy_getinfo(handle, CURLINFO_CERTINFO, value);
}

static inline CURLMcode rx_curl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}

static inline CURLMcode rx_curl_multi_set_pointer(CURLM *multi, CURLMoption option, void *value) {
    return curl_multi_setopt(multi, option, value);
}

static inline CURLMcode rx_curl_multi_set_socket_callback(CURLM *multi, curl_socket_callback callback) {
    return curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, callback);
}

static inline CURLMcode rx_curl_multi_set_timer_callback(CURLM *multi, curl_multi_timer_callback callback) {
    return curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, callback);
}

// Constants for macros that Swift does not import, since they contain casts and operators.
static const long rx_curl_auth_basic = (long)CURLAUTH_BASIC;
static const long rx_curl_auth_bearer = (long)CURLAUTH_BEARER;
static const long rx_curl_keep_post = (long)(CURL_REDIR_POST_301 | CURL_REDIR_POST_302);
static const long rx_curl_tls_1_2 = (long)CURL_SSLVERSION_TLSv1_2;
static const long rx_curl_tls_1_3 = (long)CURL_SSLVERSION_TLSv1_3;
static const long rx_curl_http_1_1 = (long)CURL_HTTP_VERSION_1_1;
static const long rx_curl_http_2 = (long)CURL_HTTP_VERSION_2_0;
static const long rx_curl_http_2_tls = (long)CURL_HTTP_VERSION_2TLS;
static const long rx_curl_http_2_at_once = (long)CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE;
static const int rx_curl_no_socket = CURL_SOCKET_BAD;
static const int rx_curl_timeout_socket = CURL_SOCKET_TIMEOUT;

// The event loop's epoll and eventfd. The kernel's event is a packed struct with a union, which Swift does not handle
// well. curl requests events as CURL_POLL_* and receives them as CURL_CSELECT_*.
static inline int rx_loop_make(void) {
    return epoll_create1(EPOLL_CLOEXEC);
}

static inline int rx_loop_make_event(void) {
    return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
}

static inline int rx_loop_watch(int loop, int descriptor, int what) {
    struct epoll_event event = {.events = 0, .data = {.fd = descriptor}};
    if (what & CURL_POLL_IN) event.events |= EPOLLIN;
    if (what & CURL_POLL_OUT) event.events |= EPOLLOUT;
    if (epoll_ctl(loop, EPOLL_CTL_MOD, descriptor, &event) == 0) return 0;
    if (errno != ENOENT) return -1;
    return epoll_ctl(loop, EPOLL_CTL_ADD, descriptor, &event);
}

static inline int rx_loop_forget(int loop, int descriptor) {
    return epoll_ctl(loop, EPOLL_CTL_DEL, descriptor, 0);
}

/// Sets the name of the calling thread.
static inline void rx_loop_name(const char *name) {
    prctl(PR_SET_NAME, name, 0, 0, 0);
}

enum { RX_LOOP_MOST = 256 };

/// Waits for at most `milliseconds`; returns the number of ready descriptors, or -1.
static inline int rx_loop_wait(int loop, int *descriptors, int *what, int milliseconds) {
    struct epoll_event events[RX_LOOP_MOST];
    int count = epoll_wait(loop, events, RX_LOOP_MOST, milliseconds);
    for (int i = 0; i < count; i++) {
        descriptors[i] = events[i].data.fd;
        what[i] = 0;
        if (events[i].events & EPOLLIN) what[i] |= CURL_CSELECT_IN;
        if (events[i].events & EPOLLOUT) what[i] |= CURL_CSELECT_OUT;
        // A hang-up is reported as an error; the next read or write then sees it.
        if (events[i].events & (EPOLLERR | EPOLLHUP)) what[i] |= CURL_CSELECT_ERR;
    }
    return count;
}

/// The inode of `descriptor` if it is one end of a pair of nameless unix sockets that this process created, and a
/// started program would inherit it; otherwise 0.
static inline uint64_t rx_inheritable_pair_end(int descriptor) {
    int flags = fcntl(descriptor, F_GETFD);
    if (flags < 0 || (flags & FD_CLOEXEC)) return 0;
    struct stat status;
    if (fstat(descriptor, &status) != 0 || !S_ISSOCK(status.st_mode)) return 0;
    struct sockaddr_un address;
    socklen_t size = sizeof address;
    if (getsockname(descriptor, (struct sockaddr *)&address, &size) != 0) return 0;
    if (address.sun_family != AF_UNIX || size != sizeof(sa_family_t)) return 0;
    // A socket that was connected to a listening one has a peer with a name.
    size = sizeof address;
    if (getpeername(descriptor, (struct sockaddr *)&address, &size) != 0 || size != sizeof(sa_family_t)) return 0;
    // Without _GNU_SOURCE there is no struct ucred: its first member is the process that created the pair.
    uint32_t creator[3] = {0};
    size = sizeof creator;
    if (getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, creator, &size) != 0) return 0;
    return creator[0] == (uint32_t)getpid() ? status.st_ino : 0;
}

/// Gives the nameless unix socket `end` an abstract name that the kernel chooses, which no other socket has; returns
/// whether it has one then.
static inline int rx_name_socket(int end) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    return bind(end, (struct sockaddr *)&address, sizeof(sa_family_t)) == 0;
}

/// Whether the peer of the unix socket `other` is `end`, which has a name.
static inline int rx_is_peer(int other, int end) {
    struct sockaddr_un name, peer;
    socklen_t size = sizeof name, peerSize = sizeof peer;
    if (getsockname(end, (struct sockaddr *)&name, &size) != 0 || size <= sizeof(sa_family_t)) return 0;
    if (getpeername(other, (struct sockaddr *)&peer, &peerSize) != 0 || peerSize != size) return 0;
    return memcmp(&name, &peer, size) == 0;
}

static inline void rx_close_on_exec(int descriptor) {
    fcntl(descriptor, F_SETFD, FD_CLOEXEC);
}
