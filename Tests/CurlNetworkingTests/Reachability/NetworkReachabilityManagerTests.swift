internal import CurlNetworking
internal import Dispatch
internal import Foundation
internal import TestSupport
internal import Testing

@Suite(.timeLimit(.minutes(5)))
struct NetworkReachabilityManagerTests {
    /// Records the calls and notifications of a manager, in order.
    private final class Log: Sendable {
        let events = EventRecorder<String>()
        private let observer: NotificationToken

        init(_ manager: NetworkReachabilityManager) {
            let events = events
            manager.setReachabilityStatusChange { [weak manager] status in
                let isMain = MainQueueMark.isOnMainQueue
                events.record(
                    "block \(status.rawValue) \(manager?.networkReachabilityStatus == status) \(isMain)"
                )
            }
            let name = Notification.Name("com.alamofire.networking.reachability.change")
            observer = NotificationToken(name, object: manager) { notification in
                let number =
                    notification.userInfo?["AFNetworkingReachabilityNotificationStatusItem"]
                    as? NSNumber
                let isMain = MainQueueMark.isOnMainQueue
                events.record("notification \(number?.intValue ?? -9) \(isMain)")
            }
        }
    }

    @Test("N-01: Statuses have AFNetworking's raw values")
    func theStatusesHaveTheirNumbers() {
        #expect(NetworkReachabilityStatus.unknown.rawValue == -1)
        #expect(NetworkReachabilityStatus.notReachable.rawValue == 0)
        #expect(NetworkReachabilityStatus.reachableViaWWAN.rawValue == 1)
        #expect(NetworkReachabilityStatus.reachableViaWiFi.rawValue == 2)
        #expect(NetworkReachabilityStatus.reachable == .reachableViaWiFi)
    }

    @Test("N-12: Statuses have descriptions")
    func theStatusesInWords() {
        #expect(StringFromNetworkReachabilityStatus(.unknown) == "Unknown")
        #expect(StringFromNetworkReachabilityStatus(.notReachable) == "Not Reachable")
        #expect(StringFromNetworkReachabilityStatus(.reachableViaWWAN) == "Reachable via WWAN")
        #expect(StringFromNetworkReachabilityStatus(.reachableViaWiFi) == "Reachable via WiFi")
        let manager = NetworkReachabilityManager(reachability: ScriptedReachability())
        #expect(manager.localizedNetworkReachabilityStatusString() == "Unknown")
    }

    @Test("N-02, N-03: One manager is shared, others are new")
    func oneManagerIsShared() {
        #expect(NetworkReachabilityManager.shared() === NetworkReachabilityManager.shared())
        #expect(NetworkReachabilityManager.manager() !== NetworkReachabilityManager.manager())
    }

    @Test("N-05, N-06: A manager with a custom source has an unknown status at first")
    func statusIsUnknownAtFirst() {
        let source = ScriptedReachability(initial: .notReachable)
        let manager = NetworkReachabilityManager(reachability: source)
        #expect(manager.networkReachabilityStatus == .unknown)
        #expect(!manager.isReachable)
        #expect(source.starts == 0)
    }

    @Test("N-08, Q-14, C-07, C-15: Each change sets the status, calls the block, then posts")
    func changesAreDeliveredInOrder() async throws {
        let source = ScriptedReachability()
        let manager = NetworkReachabilityManager(reachability: source)
        let log = Log(manager)
        manager.startMonitoring()
        for status in [NetworkReachabilityStatus.reachableViaWiFi, .notReachable, .notReachable] {
            source.report(status)
        }
        // An unchanged status is reported again.
        let events = try await log.events.wait(count: 6)
        #expect(
            events == [
                "block 2 true true", "notification 2 true", "block 0 true true",
                "notification 0 true", "block 0 true true", "notification 0 true",
            ]
        )
        manager.stopMonitoring()
    }

    @Test("N-07, N-10: Starting reports a status, and stopping ends the reports")
    func startingReportsAStatus() async throws {
        let source = ScriptedReachability(initial: .reachableViaWiFi)
        let manager = NetworkReachabilityManager(reachability: source)
        let log = Log(manager)
        manager.startMonitoring()
        _ = try await log.events.wait(count: 2)
        #expect(manager.networkReachabilityStatus == .reachableViaWiFi)
        // Starting again stops the manager first.
        manager.startMonitoring()
        _ = try await log.events.wait(count: 4)
        #expect(source.starts == 2)
        // A status that is pending when the manager stops isn't delivered.
        await MainActor.run {
            source.report(.notReachable)
            manager.stopMonitoring()
        }
        #expect(!source.isStarted)
        await MainActor.run {}
        #expect(manager.networkReachabilityStatus == .reachableViaWiFi)
        #expect(log.events.events.count == 4)
        #expect(manager.isReachable)
    }

    @Test("N-11: The status determines whether and how the network is reachable")
    func whetherItIsReachable() async throws {
        let source = ScriptedReachability()
        let manager = NetworkReachabilityManager(reachability: source)
        manager.startMonitoring()
        let expected: [(NetworkReachabilityStatus, Bool, Bool, Bool)] = [
            (.reachableViaWWAN, true, true, false), (.reachableViaWiFi, true, false, true),
            (.notReachable, false, false, false), (.unknown, false, false, false),
        ]
        for (status, isReachable, viaWWAN, viaWiFi) in expected {
            source.report(status)
            await Self.drainMainQueue()
            #expect(manager.networkReachabilityStatus == status)
            #expect(manager.isReachable == isReachable)
            #expect(manager.isReachableViaWWAN == viaWWAN)
            #expect(manager.isReachableViaWiFi == viaWiFi)
        }
    }

    @Test("N-13: One block is called, which can be replaced and removed")
    func oneBlockIsCalled() async throws {
        let source = ScriptedReachability()
        let manager = NetworkReachabilityManager(reachability: source)
        let first = EventRecorder<Int>()
        let second = EventRecorder<Int>()
        manager.setReachabilityStatusChange { first.record($0.rawValue) }
        manager.startMonitoring()
        source.report(.reachable)
        await Self.drainMainQueue()
        manager.setReachabilityStatusChange { second.record($0.rawValue) }
        source.report(.notReachable)
        await Self.drainMainQueue()
        manager.setReachabilityStatusChange(nil)
        source.report(.reachable)
        await Self.drainMainQueue()
        #expect(first.events == [2])
        #expect(second.events == [0])
        #expect(manager.isReachable)
    }

    @Test("N-08: A change pending when its manager is released is posted without an object")
    func pendingChangeIsPostedAfterManagersRelease() async throws {
        let source = ScriptedReachability()
        let seen = EventRecorder<Bool>()
        // No other test posts this status without an object.
        let token = NotificationCenter.default.addObserver(
            forName: .networkingReachabilityDidChange,
            object: nil,
            queue: nil
        ) { notification in
            let number = notification.userInfo?[NetworkingReachabilityNotificationStatusItem]
            if (number as? NSNumber)?.intValue == 1 { seen.record(notification.object == nil) }
        }
        await MainActor.run {
            let manager = NetworkReachabilityManager(reachability: source)
            manager.startMonitoring()
            source.report(.reachableViaWWAN)
        }
        _ = try await seen.first { $0 }
        NotificationCenter.default.removeObserver(token)
        #expect(!source.isStarted)
    }

    /// Waits until the blocks that are already on the main queue have run.
    private static func drainMainQueue() async {
        await withCheckedContinuation { continuation in
            DispatchQueue.main.async { continuation.resume() }
        }
    }
}
