// A client's connection, and the one to the server that was opened for it. What one end sends reaches the
// other one after the delay; so does the end of what it sends.

#ifndef LINK_H
#define LINK_H

#include <stdbool.h>
#include <stddef.h>

struct chunk;
struct link;

// One of the two sockets.
struct end {
    struct link *link;
    struct end *other;
    struct chunk *ready, **last_ready; // whose delay has passed, to be sent to it
    size_t held;    // bytes received from it and not yet passed on
    int descriptor; // -1: closed
    bool is_server;
    bool has_ended; // it sends no more
    bool is_shut;   // it is sent no more
};

struct link {
    struct end client, server;
    struct link *next_closed;
    int delayed; // chunks that wait for the delay
};

// What all links have in common.
struct far {
    double delay;         // milliseconds, each way
    long long drop_every; // of what servers send, each such part is cut and its connection reset; 0: none
    bool drops_all;       // nothing of such a part is passed on; false: half of it
    long long server_parts, dropped;
    struct chunk *delayed, **last_delayed; // the earliest due first
    struct link *closed;                   // to be freed at the end of the turn
};

void far_open(struct far *far, double delay, long long drop_every);

// Links two connected, or connecting, non-blocking sockets. Null without memory.
struct link *link_make(int client, int server);

// The socket may have something to read; may take bytes; has failed.
void end_read(struct far *far, struct end *end);
void end_write(struct far *far, struct end *end);
void end_fail(struct far *far, struct end *end);

// Passes on what is due. The milliseconds until more is, or -1: nothing waits.
int far_pass_on(struct far *far);

// Frees closed links, when no event of theirs is left to be looked at.
void far_free_closed(struct far *far);

#endif
