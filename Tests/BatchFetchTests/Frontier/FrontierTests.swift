import HTTPTypes
import Posix
import TestSupport
import Testing

@testable import BatchFetch

@Suite(.timeLimit(.minutes(10))) struct FrontierTests {
    private let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    private func job(_ url: String, _ ordinal: Int, priority: Int = 0) throws -> FetchJob {
        var request = BatchRequest(url: url)
        request.priority = priority
        return FetchJob(
            target: try FetchTarget(request),
            line: ordinal,
            ordinal: ordinal,
            waitingSince: MonotonicTime(nanoseconds: Int64(ordinal))
        )
    }

    /// Takes jobs for hosts that have `room`, until none are left.
    private func drain(
        _ frontier: inout Frontier,
        room: (String) -> Int
    ) throws -> [FetchJob] {
        var jobs: [FetchJob] = []
        while true {
            let hosts = try frontier.candidates()
            if hosts.isEmpty { return jobs }
            let rooms = Dictionary(hosts.map { ($0, room($0)) }, uniquingKeysWith: { $1 })
            jobs += try frontier.take(rooms, upTo: 1000)
        }
    }

    @Test func hostsTakeTurnsAndKeepTheOrderOfTheirURLs() throws {
        var frontier = Frontier(try BlockFile(folder: folder.path))
        for number in 1...3000 { try frontier.append(try job("http://h\(number / 1001)/", number)) }
        var jobs: [FetchJob] = []
        while !frontier.isEmpty {
            let hosts = try frontier.candidates()
            #expect(hosts.count == 3 || jobs.count > 2000)
            jobs += try frontier.take(
                Dictionary(hosts.map { ($0, 10) }, uniquingKeysWith: { $1 }),
                upTo: 1000
            )
            frontier.wake(hosts)
        }
        #expect(jobs.map(\.ordinal).sorted() == Array(1...3000))
        #expect(Set(jobs.prefix(30).map(\.target.host)) == ["h0", "h1", "h2"])
        for host in 0..<3 {
            let ordinals = jobs.filter { $0.target.host == "h\(host)" }.map(\.ordinal)
            #expect(ordinals == ordinals.sorted())
        }
        // No file is left under a name.
        #expect(try folder.contents().isEmpty)
    }

    /// For any number of hosts, and any selection of hosts without room: all other hosts get their
    /// jobs in order, and in the end all hosts do.
    @Test(arguments: [1, 7, 900, 5000])
    func fullHostDelaysNoOtherHost(hostCount: Int) throws {
        var frontier = Frontier(try BlockFile(folder: folder.path))
        let count = 30_000
        for number in 1...count {
            try frontier.append(try job("http://h\(number % hostCount):80/x", number))
        }
        #expect(frontier.count == count)
        let isStuck = { (host: String) in host.hasPrefix("h1") }
        var jobs = try drain(&frontier) { isStuck($0) ? 0 : 1000 }
        #expect(jobs.allSatisfy { !isStuck($0.target.hostKey) })
        let stuck = (1...count).count { isStuck("h\($0 % hostCount):80") }
        // With more hosts than lanes, hosts of the same bucket may delay each other.
        if hostCount < 5000 { #expect(jobs.count == count - stuck) }
        #expect(frontier.count == count - jobs.count)
        frontier.wake((0..<hostCount).map { "h\($0):80" })
        while !frontier.isEmpty {
            let more = try drain(&frontier) { _ in 1000 }
            try #require(!more.isEmpty)
            jobs += more
            frontier.wake((0..<hostCount).map { "h\($0):80" })
        }
        #expect(jobs.map(\.ordinal).sorted() == Array(1...count))
        for (_, ofHost) in Dictionary(grouping: jobs, by: \.target.hostKey) {
            #expect(ofHost.map(\.ordinal) == ofHost.map(\.ordinal).sorted())
        }
    }

    @Test func urgentJobComesFirstOfItsHost() throws {
        var frontier = Frontier(try BlockFile(folder: folder.path))
        for number in 1...10 {
            try frontier.append(try job("http://h/", number, priority: number > 8 ? 1 : 0))
        }
        let jobs = try drain(&frontier) { _ in 100 }
        #expect(jobs.map(\.ordinal) == [9, 10, 1, 2, 3, 4, 5, 6, 7, 8])
    }

    @Test func jobSurvivesEncoding() throws {
        var request = BatchRequest(url: "https://user:pw@example.org:8443/ä?q=1#f")
        request.method = .patch
        request.headerFields = [.accept: "text/html", .userAgent: "a"]
        request.headerFields.append(HTTPField(name: .accept, value: "ü"))
        var secret = HTTPField(name: .authorization, value: "Bearer x")
        secret.indexingStrategy = .disallow
        request.headerFields.append(secret)
        request.timeout = .milliseconds(1500)
        request.name = "a/b.html"
        request.tag = ""
        request.mirrors = ["http://a/", "http://b/?ü"]
        request.sharesCredentials = true
        request.digests = [
            try #require(
                ExpectedDigest(.md5, hexadecimal: "d41d8cd98f00b204e9800998ecf8427e")
            )
        ]
        request.priority = -3
        for body: BatchRequest.Body in [.none, .bytes([0, 255, 10]), .file(path: "/x")] {
            request.body = body
            var job = FetchJob(
                target: try FetchTarget(request),
                line: 1 << 40,
                ordinal: 7,
                waitingSince: MonotonicTime(nanoseconds: -5)
            )
            job.key = body == .none ? nil : .max
            let record = JobCodec.record(job)
            let read = try #require(JobCodec.job(record))
            #expect(read.target == job.target)
            #expect(read.target.details?.request == request)
            let strategies = read.target.details?.request.headerFields.map(\.indexingStrategy)
            #expect(strategies == request.headerFields.map(\.indexingStrategy))
            #expect(read.line == job.line)
            #expect(read.ordinal == job.ordinal && read.key == job.key)
            #expect(read.waitingSince == job.waitingSince)
            for end in [0, 5, record.count - 1] {
                #expect(JobCodec.job(Array(record[..<end])) == nil)
            }
        }
    }

    @Test func recordsOfAnyLengthAreReadBackAndTheirBlocksReused() throws {
        var file = try BlockFile(folder: folder.path)
        var chain = RecordChain()
        var generator = SeededGenerator(seed: 3)
        var expected: [[UInt8]] = []
        var most = 0
        for round in 0..<600 {
            let length = [0, 1, 100, 8188, 8192, 20_000].randomElement(using: &generator) ?? 0
            let record = [UInt8](repeating: UInt8(round & 0xFF), count: length)
            try chain.append(record, to: &file)
            expected.append(record)
            while expected.count > 20 {
                #expect(try chain.popFirst(from: &file) == expected.removeFirst())
            }
            most = max(most, file.blockCount)
        }
        #expect(most > 5)
        #expect(most < 60)
        for record in expected { #expect(try chain.popFirst(from: &file) == record) }
        #expect(try chain.popFirst(from: &file) == nil)
        #expect(chain.isEmpty)
        #expect(file.blockCount == 0)
    }

    @Test func fullDiskLosesNoJob() throws {
        var frontier = Frontier(BlockFile(try .openForUpdating("/dev/full")))
        var failures = 0
        for number in 1...2000 {
            let job = try job("http://h\(number % 3)/", number)
            do throws(FileError) {
                try frontier.append(job)
            } catch {
                #expect(error.isPersistent)
                failures += 1
            }
        }
        #expect(failures > 0)
        var jobs: [FetchJob] = []
        while !frontier.isEmpty {
            jobs += try drain(&frontier) { _ in 50 }
            frontier.wake((0..<3).map { "h\($0):80" })
        }
        #expect(jobs.map(\.ordinal).sorted() == Array(1...2000))
    }
}
