internal import CurlNetworking
internal import Foundation
internal import TestSupport
internal import Testing

@Suite struct MultipartFormTests {
    @Test("M-01: GET and HEAD requests can't have a form", arguments: [HTTPMethod.get, .head])
    func getAndHeadHaveNoForm(_ method: HTTPMethod) {
        let error = #expect(throws: NSError.self) {
            try HTTPRequestSerializer().multipartFormRequest(
                withMethod: method,
                urlString: "http://h/"
            )
        }
        #expect(error?.domain == URLRequestSerializationErrorDomain)
    }

    @Test("M-01, M-13: Without parts, the request is the same as without a form")
    func withoutPartsTheRequestIsAsWithoutAForm() throws {
        let request = try Forms.request([String: Int]()) { _ in }
        #expect(request.httpBodyStream == nil && request.httpBody == Data())
        #expect(
            request.value(forHTTPHeaderField: "Content-Type") == "application/x-www-form-urlencoded"
        )
        #expect(request.value(forHTTPHeaderField: "Content-Length") == nil)
        let json = try JSONRequestSerializer().multipartFormRequest(
            withMethod: .post,
            urlString: "http://h/"
        )
        #expect(json.httpBody == nil && json.value(forHTTPHeaderField: "Content-Type") == nil)
    }

    @Test("M-01: An error thrown by the block is thrown by the request's creation")
    func whatTheBlockThrowsIsThrown() {
        #expect(throws: CancellationError.self) {
            try Forms.request { _ in throw CancellationError() }
        }
    }

    @Test("M-02, M-10: Parameters come before other parts, and their names aren't escaped")
    func parametersArePartsBeforeTheOthers() throws {
        let parameters: [String: Any] = [
            "phone": ["home": 1.0], "families": ["x y", "z"], "n": NSNull(), "d": Data("raw".utf8),
            "on": true,
        ]
        let request = try Forms.request(parameters) { form in
            form.appendPart(withForm: Data("last".utf8), name: "a")
        }
        func part(_ name: String, _ value: String) -> String {
            "--B\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n"
        }
        #expect(
            try Forms.text(request) == part("d", "raw") + part("families[]", "x y")
                + part("families[]", "z") + part("n", "") + part("on", "1")
                + part("phone[home]", "1") + part("a", "last") + "--B--\r\n"
        )
    }

    @Test("M-02: A value without a name is an error")
    func oneValueWithoutANameHasNoPart() {
        let error = #expect(throws: NSError.self) { try Forms.request("text") }
        #expect(error?.domain == URLRequestSerializationErrorDomain && error?.code == -1016)
    }

    @Test("M-03: Boundaries are random and in AFNetworking's format")
    func boundariesAreRandom() throws {
        let boundaries = try (0..<50).map { _ in Forms.boundary(try Forms.request(["a": 1])) }
        #expect(Set(boundaries).count == 50)
        for boundary in boundaries {
            #expect(boundary.wholeMatch(of: /Boundary\+[0-9A-F]{16}/) != nil)
            #expect(boundary.utf8.count == 25)
        }
    }

    @Test("M-04, M-13, M-14: Boundaries have the documented sizes, and the length is exact")
    func framingTakesTheBytesThatItShould() throws {
        let request = try Forms.request { form in
            form.appendPart(withHeaders: nil, body: Data("one".utf8))
            form.appendPart(withHeaders: [], body: Data("two".utf8))
        }
        #expect(try Forms.text(request) == "--B\r\n\r\none\r\n--B\r\n\r\ntwo\r\n--B--\r\n")
        let length = 29 + 2 + 3 + 31 + 2 + 3 + 33
        #expect(request.value(forHTTPHeaderField: "Content-Length") == String(length))
        let type = "multipart/form-data; boundary=" + Forms.boundary(request)
        #expect(request.value(forHTTPHeaderField: "Content-Type") == type)
        #expect(request.httpBody == nil)
    }

    @Test(
        "M-05, M-09: A file's part has its names, then its type, and header injection is impossible"
    )
    func aFilesPartSaysItsNames() throws {
        let request = try Forms.request { form in
            form.appendPart(
                withFileData: Data("x".utf8),
                name: "a\"b\r\nX-Evil: 1",
                fileName: "ü\".txt\n",
                mimeType: "text/plain; charset=\"utf-8\"\r\nX: y"
            )
        }
        #expect(
            try Forms.text(request)
                == "--B\r\nContent-Disposition: form-data; name=\"a%22b%0D%0AX-Evil: 1\"; "
                + "filename=\"ü%22.txt%0A\"\r\nContent-Type: text/plain; charset=\"utf-8\"%0D%0AX: y"
                + "\r\n\r\nx\r\n--B--\r\n"
        )
    }

    @Test("M-11, M-05: Custom headers are sent unchanged and in order")
    func headersOfOnesOwnAreSentAsTheyAre() throws {
        let request = try Forms.request { form in
            form.appendPart(withHeaders: ["x-b": "1", "A": "two, three"], body: Data("x".utf8))
        }
        #expect(try Forms.text(request) == "--B\r\nx-b: 1\r\nA: two, three\r\n\r\nx\r\n--B--\r\n")
    }

    @Test(
        "M-14, R-14: Boundaries, headers and strings use the string encoding; data stays unchanged"
    )
    func textsAreInTheStringEncoding() throws {
        let request = try Forms.request(["ä": "ö", "ö": Data([0xc3])], encoding: .isoLatin1)
        let text =
            "--B\r\nContent-Disposition: form-data; name=\"ä\"\r\n\r\nö\r\n"
            + "--B\r\nContent-Disposition: form-data; name=\"ö\"\r\n\r\n\u{c3}\r\n--B--\r\n"
        let bytes = try Forms.bytes(request.httpBodyStream)
        #expect(request.value(forHTTPHeaderField: "Content-Length") == "\(bytes.count)")
        let expected = text.replacingOccurrences(of: "B\r", with: Forms.boundary(request) + "\r")
            .replacingOccurrences(of: "--B--", with: "--\(Forms.boundary(request))--")
        #expect(Data(bytes) == expected.data(using: .isoLatin1))
        #expect(throws: NSError.self) { try Forms.request(["a": "漢"], encoding: .isoLatin1) }
    }

    @Test(
        "M-06: A file's part has the file's name and the media type of its extension",
        arguments: [
            ("a.cer", "application/x-x509-ca-cert"), ("b.PNG", "image/png"),
            ("c.json", "application/json"), ("d.nothing-known", "application/octet-stream"),
            ("none", "application/octet-stream"),
        ]
    )
    func aFileHasTheTypeThatItsNameTells(_ name: String, _ type: String) throws {
        let folder = try TemporaryDirectory()
        let url = URL(fileURLWithPath: try folder.write("content", to: name))
        let request = try Forms.request { try $0.appendPart(withFileURL: url, name: "f") }
        #expect(
            try Forms.text(request)
                == "--B\r\nContent-Disposition: form-data; name=\"f\"; filename=\"\(name)\"\r\n"
                + "Content-Type: \(type)\r\n\r\ncontent\r\n--B--\r\n"
        )
    }

    @Test("M-07: Appending something other than a regular file is an error")
    func whatIsNoFileIsAnError() throws {
        let folder = try TemporaryDirectory()
        let urls = [
            (URL(string: "http://h/"), "Expected URL to be a file URL"),
            (URL(fileURLWithPath: folder.path("none")), "File URL not reachable."),
            (URL(fileURLWithPath: folder.path), "Expected URL to be a regular file's."),
        ]
        for (url, reason) in urls {
            let url = try #require(url)
            let error = #expect(throws: NSError.self) {
                try Forms.request { try $0.appendPart(withFileURL: url, name: "f") }
            }
            #expect(error?.domain == URLRequestSerializationErrorDomain && error?.code == -1000)
            #expect(error?.userInfo[NSLocalizedFailureReasonErrorKey] as? String == reason)
        }
    }

    @Test("C-21: The suggested throttle is AFNetworking's")
    func theSuggestedThrottleIsAFNetworkings() {
        #expect(kUploadStream3GSuggestedPacketSize == 16384)
        #expect(kUploadStream3GSuggestedDelay == 0.2)
    }
}
