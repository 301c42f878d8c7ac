import CurlTransport
import TestSupport
import Testing

@testable import BatchFetch

/// Invalid values are reported by name before anything starts.
@Suite struct BatchConfigurationTests {
    private static let counts: [(String, @Sendable (inout BatchConfiguration, Int) -> Void)] = [
        ("concurrency", { $0.concurrency = $1 }),
        ("concurrencyPerHost", { $0.concurrencyPerHost = $1 }),
        ("lookAhead", { $0.lookAhead = $1 }), ("segments", { $0.segments = $1 }),
        ("eventLoopCount", { $0.eventLoopCount = $1 }),
        ("politeness.concurrencyPerDomain", { $0.politeness.concurrencyPerDomain = $1 }),
        ("politeness.concurrencyPerAddress", { $0.politeness.concurrencyPerAddress = $1 }),
    ]

    private static let sizes: [(String, @Sendable (inout BatchConfiguration, Int64) -> Void)] = [
        ("bandwidth", { $0.limits.bandwidth = $1 }),
        ("maximumBodyBytes", { $0.limits.maximumBodyBytes = $1 }),
        ("maximumTotalBytes", { $0.limits.maximumTotalBytes = $1 }),
    ]

    private static let times: [(String, @Sendable (inout BatchConfiguration, Duration) -> Void)] = [
        ("timeout", { $0.timeout = $1 }),
        ("timeouts.connect", { $0.timeouts.connect = $1 }),
        ("timeouts.firstByte", { $0.timeouts.firstByte = $1 }),
        ("timeouts.stall", { $0.timeouts.stall = $1 }),
        ("limits.maximumTime", { $0.limits.maximumTime = $1 }),
    ]

    private func message(_ change: (inout BatchConfiguration) -> Void) -> String? {
        var configuration = BatchConfiguration()
        change(&configuration)
        do throws(BatchFailure) {
            try configuration.validate()
            return nil
        } catch {
            #expect(error.code == .configuration)
            return error.message
        }
    }

    @Test func countsAreAtLeastOne() {
        #expect(message { _ in } == nil)
        for (name, set) in Self.counts {
            #expect(message { set(&$0, 1) } == nil)
            #expect(message { set(&$0, 0) } == "\(name) is 0: use 1 or more")
            #expect(message { set(&$0, .min) } == "\(name) is \(Int.min): use 1 or more")
        }
        #expect(message { $0.eventLoopCount = nil } == nil)
    }

