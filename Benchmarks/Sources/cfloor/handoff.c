// The hand-off floor: loops on threads of their own, and another thread that submits requests and
// receives results. For each request all is done that a client library has to do, in plain C: this is
// what a wrapper is measured against. The floor with shards is the same with several multi handles in
// each loop.

#include "floors.h"
#include "queue.h"

#include <stdlib.h>
#include <unistd.h>

struct handoff_loop {
    struct queue submitted;
    struct queue *results;
    struct batch to_submit; // of the submitting thread
    struct loop loop;
    int results_wakeup;
    pthread_t thread;
};

// On the loop's thread.

static void start_submitted(struct handoff_loop *handoff, bool *is_closed) {
    struct transfer *transfer = queue_take(&handoff->submitted, is_closed);
    while (transfer) {
        struct transfer *next = transfer->next;
        transfer_set_everything(transfer, &handoff->loop);
        loop_add(&handoff->loop, transfer->easy);
        transfer = next;
    }
}

static void hand_back_ended(struct handoff_loop *handoff) {
    struct batch ended = {0};
    CURLcode code;
    for (CURL *easy; (easy = loop_take_ended(&handoff->loop, &code));) {
        struct transfer *transfer = NULL;
        curl_easy_getinfo(easy, CURLINFO_PRIVATE, &transfer);
        transfer->code = code;
        transfer_read_infos(transfer);
        batch_add(&ended, transfer);
    }
    if (queue_put(handoff->results, &ended)) load_wakeup_signal(handoff->results_wakeup);
}

static void *run_loop(void *context) {
    struct handoff_loop *handoff = context;
    bool is_closed = false;
    while (!is_closed) {
        start_submitted(handoff, &is_closed);
        if (loop_is_due(&handoff->loop)) loop_act_on_deadline(&handoff->loop);
        hand_back_ended(handoff);
        if (!is_closed && !loop_is_due(&handoff->loop)) loop_wait(&handoff->loop);
    }
    return NULL;
}

// On the submitting thread.

static void open_loop(struct handoff_loop *handoff, struct queue *results, int wakeup, int transfers,
                      int shard_size) {
    queue_open(&handoff->submitted);
    handoff->results = results;
    handoff->results_wakeup = wakeup;
    loop_open(&handoff->loop, transfers, shard_size, true);
}

static void submit(struct handoff_loop *loops, int count) {
    for (int index = 0; index < count; index++)
        if (queue_put(&loops[index].submitted, &loops[index].to_submit)) loop_wake(&loops[index].loop);
}

static void drive(const struct load_options *options, struct handoff_loop *loops,
                  struct transfer *transfers, struct queue *results, int wakeup, struct tally *tally) {
    int64_t issued = 0, ended = 0;
    for (; issued < options->concurrency; issued++) {
        transfer_begin(&transfers[issued], issued);
        batch_add(&loops[issued % options->loops].to_submit, &transfers[issued]);
    }
    submit(loops, options->loops);
    while (ended < options->requests) {
        load_wakeup_wait(wakeup);
        bool is_closed;
        struct transfer *transfer = queue_take(results, &is_closed);
        while (transfer) {
            struct transfer *next = transfer->next;
            transfer_finish(transfer, tally);
            ended++;
            if (issued < options->requests) {
                transfer_begin(transfer, issued++);
                batch_add(&loops[transfer->index % options->loops].to_submit, transfer);
            }
            transfer = next;
        }
        submit(loops, options->loops);
    }
    tally->ended = load_now();
}

void run_handoff(const struct load_options *options, int shard_size, struct tally *tally) {
    struct queue results;
    queue_open(&results);
    int wakeup = load_wakeup_make();
    struct handoff_loop *loops = calloc((size_t)options->loops, sizeof *loops);
    struct transfer *transfers = calloc((size_t)options->concurrency, sizeof *transfers);
    int most_transfers = (options->concurrency + options->loops - 1) / options->loops;
    for (int index = 0; index < options->loops; index++)
        open_loop(&loops[index], &results, wakeup, most_transfers, shard_size);
    for (int index = 0; index < options->concurrency; index++) {
        transfer_open(&transfers[index], options, index);
        loop_share(&loops[index % options->loops].loop, transfers[index].easy);
    }
    for (int index = 0; index < options->loops; index++)
        pthread_create(&loops[index].thread, NULL, run_loop, &loops[index]);

    drive(options, loops, transfers, &results, wakeup, tally);

    for (int index = 0; index < options->loops; index++) {
        queue_close(&loops[index].submitted);
        loop_wake(&loops[index].loop);
        pthread_join(loops[index].thread, NULL);
    }
    for (int index = 0; index < options->concurrency; index++) transfer_close(&transfers[index]);
    for (int index = 0; index < options->loops; index++) loop_close(&loops[index].loop);
    free(transfers);
    free(loops);
    close(wakeup);
}
