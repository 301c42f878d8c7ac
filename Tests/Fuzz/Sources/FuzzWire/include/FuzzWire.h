// The hostile server, the responses that it generates, and an independent reader of them.
//
// A response is a pure function of the request's path, method and `Host`: client and server each
// compute it, without exchanging data.

#ifndef FUZZ_WIRE_H
#define FUZZ_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// MARK: Random numbers

// A stream of random numbers determined by its initial state (splitmix64).
typedef struct {
    uint64_t state;
} fuzz_random;

uint64_t fuzz_next(fuzz_random *random);
// Returns a number below `count`, which must not be 0.
uint32_t fuzz_below(fuzz_random *random, uint32_t count);
bool fuzz_percent(fuzz_random *random, uint32_t percent);
// Returns a different number for each pair.
uint64_t fuzz_mix(uint64_t first, uint64_t second);

// MARK: Bytes

typedef struct {
    uint8_t *data;
    size_t count, capacity;
} fuzz_bytes;

// MARK: Expectations

typedef enum {
    FUZZ_GET,
    FUZZ_HEAD,
    FUZZ_POST,
} fuzz_method;

typedef enum {
    // Responses with any mutation.
    FUZZ_MUTATED,
    // The same, but bytes after a response arrive together with it: for requests whose successors
    // don't wait.
    FUZZ_CROWDED,
    // An entity for resumed downloads.
    FUZZ_RANGED,
    // HTTP/2.
    FUZZ_HTTP2,
    // A WebSocket.
    FUZZ_WEBSOCKET,
} fuzz_kind;

// One request of a case.
typedef struct {
    fuzz_kind kind;
    uint64_t seed;
    uint32_t exchange;
    // The number of redirects before this request.
    uint32_t hop;
    fuzz_method method;
    // The value of `Host`.
    const char *authority;
    // The first offset in `Range`; -1 without the field.
    int64_t range_start;
} fuzz_request;

typedef enum {
    // The response is valid: the client must deliver it.
    FUZZ_MUST_SUCCEED,
    // The response is slightly invalid: the client must deliver it as this reader does, or fail.
    FUZZ_MAY_FAIL,
    // The response is invalid or incomplete: the client must fail.
    FUZZ_MUST_FAIL,
    // The response is ambiguous: any result is allowed that is this server's response to this
    // request.
    FUZZ_ANYTHING,
} fuzz_verdict;

typedef struct {
    fuzz_verdict verdict;
    int status;
    // Decoded if the client decodes.
    fuzz_bytes body;
    // The number of redirects that the client follows before this response.
    uint32_t hops;
    // The server sends more than the response, or closes the connection later: the client must
    // request `fuzz_settle_path` before its next request.
    bool settles;
    // A redirect may lead to another request's response.
    bool strays;
    // Other requests on the same connection may fail, or get wrong answers.
    bool is_fatal;
    // The server stops sending in the middle and keeps the connection open.
    bool stalls;
    // Why the verdict isn't FUZZ_MUST_SUCCEED.
    const char *reason;
} fuzz_expectation;

typedef struct {
    bool decodes;
    bool follows;
    uint32_t redirect_limit;
} fuzz_client;

void fuzz_expect(const fuzz_request *request, const fuzz_client *client, fuzz_expectation *found);
void fuzz_expectation_free(fuzz_expectation *expectation);

// Makes one of the two versions of the entity for resumed downloads.
void fuzz_entity(const fuzz_request *request, uint32_t version, fuzz_bytes *entity);

// Whether the server sends `count` bytes as part of its answers to a request.
bool fuzz_sends(const fuzz_request *request, const void *bytes, size_t count);

// Writes the path of a request. `fuzz_settle_path` writes the path whose answer comes once the
// exchange is complete.
void fuzz_path(const fuzz_request *request, char *path, size_t capacity);
void fuzz_http2_path(const fuzz_request *request, char *path, size_t capacity);
// The letter of a kind in a path.
char fuzz_letter(fuzz_kind kind);
void fuzz_settle_path(const fuzz_request *request, char *path, size_t capacity);

// Sets whether `fuzz_expect` prints the server's bytes, escaped, to stderr; false by default.
void fuzz_set_verbose(bool verbose);
bool fuzz_is_verbose(void);

// MARK: The server

// Starts the server's thread; returns the port, or -1.
int fuzz_server_start(void);
// The number of answered requests.
uint64_t fuzz_server_count(void);

// MARK: Processes

// Starts a program whose descriptor 3 is `shared`; returns its process id, or -1.
pid_t fuzz_spawn(const char *path, char *const arguments[], char *const environment[], int shared,
                 int *output);
// Maps memory that processes share by a descriptor; NULL on failure.
uint64_t *fuzz_shared(int descriptor, size_t count);
int fuzz_shared_make(size_t count);
// The resources of this process: memory in use (bytes), descriptors, threads.
typedef struct {
    size_t memory, descriptors, threads;
} fuzz_resources;
fuzz_resources fuzz_measure(void);
double fuzz_now(void);
// Reads a file and removes it; false if it doesn't exist.
bool fuzz_take_file(const char *path, fuzz_bytes *content);
void fuzz_bytes_free(fuzz_bytes *bytes);
// Creates a folder. `template` must end with XXXXXX, and is overwritten with the name.
bool fuzz_make_folder(char *template);
// Removes a folder with its contents.
void fuzz_remove_folder(const char *path);

#endif
