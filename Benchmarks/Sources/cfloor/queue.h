// Transfers on their way to another thread: a list behind a mutex, taken as a whole.

#ifndef QUEUE_H
#define QUEUE_H

#include "transfer.h"

#include <pthread.h>

struct queue {
    pthread_mutex_t mutex;
    struct transfer *first, **last;
    bool is_closed;
};

void queue_open(struct queue *queue);

// A list that is put together by one thread, to be handed over as a whole.
struct batch {
    struct transfer *first, **last;
};

void batch_add(struct batch *batch, struct transfer *transfer);

// Hands the batch over and empties it. True: the queue was empty, and its reader has to be woken.
bool queue_put(struct queue *queue, struct batch *batch);

// Takes all there is; null when that is nothing.
struct transfer *queue_take(struct queue *queue, bool *is_closed);

void queue_close(struct queue *queue);

#endif
