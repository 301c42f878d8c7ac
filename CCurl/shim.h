// C declarations that Swift can't import: typed wrappers of libcurl's variadic functions, one for
// each argument type, and the values of constants that the installed libcurl's headers may be too old
// to declare.

#ifndef CCURL_SHIM_H
#define CCURL_SHIM_H

#define CURL_DISABLE_TYPECHECK 1

#include <curl/curl.h>
#include <dlfcn.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

// CURLOPT_PREREQFUNCTION, which has no alternative, needs 7.80, and the codes of curl_url need 7.81.
#if LIBCURL_VERSION_NUM < 0x075100
#error "CurlNetworking needs libcurl 7.81 or newer"
#endif

// libcurl's handles as distinct opaque types. libcurl's header declares them as `void` or as a struct,
// depending on its version and on macros.
typedef struct ccurl_easy ccurl_easy;
typedef struct ccurl_multi ccurl_multi;
typedef struct ccurl_share ccurl_share;

// Options that take schemes as bits and work in every version. They are deprecated since 7.85, but
// libcurl removes no option, and older versions don't have their successor CURLOPT_PROTOCOLS_STR.
enum {
    ccurl_option_protocols = 181,          // CURLOPT_PROTOCOLS
    ccurl_option_redirect_protocols = 182, // CURLOPT_REDIR_PROTOCOLS
};

// Options that came after 7.81. An older libcurl answers CURLE_UNKNOWN_OPTION at run time.
enum {
    ccurl_option_ca_cache_timeout = 321, // 7.87: CURLOPT_CA_CACHE_TIMEOUT
    ccurl_option_quick_exit = 322,       // 7.87: CURLOPT_QUICK_EXIT
};

// Options of multi handles that came after 7.81. An older libcurl answers CURLM_UNKNOWN_OPTION.
enum {
    ccurl_multi_option_resolve_threads_max = 20, // 8.20: CURLMOPT_RESOLVE_THREADS_MAX
    ccurl_multi_option_quick_exit = 21,          // 8.20: CURLMOPT_QUICK_EXIT
};

// Codes of curl_url that came after 7.81.
enum {
    ccurl_url_lacks_idn = 30, // 7.88: CURLUE_LACKS_IDN
};

// Flags of curl_url_get that came after 7.81. Older versions ignore them.
enum {
    ccurl_url_punycode = 1 << 12,  // 7.88: CURLU_PUNYCODE
    ccurl_url_get_empty = 1 << 14, // 8.8: CURLU_GET_EMPTY
};

// HTTP versions that came after 7.81.
enum {
    ccurl_http_version_3only = 31, // 7.88: CURL_HTTP_VERSION_3ONLY
};

// Functions that take or return handles. A `void *` converts to and from libcurl's handle types.

static inline ccurl_easy *_Nullable ccurl_easy_init(void) {
    return (void *)curl_easy_init();
}

static inline void ccurl_easy_cleanup(ccurl_easy *_Nonnull easy) {
    curl_easy_cleanup((void *)easy);
}

static inline CURLcode ccurl_easy_pause(ccurl_easy *_Nonnull easy, int mask) {
    return curl_easy_pause((void *)easy, mask);
}

static inline CURLcode ccurl_easy_recv(ccurl_easy *_Nonnull easy, void *_Nullable bytes, size_t size, size_t *_Nonnull count) {
    return curl_easy_recv((void *)easy, bytes, size, count);
}

static inline CURLcode ccurl_easy_send(ccurl_easy *_Nonnull easy, const void *_Nullable bytes, size_t size, size_t *_Nonnull count) {
    return curl_easy_send((void *)easy, bytes, size, count);
}

static inline ccurl_multi *_Nullable ccurl_multi_init(void) {
    return (void *)curl_multi_init();
}

static inline CURLMcode ccurl_multi_cleanup(ccurl_multi *_Nonnull multi) {
    return curl_multi_cleanup((void *)multi);
}

static inline CURLMcode ccurl_multi_wakeup(ccurl_multi *_Nonnull multi) {
    return curl_multi_wakeup((void *)multi);
}

