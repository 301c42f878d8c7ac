#include "queue.h"

void queue_open(struct queue *queue) {
    pthread_mutex_init(&queue->mutex, NULL);
    queue->first = NULL;
    queue->last = &queue->first;
    queue->is_closed = false;
}

void batch_add(struct batch *batch, struct transfer *transfer) {
    transfer->next = NULL;
    if (!batch->first) batch->last = &batch->first;
    *batch->last = transfer;
    batch->last = &transfer->next;
}

bool queue_put(struct queue *queue, struct batch *batch) {
    if (!batch->first) return false;
    pthread_mutex_lock(&queue->mutex);
    bool was_empty = queue->first == NULL;
    *queue->last = batch->first;
    queue->last = batch->last;
    pthread_mutex_unlock(&queue->mutex);
    batch->first = NULL;
    return was_empty;
}

struct transfer *queue_take(struct queue *queue, bool *is_closed) {
    pthread_mutex_lock(&queue->mutex);
    struct transfer *first = queue->first;
    queue->first = NULL;
    queue->last = &queue->first;
    *is_closed = queue->is_closed;
    pthread_mutex_unlock(&queue->mutex);
    return first;
}

void queue_close(struct queue *queue) {
    pthread_mutex_lock(&queue->mutex);
    queue->is_closed = true;
    pthread_mutex_unlock(&queue->mutex);
}
