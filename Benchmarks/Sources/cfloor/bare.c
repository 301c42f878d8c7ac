// The bare floor: requests are made on the loop's own thread, the handles' options set once. No
// library can be as frugal; it shows what libcurl and the kernel cost by themselves.

#include "floors.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct bare_loop {
    const struct load_options *options;
    atomic_llong *issued; // shared by all loops
    struct tally *tally;
    struct loop loop;
    struct transfer *transfers;
    int transfer_count, active;
    pthread_t thread;
};

static void start_next(struct bare_loop *bare, struct transfer *transfer) {
    int64_t number = atomic_fetch_add_explicit(bare->issued, 1, memory_order_relaxed);
    if (number >= bare->options->requests) return;
    transfer_begin(transfer, number);
    loop_add(&bare->loop, transfer->easy);
    bare->active++;
}

static void finish_ended(struct bare_loop *bare) {
    CURLcode code;
    for (CURL *easy; (easy = loop_take_ended(&bare->loop, &code));) {
        struct transfer *transfer = NULL;
        curl_easy_getinfo(easy, CURLINFO_PRIVATE, &transfer);
        transfer->code = code;
        curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &transfer->infos.status);
        curl_easy_getinfo(easy, CURLINFO_NUM_CONNECTS, &transfer->infos.opened);
        if (bare->options->mode == LOAD_UPLOAD)
            curl_easy_getinfo(easy, CURLINFO_SIZE_UPLOAD_T, &transfer->infos.sent);
        transfer_finish(transfer, bare->tally);
        bare->active--;
        start_next(bare, transfer);
    }
}

static void *run_loop(void *context) {
    struct bare_loop *bare = context;
    loop_open(&bare->loop, bare->transfer_count, 0, false);
    bare->transfers = calloc((size_t)bare->transfer_count, sizeof *bare->transfers);
    for (int index = 0; index < bare->transfer_count; index++) {
        transfer_open(&bare->transfers[index], bare->options, index);
        transfer_set_basics(&bare->transfers[index], &bare->loop);
        start_next(bare, &bare->transfers[index]);
    }
    while (bare->active > 0) {
        if (loop_is_due(&bare->loop)) loop_act_on_deadline(&bare->loop);
        finish_ended(bare);
        if (bare->active > 0 && !loop_is_due(&bare->loop)) loop_wait(&bare->loop);
    }
    bare->tally->ended = load_now();
    for (int index = 0; index < bare->transfer_count; index++)
        transfer_close(&bare->transfers[index]);
    free(bare->transfers);
    loop_close(&bare->loop);
    return NULL;
}

void run_bare(const struct load_options *options, struct tally *tallies) {
    atomic_llong issued = 0;
    struct bare_loop *loops = calloc((size_t)options->loops, sizeof *loops);
    for (int index = 0; index < options->loops; index++) {
        struct bare_loop *bare = &loops[index];
        bare->options = options;
        bare->issued = &issued;
        bare->tally = &tallies[index];
        bare->transfer_count = (options->concurrency + options->loops - 1 - index) / options->loops;
        if (index > 0) pthread_create(&bare->thread, NULL, run_loop, bare);
    }
    run_loop(&loops[0]);
    for (int index = 1; index < options->loops; index++) pthread_join(loops[index].thread, NULL);
    free(loops);
}
