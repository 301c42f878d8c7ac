// Reads a response of HTTP/1.1 as its bytes arrive.

#ifndef RESPONSE_H
#define RESPONSE_H

#include <stdbool.h>
#include <stddef.h>

enum { longest_head = 16 * 1024 };

enum phase { phase_head, phase_sized, phase_chunk_size, phase_chunk, phase_chunk_end, phase_trailer,
             phase_until_end, phase_done, phase_malformed };

struct response {
    enum phase phase;
    int status;
    bool closes;        // the connection isn't used for another request
    long long number;   // the value of X-Number; -1: none
    long long received; // bytes of the body
    long long left;     // of the body with a length, or of the chunk
    size_t line;        // bytes of the current line of a trailer
    size_t head_count;
    bool has_begun;     // a byte of it has arrived
    char head[longest_head];
};

void response_reset(struct response *response);

// Reads bytes until the response is complete; how many of them belong to it.
size_t response_feed(struct response *response, const char *bytes, size_t count);

// The server sends no more. True: that completes the response.
bool response_end(struct response *response);

#endif
