// The C floors: what the installed libcurl costs when it is driven as frugally as C can.

#include "floors.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct tally sum_of(struct tally *tallies, int count) {
    struct tally sum = tallies[0];
    for (int index = 1; index < count; index++) {
        struct tally *tally = &tallies[index];
        memmove(sum.latencies + sum.latency_count, tally->latencies,
                (size_t)tally->latency_count * sizeof *sum.latencies);
        sum.latency_count += tally->latency_count;
        sum.completed += tally->completed;
        sum.errors += tally->errors;
        sum.bytes += tally->bytes;
        sum.connections += tally->connections;
        if (tally->ended > sum.ended) sum.ended = tally->ended;
        if (!sum.first_error[0]) memcpy(sum.first_error, tally->first_error, sizeof sum.first_error);
    }
    return sum;
}

int main(int argc, char **argv) {
    struct load_options options = load_options_read(argc, argv, "--floor", "handoff,bare,shards");
    static const char *const names[] = {"handoff", "bare", "shards"};
    enum { handoff, bare, shards };
    load_raise_file_limit();
    signal(SIGPIPE, SIG_IGN);
    curl_global_init(CURL_GLOBAL_ALL);
    transfer_prepare(&options);

    struct tally *tallies = calloc((size_t)options.loops, sizeof *tallies);
    // Each loop may end up with all requests; pages that are not written cost nothing.
    for (int index = 0; index < options.loops; index++)
        tallies[index].latencies = malloc((size_t)options.requests * sizeof(float));

    double start = load_now();
    if (options.variant == bare) run_bare(&options, tallies);
    else run_handoff(&options, options.variant == shards ? options.shard_size : 0, tallies);

    struct tally sum = sum_of(tallies, options.loops);
    char name[32];
    snprintf(name, sizeof name, "cfloor-%s-%d", names[options.variant], options.loops);
    return load_report(&options, (struct load_result){
                                     .client = name,
                                     .first_error = sum.first_error,
                                     .completed = sum.completed,
                                     .errors = sum.errors,
                                     .bytes = sum.bytes,
                                     .connections_opened = sum.connections,
                                     .seconds = (sum.ended - start) / 1e3,
                                     .latencies = sum.latencies,
                                     .latency_count = sum.latency_count,
                                 });
}
