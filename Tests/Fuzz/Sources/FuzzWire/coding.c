#include "coding.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

const char *coding_name(enum coding coding) {
    switch (coding) {
    case IDENTITY: return "identity";
    case GZIP: return "gzip";
    case DEFLATE:
    case RAW_DEFLATE: return "deflate";
    case BROTLI: return "br";
    case ZSTANDARD: return "zstd";
    }
    return "";
}

// zlib allocates from this arena: a stream needs 256 KB, which malloc would map and unmap for each
// body.
static _Thread_local uint8_t *arena;
static _Thread_local size_t arena_count;
enum { arena_capacity = 512 * 1024 };

static voidpf arena_take(voidpf unused, uInt items, uInt size) {
    (void)unused;
    if (!arena) arena = malloc(arena_capacity);
    size_t count = ((size_t)items * size + 15) & ~(size_t)15;
    if (!arena || arena_count + count > arena_capacity) return Z_NULL;
    voidpf place = arena + arena_count;
    arena_count += count;
    return place;
}

static void arena_give(voidpf unused, voidpf place) {
    (void)unused;
    (void)place;
}

static void compress_by_zlib(const fuzz_bytes *plain, int window, fuzz_random *random,
                             fuzz_bytes *encoded) {
    z_stream stream = {.zalloc = arena_take, .zfree = arena_give};
    arena_count = 0;
    int level = fuzz_percent(random, 20) ? 0 : 1 + (int)fuzz_below(random, 6);
    if (deflateInit2(&stream, level, Z_DEFLATED, window, 8, Z_DEFAULT_STRATEGY) != Z_OK) abort();
    gz_header header = {.text = 1, .os = 3};
    if (window > 15 && fuzz_percent(random, 20)) {
        header.name = fuzz_percent(random, 50) ? (Bytef *)"name" : Z_NULL;
        header.comment = fuzz_percent(random, 50) ? (Bytef *)"comment" : Z_NULL;
        header.extra = fuzz_percent(random, 50) ? (Bytef *)"extra" : Z_NULL;
        header.extra_len = header.extra ? 5 : 0;
        header.hcrc = fuzz_percent(random, 50);
        deflateSetHeader(&stream, &header);
    }
    stream.next_in = plain->count ? plain->data : (Bytef *)"";
    stream.avail_in = (uInt)plain->count;
    uint8_t part[16 * 1024];
    int state;
    do {
        stream.next_out = part;
        stream.avail_out = sizeof part;
        state = deflate(&stream, Z_FINISH);
        bytes_add(encoded, part, sizeof part - stream.avail_out);
    } while (state == Z_OK);
    deflateEnd(&stream);
}

// Uncompressed meta-blocks (RFC 7932, section 9.2): valid brotli without an encoder.
static void store_as_brotli(const fuzz_bytes *plain, fuzz_random *random, fuzz_bytes *encoded) {
    bool is_first = true;
    for (size_t place = 0; place < plain->count;) {
        size_t part = 1 + fuzz_below(random, 65536);
        if (part > plain->count - place) part = plain->count - place;
        // WBITS 16 in one bit, before the first block; ISLAST 0; 4 nibbles of length; uncompressed.
        uint32_t bits = (uint32_t)(part - 1) << 3 | 1u << 19;
        if (is_first) bits <<= 1;
        is_first = false;
        uint8_t head[] = {(uint8_t)bits, (uint8_t)(bits >> 8), (uint8_t)(bits >> 16)};
        bytes_add(encoded, head, sizeof head);
        bytes_add(encoded, plain->data + place, part);
        place += part;
    }
    // The last block is empty.
    bytes_fill(encoded, is_first ? 6 : 3, 1);
}

// Raw and repeated blocks (RFC 8878, section 3.1.1): valid zstd without an encoder.
static void store_as_zstandard(const fuzz_bytes *plain, fuzz_random *random, fuzz_bytes *encoded) {
    uint32_t size = (uint32_t)plain->count;
    uint8_t head[] = {0x28,          0xb5,
                      0x2f,          0xfd,
                      0xa0,          (uint8_t)size,
                      (uint8_t)(size >> 8), (uint8_t)(size >> 16),
                      (uint8_t)(size >> 24)};
    bytes_add(encoded, head, sizeof head);
    size_t place = 0;
    do {
        size_t part = 1 + fuzz_below(random, 65536);
        if (part > plain->count - place) part = plain->count - place;
        bool is_repeated = part > 0;
        for (size_t index = 1; index < part && is_repeated; index++)
            is_repeated = plain->data[place + index] == plain->data[place];
        bool is_last = place + part == plain->count;
        uint32_t block = (uint32_t)part << 3 | (uint32_t)is_repeated << 1 | (uint32_t)is_last;
        uint8_t bytes[] = {(uint8_t)block, (uint8_t)(block >> 8), (uint8_t)(block >> 16)};
        bytes_add(encoded, bytes, sizeof bytes);
        bytes_add(encoded, plain->data + place, is_repeated ? 1 : part);
        place += part;
    } while (place < plain->count);
}

void coding_encode(enum coding coding, const fuzz_bytes *plain, fuzz_random *random,
                   fuzz_bytes *encoded) {
    switch (coding) {
    case IDENTITY: bytes_add(encoded, plain->data, plain->count); break;
    case GZIP: compress_by_zlib(plain, 15 + 16, random, encoded); break;
    case DEFLATE: compress_by_zlib(plain, 15, random, encoded); break;
    case RAW_DEFLATE: compress_by_zlib(plain, -15, random, encoded); break;
    case BROTLI: store_as_brotli(plain, random, encoded); break;
    case ZSTANDARD: store_as_zstandard(plain, random, encoded); break;
    }
}