static inline CURLMcode ccurl_multi_add_handle(ccurl_multi *_Nonnull multi, ccurl_easy *_Nonnull easy) {
    return curl_multi_add_handle((void *)multi, (void *)easy);
}

static inline CURLMcode ccurl_multi_remove_handle(ccurl_multi *_Nonnull multi, ccurl_easy *_Nonnull easy) {
    return curl_multi_remove_handle((void *)multi, (void *)easy);
}

static inline CURLMcode ccurl_multi_socket_action(ccurl_multi *_Nonnull multi, curl_socket_t socket, int events, int *_Nonnull running) {
    return curl_multi_socket_action((void *)multi, socket, events, running);
}

// Returns the next completed transfer and its result, or NULL. CURLMsg stores the result in a union.
static inline ccurl_easy *_Nullable ccurl_multi_next_result(ccurl_multi *_Nonnull multi, CURLcode *_Nonnull result) {
    int left;
    CURLMsg *message;
    while ((message = curl_multi_info_read((void *)multi, &left))) {
        if (message->msg == CURLMSG_DONE && message->easy_handle) {
            *result = message->data.result;
            return (void *)message->easy_handle;
        }
    }
    return (void *)0;
}

static inline ccurl_share *_Nullable ccurl_share_init(void) {
    return (void *)curl_share_init();
}

static inline CURLSHcode ccurl_share_cleanup(ccurl_share *_Nonnull share) {
    return curl_share_cleanup((void *)share);
}

// curl_easy_setopt is variadic: one wrapper for each type that CURLOPT_ options take.

static inline CURLcode ccurl_easy_setopt_long(ccurl_easy *_Nonnull easy, CURLoption option, long value) {
    return curl_easy_setopt((void *)easy, option, value);
}

static inline CURLcode ccurl_easy_setopt_off_t(ccurl_easy *_Nonnull easy, CURLoption option, curl_off_t value) {
    return curl_easy_setopt((void *)easy, option, value);
}

static inline CURLcode ccurl_easy_setopt_string(ccurl_easy *_Nonnull easy, CURLoption option, const char *_Nullable value) {
    return curl_easy_setopt((void *)easy, option, value);
}

static inline CURLcode ccurl_easy_setopt_pointer(ccurl_easy *_Nonnull easy, CURLoption option, void *_Nullable value) {
    return curl_easy_setopt((void *)easy, option, value);
}

static inline CURLcode ccurl_easy_setopt_slist(ccurl_easy *_Nonnull easy, CURLoption option, struct curl_slist *_Nullable value) {
    return curl_easy_setopt((void *)easy, option, value);
}

static inline CURLcode ccurl_easy_setopt_share(ccurl_easy *_Nonnull easy, ccurl_share *_Nullable value) {
    return curl_easy_setopt((void *)easy, CURLOPT_SHARE, value);
}

// libcurl doesn't copy the value: it must stay valid while libcurl uses it.
static inline CURLcode ccurl_easy_setopt_url(ccurl_easy *_Nonnull easy, CURLU *_Nullable value) {
    return curl_easy_setopt((void *)easy, CURLOPT_CURLU, value);
}

// libcurl copies the bytes.
static inline CURLcode ccurl_easy_setopt_blob(ccurl_easy *_Nonnull easy, CURLoption option, const void *_Nullable bytes, size_t count) {
    struct curl_blob blob = {(void *)bytes, count, CURL_BLOB_COPY};
    return curl_easy_setopt((void *)easy, option, &blob);
}

typedef size_t (*ccurl_data_callback)(char *_Nullable bytes, size_t size, size_t count, void *_Nullable context);
typedef int (*ccurl_seek_callback)(void *_Nullable context, curl_off_t offset, int origin);
typedef curl_socket_t (*ccurl_opensocket_callback)(void *_Nullable context, curlsocktype purpose, struct curl_sockaddr *_Nullable address);
typedef int (*ccurl_closesocket_callback)(void *_Nullable context, curl_socket_t socket);
typedef int (*ccurl_prereq_callback)(void *_Nullable context, char *_Nullable remote, char *_Nullable local, int remotePort, int localPort);
typedef int (*ccurl_debug_callback)(ccurl_easy *_Nullable easy, curl_infotype type, char *_Nullable bytes, size_t count, void *_Nullable context);

