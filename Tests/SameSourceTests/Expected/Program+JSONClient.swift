extension Program {
    static let jsonClient = Program(
        "jsonclient",
        expected: """
            == query
            query: tag=work&q=a%20b%26c
            1: Milk
            2: Bread
            == life of a note
            created 201 at /notes/3: Eggs
            read: true
            changed 200: true
            removed 204
            not found
            == statuses
            400: rejected(status: 400, reason: Optional("by 400"))
            401: unauthorized
            403: forbidden
            404: notFound
            409: rejected(status: 409, reason: Optional("by 409"))
            422: rejected(status: 422, reason: Optional("by 422"))
            429: overloaded(retryAfter: Optional(7))
            500: server(status: 500)
            503: overloaded(retryAfter: Optional(7))
            == not JSON
            undecodable
            hello: 5 bytes
            type text/plain in utf-8
            name hello.txt
            == headers
            sent accept: application/vnd.notes+json
            sent content-type: none
            sent x-app: notes
            sent x-tag: a,b
            sent x-trace: 7
            got x-limit: 10
            got X-LIMIT: 10
            got X-Multi: 1, 2
            got X-None: nothing
            in the dictionary: 10
            == conditional
            2 notes, tag "v1"
            not modified
            == many
            40 of 40
            == cookies
            I am unauthorized
            login: 200
            cookie session: path /, HTTP only true, secure false, session only true
            I am ada, sent session=s3cret
            I am unauthorized
            == basic
            challenge: NSURLAuthenticationMethodHTTPBasic of notes, 0 failures
            hello ada
            == basic of the task
            challenge: NSURLAuthenticationMethodHTTPBasic of notes, 0 failures
            hello ada
            == wrong password
            challenge: NSURLAuthenticationMethodHTTPBasic of notes, 0 failures
            challenge: NSURLAuthenticationMethodHTTPBasic of notes, 1 failures
            unauthorized
            == login given up
            challenge: NSURLAuthenticationMethodHTTPBasic of notes, 0 failures
            given up: URLError -999
            == nobody to ask
            unauthorized
            == completion handlers
            its queue: true
            on its queue: true
            200: 2 notes
            == no answer
            URLError -1005
            == upload
            didSendBodyData: 300000 of 300000
            didReceive response: 200
            didReceive data: 11 bytes
            didComplete: no error
            didBecomeInvalid: no error
            sent 300000 of 300000
            received 11
            completed: true
            == moved
            willPerformHTTPRedirection 302: GET /text
            didReceive response: 200
            didReceive data: 5 bytes
            didComplete: no error
            didBecomeInvalid: no error
            from /deep/old
            to /text
            got /text
            == moved with its body
            POST with 39 bytes
            of application/json
            == time-out
            URLError -1001
            == cancelled
            URLError -999
            == cancelled by its task
            URLError -999
            == metrics
            didFinishCollecting: 2 transactions, 1 redirects
            /deep/old: 302, http/1.1, loaded: true
            times in order: true
            /text: 200, http/1.1, loaded: true
            times in order: true
            didComplete: no error
            == invalidated
            didReceive response: 200
            didReceive data: 5 bytes
            didComplete: no error
            didBecomeInvalid: no error
            == end
            """,
        deviations: [
            Deviation(
                "cookies",
                .writes([
                    "I am unauthorized",
                    "login: 200",
                    "cookie session: path /, HTTP only true, secure false, session only false",
                    "cookie theme: path /settings, HTTP only false, secure false, "
                        + "session only false",
                    "I am ada, sent session=s3cret; theme=dark",
                    "I am unauthorized",
                ]),
                because: "Cookies are chosen by their domain alone."
            ),
            Deviation(
                "basic of the task",
                .hangs,
                because: "A task's own delegate isn't asked, and without an answer none ends."
            ),
            Deviation("wrong password", .hangs, because: "A refusal that is accepted has no end."),
            Deviation("nobody to ask", .hangs, because: "The challenge has no answer."),
            Deviation(
                "no answer",
                .changes(["URLError -1005": "URLError -1011"]),
                because: "A lost connection is taken for a bad response."
            ),
            Deviation(
                "upload",
                .changes(["received 11": "received 0"]),
                because: "The bytes received aren't counted."
            ),
            Deviation(
                "moved with its body",
                .changes(["POST with 39 bytes": "POST with 0 bytes"]),
                because: "A redirect loses the body."
            ),
            Deviation(
                "metrics",
                .writes(["didComplete: no error"]),
                because: "Metrics are never reported."
            ),
        ]
    )
}
