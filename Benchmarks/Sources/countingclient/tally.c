#include "tally.h"

#include <stdbool.h>

static const char *const words[] = {"wrong",      "foreign", "truncated",
                                    "unanswered", "silent",  "malformed"};

// Microseconds in steps of a sixty-fourth to a thirty-second of themselves: 64 to each power of two.
static int latency_index(double seconds) {
    unsigned long long micros = seconds > 0 ? (unsigned long long)(seconds * 1e6) : 0;
    if (micros < 64) return (int)micros;
    int shift = 63 - __builtin_clzll(micros) - 6;
    int index = 64 * (shift + 1) + (int)((micros >> shift) - 64);
    return index < latency_count ? index : latency_count - 1;
}

void tally_count(struct tally *tally, int target, int outcome, double seconds) {
    tally->outcomes[target][outcome]++;
    tally->latencies[latency_index(seconds)]++;
}

void tally_add(struct tally *sum, const struct tally *more) {
    for (int target = 0; target < most_targets; target++)
        for (int outcome = 0; outcome < outcome_count; outcome++)
            sum->outcomes[target][outcome] += more->outcomes[target][outcome];
    for (int index = 0; index < latency_count; index++) sum->latencies[index] += more->latencies[index];
    sum->unasked += more->unasked;
}

long long tally_ended(const struct tally *tally) {
    long long count = 0;
    for (int index = 0; index < latency_count; index++) count += tally->latencies[index];
    return count;
}

static void print_outcomes(const struct tally *tally, const char *const *names, int targets, FILE *file) {
    bool is_first = true;
    for (int target = 0; target < targets; target++) {
        for (int outcome = 0; outcome < outcome_count; outcome++) {
            long long count = tally->outcomes[target][outcome];
            if (count == 0) continue;
            fprintf(file, "%s[\"%s\", ", is_first ? "" : ", ", names[target]);
            if (outcome < status_count) fprintf(file, "\"%d\", %lld]", outcome, count);
            else fprintf(file, "\"%s\", %lld]", words[outcome - status_count], count);
            is_first = false;
        }
    }
}

void tally_print(const struct tally *tally, const char *const *names, int targets, FILE *file) {
    fprintf(file, "\"outcomes\": [");
    print_outcomes(tally, names, targets, file);
    fprintf(file, "], \"unasked\": %lld, \"latencies\": [", tally->unasked);
    bool is_first = true;
    for (int index = 0; index < latency_count; index++) {
        if (tally->latencies[index] == 0) continue;
        fprintf(file, "%s[%d, %lld]", is_first ? "" : ", ", index, tally->latencies[index]);
        is_first = false;
    }
    fprintf(file, "]");
}