// CURLOPT_WRITEFUNCTION, CURLOPT_HEADERFUNCTION, CURLOPT_READFUNCTION
static inline CURLcode ccurl_easy_setopt_data_function(ccurl_easy *_Nonnull easy, CURLoption option, ccurl_data_callback _Nullable function) {
    return curl_easy_setopt((void *)easy, option, function);
}

static inline CURLcode ccurl_easy_setopt_seek_function(ccurl_easy *_Nonnull easy, ccurl_seek_callback _Nullable function) {
    return curl_easy_setopt((void *)easy, CURLOPT_SEEKFUNCTION, function);
}

static inline CURLcode ccurl_easy_setopt_opensocket_function(ccurl_easy *_Nonnull easy, ccurl_opensocket_callback _Nullable function) {
    return curl_easy_setopt((void *)easy, CURLOPT_OPENSOCKETFUNCTION, function);
}

static inline CURLcode ccurl_easy_setopt_closesocket_function(ccurl_easy *_Nonnull easy, ccurl_closesocket_callback _Nullable function) {
    return curl_easy_setopt((void *)easy, CURLOPT_CLOSESOCKETFUNCTION, function);
}

static inline CURLcode ccurl_easy_setopt_prereq_function(ccurl_easy *_Nonnull easy, ccurl_prereq_callback _Nullable function) {
    return curl_easy_setopt((void *)easy, CURLOPT_PREREQFUNCTION, function);
}

static inline CURLcode ccurl_easy_setopt_debug_function(ccurl_easy *_Nonnull easy, ccurl_debug_callback _Nullable function) {
    return curl_easy_setopt((void *)easy, CURLOPT_DEBUGFUNCTION, function);
}

// curl_easy_getinfo is variadic: one wrapper for each type that CURLINFO_ values have.

static inline CURLcode ccurl_easy_getinfo_long(ccurl_easy *_Nonnull easy, CURLINFO info, long *_Nonnull value) {
    return curl_easy_getinfo((void *)easy, info, value);
}

static inline CURLcode ccurl_easy_getinfo_off_t(ccurl_easy *_Nonnull easy, CURLINFO info, curl_off_t *_Nonnull value) {
    return curl_easy_getinfo((void *)easy, info, value);
}

static inline CURLcode ccurl_easy_getinfo_string(ccurl_easy *_Nonnull easy, CURLINFO info, const char *_Nullable *_Nonnull value) {
    return curl_easy_getinfo((void *)easy, info, value);
}

static inline CURLcode ccurl_easy_getinfo_pointer(ccurl_easy *_Nonnull easy, CURLINFO info, void *_Nullable *_Nonnull value) {
    return curl_easy_getinfo((void *)easy, info, value);
}

static inline CURLcode ccurl_easy_getinfo_socket(ccurl_easy *_Nonnull easy, CURLINFO info, curl_socket_t *_Nonnull value) {
    return curl_easy_getinfo((void *)easy, info, value);
}

// curl_multi_setopt is variadic: one wrapper for each type that CURLMOPT_ options take.

typedef int (*ccurl_socket_callback)(ccurl_easy *_Nullable easy, curl_socket_t socket, int what, void *_Nullable context, void *_Nullable assigned);
typedef int (*ccurl_timer_callback)(ccurl_multi *_Nullable multi, long milliseconds, void *_Nullable context);

static inline CURLMcode ccurl_multi_setopt_long(ccurl_multi *_Nonnull multi, CURLMoption option, long value) {
    return curl_multi_setopt((void *)multi, option, value);
}

static inline CURLMcode ccurl_multi_setopt_pointer(ccurl_multi *_Nonnull multi, CURLMoption option, void *_Nullable value) {
    return curl_multi_setopt((void *)multi, option, value);
}

