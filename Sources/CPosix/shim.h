// C declarations of the system that Swift can't import: headers that Swift's Glibc module leaves out,
// functions that need _GNU_SOURCE, variadic functions and unions.

#ifndef CPOSIX_SHIM_H
#define CPOSIX_SHIM_H

#include <errno.h>
#include <fcntl.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <netdb.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/vfs.h>
#include <unistd.h>

// RWF_NOWAIT, which the headers declare only with _GNU_SOURCE.
enum { cposix_rwf_nowait = 0x00000008 };

static inline ssize_t cposix_read_without_waiting(int descriptor, void *_Nonnull bytes, size_t count, off_t offset) {
    struct iovec piece = {bytes, count};
    return preadv2(descriptor, &piece, 1, offset, cposix_rwf_nowait);
}

// syncfs, which the headers declare only with _GNU_SOURCE.
extern int syncfs(int descriptor);

static inline int cposix_sync_file_system(int descriptor) {
    return syncfs(descriptor);
}

// memfd_create, which the headers declare only with _GNU_SOURCE; with MFD_CLOEXEC | MFD_ALLOW_SEALING.
extern int memfd_create(const char *name, unsigned int flags);

static inline int cposix_memory_file(const char *_Nonnull name) {
    return memfd_create(name, 1 | 2);
}

// F_ADD_SEALS with F_SEAL_SEAL, F_SEAL_SHRINK, F_SEAL_GROW and F_SEAL_WRITE.
static inline int cposix_seal_memory_file(int descriptor) {
    return fcntl(descriptor, 1033, 1 | 2 | 4 | 8);
}

// renameat2, which the headers declare only with _GNU_SOURCE.
extern int renameat2(int folder, const char *path, int new_folder, const char *new_path, unsigned int flags);

// Renames a file unless the new name exists: 1 is RENAME_NOREPLACE, -100 is AT_FDCWD.
static inline int cposix_rename_exclusively(const char *_Nonnull path, const char *_Nonnull new_path) {
    return renameat2(-100, path, -100, new_path, 1);
}

// Whether the file is in memory (tmpfs), which doesn't support RWF_NOWAIT.
static inline _Bool cposix_is_in_memory(int descriptor) {
    struct statfs system;
    return fstatfs(descriptor, &system) == 0 && system.f_type == 0x01021994;
}

extern long syscall(long number, ...);

// The number of processors that this process may use; 0 with more than 1,024 processors. The headers declare
// sched_getaffinity only with _GNU_SOURCE, and their types must not come from two modules.
static inline int cposix_usable_processors(void) {
    unsigned long set[1024 / 8 / sizeof(long)] = {0};
    if (syscall(SYS_sched_getaffinity, 0, sizeof set, set) < 0) return 0;
    int count = 0;
    for (unsigned long index = 0; index < sizeof set / sizeof set[0]; index++)
        count += __builtin_popcountl(set[index]);
    return count;
}

// signal by a name of its own: its header's types must not come from two modules.
extern void (*cposix_signal(int number, void (*action)(int)))(int) __asm__("signal");

// Gives a signal its default action (SIG_DFL, 0), unless the program was started with it ignored (SIG_IGN, 1).
static inline void cposix_reset_signal(int number) {
    void (*previous)(int) = cposix_signal(number, (void (*)(int))0);
    if (previous == (void (*)(int))1) cposix_signal(number, previous);
}

// Whether a signal is ignored (SIG_IGN, 1). Block it meanwhile: its action is the default for a moment.
static inline int cposix_is_signal_ignored(int number) {
    void (*previous)(int) = cposix_signal(number, (void (*)(int))0);
    cposix_signal(number, previous);
    return previous == (void (*)(int))1;
}

// prctl is variadic.
static inline void cposix_name_this_thread(const char *_Nonnull name) {
    prctl(PR_SET_NAME, name, 0, 0, 0);
}

// struct epoll_event holds its data in a union. Only the descriptor is stored there.
static inline void cposix_epoll_event_set(struct epoll_event *_Nonnull event, unsigned int events, int descriptor) {
    event->events = events;
    event->data.u64 = 0;
    event->data.fd = descriptor;
}

static inline int cposix_epoll_event_descriptor(const struct epoll_event *_Nonnull event) {
    return event->data.fd;
}

// epoll with a token of the caller's for each descriptor.
static inline int cposix_poll_control(int poller, int operation, int descriptor, unsigned int events, unsigned long token) {
    struct epoll_event event;
    event.events = events;
    event.data.u64 = token;
    return epoll_ctl(poller, operation, descriptor, &event);
}

// Waits for at most `milliseconds` (-1: without a limit), and returns how many tokens it wrote, at most 256.
static inline int cposix_poll(int poller, unsigned long *_Nonnull tokens, int milliseconds) {
    struct epoll_event ready[256];
    int count = epoll_wait(poller, ready, 256, milliseconds);
    for (int index = 0; index < count; index++) tokens[index] = ready[index].data.u64;
    return count;
}

// accept4, which the headers declare only with _GNU_SOURCE.
extern int accept4(int listener, struct sockaddr *address, socklen_t *length, int flags);

static inline int cposix_accept(int listener) {
    return accept4(listener, (struct sockaddr *)0, (socklen_t *)0, SOCK_CLOEXEC | SOCK_NONBLOCK);
}

static inline int cposix_listen(int family, const void *_Nonnull address, socklen_t length) {
    int descriptor = socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    int on = 1;
    if (descriptor < 0) return -1;
    if (family != AF_UNIX) {
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
        if (family == AF_INET6) setsockopt(descriptor, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on);
    }
    if (bind(descriptor, (const struct sockaddr *)address, length) < 0 || listen(descriptor, 4096) < 0) {
        int reason = errno;
        close(descriptor);
        errno = reason;
        return -1;
    }
    return descriptor;
}

// Listening sockets that don't block, on the loopback interface or a path. Port 0 means any free port. -1 with
// errno if that fails.
static inline int cposix_listen_ipv4(unsigned short port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return cposix_listen(AF_INET, &address, sizeof address);
}

static inline int cposix_listen_ipv6(unsigned short port) {
    struct sockaddr_in6 address = {.sin6_family = AF_INET6, .sin6_port = htons(port)};
    address.sin6_addr = in6addr_loopback;
    return cposix_listen(AF_INET6, &address, sizeof address);
}

static inline int cposix_listen_on_path(const char *_Nonnull path) {
    struct sockaddr_un address;
    memset(&address, 0, sizeof address);
    address.sun_family = AF_UNIX;
    if (strlen(path) >= sizeof address.sun_path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    memcpy(address.sun_path, path, strlen(path));
    return cposix_listen(AF_UNIX, &address, sizeof address);
}

// A bound TCP socket that doesn't listen: connections to its port are refused, and no other socket can bind the
// port, because SO_REUSEADDR isn't set.
static inline int cposix_hold_port(void) {
    struct sockaddr_in address = {.sin_family = AF_INET};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (descriptor < 0) return -1;
    if (bind(descriptor, (const struct sockaddr *)&address, sizeof address) == 0) return descriptor;
    int reason = errno;
    close(descriptor);
    errno = reason;
    return -1;
}

// Closes a connection with a reset.
static inline void cposix_reset(int descriptor) {
    struct linger at_once = {.l_onoff = 1, .l_linger = 0};
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    close(descriptor);
}

#endif
