// One connection of the server.

#ifndef FUZZ_CONNECTION_H
#define FUZZ_CONNECTION_H

#include "script.h"

enum need {
    NEEDS_NOTHING,
    // The connection must be closed.
    NEEDS_DROP,
    // The rest must be sent a moment later.
    NEEDS_PAUSE,
    // The answer must wait until the exchange of another request is complete.
    NEEDS_SETTLING,
    // The answer has been sent; the next request may have arrived already.
    NEEDS_NEXT,
};

struct connection {
    int descriptor;
    // Received bytes of requests, complete or not.
    fuzz_bytes input;
    fuzz_request request;
    char authority[64];
    struct script script;
    size_t sent;
    // Whether it speaks HTTP/2, and how many HTTP/2 answers aren't counted yet.
    bool is_http2;
    uint32_t answers;
    bool is_answering, needs_room, watches_room, has_paused;
    double due, gives_up;
    // The list that contains it, if any.
    struct connection *next, **list;
};

struct connection *connection_make(int descriptor);
void connection_free(struct connection *connection);
enum need connection_receive(struct connection *connection);
enum need connection_send(struct connection *connection);
// Answers the next request, if it has arrived.
enum need connection_continue(struct connection *connection);
enum need connection_answer_settled(struct connection *connection);

// The exchanges that completed last. An exchange that starts again, with another client, is
// removed.
void settled_add(uint64_t seed, uint32_t exchange);
bool settled_has(uint64_t seed, uint32_t exchange);

#endif
