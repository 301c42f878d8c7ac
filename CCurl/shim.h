// What Swift can't reach by itself: libcurl's variadic functions, one typed wrapper for each kind
// of argument; the system headers that Swift's Glibc module leaves out; and, in one place, names
// for what the installed libcurl may be too old to know.

#ifndef CCURL_SHIM_H
#define CCURL_SHIM_H

// Makes CURL, CURLM and CURLSH distinct types, in C and in Swift.
#define CURL_STRICTER 1
#define CURL_DISABLE_TYPECHECK 1

#include <curl/curl.h>
#include <dlfcn.h>
#include <errno.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/vfs.h>

#if LIBCURL_VERSION_NUM < 0x075500
#error "CurlNetworking needs libcurl 7.85 or newer"
#endif

// Options that came after 7.85. An older libcurl answers CURLE_UNKNOWN_OPTION at run time.
enum {
    ccurl_option_ca_cache_timeout = 321, // 7.87: CURLOPT_CA_CACHE_TIMEOUT
    ccurl_option_quick_exit = 322,       // 7.87: CURLOPT_QUICK_EXIT
};

// HTTP versions that came after 7.85.
enum {
    ccurl_http_version_3only = 31, // 7.88: CURL_HTTP_VERSION_3ONLY
};

// curl_easy_setopt is variadic: one wrapper for each type that CURLOPT_ options take.

