// HTTP/2 (RFC 9113) in raw frames.

#ifndef FUZZ_HTTP2_H
#define FUZZ_HTTP2_H

#include "connection.h"

// Whether the bytes begin like HTTP/2; `is_certain` is set once there are enough of them.
bool http2_begins(const fuzz_bytes *input, bool *is_certain);
// Answers all complete requests.
enum need http2_continue(struct connection *connection);

// Makes the frames that answer a request on a stream, and the expectation for the client.
void http2_make(const fuzz_request *request, uint32_t stream, struct script *script);

#endif
