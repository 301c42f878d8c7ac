// Content codings (RFC 9110, section 8.4.1).

#ifndef FUZZ_CODING_H
#define FUZZ_CODING_H

#include "bytes.h"

enum coding { IDENTITY, GZIP, DEFLATE, RAW_DEFLATE, BROTLI, ZSTANDARD };

const char *coding_name(enum coding coding);
// Appends the encoded `plain`; `random` selects one of the coding's forms.
void coding_encode(enum coding coding, const fuzz_bytes *plain, fuzz_random *random,
                   fuzz_bytes *encoded);

#endif
