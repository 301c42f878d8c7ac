// The Linux functions that the test support needs and Swift's Glibc module lacks. Every function
// returns -1 and sets errno on failure, as the system calls behind them do. Every descriptor made
// here is closed on exec.

#ifndef CTESTSUPPORT_H
#define CTESTSUPPORT_H

#include <stdint.h>
#include <sys/types.h>

/// One ready descriptor: its events, and the token it was registered with.
struct ts_event {
    uint32_t happened;
    uint64_t token;
};

extern const uint32_t ts_readable;

int ts_poller(void);
int ts_watch(int poller, int descriptor, uint32_t interest, uint64_t token);
/// Waits for at most `milliseconds` (-1: no timeout) and returns how many events it wrote.
int ts_poll(int poller, struct ts_event *_Nonnull events, int capacity, int milliseconds);

/// A listening, non-blocking socket. Port 0 means any free port.
int ts_listen_ipv4(uint16_t port);
/// A bound TCP socket that doesn't listen: connections to its port are refused, and no other socket
/// can bind the port.
int ts_hold_port_ipv4(void);
/// A UDP socket that is bound to a port and never answers. Port 0 means any free port.
int ts_bind_udp_ipv4(uint16_t port);
int ts_local_port(int descriptor);
/// The port of the other end of an IP connection, or -1.
int ts_peer_port(int descriptor);
/// Sends without SIGPIPE.
ssize_t ts_send(int descriptor, const void *_Nonnull bytes, size_t count);

/// Blocking connections.
int ts_connect_ipv4(uint16_t port);
int ts_connect_ipv6(uint16_t port);
int ts_connect_unix(const char *_Nonnull path);

/// A descriptor that becomes readable when a watched folder changes.
int ts_folder_watch(void);
/// Watches this folder too; -1 if it doesn't exist. Adding a folder again has no effect.
int ts_folder_watch_add(int watch, const char *_Nonnull folder);
/// Discards the pending notifications.
void ts_folder_watch_clear(int watch);

int ts_pipe(int descriptors[_Nonnull 2]);
/// Starts a program in its own process group. The descriptors become its standard input, output and
/// error; it gets no other descriptor.
pid_t ts_spawn(
    char *_Nullable const *_Nonnull arguments, char *_Nullable const *_Nonnull environment,
    const char *_Nullable directory, int input, int output, int errors);
/// Returns 1 when the process has ended, 0 at the timeout. Doesn't reap it.
int ts_wait_for_end(pid_t process, int milliseconds);
/// Reaps an ended child. Returns its exit status, or 128 plus the signal that ended it.
int ts_reap(pid_t process);

void ts_name_thread(const char *_Nonnull name);
/// Raises the soft limit on open descriptors to the hard limit and returns it.
int64_t ts_raise_descriptor_limit(void);
/// Makes epoll sets refuse new descriptors from this thread. The kernel returns ENOSPC, as at a
/// user's limit of watches. It can't be undone.
int ts_refuse_watches(void);
/// The bytes that this process has allocated and not freed; 0 under a sanitizer with its own
/// allocator.
size_t ts_allocated_bytes(void);

/// A descriptor that is readable once this thread of the process has ended; -1 with EINVAL before
/// Linux 6.9.
int ts_open_thread(int thread);
/// Returns when one of these threads of the process has ended, at once if one already had; -1 if
/// the end of a thread can't be waited for.
int ts_wait_for_end_of_any(const int *_Nonnull threads, int count);
/// The kernel's id of the calling thread.
int ts_thread_id(void);

/// Test name services, by number: 0 resolves names that end in ".resolver.test", 1 names that end
/// in ".lookup.test", all to 127.0.0.1. A service answers no look-up between `hold` and `release`;
/// `hold` resets its counters.
void ts_resolver_hold(int number);
void ts_resolver_release(int number);
/// Waits at most `seconds` until `count` look-ups are pending; returns 0 or ETIMEDOUT.
int ts_resolver_await(int number, int count, int seconds);
int ts_resolver_asked(int number);
int ts_resolver_most_under_way(int number);

#endif
