#include "transfer.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool append(struct buffer *buffer, const char *bytes, size_t count) {
    if (buffer->count + count > buffer->capacity) {
        size_t capacity = buffer->capacity * 2;
        if (capacity < buffer->count + count) capacity = buffer->count + count;
        char *grown = realloc(buffer->bytes, capacity);
        if (!grown) return false;
        buffer->bytes = grown;
        buffer->capacity = capacity;
    }
    memcpy(buffer->bytes + buffer->count, bytes, count);
    buffer->count += count;
    return true;
}

static void release(struct buffer *buffer) {
    free(buffer->bytes);
    *buffer = (struct buffer){0};
}

static size_t receive_body(char *bytes, size_t size, size_t count, void *context) {
    struct transfer *transfer = context;
    count *= size;
    transfer->received += (int64_t)count;
    if (transfer->options->mode == LOAD_GET)
        return append(&transfer->body, bytes, count) ? count : 0;
    if (transfer->output < 0) return count;
    return load_write(transfer->output, bytes, count) ? count : 0;
}

static size_t receive_head(char *bytes, size_t size, size_t count, void *context) {
    struct transfer *transfer = context;
    return append(&transfer->head, bytes, size * count) ? size * count : 0;
}

static size_t send_file(char *bytes, size_t size, size_t count, void *context) {
    struct transfer *transfer = context;
    ssize_t result = pread(transfer->input, bytes, size * count, transfer->sent);
    if (result < 0) return CURL_READFUNC_ABORT;
    transfer->sent += result;
    return (size_t)result;
}

static int rewind_file(void *context, curl_off_t offset, int origin) {
    struct transfer *transfer = context;
    if (origin != SEEK_SET) return CURL_SEEKFUNC_CANTSEEK;
    transfer->sent = offset;
    return CURL_SEEKFUNC_OK;
}

// All uploads from memory send the same bytes.
static char *upload_bytes;

void transfer_prepare(const struct load_options *options) {
    if (options->mode != LOAD_UPLOAD || options->in) return;
    upload_bytes = malloc((size_t)options->body_bytes + 1);
    if (!upload_bytes) exit(71);
    memset(upload_bytes, 'x', (size_t)options->body_bytes);
}

void transfer_open(struct transfer *transfer, const struct load_options *options, int index) {
    *transfer = (struct transfer){.options = options, .input = -1, .output = -1, .index = index};
    transfer->easy = curl_easy_init();
    if (options->in) transfer->input = open(options->in, O_RDONLY | O_CLOEXEC);
    if (!transfer->easy || (options->in && transfer->input < 0)) {
        fprintf(stderr, "cfloor: %s\n", transfer->easy ? options->in : "curl_easy_init");
        exit(66);
    }
}

void transfer_close(struct transfer *transfer) {
    curl_easy_cleanup(transfer->easy);
    curl_slist_free_all(transfer->headers);
    if (transfer->input >= 0) close(transfer->input);
    if (transfer->output >= 0) close(transfer->output);
    release(&transfer->body);
    release(&transfer->head);
}

static void set_upload(struct transfer *transfer, CURL *easy) {
    const struct load_options *options = transfer->options;
    curl_easy_setopt(easy, CURLOPT_POST, 1L);
    if (transfer->input < 0) {
        curl_easy_setopt(easy, CURLOPT_POSTFIELDS, upload_bytes);
        curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)options->body_bytes);
        return;
    }
    curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE,
                     (curl_off_t)lseek(transfer->input, 0, SEEK_END));
    curl_easy_setopt(easy, CURLOPT_READFUNCTION, send_file);
    curl_easy_setopt(easy, CURLOPT_READDATA, transfer);
    curl_easy_setopt(easy, CURLOPT_SEEKFUNCTION, rewind_file);
    curl_easy_setopt(easy, CURLOPT_SEEKDATA, transfer);
    curl_easy_setopt(easy, CURLOPT_UPLOAD_BUFFERSIZE, 512L * 1024);
}

static void set_url(struct transfer *transfer) {
    const struct load_options *options = transfer->options;
    curl_easy_setopt(transfer->easy, CURLOPT_URL,
                     options->urls[transfer->number % options->url_count]);
}

void transfer_set_basics(struct transfer *transfer, struct loop *loop) {
    const struct load_options *options = transfer->options;
    CURL *easy = transfer->easy;
    loop_attach(loop, easy);
    set_url(transfer);
    curl_easy_setopt(easy, CURLOPT_PRIVATE, transfer);
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, receive_body);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, transfer);
    curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, transfer->error);
    curl_easy_setopt(easy, CURLOPT_PROXY, "");
    curl_easy_setopt(easy, CURLOPT_HTTP_VERSION,
                     options->http2 ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1);
    if (options->http2) curl_easy_setopt(easy, CURLOPT_PIPEWAIT, 1L);
    if (options->ca_file) {
        curl_easy_setopt(easy, CURLOPT_CAINFO, options->ca_file);
        // If a directory is set, too, libcurl reads the file again for each connection.
        curl_easy_setopt(easy, CURLOPT_CAPATH, NULL);
    }
    if (options->no_reuse) curl_easy_setopt(easy, CURLOPT_FORBID_REUSE, 1L);
    if (options->mode == LOAD_DOWNLOAD) curl_easy_setopt(easy, CURLOPT_BUFFERSIZE, 512L * 1024);
    if (options->mode == LOAD_UPLOAD) set_upload(transfer, easy);
}

