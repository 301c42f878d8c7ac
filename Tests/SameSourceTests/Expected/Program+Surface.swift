extension Program {
    static let surface = Program(
        "surface",
        expected: [valueLines, storageLines, sessionLines, "== end"].joined(separator: "\n"),
        deviations: [
            Deviation(
                "request archives",
                .traps,
                because: "The URL in a request's archive is of a class that isn't allowed."
            ),
            Deviation(
                "responses",
                .changes([
                    "as 127.0.0.1": "as /"
                ]),
                because: "The file of a URL without a path is named after the host."
            ),
            Deviation(
                "cookie fields",
                .changes(["c=d of .example.com/notes": "c=d of .example.com/"]),
                because: "A cookie without a path is for all paths."
            ),
            Deviation(
                "protection spaces",
                .changes([
                    "securely true": "securely false",
                    "equal: true, false": "equal: false, false",
                ]),
                because: "Protection spaces are compared as objects, and Digest is taken for Basic."
            ),
            Deviation(
                "downloads",
                .changes([
                    "[5, 5, 5, 5]": "[5, 5, 10, 10]"
                ]),
                because: "A task's own delegate makes a file of the body twice."
            ),
            Deviation(
                "tasks",
                .changes([
                    "received 5 of 5": "received 0 of 5"
                ]),
                because: "The bytes received aren't counted."
            ),
            Deviation(
                "progress",
                .varies,
                because: "It is reported when the task has already ended."
            ),
            Deviation(
                "delegate's defaults",
                .writes([
                    "session's challenge: 1, true",
                    "task's challenge: 1, true",
                    "stream: true",
                    "redirected: true",
                    "response: 1",
                    "cached: true",
                    "notified",
                ]),
                because: "By default a task that begins later gets no answer."
            ),
            Deviation(
                "delegate's own",
                .writes([
                    "willPerformHTTPRedirection /text",
                    "didReceive response",
                    "didReceive data",
                    "didCompleteWithError no error",
                    "didWriteData 5 of 5",
                    "didFinishDownloadingTo",
                    "didCompleteWithError no error",
                    "didCompleteWithError URLError -999",
                    "didBecomeInvalidWithError no error",
                ]),
                because: "Metrics are never reported."
            ),
            Deviation(
                "metrics",
                .writes([
                    "didComplete: no error",
                    "fetch 0: true",
                    "fetch 1: true",
                    "fetch 3: true",
                    "names by 0: true",
                    "names by 1: true",
                    "names by 2: true",
                    "names by 3: true",
                    "names by 4: true",
                ]),
                because: "Metrics are never reported."
            ),
            Deviation(
                "protocol",
                .changes([
                    "canned GET": "GET",
                    "canonical yes": "canonical no",
                ]),
                because:
                    "Of a protocol's data the last piece is left, and requests aren't made canonical."
            ),
            Deviation(
                "protocol's properties",
                .changes(["mark: seen": "mark: none"]),
                because: "What is noted on a request isn't found again."
            ),
            Deviation(
                "web socket",
                .writes(["at most 1048576", "failed: URLError -1002"]),
                because: "Debian's libcurl is built without WebSocket."
            ),
        ]
    )
}