    @Test("Private addresses can't be refused behind a proxy, and the error says why")
    func proxyCannotRefusePrivateAddresses() throws {
        var configuration = BatchConfiguration()
        let proxy = ProxyPolicy.server(ProxyServer(.http, host: "proxy.example", port: 3128))
        #expect(try configuration.addressScope(proxy: proxy) == .any)
        configuration.refusesPrivateAddresses = true
        #expect(try configuration.addressScope(proxy: .none) == .publicOnly)
        for policy in [proxy, .environment] {
            let error = #expect(throws: BatchFailure.self) {
                try configuration.addressScope(proxy: policy)
            }
            #expect(error?.code == .configuration)
            #expect(error?.message.contains("--no-private") == true)
            #expect(error?.message.contains("remove the proxy") == true)
        }
    }

    @Test func limitsAreAtLeastOne() {
        for (name, set) in Self.sizes {
            #expect(message { set(&$0, 1) } == nil)
            #expect(message { set(&$0, 0) } == "limits.\(name) is 0: use 1 or more, or nil")
        }
    }

    @Test("A minimum speed and its window are more than zero")
    func minimumSpeedIsMoreThanZero() {
        #expect(message { $0.timeouts.minimumSpeed = MinimumSpeed(bytesPerSecond: 1) } == nil)
        #expect(
            message { $0.timeouts.minimumSpeed = MinimumSpeed(bytesPerSecond: 0) }
                == "timeouts.minimumSpeed.bytesPerSecond is 0: use 1 or more"
        )
        let window = message {
            $0.timeouts.minimumSpeed = MinimumSpeed(bytesPerSecond: 1, window: .zero)
        }
        #expect(window?.hasPrefix("timeouts.minimumSpeed.window is ") == true)
    }

    @Test func timesAreMoreThanZero() throws {
        for (name, set) in Self.times {
            #expect(message { set(&$0, .nanoseconds(1)) } == nil)
            let zero = try #require(message { set(&$0, .zero) })
            #expect(zero.hasPrefix("\(name) is "))
            #expect(zero.hasSuffix(": use more than zero, or nil"))
            #expect(message { set(&$0, .seconds(-1)) } != nil)
        }
        #expect(message { ($0.timeouts.connect, $0.timeouts.stall) = (nil, nil) } == nil)
    }

    @Test func retryLimitMayBeZero() {
        #expect(message { $0.retry.limit = 0 } == nil)
        #expect(message { $0.retry.limit = -1 } == "retry.limit is -1: use 0 or more")
    }

    /// Neither a run nor a plan creates its folder.
    @Test func invalidConfigurationCreatesNothing() throws {
        let folder = try TemporaryDirectory()
        let output = BatchOutput.directory(folder.path("out"))
        let batch = Batch(BatchConfiguration(concurrency: 0, output: output))
        for start in [{ try batch.start(.urls([])) }, { try batch.plan(.urls([])) }] {
            #expect(throws: BatchFailure.self) { _ = try start() }
        }
        #expect(try folder.contents().isEmpty)
    }

    // MARK: Open files

    @Test(arguments: [
        (1024, false, 960), (1024, true, 480), (65, false, 1), (66, false, 2), (66, true, 1),
        (67, true, 1), (68, true, 2), (64, false, 1), (64, true, 1), (0, true, 1), (-5, false, 1),
        (Int.max, false, Int.max - 64),
    ])
    func concurrencyLeavesRoomForOtherFiles(limit: Int, writesFiles: Bool, count: Int) {
        #expect(OpenFiles.maximumConcurrency(limit: limit, writesFiles: writesFiles) == count)
    }

    @Test func lowestLimitHasRoomForOneConnectionAndItsFile() {
        let limit = OpenFiles.minimumLimit
        #expect(limit == 66, "a lower one is a misleading error in the middle of a run")
        #expect(OpenFiles.maximumConcurrency(limit: limit, writesFiles: true) == 1)
    }

    @Test(
        "By default, there is an event loop for each 256 URLs in flight and each processor",
        arguments: [
            (1, 8, 1), (256, 8, 1), (511, 8, 1), (512, 8, 2), (1000, 2, 2), (1000, 8, 3),
            (10_000, 1, 1), (10_000, 64, 4),
        ]
    )
    func eventLoopsFollowConcurrency(concurrency: Int, processors: Int, loops: Int) {
        var configuration = BatchConfiguration(concurrency: concurrency)
        #expect(configuration.eventLoopCount(processors: processors) == loops)
        configuration.eventLoopCount = 7
        #expect(configuration.eventLoopCount(processors: processors) == 7)
    }

    @Test(
        "Idle connections suffice for the hosts that are served in turn, and for one host alone",
        arguments: [
            (1000, 6, nil, 2, 512), (1000, 1000, nil, 2, 1000), (1000, 2000, nil, 2, 1000),
            (1000, 6, 800, 2, 800), (1000, 6, 5, 4, 256), (4000, 6, nil, 2, 2000),
            (64, 6, nil, 1, 1024), (10, 6, nil, 1, 160), (1, 6, nil, 1, 64),
        ] as [(Int, Int, Int?, Int, Int)]
    )
    func idleConnectionsSuffice(
        concurrency: Int,
        perHost: Int,
        rule: Int?,
        loops: Int,
        count: Int
    ) throws {
        var configuration = BatchConfiguration(
            concurrency: concurrency,
            concurrencyPerHost: perHost
        )
        configuration.politeness.rules = try (rule.map { [$0] } ?? []).map {
            try HostRule(parsing: "h: concurrency=\($0)")
        }
        #expect(configuration.idleConnections(loops: loops, openFiles: 1 << 16) == count)
    }

    @Test("Idle connections take a quarter of the open files that the process may have")
    func idleConnectionsLeaveFiles() {
        let configuration = BatchConfiguration(concurrency: 64)
        #expect(configuration.idleConnections(loops: 1, openFiles: 1024) == 256)
    }
}
