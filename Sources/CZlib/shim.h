// zlib, which reads and writes gzip (RFC 1952). What starts a stream are macros, which Swift can't
// reach.

#ifndef CZLIB_SHIM_H
#define CZLIB_SHIM_H

#include <zlib.h>

// Reads gzip members, and nothing else.
static inline int czlib_begin_reading(z_stream *_Nonnull stream) {
    return inflateInit2(stream, MAX_WBITS + 16);
}

// Writes gzip members.
static inline int czlib_begin_writing(z_stream *_Nonnull stream, int level) {
    return deflateInit2(stream, level, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY);
}

#endif
