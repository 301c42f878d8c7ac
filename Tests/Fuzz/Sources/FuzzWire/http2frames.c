#include "http2frames.h"

#include <stdlib.h>
#include <string.h>

void http2_add(fuzz_bytes *bytes, uint8_t type, uint8_t flags, uint32_t stream, const void *payload,
                      size_t count) {
    uint8_t head[frame_head] = {(uint8_t)(count >> 16),  (uint8_t)(count >> 8),   (uint8_t)count,
                                type,                    flags,                   (uint8_t)(stream >> 24),
                                (uint8_t)(stream >> 16), (uint8_t)(stream >> 8),  (uint8_t)stream};
    bytes_add(bytes, head, sizeof head);
    bytes_add(bytes, payload, count);
}

void http2_add_number(fuzz_bytes *bytes, uint8_t type, uint32_t stream, uint32_t number) {
    uint8_t payload[] = {(uint8_t)(number >> 24), (uint8_t)(number >> 16), (uint8_t)(number >> 8), (uint8_t)number};
    http2_add(bytes, type, 0, stream, payload, sizeof payload);
}

void http2_add_goaway(fuzz_bytes *bytes, uint32_t last, uint32_t code) {
    uint8_t payload[8] = {(uint8_t)(last >> 24), (uint8_t)(last >> 16), (uint8_t)(last >> 8), (uint8_t)last};
    payload[7] = (uint8_t)code;
    http2_add(bytes, GOAWAY, 0, 0, payload, sizeof payload);
}

void hpack_add(fuzz_bytes *block, const char *name, const char *value) {
    uint8_t start = 0, name_count = (uint8_t)strlen(name), value_count = (uint8_t)strlen(value);
    if (name_count > 126 || value_count > 126) abort();
    bytes_add(block, &start, 1);
    bytes_add(block, &name_count, 1);
    bytes_text(block, name);
    bytes_add(block, &value_count, 1);
    bytes_text(block, value);
}
