// One thread's epoll set and multi handle.
//
// A socket stays registered when libcurl unwatches it between two requests on a kept connection: it
// is dropped when it fires unwanted, or with its close. The deadline that libcurl asks for is kept in
// a variable and becomes epoll's timeout; no timer descriptor is armed.

#ifndef LOOP_H
#define LOOP_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stdint.h>

struct watched_socket {
    uint8_t registered; // events in the epoll set
    uint8_t wanted;     // events that libcurl waits for
    bool ours;          // opened by open_socket: its close will be seen
};

struct loop {
    CURLM *multi;
    int epoll;
    int wakeup;      // an eventfd, or -1
    double deadline; // of load_now; negative: none
    struct watched_socket *sockets; // by descriptor
    int socket_capacity;
};

// `connections` is how many idle connections are kept. Ends the process when it can't be had.
void loop_open(struct loop *loop, int connections, bool has_wakeup);
void loop_close(struct loop *loop);

// The socket callbacks of each easy handle that runs on this loop.
void loop_attach(struct loop *loop, CURL *easy);

// Lets another thread end the loop's wait.
void loop_wake(struct loop *loop);

// Whether libcurl's deadline has passed.
bool loop_is_due(const struct loop *loop);

// Lets libcurl act on its deadline.
void loop_act_on_deadline(struct loop *loop);

// Waits for the sockets, the deadline or a wake-up, and lets libcurl act on the sockets.
void loop_wait(struct loop *loop);

#endif
