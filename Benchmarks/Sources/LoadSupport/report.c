#include "LoadSupport.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

// The peak of resident memory of this process. Not ru_maxrss, which survives exec and would show
// the launcher's.
static long peak_resident_kilobytes(void) {
    FILE *status = fopen("/proc/self/status", "r");
    if (!status) return -1;
    char line[256];
    long kilobytes = -1;
    while (fgets(line, sizeof line, status))
        if (sscanf(line, "VmHWM: %ld", &kilobytes) == 1) break;
    fclose(status);
    return kilobytes;
}

static int compare(const void *left, const void *right) {
    float a = *(const float *)left, b = *(const float *)right;
    return (a > b) - (a < b);
}

static double percentile(const struct load_result *result, double share) {
    if (result->latency_count == 0) return 0;
    int64_t index = (int64_t)((double)result->latency_count * share);
    return result->latencies[index < result->latency_count ? index : result->latency_count - 1];
}

static void print_string(const char *text) {
    putchar('"');
    for (; text && *text; text++) {
        unsigned char byte = (unsigned char)*text;
        if (byte == '"' || byte == '\\') printf("\\%c", byte);
        else if (byte < 0x20) printf("\\u%04x", byte);
        else putchar(byte);
    }
    putchar('"');
}

static double seconds_of(struct timeval time) {
    return (double)time.tv_sec + (double)time.tv_usec / 1e6;
}

int load_report(const struct load_options *options, struct load_result result) {
    // Read first: sorting and printing are no part of the client's work.
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    long memory = peak_resident_kilobytes();
    qsort(result.latencies, (size_t)result.latency_count, sizeof *result.latencies, compare);

    printf("{\"client\": ");
    print_string(result.client);
    printf(", \"requests\": %lld, \"concurrency\": %d, \"completed\": %lld, \"errors\": %lld",
           (long long)options->requests, options->concurrency, (long long)result.completed,
           (long long)result.errors);
    printf(", \"seconds\": %.6f, \"rps\": %.1f", result.seconds,
           result.seconds > 0 ? (double)result.completed / result.seconds : 0);
    printf(", \"cpu_user_s\": %.6f, \"cpu_sys_s\": %.6f, \"max_rss_kb\": %ld",
           seconds_of(usage.ru_utime), seconds_of(usage.ru_stime), memory);
    printf(", \"p50_ms\": %.4f, \"p99_ms\": %.4f, \"bytes\": %lld, \"connections_opened\": %lld",
           percentile(&result, 0.50), percentile(&result, 0.99), (long long)result.bytes,
           (long long)result.connections_opened);
    printf(", \"first_error\": ");
    if (result.first_error && *result.first_error) print_string(result.first_error);
    else printf("null");
    printf("}\n");
    fflush(stdout);
    return result.errors == 0 && result.completed == options->requests ? 0 : 1;
}
