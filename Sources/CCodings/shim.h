// The decoders of Brotli and Zstandard, if the process has them: libcurl loads them if it was built
// with them. They are found by name at run time, so that they needn't be installed to build, and a
// libcurl without them works. The declarations are those of their stable interfaces:
// <https://github.com/google/brotli/blob/v1.0.9/c/include/brotli/decode.h> and
// <https://facebook.github.io/zstd/zstd_manual.html>.

#ifndef CCODINGS_SHIM_H
#define CCODINGS_SHIM_H

#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

// Returns the function with this name in the process's libraries. `place` caches it.
static inline void *_Nullable ccodings_find(void *_Nullable *_Nonnull place, const char *_Nonnull name) {
    void *found = __atomic_load_n(place, __ATOMIC_ACQUIRE);
    if (!found) {
        // NULL is RTLD_DEFAULT, which is declared only with _GNU_SOURCE.
        found = dlsym(NULL, name);
        __atomic_store_n(place, found, __ATOMIC_RELEASE);
    }
    return found;
}

// Defines a function that finds the function `name` with the type `type`.
#define CCODINGS_FUNCTION(name, type)                       \
    static inline type _Nullable ccodings_##name(void) {    \
        static void *place;                                 \
        return (type)ccodings_find(&place, #name);          \
    }

// MARK: Memory

// Larger blocks are mapped one by one. The pages of a window are then in use only where bytes were
// written, and return to the system at the end, whatever the process's allocator keeps.
enum { CCODINGS_MAPPED_SIZE = 1 << 20, CCODINGS_BLOCK_HEADER = 16 };

// Allocates memory for a decoder, and adds its size to the `size_t` at `used`.
static inline void *_Nullable ccodings_allocate(void *_Nullable used, size_t size) {
    if (size > SIZE_MAX - CCODINGS_BLOCK_HEADER) return NULL;
    size += CCODINGS_BLOCK_HEADER;
    void *block;
    if (size < CCODINGS_MAPPED_SIZE) {
        block = malloc(size);
    } else {
        block = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (block == MAP_FAILED) block = NULL;
    }
    if (!block) return NULL;
    *(size_t *)block = size;
    *(size_t *)used += size;
    return (char *)block + CCODINGS_BLOCK_HEADER;
}

// Frees memory of `ccodings_allocate`.
static inline void ccodings_free(void *_Nullable used, void *_Nullable bytes) {
    if (!bytes) return;
    void *block = (char *)bytes - CCODINGS_BLOCK_HEADER;
    size_t size = *(size_t *)block;
    *(size_t *)used -= size;
    if (size < CCODINGS_MAPPED_SIZE) free(block);
    else munmap(block, size);
}

typedef void *_Nullable (*ccodings_allocator)(void *_Nullable, size_t);
typedef void (*ccodings_deallocator)(void *_Nullable, void *_Nullable);

// MARK: Brotli

typedef struct ccodings_brotli_state ccodings_brotli;

enum ccodings_brotli_result {
    CCODINGS_BROTLI_ERROR = 0,
    CCODINGS_BROTLI_END = 1,
    CCODINGS_BROTLI_NEEDS_INPUT = 2,
    CCODINGS_BROTLI_NEEDS_OUTPUT = 3,
};

typedef ccodings_brotli *_Nullable (*ccodings_brotli_create)(
    ccodings_allocator _Nullable, ccodings_deallocator _Nullable, void *_Nullable
);
typedef void (*ccodings_brotli_destroy)(ccodings_brotli *_Nullable);
typedef int (*ccodings_brotli_step)(
    ccodings_brotli *_Nonnull,
    size_t *_Nonnull, const uint8_t *_Nullable *_Nonnull,
    size_t *_Nonnull, uint8_t *_Nullable *_Nonnull,
    size_t *_Nullable
);
typedef int (*ccodings_brotli_code)(const ccodings_brotli *_Nonnull);
typedef const char *_Nullable (*ccodings_brotli_text)(int);

CCODINGS_FUNCTION(BrotliDecoderCreateInstance, ccodings_brotli_create)
CCODINGS_FUNCTION(BrotliDecoderDestroyInstance, ccodings_brotli_destroy)
CCODINGS_FUNCTION(BrotliDecoderDecompressStream, ccodings_brotli_step)
CCODINGS_FUNCTION(BrotliDecoderGetErrorCode, ccodings_brotli_code)
CCODINGS_FUNCTION(BrotliDecoderErrorString, ccodings_brotli_text)

// Creates a decoder that counts its memory at `used`, which must exist until its end.
static inline ccodings_brotli *_Nullable ccodings_new_brotli(size_t *_Nonnull used) {
    ccodings_brotli_create create = ccodings_BrotliDecoderCreateInstance();
    return create ? create(ccodings_allocate, ccodings_free, used) : NULL;
}

// MARK: Zstandard

typedef struct ccodings_zstd_state ccodings_zstd;

typedef struct {
    const void *_Nullable bytes;
    size_t size;
    size_t place;
} ccodings_zstd_input;

typedef struct {
    void *_Nullable bytes;
    size_t size;
    size_t place;
} ccodings_zstd_output;

// ZSTD_d_windowLogMax.
enum { CCODINGS_ZSTD_WINDOW_LOG = 100 };

typedef ccodings_zstd *_Nullable (*ccodings_zstd_create)(void);
typedef struct {
    ccodings_allocator _Nullable allocate;
    ccodings_deallocator _Nullable deallocate;
    void *_Nullable used;
} ccodings_zstd_memory;

typedef ccodings_zstd *_Nullable (*ccodings_zstd_create_with)(ccodings_zstd_memory);
typedef size_t (*ccodings_zstd_free)(ccodings_zstd *_Nullable);
typedef size_t (*ccodings_zstd_set)(ccodings_zstd *_Nonnull, int, int);
typedef size_t (*ccodings_zstd_step)(
    ccodings_zstd *_Nonnull, ccodings_zstd_output *_Nonnull, ccodings_zstd_input *_Nonnull
);
typedef unsigned (*ccodings_zstd_is_error)(size_t);
typedef const char *_Nullable (*ccodings_zstd_text)(size_t);

CCODINGS_FUNCTION(ZSTD_createDCtx, ccodings_zstd_create)
CCODINGS_FUNCTION(ZSTD_createDCtx_advanced, ccodings_zstd_create_with)
CCODINGS_FUNCTION(ZSTD_freeDCtx, ccodings_zstd_free)
CCODINGS_FUNCTION(ZSTD_DCtx_setParameter, ccodings_zstd_set)
CCODINGS_FUNCTION(ZSTD_decompressStream, ccodings_zstd_step)
CCODINGS_FUNCTION(ZSTD_isError, ccodings_zstd_is_error)
CCODINGS_FUNCTION(ZSTD_getErrorName, ccodings_zstd_text)

// Creates a decoder that counts its memory at `used`, which must exist until its end.
//
// The function with an allocator belongs to no stable interface, but all builds of the library as a
// shared one have it, unchanged since version 1.0. Without it, nothing is counted.
static inline ccodings_zstd *_Nullable ccodings_new_zstd(size_t *_Nonnull used) {
    ccodings_zstd_create_with create_with = ccodings_ZSTD_createDCtx_advanced();
    if (create_with) {
        ccodings_zstd_memory memory = {ccodings_allocate, ccodings_free, used};
        return create_with(memory);
    }
    ccodings_zstd_create create = ccodings_ZSTD_createDCtx();
    return create ? create() : NULL;
}

#endif
