// zlib, which reads and writes gzip (RFC 1952). The functions that begin a stream are macros, which
// Swift can't import.

#ifndef CZLIB_SHIM_H
#define CZLIB_SHIM_H

#include <zlib.h>

// Reads only gzip members.
static inline int czlib_begin_reading(z_stream *_Nonnull stream) {
    return inflateInit2(stream, MAX_WBITS + 16);
}

// Reads a stream with so many bits of window. As in zlib, 15 is for a zlib stream, a negative
// number for bare deflate, and 16 more for gzip.
static inline int czlib_begin_inflating(z_stream *_Nonnull stream, int window_bits) {
    return inflateInit2(stream, window_bits);
}

// Writes gzip members.
static inline int czlib_begin_writing(z_stream *_Nonnull stream, int level) {
    return deflateInit2(stream, level, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY);
}

#endif
