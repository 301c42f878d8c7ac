// One thread's epoll set and its multi handles, called shards.
//
// A socket stays registered when libcurl unwatches it between two requests on a kept connection: it
// is dropped when it fires unwanted, or with its close. The deadline that libcurl asks for is kept in
// a variable and becomes epoll's timeout; no timer descriptor is armed.
//
// With one shard, the loop is the usual one. With several, each has a limited number of transfers, and
// so of connections: libcurl searches all connections to an origin for each transfer that starts. They
// share DNS cache and TLS sessions. A transfer starts in the first shard with room, so that idle
// connections are reused.

#ifndef LOOP_H
#define LOOP_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stdint.h>

struct shard {
    CURLM *multi; // null: not used yet
    struct loop *loop;
    struct shard *next_touched;
    double deadline; // of load_now; negative: none
    int active;      // transfers
    bool is_touched; // may have ended transfers
};

struct watched_socket {
    struct shard *shard; // of the connection
    uint8_t registered; // events in the epoll set
    uint8_t wanted;     // events that libcurl waits for
    bool ours;          // opened by open_socket: its close will be seen
};

struct loop {
    struct shard *shards;
    int shard_capacity;
    int shard_count;     // those in use, from the first on
    int shard_size;      // the most transfers in each
    int first_with_room; // no earlier shard has room
    int connections;     // idle ones that each shard keeps
    struct shard *touched;
    CURLSH *share;   // null with one shard
    int epoll;
    int wakeup;      // an eventfd, or -1
    double deadline; // not later than the earliest of the shards'; negative: none
    struct watched_socket *sockets; // by descriptor
    int socket_capacity;
};

// For at most `transfers` at a time, at most `shard_size` of them in each shard; 0: one shard. Ends the
// process when it can't be had.
void loop_open(struct loop *loop, int transfers, int shard_size, bool has_wakeup);
void loop_close(struct loop *loop);

// Lets an easy handle use what the shards share. Once for each handle, which has to be cleaned up before
// the loop is closed.
void loop_share(struct loop *loop, CURL *easy);

// The socket callbacks of each easy handle that runs on this loop.
void loop_attach(struct loop *loop, CURL *easy);

// Starts a transfer.
void loop_add(struct loop *loop, CURL *easy);

// Takes a transfer that has ended off the loop; null: none has.
CURL *loop_take_ended(struct loop *loop, CURLcode *code);

// Lets another thread end the loop's wait.
void loop_wake(struct loop *loop);

// Whether a deadline of libcurl's has passed.
bool loop_is_due(const struct loop *loop);

// Lets libcurl act on the deadlines that have passed.
void loop_act_on_deadline(struct loop *loop);

// Waits for the sockets, the deadline or a wake-up, and lets libcurl act on the sockets.
void loop_wait(struct loop *loop);

#endif
