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
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/vfs.h>

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

// sched_getaffinity, which the headers declare only with _GNU_SOURCE.
extern int sched_getaffinity(pid_t process, size_t size, cpu_set_t *set);

// The number of processors that this process may use; 0 with more than 1,024 processors.
static inline int cposix_usable_processors(void) {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) != 0) return 0;
    int count = 0;
    for (size_t index = 0; index < sizeof set.__bits / sizeof set.__bits[0]; index++)
        count += __builtin_popcountl(set.__bits[index]);
    return count;
}

// prctl is variadic.
static inline void cposix_name_this_thread(const char *_Nonnull name) {
    prctl(PR_SET_NAME, name, 0, 0, 0);
}

// Whether nothing can be written any more to the pipe or socket, because its reader has closed it. That is an
// error (POLLERR) of a pipe, and the end (POLLHUP) of a Unix socket.
static inline _Bool cposix_has_no_reader(int descriptor) {
    struct pollfd polled = {descriptor, 0, 0};
    return poll(&polled, 1, 0) == 1 && (polled.revents & (POLLERR | POLLHUP | POLLNVAL)) != 0;
}

// SIG_IGN and SIG_DFL are casts. Ignores SIGPIPE, and removes a handler of SIGQUIT.
static inline void cposix_set_program_signals(void) {
    struct sigaction action;
    signal(SIGPIPE, SIG_IGN);
    if (sigaction(SIGQUIT, 0, &action) == 0 && action.sa_handler != SIG_IGN) signal(SIGQUIT, SIG_DFL);
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

#endif
