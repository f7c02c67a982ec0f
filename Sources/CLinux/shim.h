#pragma once

// Functions and constants of Linux and glibc that Swift's Glibc module does not export.
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <spawn.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/timex.h>
#include <sys/vfs.h>
#include <sys/xattr.h>
#include <unistd.h>

// Swift's Glibc module is compiled without _GNU_SOURCE, so that the headers hide these functions.
extern long syscall(long number, ...);
extern int pipe2(int ends[2], int flags);
extern int memfd_create(const char *name, unsigned int flags);
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);
extern int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *actions, const char *path);
extern int accept4(int socket, struct sockaddr *address, socklen_t *length, int flags);
extern int pthread_setname_np(pthread_t thread, const char *name);
extern int clock_adjtime(clockid_t clock, struct timex *change);

/// Disables core files of this process, and reading its memory by other processes.
static inline int rx_forbid_dumps(void) { return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }

/// Creates a file in memory that is not inherited and can be sealed.
static inline int rx_memory_file(const char *name) {
    const unsigned cloexec = 1, allow_sealing = 2, noexec_seal = 8;
    // Kernels since 6.3 may require a flag for "not executable", which older ones do not know.
    int file = memfd_create(name, cloexec | allow_sealing | noexec_seal);
    return file >= 0 ? file : memfd_create(name, cloexec | allow_sealing);
}

/// Returns the creation time of the file at a path in ns; 0 if the file system does not record it, or there is no file.
static inline long long rx_birth_time(const char *path) {
    // The kernel's struct statx, which is missing from the headers that Swift imports.
    struct { unsigned mask; char before[76]; long long seconds; unsigned nanoseconds; char after[164]; } birth = {0};
    const int here = -100, no_follow = 0x100;
    const unsigned want_birth = 0x800;
    if (syscall(SYS_statx, here, path, no_follow, want_birth, &birth) != 0 || !(birth.mask & want_birth)) return 0;
    return birth.seconds * 1000000000LL + birth.nanoseconds;
}

/// Makes this process the parent of each descendant whose own parent has ended.
static inline int rx_adopt_orphans(void) { return prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); }

/// Whether this process adopts orphaned descendants.
static inline int rx_adopts_orphans(void) {
    int adopts = 0;
    return prctl(PR_GET_CHILD_SUBREAPER, &adopts, 0, 0, 0) == 0 && adopts;
}

/// Makes a file in memory immutable.
static inline int rx_seal(int file) {
    const int add_seals = 1033, seal = 1, shrink = 2, grow = 4, write = 8;
    return fcntl(file, add_seals, seal | shrink | grow | write);
}

/// Gets up to `limit` groups, besides its own one, of the process that connected a unix socket; returns their number, 0 if they
/// are unknown or more.
static inline int rx_peer_groups(int socket, unsigned *groups, int limit) {
    const int peer_groups = 59;
    socklen_t size = limit * sizeof(*groups);
    return getsockopt(socket, SOL_SOCKET, peer_groups, groups, &size) == 0 ? (int)(size / sizeof(*groups)) : 0;
}

/// Gets the credentials of the process that connected a unix socket; returns 0 for success.
static inline int rx_peer(int socket, int *process, unsigned *user, unsigned *group) {
    const int peer_credentials = 17;
    struct {
        int process;
        unsigned user, group;
    } peer;
    socklen_t size = sizeof(peer);
    const int status = getsockopt(socket, SOL_SOCKET, peer_credentials, &peer, &size);
    if (status == 0) {
        *process = peer.process;
        *user = peer.user;
        *group = peer.group;
    }
    return status;
}

// Constants for the C library's enumerations: Swift assigns an enumeration to the module through which it first imports
// it, so that the original constants have different types in different builds.
static const unsigned rx_epoll_in = EPOLLIN, rx_epoll_out = EPOLLOUT, rx_epoll_oneshot = EPOLLONESHOT;
static const int rx_socket_stream = SOCK_STREAM, rx_socket_datagram = SOCK_DGRAM, rx_socket_cloexec = SOCK_CLOEXEC,
                 rx_socket_nonblock = SOCK_NONBLOCK;

// Control messages need function-like macros, which Swift does not import.

/// Sends an empty datagram with an attached descriptor, without blocking.
static inline ssize_t rx_send_descriptor(int socket, int descriptor) {
    union {
        char bytes[CMSG_SPACE(sizeof(int))];
        struct cmsghdr header;
    } control;
    memset(&control, 0, sizeof(control));
    struct msghdr message = {.msg_control = control.bytes, .msg_controllen = sizeof(control.bytes)};
    control.header.cmsg_level = SOL_SOCKET;
    control.header.cmsg_type = SCM_RIGHTS;
    control.header.cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(&control.header), &descriptor, sizeof(int));
    return sendmsg(socket, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
}

/// Receives a datagram without blocking, and up to `*count` attached descriptors. Sets `*count` to their number, and
/// closes further ones.
static inline ssize_t rx_receive(int socket, void *bytes, size_t size, int *descriptors, size_t *count) {
    union {
        char bytes[CMSG_SPACE(sizeof(int) * 64)];
        struct cmsghdr header;
    } control;
    struct iovec vector = {.iov_base = bytes, .iov_len = size};
    struct msghdr message = {
        .msg_iov = &vector, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof(control.bytes)};
    const size_t room = *count;
    *count = 0;
    const ssize_t received = recvmsg(socket, &message, MSG_DONTWAIT | 0x40000000 /* MSG_CMSG_CLOEXEC */);
    if (received < 0) return received;
    for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header; header = CMSG_NXTHDR(&message, header)) {
        if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
        const size_t sent = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (size_t index = 0; index < sent; index++) {
            int descriptor;
            memcpy(&descriptor, CMSG_DATA(header) + index * sizeof(int), sizeof(int));
            if (*count < room) descriptors[(*count)++] = descriptor;
            else close(descriptor);
        }
    }
    return received;
}

// Declared here because their headers hide them without _GNU_SOURCE, or belong to no module that Swift imports.
struct rx_symbol {
    const char *file;
    void *base;
    const char *name;
    void *address;
};
extern int malloc_trim(size_t keep);
extern int mallopt(int parameter, int value);
enum { rx_arena_max = -8, rx_mmap_threshold = -3 };
extern int backtrace(void **frames, int size);
extern int dladdr(const void *address, struct rx_symbol *symbol);
