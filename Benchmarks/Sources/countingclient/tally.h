// The outcomes of countingclient's requests, by target, and their latencies.

#ifndef TALLY_H
#define TALLY_H

#include <stdio.h>

enum { most_targets = 16, status_count = 600, latency_count = 64 * 24 };

// A request ends with a status, or with one of these.
enum outcome {
    outcome_wrong = status_count, // status 200, and a body of another length
    outcome_foreign,              // status 200, and the number of another request
    outcome_truncated,            // part of a response, then the connection's end
    outcome_unanswered,           // the connection's end without a byte of a response
    outcome_silent,               // no complete response within the client's patience
    outcome_malformed,            // no HTTP/1.1
    outcome_count,
};

struct tally {
    long long outcomes[most_targets][outcome_count];
    long long latencies[latency_count];
    long long unasked; // times that bytes arrived which belong to no request
};

void tally_count(struct tally *tally, int target, int outcome, double seconds);
void tally_add(struct tally *sum, const struct tally *more);

// Requests that have ended, with any outcome.
long long tally_ended(const struct tally *tally);

// Writes the members "outcomes", "unasked" and "latencies" of an object of JSON.
void tally_print(const struct tally *tally, const char *const *names, int targets, FILE *file);

#endif
