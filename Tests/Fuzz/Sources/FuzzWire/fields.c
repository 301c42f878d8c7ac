#include "script.h"

#include <stdio.h>
#include <string.h>

static const char *random_date(fuzz_random *random) {
    return PICK(random, "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT",
                "Sun Nov  6 08:49:37 1994", "Thu, 31 Dec 2099 23:59:59 GMT", "0", "-1", "",
                "Thu, 32 Dec 2099 25:61:61 GMT", "Wed, 31 Dec 9999999999 23:59:59 GMT",
                "Thu, 01 Jan 1970 00:00:00 GMT", "Mon, 29 Feb 2023 00:00:00 +0100", "soon");
}

static void add_cookie(struct draft *draft) {
    fuzz_random *random = draft->random;
    bytes_format(&draft->fields, "Set-Cookie: %s%s%s%s%s%s\r\n",
                 PICK(random, "a=1", "session=\"quoted; value\"", "=", "=x", "x", "", "a=b=c",
                      "__Host-a=1", "__Secure-b=2", "n\xc3\xa4me=v\xc3\xa4lue", "a=1, b=2", ";", "a="),
                 PICK(random, "", "", "; Path=/", "; Path=/c", "; path=", "; Path=c//..", "; PATH=/a/b"),
                 PICK(random, "", "", "; Domain=localhost", "; Domain=.com", "; Domain=",
                      "; Domain=127.0.0.1", "; Domain=.127.0.0.1", "; Domain=[::1]", "; Domain=a..b"),
                 PICK(random, "", "", "; Max-Age=60", "; Max-Age=0", "; Max-Age=-1",
                      "; Max-Age=99999999999999999999", "; Max-Age=1e3", "; Max-Age="),
                 PICK(random, "", "; Secure", "; HttpOnly", "; SameSite=None; Secure", "; SameSite=x",
                      "; Partitioned", "; Version=1; Comment=\"c\"; Port=\"80,x\"; Discard"),
                 fuzz_percent(random, 20) ? "; Expires=Thu, 31 Dec 2099 23:59:59 GMT" : "");
}

static void add_challenge(struct draft *draft) {
    fuzz_random *random = draft->random;
    const char *name = draft->status == 407 ? "Proxy-Authenticate" : "WWW-Authenticate";
    bytes_format(
        &draft->fields, "%s: %s\r\n", name,
        PICK(random, "Basic realm=\"r\"", "Basic", "basic REALM=r, charset=\"UTF-8\"",
             "Digest realm=\"r\", nonce=\"n\", qop=\"auth\", algorithm=SHA-256, opaque=\"o\"",
             "Digest realm=\"r\", nonce=\"n\", algorithm=MD5-sess, qop=\"auth-int\"", "Digest",
             "Digest realm=\"r\", nonce=\"n\", stale=true, domain=\"/ http://x/\"",
             "Digest nonce=, realm=\"\\\"\\\\\", algorithm=none", "Digest realm=\"unended",
             "Bearer error=\"invalid_token\"", "Negotiate", "Negotiate !!!!", "NTLM", "NTLM TlRMTVNTUAAC",
             "Basic realm=\"a\", Digest realm=\"b\", nonce=\"c\"", "", ",,,", "=", "Nonsense a=b=c, , d"));
}

static void add_caching(struct draft *draft) {
    fuzz_random *random = draft->random;
    if (fuzz_percent(random, 70))
        bytes_format(&draft->fields, "Cache-Control: %s%s\r\n",
                     PICK(random, "max-age=60", "max-age=0", "no-store", "no-cache", "private",
                          "max-age=99999999999999999999", "max-age=-5", "max-age=\"5\"", "max-age=",
                          "s-maxage=5", "must-revalidate", "no-cache=\"set-cookie\"", "=,;", ""),
                     PICK(random, "", "", ", public", ", immutable", ", stale-while-revalidate=5",
                          ", x=\"a, max-age=9\"", ", max-age=7", ","));
    if (fuzz_percent(random, 40))
        bytes_format(&draft->fields, "ETag: %s\r\n",
                     PICK(random, "\"e\"", "W/\"e\"", "\"\"", "unquoted", "\"", "w/\"e\"", "\"a\"b\""));
    if (fuzz_percent(random, 30))
        bytes_format(&draft->fields, "Last-Modified: %s\r\n", random_date(random));
    if (fuzz_percent(random, 30))
        bytes_format(&draft->fields, "Expires: %s\r\n", random_date(random));
    if (fuzz_percent(random, 20))
        bytes_format(&draft->fields, "Age: %s\r\n",
                     PICK(random, "0", "5", "-1", "99999999999999999999", "x", ""));
    if (fuzz_percent(random, 20))
        bytes_format(&draft->fields, "Vary: %s\r\n",
                     PICK(random, "*", "Accept", "accept-encoding, x", "", ",", "User-Agent"));
}

