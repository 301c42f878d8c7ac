// A small reader of HTTP/1.1 responses (RFC 9112), independent of libcurl and of the library.

#ifndef FUZZ_READER_H
#define FUZZ_READER_H

#include "bytes.h"

enum reading {
    // The response is complete.
    READ_WHOLE,
    // The bytes end before the response does.
    READ_TRUNCATED,
    // The response is invalid.
    READ_INVALID,
    // The response is ambiguous.
    READ_UNCLEAR,
};

struct message {
    enum reading reading;
    // It follows RFC 9112 to the letter, and is within all common limits.
    bool is_strict;
    // Why it isn't strict or complete.
    const char *reason;
    int status;
    // The body without its framing, not decoded.
    fuzz_bytes body;
    // The length of the response in bytes.
    size_t end;
    // The response ends only with the connection.
    bool ends_with_connection;
    // The head is complete, whatever the body is.
    bool has_head;
    int encoding_count, location_count;
    // Empty if the value contains a null byte or is too long.
    char encoding[32], location[256];
};

// Reads a response; `is_head` says whether the request was HEAD.
void read_message(const uint8_t *bytes, size_t count, bool is_head, struct message *message);
void message_free(struct message *message);

#endif
