// Random numbers and growing byte buffers.

#ifndef FUZZ_BYTES_H
#define FUZZ_BYTES_H

#include "include/FuzzWire.h"

void bytes_add(fuzz_bytes *bytes, const void *data, size_t count);
void bytes_text(fuzz_bytes *bytes, const char *text);
void bytes_format(fuzz_bytes *bytes, const char *format, ...) __attribute__((format(printf, 2, 3)));
void bytes_fill(fuzz_bytes *bytes, uint8_t byte, size_t count);
// Replaces `removed` bytes at `place`.
void bytes_replace(fuzz_bytes *bytes, size_t place, size_t removed, const void *data, size_t count);
void bytes_free(fuzz_bytes *bytes);

// Picks one of the texts at random.
#define PICK(random, ...)                                                                          \
    ((const char *const[]){__VA_ARGS__})[fuzz_below(                                               \
        random, sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *))]

#endif
