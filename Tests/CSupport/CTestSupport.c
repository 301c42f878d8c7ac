#define _GNU_SOURCE
#include "CTestSupport.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <malloc.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/inotify.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

const uint32_t ts_readable = EPOLLIN;

int ts_poller(void) { return epoll_create1(EPOLL_CLOEXEC); }

static int control(int poller, int operation, int descriptor, uint32_t interest, uint64_t token) {
    struct epoll_event event = {.events = interest, .data = {.u64 = token}};
    return epoll_ctl(poller, operation, descriptor, &event);
}

int ts_watch(int poller, int descriptor, uint32_t interest, uint64_t token) {
    return control(poller, EPOLL_CTL_ADD, descriptor, interest, token);
}

int ts_poll(int poller, struct ts_event *events, int capacity, int milliseconds) {
    struct epoll_event ready[256];
    int count = epoll_wait(poller, ready, capacity < 256 ? capacity : 256, milliseconds);
    for (int i = 0; i < count; i++) {
        events[i].happened = ready[i].events;
        events[i].token = ready[i].data.u64;
    }
    return count;
}

static int failed(int descriptor) {
    int reason = errno;
    close(descriptor);
    errno = reason;
    return -1;
}

static int listening(int family, const void *address, socklen_t length) {
    int descriptor = socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    int on = 1;
    if (descriptor < 0) return -1;
    if (family != AF_UNIX) {
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
        if (family == AF_INET6) setsockopt(descriptor, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on);
    }
    if (bind(descriptor, address, length) < 0) return failed(descriptor);
    if (listen(descriptor, 4096) < 0) return failed(descriptor);
    return descriptor;
}

static int connected(int family, const void *address, socklen_t length) {
    int descriptor = socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (descriptor < 0) return -1;
    if (connect(descriptor, address, length) < 0) return failed(descriptor);
    return descriptor;
}