static inline CURLcode ccurl_easy_setopt_long(CURL *_Nonnull easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode ccurl_easy_setopt_off_t(CURL *_Nonnull easy, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode ccurl_easy_setopt_string(CURL *_Nonnull easy, CURLoption option, const char *_Nullable value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode ccurl_easy_setopt_pointer(CURL *_Nonnull easy, CURLoption option, void *_Nullable value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode ccurl_easy_setopt_slist(CURL *_Nonnull easy, CURLoption option, struct curl_slist *_Nullable value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode ccurl_easy_setopt_share(CURL *_Nonnull easy, CURLSH *_Nullable value) {
    return curl_easy_setopt(easy, CURLOPT_SHARE, value);
}

// Not copied: it has to outlive its use.
static inline CURLcode ccurl_easy_setopt_url(CURL *_Nonnull easy, CURLU *_Nullable value) {
    return curl_easy_setopt(easy, CURLOPT_CURLU, value);
}

// The bytes are copied by libcurl.
static inline CURLcode ccurl_easy_setopt_blob(CURL *_Nonnull easy, CURLoption option, const void *_Nullable bytes, size_t count) {
    struct curl_blob blob = {(void *)bytes, count, CURL_BLOB_COPY};
    return curl_easy_setopt(easy, option, &blob);
}

typedef size_t (*ccurl_data_callback)(char *_Nullable bytes, size_t size, size_t count, void *_Nullable context);
typedef int (*ccurl_seek_callback)(void *_Nullable context, curl_off_t offset, int origin);
typedef curl_socket_t (*ccurl_opensocket_callback)(void *_Nullable context, curlsocktype purpose, struct curl_sockaddr *_Nullable address);
typedef int (*ccurl_closesocket_callback)(void *_Nullable context, curl_socket_t socket);
typedef int (*ccurl_prereq_callback)(void *_Nullable context, char *_Nullable remote, char *_Nullable local, int remotePort, int localPort);
typedef int (*ccurl_debug_callback)(CURL *_Nullable easy, curl_infotype type, char *_Nullable bytes, size_t count, void *_Nullable context);

// CURLOPT_WRITEFUNCTION, CURLOPT_HEADERFUNCTION, CURLOPT_READFUNCTION
static inline CURLcode ccurl_easy_setopt_data_function(CURL *_Nonnull easy, CURLoption option, ccurl_data_callback _Nullable function) {
    return curl_easy_setopt(easy, option, function);
}

static inline CURLcode ccurl_easy_setopt_seek_function(CURL *_Nonnull easy, ccurl_seek_callback _Nullable function) {
    return curl_easy_setopt(easy, CURLOPT_SEEKFUNCTION, function);
}

static inline CURLcode ccurl_easy_setopt_opensocket_function(CURL *_Nonnull easy, ccurl_opensocket_callback _Nullable function) {
    return curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, function);
}

static inline CURLcode ccurl_easy_setopt_closesocket_function(CURL *_Nonnull easy, ccurl_closesocket_callback _Nullable function) {
    return curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, function);
}

static inline CURLcode ccurl_easy_setopt_prereq_function(CURL *_Nonnull easy, ccurl_prereq_callback _Nullable function) {
    return curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, function);
}

static inline CURLcode ccurl_easy_setopt_debug_function(CURL *_Nonnull easy, ccurl_debug_callback _Nullable function) {
    return curl_easy_setopt(easy, CURLOPT_DEBUGFUNCTION, function);
}

// curl_easy_getinfo is variadic: one wrapper for each type that CURLINFO_ values have.

static inline CURLcode ccurl_easy_getinfo_long(CURL *_Nonnull easy, CURLINFO info, long *_Nonnull value) {
    return curl_easy_getinfo(easy, info, value);
}

static inline CURLcode ccurl_easy_getinfo_off_t(CURL *_Nonnull easy, CURLINFO info, curl_off_t *_Nonnull value) {
    return curl_easy_getinfo(easy, info, value);
}

static inline CURLcode ccurl_easy_getinfo_string(CURL *_Nonnull easy, CURLINFO info, const char *_Nullable *_Nonnull value) {
    return curl_easy_getinfo(easy, info, value);
}

static inline CURLcode ccurl_easy_getinfo_pointer(CURL *_Nonnull easy, CURLINFO info, void *_Nullable *_Nonnull value) {
    return curl_easy_getinfo(easy, info, value);
}

static inline CURLcode ccurl_easy_getinfo_socket(CURL *_Nonnull easy, CURLINFO info, curl_socket_t *_Nonnull value) {
    return curl_easy_getinfo(easy, info, value);
}

// curl_multi_setopt is variadic: one wrapper for each type that CURLMOPT_ options take.

typedef int (*ccurl_socket_callback)(CURL *_Nullable easy, curl_socket_t socket, int what, void *_Nullable context, void *_Nullable assigned);
typedef int (*ccurl_timer_callback)(CURLM *_Nullable multi, long milliseconds, void *_Nullable context);

static inline CURLMcode ccurl_multi_setopt_long(CURLM *_Nonnull multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}

static inline CURLMcode ccurl_multi_setopt_pointer(CURLM *_Nonnull multi, CURLMoption option, void *_Nullable value) {
    return curl_multi_setopt(multi, option, value);
}

static inline CURLMcode ccurl_multi_setopt_socket_function(CURLM *_Nonnull multi, ccurl_socket_callback _Nullable function) {
    return curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, function);
}

static inline CURLMcode ccurl_multi_setopt_timer_function(CURLM *_Nonnull multi, ccurl_timer_callback _Nullable function) {
    return curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, function);
}

// curl_share_setopt is variadic.
static inline CURLSHcode ccurl_share_add(CURLSH *_Nonnull share, curl_lock_data data) {
    return curl_share_setopt(share, CURLSHOPT_SHARE, data);
}

// CURLMsg keeps the result in a union, which Swift would read as unsafe storage.
static inline CURLcode ccurl_message_result(const CURLMsg *_Nonnull message) {
    return message->data.result;
}

// OpenSSL's own atexit handler would free what loop threads still use while the process exits.
// Asked of the OpenSSL that libcurl brought along, if it is one; nothing is linked for it.
static inline void ccurl_keep_openssl_at_exit(void) {
    typedef int (*initialiser)(unsigned long long options, const void *settings);
    initialiser initialise = (initialiser)dlsym(RTLD_DEFAULT, "OPENSSL_init_crypto");
    if (initialise) initialise(0x00080000ULL /* OPENSSL_INIT_NO_ATEXIT */, (void *)0);
}

