extension Program {
    static let downloader = Program(
        "downloader",
        expected: """
            == file
            wrote 500000 of 500000
            saved 500000 bytes, right: true
            ended 200: no error
            500000 of 500000
            == unknown length
            wrote 30000 of -1
            saved 30000 bytes, right: true
            ended 200: no error
            file completed: true
            unknown is -1
            == missing
            wrote 10 of 10
            saved 10 bytes, right: true
            ended 404: no error
            file completed: true
            == broken
            wrote 1000 of 2000
            ended 200: URLError -1005
            == refused
            ended 0: URLError -1004
            == several
            file 1
            wrote 10000 of 10000
            saved 10000 bytes, right: true
            ended 200: no error
            file 2
            wrote 20000 of 20000
            saved 20000 bytes, right: true
            ended 200: no error
            file 3
            wrote 30000 of 30000
            saved 30000 bytes, right: true
            ended 200: no error
            file 4
            wrote 40000 of 40000
            saved 40000 bytes, right: true
            ended 200: no error
            file 5
            wrote 50000 of 50000
            saved 50000 bytes, right: true
            ended 200: no error
            file 6
            wrote 60000 of 60000
            saved 60000 bytes, right: true
            ended 200: no error
            == suspended
            wrote 100000 of 200000
            suspended: true
            running: true
            wrote 200000 of 200000
            saved 200000 bytes, right: true
            ended 200: no error
            == resumed
            wrote 200000 of 400000
            resume data: true
            ended: URLError -999, resume data: true
            resumed at 200000 of 400000
            wrote 400000 of 400000
            saved 400000 bytes, right: true
            ended 206: no error
            == changed meanwhile
            wrote 200000 of 400000
            resume data: true
            ended: URLError -999, resume data: true
            resumed at 0 of 400000
            wrote 400000 of 400000
            saved 400000 bytes, right: true
            ended 200: no error
            == not resumable
            wrote 200000 of 400000
            resume data: false
            ended: URLError -999, resume data: false
            wrote 400000 of 400000
            saved 400000 bytes, right: true
            ended 200: no error
            == cancelled
            wrote 200000 of 400000
            ended: URLError -999, resume data: false
            == completion handler
            200: no error
            right: true
            at a file: true
            == awaited
            200: 70000 bytes
            right: true
            == invalid resume data
            ended 0: true
            == end
            """,
        deviations: [
            Deviation(
                "broken",
                .changes(["ended 200: URLError -1005": "ended 0: URLError -1"]),
                because: "A connection that is lost is an unknown error, and the response is lost."
            ),
            Deviation(
                "suspended",
                .varies,
                because: "A task that was suspended is sent again, and its bytes come twice."
            ),
            Deviation(
                "resumed",
                .writes(startedOver),
                because: "There is no resume data."
            ),
            Deviation(
                "changed meanwhile",
                .writes(startedOver),
                because: "There is no resume data."
            ),
        ]
    )

    private static let startedOver = [
        "wrote 200000 of 400000",
        "resume data: false",
        "ended: URLError -999, resume data: false",
        "wrote 400000 of 400000",
        "saved 400000 bytes, right: true",
        "ended 200: no error",
    ]
}
