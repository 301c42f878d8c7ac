// What every load client shares, so that all of them are asked and judged the same way: the command
// line, the clock, the resource figures and the one line of JSON that is the result.

#ifndef LOAD_SUPPORT_H
#define LOAD_SUPPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LOAD_MAX_URLS 64

enum load_mode {
    LOAD_GET,      // the body is kept in memory until it has been checked
    LOAD_DOWNLOAD, // the body is dropped, or written to `out`
    LOAD_UPLOAD,   // `body_bytes` from memory, or the file `in`, are sent with POST
};

struct load_options {
    int variant; // which of the names that --layer or --floor takes
    const char *urls[LOAD_MAX_URLS]; // request n goes to number n modulo url_count
    int url_count;
    const char *ca_file;
    const char *out;
    const char *in;
    enum load_mode mode;
    int64_t requests;
    int64_t body_bytes; // of the response, or of the upload (the size of `in`); -1: not said
    int concurrency;
    int loops;
    int shard_size; // the most transfers in one shard, of the floor that has shards
    bool http2;
    bool no_reuse;
};

// Reads the command line; what is wrong with it goes to stderr and ends the process with 64.
// `variant_option` is the option that chooses the kind of client, such as "--floor", or null where
// there is but one kind; `variants` are the names it takes, separated by commas, the default first.
struct load_options load_options_read(int argc, char *const *argv, const char *variant_option,
                                      const char *variants);

// Milliseconds of the monotonic clock.
double load_now(void);

// Raises the limit of open files to what the system grants this process.
void load_raise_file_limit(void);

// Becomes the program of that name in this one's folder; where that fails, the process ends with 69.
_Noreturn void load_become(const char *name, char *const *argv);

// An eventfd on which one thread waits for others, or -1.
int load_wakeup_make(void);
void load_wakeup_signal(int wakeup);
void load_wakeup_wait(int wakeup);

// Writes all bytes to the descriptor; false when that fails.
bool load_write(int descriptor, const void *bytes, size_t count);

struct load_result {
    const char *client; // "cfloor-handoff-1"
    const char *first_error; // null or "" when there was none
    int64_t completed; // with the right status and length
    int64_t errors;
    int64_t bytes;
    int64_t connections_opened; // -1: not known
    double seconds; // from the first submission to the last result
    float *latencies; // milliseconds, one for each completed request; sorted by load_report
    int64_t latency_count;
};

// Prints the JSON line on stdout. The exit status: 0, or 1 when a request failed or is missing.
int load_report(const struct load_options *options, struct load_result result);

#endif