static void add_range(struct draft *draft) {
    bytes_format(&draft->fields, "Content-Range: %s\r\n",
                 PICK(draft->random, "bytes 0-9/10", "bytes 5-4/10", "bytes 0-99/10", "bytes */10",
                      "bytes */*", "bytes 323-9223372036854775807/0", "bytes 0-9/*", "items 0-1/2",
                      "bytes 0-18446744073709551616/18446744073709551617", "bytes=0-9/10", "", "bytes",
                      "bytes -5/10", "bytes 9223372036854775807-9223372036854775807/9223372036854775807"));
}

static void add_location(struct draft *draft) {
    fuzz_request next = *draft->request;
    next.hop++;
    char path[128];
    fuzz_path(&next, path, sizeof path);
    if (fuzz_percent(draft->random, 60)) {
        bytes_format(&draft->fields, "Location: %s\r\n", path);
    } else if (fuzz_percent(draft->random, 40)) {
        bytes_format(&draft->fields, "Location: http://%s%s\r\n", draft->request->authority, path);
    } else {
        bytes_format(
            &draft->fields, "Location: %s\r\n",
            PICK(draft->random, "", "#", "?", "/", "//", "///", "http://", "http:///", "http://[", "http://[::1",
                 "file:///etc/passwd", "javascript:alert(1)", "ftp://127.0.0.1/", "http://u:p@/",
                 "http://127.0.0.1:99999/", "http://127.0.0.1:0/", "../../../..", "./.", "%", "%zz", "\\\\x\\",
                 "http://127.1/ a b", "http:\\\\127.0.0.1", "//user@127.0.0.1:1/", "\xff\xfe", "\xc3\xa4",
                 "HTTP://127.0.0.1:1", "http://127.0.0.1:1/\t", "mailto:a@b", "data:,x", "//127.0.0.1:1"));
    }
    if (fuzz_percent(draft->random, 3)) bytes_text(&draft->fields, "Location: /second\r\n");
}

void draft_add_fields(struct draft *draft) {
    fuzz_random *random = draft->random;
    if (draft->status / 100 == 3 && draft->status != 304 && fuzz_percent(random, 90))
        add_location(draft);
    if (draft->status == 401 || draft->status == 407)
        for (uint32_t left = fuzz_below(random, 4); left > 0; left--) add_challenge(draft);
    if (draft->status == 206 || draft->status == 416 || fuzz_percent(random, 3)) add_range(draft);
    if (fuzz_percent(random, 50)) bytes_text(&draft->fields, "Date: Sun, 06 Nov 1994 08:49:37 GMT\r\n");
    if (fuzz_percent(random, 50))
        bytes_format(&draft->fields, "Content-Type: %s\r\n",
                     PICK(random, "text/plain", "application/json", "text/html; charset=\"utf-8\"",
                          "text/plain; charset=utf-16", "image/png", "/", "", "multipart/mixed; boundary=x",
                          "text/plain; charset=none-such", "application/x-plist", ";;;"));
    if (fuzz_percent(random, 40)) add_caching(draft);
    if (fuzz_percent(random, 25))
        for (uint32_t left = 1 + fuzz_below(random, 3); left > 0; left--) add_cookie(draft);
    if (fuzz_percent(random, 20))
        bytes_format(&draft->fields, "Connection: %s\r\n",
                     PICK(random, "close", "keep-alive", "Close", "keep-alive, close", "x", "", "upgrade", ","));
    if (fuzz_percent(random, 5))
        bytes_format(&draft->fields, "Keep-Alive: %s\r\n",
                     PICK(random, "timeout=5, max=100", "timeout=-1", "timeout=99999999999999999999", "max=0", ""));
    if (fuzz_percent(random, 5))
        bytes_format(&draft->fields, "Retry-After: %s\r\n", PICK(random, "0", "-1", "1e9", "x", ""));
    if (fuzz_percent(random, 5))
        bytes_format(&draft->fields, "Strict-Transport-Security: %s\r\n",
                     PICK(random, "max-age=31536000", "max-age=0", "includeSubDomains", "max-age=x"));
    if (fuzz_percent(random, 5))
        bytes_format(&draft->fields, "Alt-Svc: %s\r\n",
                     PICK(random, "h2=\":1\"; ma=60", "h3=\":443\"", "clear", "h2=\"\\\":\"", "=", "h2=\"[::1]:x\""));
    if (fuzz_percent(random, 8))
        bytes_format(&draft->fields, "Content-Disposition: %s\r\n",
                     PICK(random, "attachment; filename=\"a.txt\"", "attachment; filename=\"../../a\"",
                          "attachment; filename*=UTF-8''%e2%82%ac", "inline; filename=\"\"", "filename=/",
                          "attachment; filename*=UTF-8''%zz%00", "attachment; filename=\"a\\\"b", ";"));
    if (fuzz_percent(random, 10)) {
        bytes_text(&draft->fields, "X-Long: ");
        bytes_fill(&draft->fields, 'x', fuzz_below(random, 3000));
        bytes_text(&draft->fields, "\r\n");
    }
}
