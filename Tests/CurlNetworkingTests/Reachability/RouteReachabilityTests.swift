internal import CurlNetworking
internal import Dispatch
internal import Foundation
internal import Synchronization
internal import TestSupport
internal import Testing

@Suite(.timeLimit(.minutes(5)))
struct RouteReachabilityTests {
    /// Route changes that a test triggers.
    private final class Changes: Sendable {
        private let watchers = Mutex<[Int: @Sendable () -> Void]>([:])
        private let count = Atomic(0)
        /// The numbers of the watches that have been released.
        let ended = EventRecorder<Int>()

        func watch(_ onChange: @escaping @Sendable () -> Void) -> any Sendable {
            let number = count.add(1, ordering: .relaxed).newValue
            watchers.withLock { $0[number] = onChange }
            return Watch { [weak self] in
                self?.watchers.withLock { $0[number] = nil }
                self?.ended.record(number)
            }
        }

        func happen() {
            for onChange in watchers.withLock({ Array($0.values) }) { onChange() }
        }

        var watcherCount: Int { watchers.withLock { $0.count } }
    }

    private final class Watch: Sendable {
        private let end: @Sendable () -> Void

        init(_ end: @escaping @Sendable () -> Void) {
            self.end = end
        }

        deinit {
            end()
        }
    }

    @Test("N-07: The current status is reported at once, and again after changes")
    func currentStatusIsReportedAtOnce() async throws {
        let changes = Changes()
        let statuses = EventRecorder<NetworkReachabilityStatus>()
        let source = RouteReachability(
            host: .address("127.0.0.1"),
            pause: .milliseconds(1)
        ) { _, onChange in changes.watch(onChange) }
        source.start { statuses.record($0) }
        _ = try await statuses.wait(count: 1)
        changes.happen()
        #expect(try await statuses.wait(count: 2).allSatisfy { $0 == .reachableViaWiFi })
        source.stop()
        #expect(changes.watcherCount == 0)
    }

    @Test("N-07: Frequent changes are coalesced")
    func frequentChangesAreCoalesced() async throws {
        let changes = Changes()
        let statuses = EventRecorder<NetworkReachabilityStatus>()
        let source = RouteReachability(
            host: .address("127.0.0.1"),
            pause: .milliseconds(100)
        ) { _, onChange in changes.watch(onChange) }
        source.start { statuses.record($0) }
        _ = try await statuses.wait(count: 1)
        for _ in 0..<1000 { changes.happen() }
        _ = try await statuses.wait(count: 2)
        source.stop()
        #expect(statuses.events.count < 1000)
    }

    @Test("N-03, N-06: If the kernel reports no changes, the status stays unknown")
    func withoutChangesTheStatusIsUnknown() async throws {
        struct Refusal: Error {}
        let statuses = EventRecorder<NetworkReachabilityStatus>()
        let source = RouteReachability(host: .address("127.0.0.1")) { _, _ in throw Refusal() }
        source.start { statuses.record($0) }
        #expect(try await statuses.wait(count: 1) == [.unknown])
        source.stop()
    }

    @Test("N-04, N-09: The local host is reachable via WiFi, by name and by address")
    func thisMachineIsReachable() async throws {
        let managers = [
            NetworkReachabilityManager(forDomain: "localhost"),
            NetworkReachabilityManager(forAddress: "127.0.0.1"),
        ]
        for manager in managers {
            let statuses = EventRecorder<NetworkReachabilityStatus>()
            manager.setReachabilityStatusChange { statuses.record($0) }
            manager.startMonitoring()
            #expect(try await statuses.wait(count: 1).first == .reachableViaWiFi)
            manager.stopMonitoring()
        }
    }

    @Test("N-04, N-09: An invalid address isn't reachable")
    func invalidAddressIsNotReachable() async throws {
        let statuses = EventRecorder<NetworkReachabilityStatus>()
        let manager = NetworkReachabilityManager(forAddress: "not an address")
        manager.setReachabilityStatusChange { statuses.record($0) }
        manager.startMonitoring()
        #expect(try await statuses.wait(count: 1).first == .notReachable)
        manager.stopMonitoring()
    }

    @Test("N-03: The network as a whole is reachable or not")
    func theNetworkAsAWholeHasAStatus() async throws {
        let statuses = EventRecorder<NetworkReachabilityStatus>()
        let manager = NetworkReachabilityManager.manager()
        manager.setReachabilityStatusChange { statuses.record($0) }
        manager.startMonitoring()
        let status = try await statuses.wait(count: 1)[0]
        #expect([.notReachable, .reachableViaWiFi].contains(status))
        manager.stopMonitoring()
    }

    /// The kernel's table of IPv4 routes with one row, a route of a given interface.
    private static func routes(_ row: String) -> NetworkRoutes {
        NetworkRoutes(
            version4: "Iface\tDestination\tGateway\tFlags\tRefCnt\tUse\tMetric\tMask\n\(row)\n",
            version6: ""
        )
    }

    private static let bridge = routes("br-1\t000011AC\t00000000\t0001\t0\t0\t0\t0000FFFF")
    private static let gateway = routes("eth0\t00000000\t0100A8C0\t0003\t0\t0\t0\t00000000")

    @Test("N-03: The network is reachable with a default route, and not with a bridge alone")
    func networkNeedsADefaultRoute() async throws {
        let changes = Changes()
        let current = Mutex(Self.bridge)
        let statuses = EventRecorder<NetworkReachabilityStatus>()
        let source = RouteReachability(
            pause: .milliseconds(1),
            makeMonitor: { _, onChange in changes.watch(onChange) },
            routes: { current.withLock { $0 } }
        )
        source.start { statuses.record($0) }
        #expect(try await statuses.wait(count: 1) == [.notReachable])
        current.withLock { $0 = Self.gateway }
        changes.happen()
        #expect(try await statuses.wait(count: 2) == [.notReachable, .reachableViaWiFi])
        source.stop()
    }

    @Test func releasedMonitorStopsWatching() async throws {
        let changes = Changes()
        do {
            let source = RouteReachability { _, onChange in changes.watch(onChange) }
            source.start { _ in }
            #expect(changes.watcherCount == 1)
            source.start { _ in }
            #expect(changes.watcherCount == 1)
        }
        // Its queue may still be evaluating routes for it.
        #expect(try await changes.ended.wait(count: 2) == [1, 2])
        #expect(changes.watcherCount == 0)
    }
}
