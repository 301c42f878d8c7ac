import Foundation
import HTTPTypes
import Posix
import TestSupport
import Testing

@testable import BatchFetch

@Suite struct JSONRequestTests {
    @Test func lineWithAllKeysIsParsed() throws {
        let digest = String(repeating: "0a", count: 32)
        let request = try JSONRequest.request(
            in: """
                {"url":"http://a/","method":"POST","headers":{"X-One":"1","X-Two":["2","3"]},\
                "body_base64":"aGk=","timeout":1.5,"out":"x/y","sha256":"\(digest)",\
                "tag":7,"priority":2}
                """
        )
        #expect(request.url == "http://a/")
        #expect(request.method == .post && !request.isIdempotent)
        #expect(request.headerFields.map(\.value) == ["1", "2", "3"])
        #expect(request.body == .bytes(Array("hi".utf8)))
        #expect(request.timeout == .seconds(1.5))
        #expect(request.name == "x/y")
        #expect(request.digests.map(\.algorithm) == [.sha256])
        #expect(request.digests.first?.bytes == Array(repeating: 10, count: 32))
        #expect(request.tag == "7")
        #expect(request.priority == 2)
    }

    @Test("The first of several URLs is the request's, and the others are its mirrors")
    func severalURLsAreMirrors() throws {
        let line = #"{"urls":["http://a/","http://b/","http://c/"],"share_credentials":true}"#
        let request = try JSONRequest.request(in: line)
        #expect(request.url == "http://a/" && request.mirrors == ["http://b/", "http://c/"])
        #expect(request.sharesCredentials && !request.isPlain)
        #expect(try JSONRequest.request(in: #"{"urls":["http://a/"]}"#).isPlain)
    }

    @Test func onlyTheURLIsRequired() throws {
        #expect(try JSONRequest.request(in: #"{"url":"http://a/"}"#).isPlain)
    }

    @Test(arguments: [
        (#"{"url":"x","ulr":"y"}"#, "unknown key “ulr”: the known ones are url, method, headers"),
        (#"{"method":"GET"}"#, "“url” is missing"),
        (#"{"url":5}"#, "“url” has a value of the wrong kind: use a string"),
        (#"["x"]"#, "it is not a JSON object"),
        ("http://a/", "it is not a JSON object"),
        (#"{"url":"x","body":"a","body_file":"b"}"#, "exclude each other"),
        (#"{"url":"x","body_base64":"*"}"#, "“body_base64” is not base 64"),
        (#"{"url":"x","sha256":"12"}"#, "“sha256” needs 64 hexadecimal digits"),
        (#"{"url":"x","md5":"zz"}"#, "“md5” needs 32 hexadecimal digits"),
        (#"{"url":"x","timeout":-1}"#, "“timeout” is -1.0"),
        (#"{"url":"x","timeout":"1"}"#, "“timeout” has a value of the wrong kind: use a number"),
        (#"{"url":"x","method":"G T"}"#, "“method” is not an HTTP method"),
        (#"{"url":"x","headers":{"A\nB":"1"}}"#, "“headers”: the header field name"),
        (#"{"url":"x","headers":{"A":"1\r\nB: 2"}}"#, "“headers”: the value of the header field"),
        (#"{"url":"x","out":""}"#, "“out” is empty"),
        (#"{"url":"x"} more"#, "it is not a JSON object"),
        (#"{"url":"x","urls":["y"]}"#, "url and urls exclude each other"),
        (#"{"urls":[]}"#, "“urls” is empty"),
        (#"{"urls":"x"}"#, "“urls” has a value of the wrong kind"),
        (#"{"urls":["x"],"share_credentials":1}"#, "“share_credentials” has a value of the wrong"),
        (#"{"url":"x","url":"y"}"#, "the key “url” occurs twice: remove one of its values"),
        (#"{"url":"x","\u0075rl":"x"}"#, "the key “url” occurs twice"),
        (#"{"url":"x","headers":{"A":"1","B":"2","A":"1"}}"#, "the key “A” occurs twice"),
    ])
    func malformedRequestIsReported(line: String, reason: String) {
        let failure = #expect(throws: BatchFailure.self) { try JSONRequest.request(in: line) }
        #expect(failure?.code == .invalidLine)
        #expect(failure?.message.contains(reason) == true, "\(failure?.message ?? "")")
    }

    // MARK: Files of bodies

    @Test("Without a folder of bodies, a line can't name a file, and says what to do")
    func bodyFileNeedsAFolder() {
        let failure = #expect(throws: BatchFailure.self) {
            try JSONRequest.request(in: #"{"url":"x","body_file":"/etc/passwd"}"#)
        }
        #expect(failure?.code == .invalidLine)
        #expect(failure?.message.contains("--body-folder") == true)
    }

    @Test("A line may name a file below the folder of bodies, and its real path is used")
    func bodyFileIsBelowTheFolder() throws {
        let folder = try TemporaryDirectory()
        try FileSystem.makeDirectory(folder.path("bodies"))
        try folder.write("b", to: "bodies/b")
        let request = try JSONRequest.request(
            in: #"{"url":"http://a/","body_file":"../bodies/b"}"#,
            bodyFolder: folder.path("bodies")
        )
        guard case .file(let path) = request.body else {
            Issue.record("\(request.body)")
            return
        }
        #expect(path.hasSuffix("/bodies/b") && !path.contains(".."))
    }

    @Test(
        "Neither a path nor a link leads out of the folder of bodies",
        arguments: ["/etc/passwd", "../secret", "link", "missing"]
    )
    func bodyFileOutsideTheFolderIsRefused(path: String) throws {
        let folder = try TemporaryDirectory()
        try folder.write("secret", to: "secret")
        try FileSystem.makeDirectory(folder.path("bodies"))
        try folder.write("b", to: "bodies/b")
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("bodies/link"),
            withDestinationPath: folder.path("secret")
        )
        let failure = #expect(throws: BatchFailure.self) {
            try JSONRequest.request(
                in: #"{"url":"http://a/","body_file":"\#(path)"}"#,
                bodyFolder: folder.path("bodies")
            )
        }
        #expect(failure?.code == .invalidLine)
        let reason = path == "missing" ? "cannot open" : "is not below the folder"
        #expect(failure?.message.contains(reason) == true, "\(failure?.message ?? "")")
    }

}
