// WebSocket (RFC 6455) in raw frames.

#ifndef FUZZ_WEBSOCKET_H
#define FUZZ_WEBSOCKET_H

#include "script.h"

// Makes the answer to a handshake with `key`, and the frames after it. `plain` contains the
// messages that a client must deliver: for each a letter (t or b), four bytes of length,
// little-endian, and the content.
void websocket_make(const fuzz_request *request, const char *key, struct script *script);

#endif
