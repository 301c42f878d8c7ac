// HTTP/2 frames (RFC 9113, section 4) and header blocks (RFC 7541).

#ifndef FUZZ_HTTP2_FRAMES_H
#define FUZZ_HTTP2_FRAMES_H

#include "bytes.h"

enum { frame_head = 9 };
enum frame_type {
    DATA,
    HEADERS,
    PRIORITY,
    RST_STREAM,
    SETTINGS,
    PUSH_PROMISE,
    PING,
    GOAWAY,
    WINDOW_UPDATE,
    CONTINUATION,
};
enum { END_STREAM = 1, ACK = 1, END_HEADERS = 4, PADDED = 8, WITH_PRIORITY = 32 };

void http2_add(fuzz_bytes *bytes, uint8_t type, uint8_t flags, uint32_t stream, const void *payload,
               size_t count);
// A frame whose payload is a 32-bit number.
void http2_add_number(fuzz_bytes *bytes, uint8_t type, uint32_t stream, uint32_t number);
void http2_add_goaway(fuzz_bytes *bytes, uint32_t last, uint32_t code);
// A literal field without indexing (RFC 7541, section 6.2.2); name and value have at most 126
// bytes.
void hpack_add(fuzz_bytes *block, const char *name, const char *value);

#endif
