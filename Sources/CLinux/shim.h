#pragma once

// What the kernel and the C library offer on Linux beyond what Swift's Glibc module lists.
#include <fcntl.h>
#include <pthread.h>
#include <spawn.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/pidfd.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/timex.h>
#include <sys/vfs.h>
#include <unistd.h>

// That module is compiled without _GNU_SOURCE, which hides these.
extern long syscall(long number, ...);
extern int pipe2(int ends[2], int flags);
extern int memfd_create(const char *name, unsigned int flags);
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);
extern int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *actions, const char *path);
extern int accept4(int socket, struct sockaddr *address, socklen_t *length, int flags);
extern int pthread_setname_np(pthread_t thread, const char *name);
extern int clock_adjtime(clockid_t clock, struct timex *change);

/// A new file in memory, which nobody else sees, is not inherited, and can be sealed.
static inline int rx_memory_file(const char *name) {
    const unsigned cloexec = 1, allow_sealing = 2, noexec_seal = 8;
    // Kernels since 6.3 may insist on being told that nobody executes it; older ones do not know the flag.
    int file = memfd_create(name, cloexec | allow_sealing | noexec_seal);
    return file >= 0 ? file : memfd_create(name, cloexec | allow_sealing);
}

/// When the file at a path came to be, in ns; 0 where its file system does not know, or there is none.
static inline long long rx_birth_time(const char *path) {
    // The kernel's struct statx, which the headers that Swift sees do not have.
    struct { unsigned mask; char before[76]; long long seconds; unsigned nanoseconds; char after[164]; } birth = {0};
    const int here = -100, no_follow = 0x100;
    const unsigned want_birth = 0x800;
    if (syscall(SYS_statx, here, path, no_follow, want_birth, &birth) != 0 || !(birth.mask & want_birth)) return 0;
    return birth.seconds * 1000000000LL + birth.nanoseconds;
}

/// Lets nobody change a file in memory any more.
static inline int rx_seal(int file) {
    const int add_seals = 1033, seal = 1, shrink = 2, grow = 4, write = 8;
    return fcntl(file, add_seals, seal | shrink | grow | write);
}

/// Who connected a unix socket; 0 where that is known.
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

// Enumerations of the C library's: Swift takes each for that of whichever module it meets it in first.
static const unsigned rx_epoll_in = EPOLLIN, rx_epoll_out = EPOLLOUT, rx_epoll_oneshot = EPOLLONESHOT;
static const int rx_socket_stream = SOCK_STREAM, rx_socket_datagram = SOCK_DGRAM, rx_socket_cloexec = SOCK_CLOEXEC,
                 rx_socket_nonblock = SOCK_NONBLOCK;

// The macros around control messages are no functions, so that Swift cannot see them.

/// Sends an empty datagram with a descriptor beside it, without waiting.
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

/// Receives a datagram without waiting, and up to `*count` descriptors that came with it: `*count` says how many.
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

// Declared here: their own headers hide them without _GNU_SOURCE, or are in no module of Swift's.
struct rx_symbol {
    const char *file;
    void *base;
    const char *name;
    void *address;
};
extern int malloc_trim(size_t keep);
extern int mallopt(int parameter, int value);
enum { rx_arena_max = -8 };
extern int backtrace(void **frames, int size);
extern int dladdr(const void *address, struct rx_symbol *symbol);
