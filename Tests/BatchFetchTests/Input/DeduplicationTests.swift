import HTTPTypes
import TestSupport
import Testing

@testable import BatchFetch

@Suite(.timeLimit(.minutes(10))) struct DeduplicationTests {
    private func normalised(_ url: String) throws -> String {
        String(decoding: URLNormalisation.bytes(of: try FetchTarget(url)), as: UTF8.self)
    }

    @Test(arguments: [
        ("HTTP://Example.ORG:80", "http://example.org/"),
        ("https://h:443/a/./b/../c?x=%7e%2f#f", "https://h/a/c?x=~%2F"),
        ("https://h:80/", "https://h:80/"), ("https://h/a/..", "https://h/"),
        ("https://h/../../a", "https://h/a"), ("https://h/a/.", "https://h/a/"),
        ("https://h/a//b", "https://h/a//b"), ("https://[::1]:443/", "https://[::1]/"),
        ("https://U:p@h/", "https://U:p@h/"), ("https://h?q", "https://h/?q"),
        ("https://h/%zz%4", "https://h/%zz%4"), ("https://h/%2E%2E/a", "https://h/a"),
    ])
    func equivalentURLsHaveOneNormalForm(url: String, form: String) throws {
        #expect(try normalised(url) == form)
    }

    /// A URL that the quick check considers normalised is so; otherwise it would be fetched twice,
    /// or never.
    @Test func quickCheckAcceptsOnlyNormalURLs() throws {
        let pieces = [
            "http://", "https://", "HTTP://", "http:", "h", "A", "example.org", "/", ".", "..",
            "?q=1", "#", "%2e", "%20", ":80", ":81", "@", "[::1]", "ä", " ", "\u{7F}", "a/b",
            "~", "//", "\\",
        ]
        var generator = SeededGenerator(seed: 5)
        var normal = 0
        for round in 0..<20_000 {
            var url = round % 4 == 0 ? "" : "https://h1.example/"
            for _ in 0..<Int.random(in: 0..<5, using: &generator) {
                url += pieces.randomElement(using: &generator) ?? ""
            }
            guard isNormal(url) else { continue }
            normal += 1
            #expect(try normalised(url) == url)
        }
        #expect(normal > 1000)
        #expect(isNormal("http://a.example/b/c.html?d=e"))
        for host in ["127.1", "example.org.", "0x7f.0.0.1", "2130706433", "a.0", "."] {
            #expect(!isNormal("http://\(host)/"), "\(host)")
        }
    }

    private func isNormal(_ url: String) -> Bool { URLNormalisation.isNormal(url.utf8.span) }

    @Test func hashOfASpanEqualsThatOfItsBytes() {
        let hash = KeyedHash()
        for count in 0..<40 {
            let text = [UInt8](repeating: UInt8(count), count: count)
            let ofSpan = hash.hash(text.span)
            #expect(hash.hash([text]) == ofSpan)
        }
    }

    private func fetched(
        _ requests: [BatchRequest],
        _ deduplication: Deduplication
    ) async throws -> (urls: [String], duplicates: Int) {
        var input = BatchInput.requests(requests)
        input.options.deduplication = deduplication
        let run = try Batch().start(input, fetcher: ScriptedFetcher { _, _ in .success })
        var results: [BatchResult] = []
        for await result in run { results.append(result) }
        results.sort { $0.ordinal < $1.ordinal }
        return (results.map(\.url), run.summary.progress.duplicates)
    }

    @Test(arguments: Deduplication.allCases)
    func duplicateURLsAreFetchedOnce(deduplication: Deduplication) async throws {
        let urls = ["http://a/", "http://a/", "HTTP://A:80/", "http://a/b", "no url", "no url"]
        let (fetched, duplicates) = try await fetched(
            urls.map { BatchRequest(url: $0) },
            deduplication
        )
        switch deduplication {
        case .off: #expect(fetched == urls && duplicates == 0)
        case .exact: #expect(fetched == [urls[0]] + urls[2...] && duplicates == 1)
        case .normalised: #expect(fetched == [urls[0]] + urls[3...] && duplicates == 2)
        }
    }

    @Test func requestsWithOtherMethodsFieldsOrBodiesAreDistinct() async throws {
        let get = BatchRequest(url: "http://a/")
        var tagged = get
        tagged.tag = "another tag, the same request"
        var post = get
        post.method = .post
        var withField = get
        withField.headerFields[.accept] = "x"
        var withBody = post
        withBody.body = .bytes([1])
        let all = [get, tagged, post, withField, withBody, post]
        let (fetched, duplicates) = try await fetched(all, .exact)
        #expect(fetched.count == 4 && duplicates == 2)
    }

    @Test func shardsDivideAListByHost() async throws {
        let urls = (0..<500).map { "http://host\($0 % 40):\(8000 + $0)/\($0)" } + ["no url"]
        var all: [String] = []
        var hosts: [Set<String>] = []
        for index in 0..<3 {
            var input = BatchInput.urls(urls)
            let shard = try #require(InputShard(index: index, count: 3))
            input.options.shard = shard
            let run = try Batch().start(input, fetcher: ScriptedFetcher { _, _ in .success })
            var part: [BatchResult] = []
            for await result in run { part.append(result) }
            #expect(part.allSatisfy { urls[$0.ordinal - 1] == $0.url })
            all += part.map(\.url)
            hosts.append(Set(part.compactMap { try? FetchTarget($0.url).host }))
        }
        #expect(all.sorted() == urls.sorted())
        #expect(hosts.map(\.count).reduce(0, +) == 40 && hosts.allSatisfy { !$0.isEmpty })
    }

    @Test(arguments: ["3/3", "-1/3", "1", "a/b", "1/2/3", "0/0", ""])
    func invalidShardIsRejected(text: String) {
        let shard: InputShard? = InputShard(text)
        #expect(shard == nil)
    }
}
