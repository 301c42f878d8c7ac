import Testing

@testable import BatchFetch
@testable import BatchFetchCommand

@Suite(.timeLimit(.minutes(10))) struct DemoTests {
    @Test func anyRangeOfADemoObjectIsVerified() throws {
        let object = try #require(
            (0..<1000).map { DemoObject(number: $0) }.first { $0.size > 20_000 }
        )
        var whole: [UInt8] = []
        object.append(to: &whole, from: 0, count: object.size)
        #expect(whole.count == object.size)
        for (offset, count) in [(0, 1), (1, 7), (3, 100), (8, 8), (4095, 9000), (19_999, 1)] {
            var part: [UInt8] = []
            object.append(to: &part, from: offset, count: count)
            #expect(part == Array(whole[offset..<offset + count]))
            #expect(matches(object, part, at: offset))
            part[part.count - 1] ^= 1
            #expect(!matches(object, part, at: offset))
        }
    }

    private func matches(_ object: DemoObject, _ bytes: [UInt8], at offset: Int) -> Bool {
        object.matches(bytes.span, at: offset)
    }

    @Test func demoObjectsDifferInContentAndSize() {
        let sizes = (0..<2000).map { DemoObject(number: $0).size }
        #expect(sizes.contains(0))
        #expect(sizes.contains(1 << 20))
        #expect(Set(sizes).count > 1000)
        let object = DemoObject(number: 1)
        var bytes: [UInt8] = []
        object.append(to: &bytes, from: 0, count: 8)
        #expect(!matches(DemoObject(number: 2), bytes, at: 0))
    }

    @Test func serverSendsTheExpectedObjects() async throws {
        let server = try DemoServer()
        let configuration = BatchConfiguration(
            concurrency: 20,
            concurrencyPerHost: 20,
            output: .inspected { DemoVerifier(DemoObject(path: $0)) }
        )
        let run = try Batch(configuration).start(server.urls(count: 400))
        for await result in run {
            #expect(result.isFetched, "\(result)")
            #expect(result.bytes == DemoObject(number: result.line - 1).size)
        }
        #expect(run.summary.progress.fetched == 400)
    }

    @Test func wrongByteFails() async throws {
        let server = try DemoServer()
        let configuration = BatchConfiguration(
            output: .inspected { path in
                // The verifier expects the bytes of another object.
                DemoVerifier(DemoObject(path: path + "0"))
            }
        )
        let run = try Batch(configuration).start(server.urls(count: 50))
        var failures = 0
        for await result in run where result.failure?.code == .verification { failures += 1 }
        // Only two empty bodies are equal.
        #expect(failures >= 40)
    }
}
