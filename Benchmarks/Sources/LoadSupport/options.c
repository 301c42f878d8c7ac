#include "LoadSupport.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char usage[] =
    " --url URL [--url URL …] [--requests N] [--concurrency C] [--mode get|download|upload]\n"
    "    [--body-bytes B] [--http2] [--cacert FILE] [--out FILE] [--in FILE] [--no-reuse]\n"
    "    [--loops N] [--shard-size N]\n";

static _Noreturn void refuse(const char *program, const char *variant_option, const char *what,
                             const char *value) {
    fprintf(stderr, "%s: %s: %s\nusage: %s", program, value, what, program);
    if (variant_option) fprintf(stderr, " [%s NAME]", variant_option);
    fputs(usage, stderr);
    exit(64);
}

// The size of the file, or -1.
static int64_t size_of_file(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 ? status.st_size : -1;
}

static int64_t number(const char *text, int64_t minimum, int64_t maximum) {
    char *end = NULL;
    errno = 0;
    long long value = strtoll(text, &end, 10);
    bool is_number = errno == 0 && end != text && *end == 0;
    return is_number && value >= minimum && value <= maximum ? value : -1;
}

// The place of a name in a list with commas, or -1.
static int place_in_list(const char *name, const char *list) {
    size_t count = strlen(name);
    for (int place = 0; count > 0; place++) {
        size_t length = strcspn(list, ",");
        if (length == count && strncmp(list, name, count) == 0) return place;
        if (list[length] == 0) break;
        list += length + 1;
    }
    return -1;
}

struct load_options load_options_read(int argc, char *const *argv, const char *variant_option,
                                      const char *variants) {
    struct load_options options = {
        .requests = 1000, .body_bytes = -1, .concurrency = 1, .loops = 1, .shard_size = 64};
    for (int index = 1; index < argc; index++) {
        const char *option = argv[index];
        if (strcmp(option, "--http2") == 0) {
            options.http2 = true;
            continue;
        }
        if (strcmp(option, "--no-reuse") == 0) {
            options.no_reuse = true;
            continue;
        }
        if (index + 1 == argc) refuse(argv[0], variant_option, "unknown, or without a value", option);
        const char *value = argv[++index];
        int64_t read = 0;
        if (variant_option && strcmp(option, variant_option) == 0) {
            options.variant = (int)(read = place_in_list(value, variants));
        } else if (strcmp(option, "--url") == 0) {
            read = options.url_count < LOAD_MAX_URLS ? 0 : -1;
            if (read == 0) options.urls[options.url_count++] = value;
        } else if (strcmp(option, "--cacert") == 0) {
            options.ca_file = value;
        } else if (strcmp(option, "--out") == 0) {
            options.out = value;
        } else if (strcmp(option, "--in") == 0) {
            options.in = value;
        } else if (strcmp(option, "--mode") == 0) {
            read = place_in_list(value, "get,download,upload");
            options.mode = (enum load_mode)read;
        } else if (strcmp(option, "--requests") == 0) {
            options.requests = read = number(value, 1, 1000000000);
        } else if (strcmp(option, "--concurrency") == 0) {
            options.concurrency = (int)(read = number(value, 1, 100000));
        } else if (strcmp(option, "--body-bytes") == 0) {
            options.body_bytes = read = number(value, 0, INT64_MAX);
        } else if (strcmp(option, "--loops") == 0) {
            options.loops = (int)(read = number(value, 1, 256));
        } else if (strcmp(option, "--shard-size") == 0) {
            options.shard_size = (int)(read = number(value, 1, 100000));
        } else {
            refuse(argv[0], variant_option, "unknown option", option);
        }
        if (read < 0) refuse(argv[0], variant_option, "not a value that this option takes", value);
    }
    if (options.url_count == 0) refuse(argv[0], variant_option, "missing", "--url");
    if (options.mode == LOAD_UPLOAD && options.in) {
        options.body_bytes = size_of_file(options.in);
        if (options.body_bytes < 0) refuse(argv[0], variant_option, "can't be read", options.in);
    }
    if (options.mode == LOAD_UPLOAD && options.body_bytes < 0)
        refuse(argv[0], variant_option, "an upload needs this, or --in", "--body-bytes");
    if (options.concurrency > options.requests) options.concurrency = (int)options.requests;
    return options;
}