static inline CURLMcode ccurl_multi_setopt_socket_function(ccurl_multi *_Nonnull multi, ccurl_socket_callback _Nullable function) {
    return curl_multi_setopt((void *)multi, CURLMOPT_SOCKETFUNCTION, function);
}

static inline CURLMcode ccurl_multi_setopt_timer_function(ccurl_multi *_Nonnull multi, ccurl_timer_callback _Nullable function) {
    return curl_multi_setopt((void *)multi, CURLMOPT_TIMERFUNCTION, function);
}

// curl_share_setopt is variadic.
static inline CURLSHcode ccurl_share_add(ccurl_share *_Nonnull share, curl_lock_data data) {
    return curl_share_setopt((void *)share, CURLSHOPT_SHARE, data);
}

// Disables OpenSSL's atexit handler, which would free memory that loop threads still use while the
// process exits. Looks up the OpenSSL that libcurl has loaded, if any, so nothing is linked for it.
static inline void ccurl_keep_openssl_at_exit(void) {
    typedef int (*initialiser)(unsigned long long options, const void *settings);
    initialiser initialise = (initialiser)dlsym(RTLD_DEFAULT, "OPENSSL_init_crypto");
    if (initialise) initialise(0x00080000ULL /* OPENSSL_INIT_NO_ATEXIT */, (void *)0);
}

// Looked up at run time, because curl_global_trace came with libcurl 8.3.
static inline CURLcode ccurl_global_trace(const char *_Nonnull config) {
    typedef CURLcode (*tracer)(const char *config);
    tracer trace = (tracer)dlsym(RTLD_DEFAULT, "curl_global_trace");
    return trace ? trace(config) : CURLE_NOT_BUILT_IN;
}

// CURLVERSION_NOW is a macro that Swift does not see.
static inline curl_version_info_data *_Nonnull ccurl_version_info(void) {
    return curl_version_info(CURLVERSION_NOW);
}

// Functions of the OpenSSL that libcurl has loaded, if any, so nothing is linked for it.
struct ccurl_openssl {
    const char *_Nullable (*_Nullable get_version)(const void *_Nullable ssl);
    const void *_Nullable (*_Nullable get_cipher)(const void *_Nullable ssl);
    const char *_Nullable (*_Nullable get_name)(const void *_Nullable cipher);
    int (*_Nullable has_pending)(const void *_Nullable ssl);
    void (*_Nullable get_protocol)(const void *_Nullable ssl, const unsigned char *_Nullable *_Nonnull name, unsigned *_Nonnull length);
    int (*_Nullable get_algorithms)(void *_Nullable ssl, int index, int *_Nullable sign, int *_Nullable hash, int *_Nullable both, unsigned char *_Nullable rawSign, unsigned char *_Nullable rawHash);
};

static inline struct ccurl_openssl ccurl_openssl_find(void) {
    struct ccurl_openssl functions;
    *(void **)&functions.get_version = dlsym(RTLD_DEFAULT, "SSL_get_version");
    *(void **)&functions.get_cipher = dlsym(RTLD_DEFAULT, "SSL_get_current_cipher");
    *(void **)&functions.get_name = dlsym(RTLD_DEFAULT, "SSL_CIPHER_get_name");
    *(void **)&functions.has_pending = dlsym(RTLD_DEFAULT, "SSL_has_pending");
    *(void **)&functions.get_protocol = dlsym(RTLD_DEFAULT, "SSL_get0_alpn_selected");
    *(void **)&functions.get_algorithms = dlsym(RTLD_DEFAULT, "SSL_get_sigalgs");
    return functions;
}

// The TLS version and cipher of the current connection. Returns false if they aren't available.
static inline _Bool ccurl_tls_info(ccurl_easy *_Nonnull easy, const struct ccurl_openssl *_Nonnull functions, const char *_Nullable *_Nonnull version, const char *_Nullable *_Nonnull cipher) {
    struct curl_tlssessioninfo *info = (void *)0;
    if (curl_easy_getinfo((void *)easy, CURLINFO_TLS_SSL_PTR, &info) != CURLE_OK || !info || !info->internals) return 0;
    if (info->backend != CURLSSLBACKEND_OPENSSL) return 0;
    if (!functions->get_version || !functions->get_cipher || !functions->get_name) return 0;
    *version = functions->get_version(info->internals);
    *cipher = functions->get_name(functions->get_cipher(info->internals));
    return 1;
}

