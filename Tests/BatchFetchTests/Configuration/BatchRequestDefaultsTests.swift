import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import BatchFetch

/// The fields and credentials of all requests.
@Suite(.timeLimit(.minutes(10))) struct BatchRequestDefaultsTests {
    private func message(_ change: (inout BatchRequestDefaults) throws -> Void) -> String? {
        var requests = BatchRequestDefaults()
        do {
            try change(&requests)
            try requests.validate()
            _ = try requests.netrc()
            return nil
        } catch let failure as BatchFailure {
            #expect(failure.code == .configuration)
            return failure.message
        } catch {
            return "\(error)"
        }
    }

    @Test("Given lines as for curl, then they are fields, empty fields and omitted ones")
    func linesHaveTheFormOfCurl() throws {
        var requests = BatchRequestDefaults()
        for line in ["A: b: c ", "A:d", "B;", "Accept:", "From: "] {
            try requests.add(header: line)
        }
        #expect(requests.headerFields[values: try #require(.init("A"))] == ["b: c", "d"])
        #expect(requests.headerFields[try #require(.init("B"))] == "")
        #expect(requests.omittedFields == [.accept, try #require(.init("From"))])
    }

    @Test(
        "Given an invalid line, then the error doesn't repeat its value",
        arguments: [
            ("s3cret", "a header has no colon"), (": s3cret", "has an empty name"),
            ("a b: s3cret", "has an illegal character"),
            ("A: s3\rcret", "has an illegal character"),
            ("Content-Length: 5", "can't be set for all requests"),
        ]
    )
    func invalidLinesAreReported(line: String, reason: String) throws {
        let text = try #require(message { try $0.add(header: line) })
        #expect(text.contains(reason), "\(text)")
        #expect(!text.contains("s3"))
    }

    @Test("Given invalid credentials, then they are reported")
    func invalidCredentialsAreReported() throws {
        #expect(message { $0.credentials = .basic(user: "u", password: "p:q") } == nil)
        let colon = message { $0.credentials = .basic(user: "u:v", password: "s3cret") }
        #expect(colon == "the user name has a colon, which Basic authentication can't carry")
        let token = message { $0.credentials = .bearer(token: "s3\ncret") }
        #expect(token?.hasPrefix("the bearer token has line ends") == true)
        #expect(message { $0.credentials = .bearer(token: "") } == "the bearer token is empty")
    }

    @Test("Given a missing or malformed .netrc file, then it is named with the line")
    func netrcFileIsChecked() throws {
        let folder = try TemporaryDirectory()
        let missing = folder.path("none")
        #expect(message { $0.netrcFile = missing }?.contains("“\(missing)”") == true)
        let path = try folder.write("machine a\nlogin\n", to: "netrc")
        let text = message { $0.netrcFile = path }
        #expect(text == "“\(path)”, line 2: nothing follows login")
    }

    @Test("Given a .netrc file that is a pipe, then its logins are sent, and a plan checks it")
    func netrcFileMayBeAPipe() async throws {
        let server = try LoopbackServer { _ in .text("x") }
        let run = try withPipe("default login u password p") { configuration in
            try Batch(configuration).start(.urls([server.url + "/"]))
        }
        let results = await run.reduce(into: [BatchResult]()) { $0.append($1) }
        #expect(results.map(\.isFetched) == [true])
        #expect(try await server.request(0).header("Authorization") == "Basic dTpw")
        let failure = #expect(throws: BatchFailure.self) {
            try withPipe("login") { try Batch($0).plan(.urls([])) }
        }
        #expect(failure?.message.contains("line 1: an entry must begin with machine") == true)
    }

    /// Calls `body` with a configuration whose `.netrc` file is a pipe that contains `text`.
    private func withPipe(
        _ text: String,
        _ body: (BatchConfiguration) throws -> BatchRun
    ) throws -> BatchRun {
        let pipe = Pipe()
        try pipe.fileHandleForWriting.write(contentsOf: Data(text.utf8))
        try pipe.fileHandleForWriting.close()
        var configuration = BatchConfiguration(retry: .never)
        configuration.requests.netrcFile = "/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)"
        return try withExtendedLifetime(pipe) { try body(configuration) }
    }

    @Test("A description has no secrets")
    func descriptionHasNoSecrets() throws {
        var requests = BatchRequestDefaults()
        try requests.add(header: "X-Token: s3cret")
        requests.credentials = .basic(user: "u", password: "s3cret")
        var configuration = BatchConfiguration()
        configuration.requests = requests
        configuration.connection.proxy = .server("http://u:s3cret@proxy")
        var text = "\(configuration)"
        dump(configuration, to: &text)
        #expect(text.contains("X-Token") && !text.contains("s3cret"), "\(text)")
    }
}
