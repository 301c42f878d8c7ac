extension Program {
    static let eventReader = Program(
        "eventreader",
        expected: """
            == events
            opened 200
            message 1: first
            update 2: two|lines
            message 3: café
            closed: no error
            again in 5 ms
            opened 200
            end 9: after 3
            stop
            closed: URLError -999
            invalid
            == live
            opened 200
            message 1: first
            end 2: second
            stop
            closed: URLError -999
            invalid
            == lost
            opened 200
            message 7: whole
            closed: URLError -1005
            again in 5 ms
            opened 200
            end 9: after 7
            stop
            closed: URLError -999
            invalid
            == not events
            refused 200 text/html
            closed: URLError -999
            invalid
            == no more
            refused 204 nothing
            closed: URLError -999
            invalid
            == busy
            refused 503 text/plain
            closed: URLError -999
            invalid
            == long event
            opened 200
            message 1: 300000 characters
            end 1: short
            stop
            closed: URLError -999
            invalid
            == end
            """,
        deviations: [
            Deviation(
                "lost",
                .changes(["closed: URLError -1005": "closed: URLError -1"]),
                because: "A connection that is lost is an unknown error."
            ),
            Deviation(
                "not events",
                .changes(["closed: URLError -999": "closed: no error"]),
                because: "A response that isn't wanted is loaded all the same."
            ),
            Deviation(
                "no more",
                .changes(["closed: URLError -999": "closed: no error"]),
                because: "A response that isn't wanted is loaded all the same."
            ),
            Deviation(
                "busy",
                .changes(["closed: URLError -999": "closed: no error"]),
                because: "A response that isn't wanted is loaded all the same."
            ),
        ]
    )
}