static struct sockaddr_in ipv4(uint16_t port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

static struct sockaddr_in6 ipv6(uint16_t port) {
    struct sockaddr_in6 address = {.sin6_family = AF_INET6, .sin6_port = htons(port)};
    address.sin6_addr = in6addr_loopback;
    return address;
}

static int local_path(const char *path, struct sockaddr_un *address) {
    memset(address, 0, sizeof *address);
    address->sun_family = AF_UNIX;
    if (strlen(path) >= sizeof address->sun_path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    strcpy(address->sun_path, path);
    return 0;
}

int ts_listen_ipv4(uint16_t port) {
    struct sockaddr_in address = ipv4(port);
    return listening(AF_INET, &address, sizeof address);
}

int ts_hold_port_ipv4(void) {
    struct sockaddr_in address = ipv4(0);
    int descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (descriptor < 0) return -1;
    // Without SO_REUSEADDR, which would let other sockets bind the port too.
    const struct sockaddr *any = (const void *)&address;
    return bind(descriptor, any, sizeof address) < 0 ? failed(descriptor) : descriptor;
}

int ts_bind_udp_ipv4(uint16_t port) {
    struct sockaddr_in address = ipv4(port);
    int descriptor = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (descriptor < 0) return -1;
    const struct sockaddr *any = (const void *)&address;
    return bind(descriptor, any, sizeof address) < 0 ? failed(descriptor) : descriptor;
}

int ts_connect_ipv4(uint16_t port) {
    struct sockaddr_in address = ipv4(port);
    return connected(AF_INET, &address, sizeof address);
}

int ts_connect_ipv6(uint16_t port) {
    struct sockaddr_in6 address = ipv6(port);
    return connected(AF_INET6, &address, sizeof address);
}

int ts_connect_unix(const char *path) {
    struct sockaddr_un address;
    if (local_path(path, &address) < 0) return -1;
    return connected(AF_UNIX, &address, sizeof address);
}

static int port_of(const struct sockaddr_storage *address) {
    if (address->ss_family == AF_INET) return ntohs(((const struct sockaddr_in *)address)->sin_port);
    if (address->ss_family == AF_INET6)
        return ntohs(((const struct sockaddr_in6 *)address)->sin6_port);
    return -1;
}

int ts_local_port(int descriptor) {
    struct sockaddr_storage address;
    socklen_t length = sizeof address;
    if (getsockname(descriptor, (struct sockaddr *)&address, &length) < 0) return -1;
    return port_of(&address);
}

int ts_peer_port(int descriptor) {
    struct sockaddr_storage address;
    socklen_t length = sizeof address;
    if (getpeername(descriptor, (struct sockaddr *)&address, &length) < 0) return -1;
    return port_of(&address);
}

ssize_t ts_send(int descriptor, const void *bytes, size_t count) {
    return send(descriptor, bytes, count, MSG_NOSIGNAL);
}

int ts_pipe(int descriptors[2]) { return pipe2(descriptors, O_CLOEXEC); }

pid_t ts_spawn(
    char *const *arguments, char *const *environment, const char *directory, int input,
    int output, int errors) {
    pid_t process = -1;
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    posix_spawn_file_actions_adddup2(&actions, input, 0);
    posix_spawn_file_actions_adddup2(&actions, output, 1);
    posix_spawn_file_actions_adddup2(&actions, errors, 2);
    posix_spawn_file_actions_addclosefrom_np(&actions, 3);
    if (directory) posix_spawn_file_actions_addchdir_np(&actions, directory);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(
        &attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
    int result = posix_spawnp(&process, arguments[0], &actions, &attributes, arguments, environment);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    if (result == 0) return process;
    errno = result;
    return -1;
}

int ts_wait_for_end(pid_t process, int milliseconds) {
    int descriptor = (int)syscall(SYS_pidfd_open, process, 0);
    if (descriptor < 0) return -1;
    struct pollfd ended = {.fd = descriptor, .events = POLLIN};
    int result;
    do result = poll(&ended, 1, milliseconds);
    while (result < 0 && errno == EINTR);
    close(descriptor);
    return result;
}

int ts_reap(pid_t process) {
    int status;
    pid_t result;
    do result = waitpid(process, &status, 0);
    while (result < 0 && errno == EINTR);
    if (result < 0) return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void ts_name_thread(const char *name) { prctl(PR_SET_NAME, name); }

int64_t ts_raise_descriptor_limit(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) < 0) return -1;
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    return (int64_t)limit.rlim_cur;
}

int ts_refuse_watches(void) {
    struct sock_filter program[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_epoll_ctl, 0, 3),
        // The low half of the second argument, the operation (little-endian machines).
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[1])),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, EPOLL_CTL_ADD, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSPC),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog filter = {.len = sizeof program / sizeof *program, .filter = program};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0) return -1;
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter, 0, 0);
}

size_t ts_allocated_bytes(void) { return mallinfo2().uordblks + mallinfo2().hblkhd; }

// PIDFD_THREAD, which older headers don't have, is O_EXCL.
int ts_open_thread(int thread) { return (int)syscall(SYS_pidfd_open, thread, O_EXCL); }

int ts_wait_for_end_of_any(const int *threads, int count) {
    struct pollfd ends[1024];
    int watched = 0;
    int result = 0;
    for (int i = 0; i < count && watched < 1024; i++) {
        int end = ts_open_thread(threads[i]);
        if (end < 0) {
            result = errno == ESRCH ? 1 : -1;
            break;
        }
        ends[watched++] = (struct pollfd){.fd = end, .events = POLLIN};
    }
    int reason = errno;
    while (result == 0 && poll(ends, watched, -1) < 0) {
        reason = errno;
        if (reason != EINTR) result = -1;
    }
    while (watched > 0) close(ends[--watched].fd);
    errno = reason;
    return result < 0 ? -1 : 0;
}

int ts_thread_id(void) { return gettid(); }

int ts_folder_watch(void) { return inotify_init1(IN_NONBLOCK | IN_CLOEXEC); }

int ts_folder_watch_add(int watch, const char *folder) {
    return inotify_add_watch(watch, folder, IN_CREATE | IN_MODIFY | IN_MOVE | IN_DELETE | IN_ONLYDIR);
}

void ts_folder_watch_clear(int watch) {
    char events[4096];
    while (read(watch, events, sizeof events) > 0) {
    }
}
