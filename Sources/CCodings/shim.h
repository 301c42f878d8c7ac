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

// MARK: Brotli

typedef struct ccodings_brotli_state ccodings_brotli;

enum ccodings_brotli_result {
    CCODINGS_BROTLI_ERROR = 0,
    CCODINGS_BROTLI_END = 1,
    CCODINGS_BROTLI_NEEDS_INPUT = 2,
    CCODINGS_BROTLI_NEEDS_OUTPUT = 3,
};

typedef ccodings_brotli *_Nullable (*ccodings_brotli_create)(void *_Nullable, void *_Nullable, void *_Nullable);
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
typedef size_t (*ccodings_zstd_free)(ccodings_zstd *_Nullable);
typedef size_t (*ccodings_zstd_set)(ccodings_zstd *_Nonnull, int, int);
typedef size_t (*ccodings_zstd_step)(
    ccodings_zstd *_Nonnull, ccodings_zstd_output *_Nonnull, ccodings_zstd_input *_Nonnull
);
typedef unsigned (*ccodings_zstd_is_error)(size_t);
typedef const char *_Nullable (*ccodings_zstd_text)(size_t);

CCODINGS_FUNCTION(ZSTD_createDCtx, ccodings_zstd_create)
CCODINGS_FUNCTION(ZSTD_freeDCtx, ccodings_zstd_free)
CCODINGS_FUNCTION(ZSTD_DCtx_setParameter, ccodings_zstd_set)
CCODINGS_FUNCTION(ZSTD_decompressStream, ccodings_zstd_step)
CCODINGS_FUNCTION(ZSTD_isError, ccodings_zstd_is_error)
CCODINGS_FUNCTION(ZSTD_getErrorName, ccodings_zstd_text)

#endif
