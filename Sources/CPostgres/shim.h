// libpq, PostgreSQL's client library, and functions for its calls with arrays of pointers and for its macros.

#ifndef CPOSTGRES_SHIM_H
#define CPOSTGRES_SHIM_H

#include <libpq-fe.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

// Pipeline mode. It works with older servers, too.
#ifndef LIBPQ_HAS_PIPELINING
#error "CurlNetworking needs libpq 14 or newer"
#endif

// The most parameters that a statement of this package has.
#define CPOSTGRES_MAXIMUM_PARAMETERS 16

// Whether libpq can parse a connection string. Its own message might contain a part of the password. A text without
// a scheme and without "=" is the name of a database.
static inline int cpostgres_is_valid_info(const char *_Nonnull info) {
    if (strncmp(info, "postgresql://", 13) != 0 && strncmp(info, "postgres://", 11) != 0 && strchr(info, '=') == NULL) return 1;
    char *message = NULL;
    PQconninfoOption *options = PQconninfoParse(info, &message);
    PQfreemem(message);
    if (options == NULL) return 0;
    PQconninfoFree(options);
    return 1;
}

// Starts to connect. NULL if there is no memory.
static inline PGconn *_Nullable cpostgres_connect(const char *_Nonnull info, const char *_Nonnull application) {
    const char *keywords[] = {"fallback_application_name", "dbname", "client_encoding", NULL};
    const char *values[] = {application, info, "UTF8", NULL};
    return PQconnectStartParams(keywords, values, 1);
}

// A statement's parameter: where it begins in the bytes of all parameters, its length, and its format: 0 for a text,
// which ends with NUL, and 1 for a binary value. A negative offset is SQL's NULL.
typedef struct {
    ptrdiff_t offset;
    int length;
    int format;
} cpostgres_parameter;

// Queues a statement. `name` is that of a prepared statement, or `sql` is the statement; the other one is NULL.
static inline int cpostgres_send(
    PGconn *_Nonnull connection, const char *_Nullable name, const char *_Nullable sql, int count,
    const void *_Nonnull bytes, const cpostgres_parameter *_Nonnull parameters
) {
    const char *values[CPOSTGRES_MAXIMUM_PARAMETERS];
    int lengths[CPOSTGRES_MAXIMUM_PARAMETERS];
    int formats[CPOSTGRES_MAXIMUM_PARAMETERS];
    if (count < 0 || count > CPOSTGRES_MAXIMUM_PARAMETERS) return 0;
    for (int index = 0; index < count; index++) {
        const cpostgres_parameter *parameter = &parameters[index];
        values[index] = parameter->offset < 0 ? NULL : (const char *) bytes + parameter->offset;
        lengths[index] = parameter->length;
        formats[index] = parameter->format;
    }
    if (name != NULL) return PQsendQueryPrepared(connection, name, count, values, lengths, formats, 0);
    return PQsendQueryParams(connection, sql, count, NULL, values, lengths, formats, 0);
}

// The five characters of the error's code; NULL if libpq made the error itself.
static inline const char *_Nullable cpostgres_sqlstate(const PGresult *_Nonnull result) {
    return PQresultErrorField(result, PG_DIAG_SQLSTATE);
}

// The error's text without its details, which may contain values; NULL if libpq made the error itself.
static inline const char *_Nullable cpostgres_primary_message(const PGresult *_Nonnull result) {
    return PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
}

#endif
