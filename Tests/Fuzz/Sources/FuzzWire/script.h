// The server's answer to one request.

#ifndef FUZZ_SCRIPT_H
#define FUZZ_SCRIPT_H

#include "bytes.h"
#include "coding.h"

enum ending {
    KEEPS_OPEN,
    CLOSES,
    RESETS,
    // Sends no more, and waits for the client to close.
    STALLS,
    // The same, after it has closed its own side.
    HALF_CLOSES,
};

struct script {
    fuzz_bytes bytes;
    // The end of the response; the bytes after it are unsolicited.
    size_t message_end;
    enum ending ending;
    // How the bytes are split into segments.
    fuzz_random cuts;
    enum { IN_ONE, IN_BYTES, IN_PARTS } cutting;
    // The rest is sent in a separate segment, a moment later.
    bool is_rest_late;
    // The body before and after content coding.
    enum coding coding;
    fuzz_bytes plain, encoded;
    // Whether `encoded` differs from the encoding of `plain`, or is truncated.
    bool is_coding_spoilt, is_coding_cut;
    // For HTTP/2: the expectation for the client, and whether the connection must end.
    fuzz_verdict verdict;
    const char *reason;
    int status;
    bool is_fatal;
};

void script_make(const fuzz_request *request, struct script *script);
// Makes the script for an entity in parts.
void ranged_make(const fuzz_request *request, struct script *script);
void script_free(struct script *script);
// The number of bytes to send next, after `sent` bytes.
size_t script_segment(struct script *script, size_t sent);

// A head and its body under construction.
struct draft {
    const fuzz_request *request;
    fuzz_random *random;
    struct script *script;
    int status;
    char status_line[64];
    // One field per line, with line ends.
    fuzz_bytes fields;
    enum { BY_LENGTH, BY_CHUNKS, BY_CONNECTION } framing;
};

// Adds fields that any response may have.
void draft_add_fields(struct draft *draft);
// Adds one of many faults to the fields.
void draft_spoil_fields(struct draft *draft);
// Appends the body in chunks; if `is_spoilt`, invalid ones.
void draft_add_chunks(struct draft *draft, bool is_spoilt);

#endif
