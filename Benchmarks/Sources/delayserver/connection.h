// One accepted connection. It reads a request, and sends the response when the server calls it to.

#ifndef CONNECTION_H
#define CONNECTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum connection_state {
    READING_HEAD,
    READING_BODY,       // of a known length
    READING_CHUNK_SIZE, // of a chunked body
    READING_CHUNK,
    READING_TRAILERS,
    WAITING, // for the delay to pass
    ANSWERING,
};

// What the server asks of the connection's owner after an event.
enum connection_need {
    NEEDS_NOTHING,
    NEEDS_DELAY, // a whole request has been read: answer after the delay
    NEEDS_CLOSE,
};

struct connection {
    struct connection *previous, *next; // among those that wait, the earliest first
    double due;
    char *kept; // bytes read and not yet understood
    size_t kept_count;
    uint64_t left; // bytes of the body or chunk to come; of the answer to go
    uint64_t body_bytes; // of the request
    size_t head_sent;
    int descriptor;
    enum connection_state state;
    bool closes; // after the answer
    bool wants_stats;
    char head[384];
    size_t head_count;
};

// Makes a connection of an accepted, non-blocking socket. Null without memory.
struct connection *connection_make(int descriptor);
void connection_free(struct connection *connection);

// The socket has something to read. Reads until it would block.
enum connection_need connection_read(struct connection *connection);

// The delay has passed: `body_bytes` of "x", or `text` when there is one.
enum connection_need connection_answer(struct connection *connection, uint64_t body_bytes,
                                       const char *text);

// The socket takes bytes again.
enum connection_need connection_write(struct connection *connection);

#endif