// CURLVERSION_NOW is a macro that Swift does not see.
static inline curl_version_info_data *_Nonnull ccurl_version_info(void) {
    return curl_version_info(CURLVERSION_NOW);
}

// RWF_NOWAIT, which the headers show to few.
enum { ccurl_rwf_nowait = 0x00000008 };

static inline ssize_t ccurl_read_without_waiting(int descriptor, void *_Nonnull bytes, size_t count, off_t offset) {
    struct iovec piece = {bytes, count};
    return preadv2(descriptor, &piece, 1, offset, ccurl_rwf_nowait);
}

// syncfs, which the headers show to few.
extern int syncfs(int descriptor);

static inline int ccurl_sync_file_system(int descriptor) {
    return syncfs(descriptor);
}

// renameat2, which the headers show to few.
extern int renameat2(int folder, const char *path, int new_folder, const char *new_path, unsigned int flags);

// Gives a file another name unless one has it: 1 is RENAME_NOREPLACE, -100 is AT_FDCWD.
static inline int ccurl_rename_exclusively(const char *_Nonnull path, const char *_Nonnull new_path) {
    return renameat2(-100, path, -100, new_path, 1);
}

// Whether the file lies in memory (tmpfs), which RWF_NOWAIT isn't known to.
static inline _Bool ccurl_is_in_memory(int descriptor) {
    struct statfs system;
    return fstatfs(descriptor, &system) == 0 && system.f_type == 0x01021994;
}

// prctl is variadic.
static inline void ccurl_name_this_thread(const char *_Nonnull name) {
    prctl(PR_SET_NAME, name, 0, 0, 0);
}

// struct epoll_event holds its data in a union: the descriptor is all that is kept there.
static inline void ccurl_epoll_event_set(struct epoll_event *_Nonnull event, unsigned int events, int descriptor) {
    event->events = events;
    event->data.u64 = 0;
    event->data.fd = descriptor;
}

static inline int ccurl_epoll_event_descriptor(const struct epoll_event *_Nonnull event) {
    return event->data.fd;
}

// What is asked of the OpenSSL that libcurl brought along, if it is one; nothing is linked for it.
struct ccurl_openssl {
    const char *_Nullable (*_Nullable get_version)(const void *_Nullable ssl);
    const void *_Nullable (*_Nullable get_cipher)(const void *_Nullable ssl);
    const char *_Nullable (*_Nullable get_name)(const void *_Nullable cipher);
};

static inline struct ccurl_openssl ccurl_openssl_find(void) {
    struct ccurl_openssl functions;
    *(void **)&functions.get_version = dlsym(RTLD_DEFAULT, "SSL_get_version");
    *(void **)&functions.get_cipher = dlsym(RTLD_DEFAULT, "SSL_get_current_cipher");
    *(void **)&functions.get_name = dlsym(RTLD_DEFAULT, "SSL_CIPHER_get_name");
    return functions;
}

// The TLS version and cipher of the connection in use. False where there is no such thing to tell.
static inline _Bool ccurl_tls_info(CURL *_Nonnull easy, const struct ccurl_openssl *_Nonnull functions, const char *_Nullable *_Nonnull version, const char *_Nullable *_Nonnull cipher) {
    struct curl_tlssessioninfo *info = (void *)0;
    if (curl_easy_getinfo(easy, CURLINFO_TLS_SSL_PTR, &info) != CURLE_OK || !info || !info->internals) return 0;
    if (info->backend != CURLSSLBACKEND_OPENSSL) return 0;
    if (!functions->get_version || !functions->get_cipher || !functions->get_name) return 0;
    *version = functions->get_version(info->internals);
    *cipher = functions->get_name(functions->get_cipher(info->internals));
    return 1;
}

// A socket as libcurl asks for it, that no child process inherits.
static inline curl_socket_t ccurl_open_socket(const struct curl_sockaddr *_Nonnull address) {
    return socket(address->family, address->socktype | SOCK_CLOEXEC | SOCK_NONBLOCK, address->protocol);
}

#endif