void transfer_set_everything(struct transfer *transfer, struct loop *loop) {
    CURL *easy = transfer->easy;
    curl_easy_reset(easy);
    transfer_set_basics(transfer, loop);
    curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, receive_head);
    curl_easy_setopt(easy, CURLOPT_HEADERDATA, transfer);
    curl_easy_setopt(easy, CURLOPT_CUSTOMREQUEST,
                     transfer->options->mode == LOAD_UPLOAD ? "POST" : "GET");
    curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(easy, CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 1L);
    curl_easy_setopt(easy, CURLOPT_MAXREDIRS, 20L);
    curl_easy_setopt(easy, CURLOPT_ACCEPT_ENCODING, "gzip, deflate");
    curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, 10000L);
    curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, 600000L);
    curl_easy_setopt(easy, CURLOPT_TCP_NODELAY, 1L);
    curl_easy_setopt(easy, CURLOPT_SSL_VERIFYPEER, 1L);
    curl_easy_setopt(easy, CURLOPT_SSL_VERIFYHOST, 2L);
    curl_easy_setopt(easy, CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
    curl_easy_setopt(easy, CURLOPT_MAXAGE_CONN, 60L);
    curl_easy_setopt(easy, CURLOPT_DNS_CACHE_TIMEOUT, 60L);

    char identifier[64];
    snprintf(identifier, sizeof identifier, "x-request-id: %lld", (long long)transfer->number);
    curl_slist_free_all(transfer->headers);
    transfer->headers = curl_slist_append(NULL, "user-agent: cfloor/1.0");
    transfer->headers = curl_slist_append(transfer->headers, "accept: application/json, */*");
    transfer->headers = curl_slist_append(transfer->headers, "accept-language: en;q=1.0");
    transfer->headers = curl_slist_append(transfer->headers, identifier);
    // An upload doesn't wait for a 100 Continue.
    if (transfer->options->mode == LOAD_UPLOAD)
        transfer->headers = curl_slist_append(transfer->headers, "expect:");
    curl_easy_setopt(easy, CURLOPT_HTTPHEADER, transfer->headers);
}

void transfer_begin(struct transfer *transfer, int64_t number) {
    transfer->number = number;
    transfer->received = transfer->sent = 0;
    transfer->error[0] = 0;
    transfer->started = load_now();
    // Of a place whose options are set once, this is the only one that changes.
    if (transfer->options->url_count > 1) set_url(transfer);
    if (transfer->options->mode != LOAD_DOWNLOAD || !transfer->options->out) return;
    char path[4096];
    if (transfer->index == 0) snprintf(path, sizeof path, "%s", transfer->options->out);
    else snprintf(path, sizeof path, "%s.%d", transfer->options->out, transfer->index);
    transfer->output = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
}

void transfer_read_infos(struct transfer *transfer) {
    struct transfer_infos *infos = &transfer->infos;
    CURL *easy = transfer->easy;
    const char *peer = NULL, *url = NULL;
    curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &infos->status);
    curl_easy_getinfo(easy, CURLINFO_HTTP_VERSION, &infos->http_version);
    curl_easy_getinfo(easy, CURLINFO_NUM_CONNECTS, &infos->opened);
    curl_easy_getinfo(easy, CURLINFO_REDIRECT_COUNT, &infos->redirects);
    curl_easy_getinfo(easy, CURLINFO_PRIMARY_PORT, &infos->port);
    curl_easy_getinfo(easy, CURLINFO_NAMELOOKUP_TIME_T, &infos->lookup);
    curl_easy_getinfo(easy, CURLINFO_CONNECT_TIME_T, &infos->connect);
    curl_easy_getinfo(easy, CURLINFO_APPCONNECT_TIME_T, &infos->tls);
    curl_easy_getinfo(easy, CURLINFO_STARTTRANSFER_TIME_T, &infos->first_byte);
    curl_easy_getinfo(easy, CURLINFO_TOTAL_TIME_T, &infos->total);
    curl_easy_getinfo(easy, CURLINFO_SIZE_DOWNLOAD_T, &infos->received);
    curl_easy_getinfo(easy, CURLINFO_SIZE_UPLOAD_T, &infos->sent);
    curl_easy_getinfo(easy, CURLINFO_PRIMARY_IP, &peer);
    curl_easy_getinfo(easy, CURLINFO_EFFECTIVE_URL, &url);
    snprintf(infos->peer, sizeof infos->peer, "%s", peer ? peer : "");
}

static void describe_error(const struct transfer *transfer, char *text, size_t size) {
    const struct load_options *options = transfer->options;
    int64_t count = options->mode == LOAD_UPLOAD ? transfer->infos.sent : transfer->received;
    if (transfer->code != CURLE_OK)
        snprintf(text, size, "curl %d: %s", (int)transfer->code,
                 transfer->error[0] ? transfer->error : curl_easy_strerror(transfer->code));
    else if (transfer->infos.status != 200)
        snprintf(text, size, "status %ld", transfer->infos.status);
    else if (options->body_bytes >= 0 && count != options->body_bytes)
        snprintf(text, size, "%lld bytes%s instead of %lld", (long long)count,
                 options->mode == LOAD_UPLOAD ? " sent" : "", (long long)options->body_bytes);
    else text[0] = 0;
}

void transfer_finish(struct transfer *transfer, struct tally *tally) {
    char problem[sizeof tally->first_error];
    describe_error(transfer, problem, sizeof problem);
    tally->connections += transfer->infos.opened;
    if (problem[0]) {
        tally->errors++;
        if (!tally->first_error[0]) memcpy(tally->first_error, problem, sizeof problem);
    } else {
        tally->completed++;
        tally->bytes += transfer->options->mode == LOAD_UPLOAD ? transfer->infos.sent
                                                               : transfer->received;
        tally->latencies[tally->latency_count++] = (float)(load_now() - transfer->started);
    }
    release(&transfer->body);
    release(&transfer->head);
    if (transfer->output >= 0) close(transfer->output);
    transfer->output = -1;
}