// Whether OpenSSL holds bytes of the current connection that libcurl hasn't received yet.
static inline _Bool ccurl_tls_has_pending(ccurl_easy *_Nonnull easy, const struct ccurl_openssl *_Nonnull functions) {
    struct curl_tlssessioninfo *info = (void *)0;
    if (curl_easy_getinfo((void *)easy, CURLINFO_TLS_SSL_PTR, &info) != CURLE_OK || !info || !info->internals) return 0;
    if (info->backend != CURLSSLBACKEND_OPENSSL || !functions->has_pending) return 0;
    return functions->has_pending(info->internals) != 0;
}

// Whether the server of the current connection has requested a client certificate. A server names
// signature algorithms only in such a request (RFC 8446, 4.3.2; RFC 5246, 7.4.4).
static inline _Bool ccurl_tls_requests_certificate(ccurl_easy *_Nonnull easy, const struct ccurl_openssl *_Nonnull functions) {
    struct curl_tlssessioninfo *info = (void *)0;
    if (curl_easy_getinfo((void *)easy, CURLINFO_TLS_SSL_PTR, &info) != CURLE_OK || !info || !info->internals) return 0;
    if (info->backend != CURLSSLBACKEND_OPENSSL || !functions->get_algorithms) return 0;
    return functions->get_algorithms(info->internals, -1, (void *)0, (void *)0, (void *)0, (void *)0, (void *)0) > 0;
}

// What ALPN has agreed on for the current connection.
enum ccurl_alpn { CCURL_ALPN_UNKNOWN, CCURL_ALPN_NONE, CCURL_ALPN_HTTP1, CCURL_ALPN_OTHER };

static inline enum ccurl_alpn ccurl_tls_alpn(ccurl_easy *_Nonnull easy, const struct ccurl_openssl *_Nonnull functions) {
    struct curl_tlssessioninfo *info = (void *)0;
    const unsigned char *name = (void *)0;
    unsigned length = 0;
    if (curl_easy_getinfo((void *)easy, CURLINFO_TLS_SSL_PTR, &info) != CURLE_OK || !info || !info->internals) return CCURL_ALPN_UNKNOWN;
    if (info->backend != CURLSSLBACKEND_OPENSSL || !functions->get_protocol) return CCURL_ALPN_UNKNOWN;
    functions->get_protocol(info->internals, &name, &length);
    if (!name || length == 0) return CCURL_ALPN_NONE;
    return length >= 7 && memcmp(name, "http/1.", 7) == 0 ? CCURL_ALPN_HTTP1 : CCURL_ALPN_OTHER;
}

// Copies the IP address of libcurl's address in network order. Returns the number of its bytes: 4 or 16,
// or 0 for an address of another kind.
static inline size_t ccurl_ip_address(const struct curl_sockaddr *_Nonnull address, unsigned char *_Nonnull bytes) {
    // libcurl has room for larger addresses behind the member, which it declares as a struct sockaddr.
    const void *any = &address->addr;
    if (address->family == AF_INET && address->addrlen >= sizeof(struct sockaddr_in)) {
        memcpy(bytes, &((const struct sockaddr_in *)any)->sin_addr, 4);
        return 4;
    }
    if (address->family == AF_INET6 && address->addrlen >= sizeof(struct sockaddr_in6)) {
        memcpy(bytes, &((const struct sockaddr_in6 *)any)->sin6_addr, 16);
        return 16;
    }
    return 0;
}

// Opens a non-blocking socket for libcurl's address, which child processes don't inherit.
static inline curl_socket_t ccurl_open_socket(const struct curl_sockaddr *_Nonnull address) {
    return socket(address->family, address->socktype | SOCK_CLOEXEC | SOCK_NONBLOCK, address->protocol);
}

#endif
