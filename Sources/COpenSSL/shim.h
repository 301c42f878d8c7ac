// libcrypto, which Debian's libcurl is linked with. It parses certificates and builds chains.

#ifndef COPENSSL_SHIM_H
#define COPENSSL_SHIM_H

#include <openssl/opensslv.h>

#if OPENSSL_VERSION_NUMBER < 0x30000000L
#error "CurlNetworking needs OpenSSL 3.0 or newer"
#endif

#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/pkcs12.h>
#include <openssl/x509.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>
#include <string.h>

// OpenSSL's functions on stacks of certificates are macros, which Swift can't import.

static inline STACK_OF(X509) *copenssl_stack_new(void) {
    return sk_X509_new_null();
}

static inline int copenssl_stack_push(STACK_OF(X509) *stack, X509 *certificate) {
    return sk_X509_push(stack, certificate);
}

static inline int copenssl_stack_count(const STACK_OF(X509) *stack) {
    return sk_X509_num(stack);
}

static inline X509 *copenssl_stack_value(const STACK_OF(X509) *stack, int index) {
    return sk_X509_value(stack, index);
}

static inline void copenssl_stack_free(STACK_OF(X509) *stack) {
    sk_X509_pop_free(stack, X509_free);
}

// What is wrong with a certificate and its key.
enum copenssl_identity {
    COPENSSL_IDENTITY_USABLE = 0,
    // Something that this check doesn't know: libcurl may be able to use it.
    COPENSSL_IDENTITY_UNKNOWN = 1,
    COPENSSL_IDENTITY_WRONG_PASSWORD = 2,
    COPENSSL_IDENTITY_OTHER_KEY = 3,
    COPENSSL_IDENTITY_NO_PKCS12 = 4,
};

// Passes a password to OpenSSL, which otherwise asks for it on the terminal.
static inline int copenssl_password(char *bytes, int size, int writes, void *password) {
    (void)writes;
    size_t length = strlen((const char *)password);
    if (length > (size_t)size) return -1;
    memcpy(bytes, password, length);
    return (int)length;
}

// Checks the first certificate and the first key of two PEM texts.
static inline int copenssl_check_pem(
    const void *certificate, int certificate_size, const void *key, int key_size, int is_encrypted,
    const char *password
) {
    int result = COPENSSL_IDENTITY_UNKNOWN;
    BIO *certificate_text = BIO_new_mem_buf(certificate, certificate_size);
    BIO *key_text = BIO_new_mem_buf(key, key_size);
    X509 *first = NULL;
    EVP_PKEY *private_key = NULL;
    if (certificate_text && key_text) {
        first = PEM_read_bio_X509_AUX(certificate_text, NULL, copenssl_password, (void *)password);
        private_key = PEM_read_bio_PrivateKey(key_text, NULL, copenssl_password, (void *)password);
        if (!private_key) {
            if (is_encrypted) result = COPENSSL_IDENTITY_WRONG_PASSWORD;
        } else if (first) {
            result = X509_check_private_key(first, private_key) == 1 ? COPENSSL_IDENTITY_USABLE
                                                                     : COPENSSL_IDENTITY_OTHER_KEY;
        }
    }
    X509_free(first);
    EVP_PKEY_free(private_key);
    BIO_free(certificate_text);
    BIO_free(key_text);
    ERR_clear_error();
    return result;
}

// Checks that a file is PKCS#12 and has this password.
static inline int copenssl_check_pkcs12(const void *bytes, long size, const char *password) {
    const unsigned char *place = bytes;
    PKCS12 *file = d2i_PKCS12(NULL, &place, size);
    int result = COPENSSL_IDENTITY_NO_PKCS12;
    if (file) {
        // An empty password has two encodings.
        int is_right = PKCS12_verify_mac(file, password, -1) == 1
            || (!*password && PKCS12_verify_mac(file, NULL, 0) == 1);
        if (is_right) result = COPENSSL_IDENTITY_USABLE;
        else if (PKCS12_mac_present(file)) result = COPENSSL_IDENTITY_WRONG_PASSWORD;
        else result = COPENSSL_IDENTITY_UNKNOWN;
    }
    PKCS12_free(file);
    ERR_clear_error();
    return result;
}

#endif
