// What the test support needs from Linux that Swift's Glibc module leaves out. Every function
// returns -1 and sets errno on failure, as the system calls behind them do. Every descriptor made
// here is closed on exec.

#ifndef CTESTSUPPORT_H
#define CTESTSUPPORT_H

#include <stdint.h>
#include <sys/types.h>

/// One ready descriptor: what happened to it, and the number it was registered under.
struct ts_event {
    uint32_t happened;
    uint64_t token;
};

extern const uint32_t ts_readable;
extern const uint32_t ts_writable;
/// The peer has closed its side, or all of the connection.
extern const uint32_t ts_hangup;

int ts_poller(void);
int ts_watch(int poller, int descriptor, uint32_t interest, uint64_t token);
int ts_rewatch(int poller, int descriptor, uint32_t interest, uint64_t token);
int ts_unwatch(int poller, int descriptor);
/// Waits for at most `milliseconds` (-1: for ever) and returns how many events it wrote.
int ts_poll(int poller, struct ts_event *_Nonnull events, int capacity, int milliseconds);

/// A non-blocking eventfd.
int ts_wakeup(void);

/// Listening, non-blocking sockets. A port of 0 asks for any free one.
int ts_listen_ipv4(uint16_t port);
int ts_listen_ipv6(uint16_t port);
/// A socket that has a port but doesn't listen: who connects to it is refused, and nobody else gets
/// the port.
int ts_hold_port_ipv4(void);
int ts_listen_unix(const char *_Nonnull path);
int ts_local_port(int descriptor);
/// The port of the other end of an IP connection, or -1.
int ts_peer_port(int descriptor);
/// Accepts a non-blocking connection without Nagle's delay.
int ts_accept(int listener);
int ts_set_send_buffer(int descriptor, int bytes);
int ts_set_receive_buffer(int descriptor, int bytes);
/// Sends without SIGPIPE.
ssize_t ts_send(int descriptor, const void *_Nonnull bytes, size_t count);
int ts_half_close(int descriptor);
/// Closes so that the peer sees a reset.
void ts_reset(int descriptor);

/// Blocking connections.
int ts_connect_ipv4(uint16_t port);
int ts_connect_ipv6(uint16_t port);
int ts_connect_unix(const char *_Nonnull path);

/// Tells of changes in folders; readable when there were some.
int ts_folder_watch(void);
/// Also of those in this folder; -1 if it isn't there. Once more for the same changes nothing.
int ts_folder_watch_add(int watch, const char *_Nonnull folder);
/// Forgets the changes that were told.
void ts_folder_watch_clear(int watch);

int ts_pipe(int descriptors[_Nonnull 2]);
/// Starts a program in a process group of its own, with these descriptors as its input, output and
/// error output and no other descriptor.
pid_t ts_spawn(
    char *_Nullable const *_Nonnull arguments, char *_Nullable const *_Nonnull environment,
    const char *_Nullable directory, int input, int output, int errors);
/// Returns 1 when the process has ended, 0 when time ran out. Doesn't reap it.
int ts_wait_for_end(pid_t process, int milliseconds);
/// Reaps an ended child and returns its exit status, or 128 and the signal that ended it.
int ts_reap(pid_t process);

void ts_name_thread(const char *_Nonnull name);
/// Raises the soft limit on descriptors to the hard one and returns it.
int64_t ts_raise_descriptor_limit(void);
/// From now on the kernel takes no descriptor more into an epoll set that this thread adds it to:
/// it says ENOSPC, as it does at the end of a user's watches. There is no way back.
int ts_refuse_watches(void);
/// What this process has allocated and not freed, in bytes: 0 under a sanitizer that allocates by itself.
size_t ts_allocated_bytes(void);

/// A descriptor that can be read when this thread of the process has ended; -1 with EINVAL before Linux 6.9.
int ts_open_thread(int thread);
/// Returns when one of these threads of the process has ended, or had before; -1 if that can't be waited
/// for.
int ts_wait_for_end_of_any(const int *_Nonnull threads, int count);
/// What the system calls the calling thread.
int ts_thread_id(void);

/// Name services by their numbers: 0 is asked for names that end in ".resolver.test", 1 for those
/// that end in ".lookup.test". All are 127.0.0.1. A service answers none from `hold` to `release`,
/// and counts from `hold` on.
void ts_resolver_hold(int number);
void ts_resolver_release(int number);
/// Blocks until so many look-ups wait for their answer.
/// Waits so long for so many look-ups; 0, or ETIMEDOUT.
int ts_resolver_await(int number, int count, int seconds);
int ts_resolver_asked(int number);
int ts_resolver_most_under_way(int number);

#endif
