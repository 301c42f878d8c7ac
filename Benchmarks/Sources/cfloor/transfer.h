// One place in flight: an easy handle that is used again and again, and what its present request
// sends and receives.

#ifndef TRANSFER_H
#define TRANSFER_H

#include "LoadSupport.h"
#include "loop.h"

struct buffer {
    char *bytes;
    size_t count, capacity;
};

// What a wrapper reads of a transfer that has ended.
struct transfer_infos {
    long status, http_version, opened, redirects, port;
    curl_off_t lookup, connect, tls, first_byte, total, received, sent;
    char peer[64];
};

struct transfer {
    const struct load_options *options;
    CURL *easy;
    struct transfer *next; // in a queue
    struct curl_slist *headers;
    struct buffer body, head;
    struct transfer_infos infos;
    CURLcode code;
    int64_t number, received, sent;
    double started;
    int input, output; // descriptors, or -1
    int index;
    char error[CURL_ERROR_SIZE];
};

// Makes what all transfers share. Once, before the first.
void transfer_prepare(const struct load_options *options);

// Makes the easy handle. Ends the process when it can't be had.
void transfer_open(struct transfer *transfer, const struct load_options *options, int index);
void transfer_close(struct transfer *transfer);

// The options that every request needs, however little is asked of the client.
void transfer_set_basics(struct transfer *transfer, struct loop *loop);

// Resets the handle and sets all that a client library sets for each request.
void transfer_set_everything(struct transfer *transfer, struct loop *loop);

// Makes the place ready for its next request: the clock and the files.
void transfer_begin(struct transfer *transfer, int64_t number);

// Reads the figures that a client library reports about a completed transfer.
void transfer_read_infos(struct transfer *transfer);

// The totals of all transfers of a thread.
struct tally {
    int64_t completed, errors, bytes, connections, latency_count;
    float *latencies;
    double ended; // when the last result had come, by load_now
    char first_error[512];
};

// Checks status and length, counts the request, and releases the body. Once for each request.
void transfer_finish(struct transfer *transfer, struct tally *tally);

#endif
