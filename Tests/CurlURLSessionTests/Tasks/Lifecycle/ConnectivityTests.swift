internal import Foundation
internal import Synchronization
internal import TestSupport
internal import Testing

@testable internal import CurlURLSession

/// Tests hosts without a route: the kernel has none for TCP to a multicast address.
@Suite(.timeLimit(.minutes(10))) struct ConnectivityTests {
    private static let nowhere = "http://224.0.0.1/"

    private func url() throws -> URL { try #require(URL(string: Self.nowhere)) }

    @Test func taskWithoutARouteFailsAtOnce() async throws {
        let session = URLSession.test()
        let error = try await urlError { _ = try await session.data(from: url()) }
        #expect(error.code == .notConnectedToInternet, "\(error)")
    }

    @Test func waitingTaskCanBeCancelled() async throws {
        let delegate = SessionDelegate()
        let session = URLSession.test(delegate: delegate) { $0.waitsForConnectivity = true }
        let task = session.dataTask(with: try url())
        task.resume()
        try await delegate.event(.waiting)
        #expect(task.state == .running)
        task.cancel()
        #expect(try await delegate.failure().code == .cancelled)
        #expect(delegate.events.filter { $0 == .waiting }.count == 1)
        session.invalidateAndCancel()
    }

    @Test func waitingTaskTimesOut() async throws {
        let delegate = SessionDelegate()
        let session = URLSession.test {
            $0.waitsForConnectivity = true
            // Long enough for a busy machine to find that no route exists.
            $0.timeoutIntervalForResource = 5
        }
        let error = try await urlError {
            _ = try await session.data(from: url(), delegate: delegate)
        }
        #expect(error.code == .timedOut)
        #expect(delegate.events.first == .waiting)
    }

    /// The test simulates connectivity by changing the task's URL to another address.
    @Test("E4: A task that waits for connectivity continues when there is a route")
    func waitingTaskContinuesWithARoute() async throws {
        let server = try LoopbackServer { .text("there with \($0.bodyText)") }
        let way = try server.at("/")
        let delegate = SessionDelegate { answers in
            answers.act = { event, task in
                guard event == .waiting else { return }
                task?.core.state.withLock { state in
                    // On a busy machine the next attempt may have been prepared already.
                    state.exchange.next?.request.url = way
                    guard let load = state.exchange.load else { return }
                    var loadRequest = load.loadRequest
                    loadRequest.request.url = way
                    state.exchange.load = TaskLoad(
                        loader: load.loader,
                        loadRequest: loadRequest,
                        httpRequest: load.httpRequest,
                        started: load.started,
                        phase: load.phase,
                        outcome: load.outcome
                    )
                }
            }
        }
        let session = URLSession.test(delegate: delegate) { $0.waitsForConnectivity = true }
        var request = URLRequest(url: try url())
        request.httpMethod = "POST"
        session.uploadTask(with: request, from: Data("all of it".utf8)).resume()
        try await delegate.completion()
        #expect(delegate.text == "there with all of it")
        #expect(delegate.events.filter { $0 == .waiting }.count == 1)
        #expect(delegate.events.first == .waiting)
        #expect(delegate.metrics[0].transactionMetrics.count >= 2)
        session.invalidateAndCancel()
    }

    @Test func otherErrorsFailAtOnceWhileWaitingIsAllowed() async throws {
        let unused = try LoopbackServer.unusedPort()
        let delegate = SessionDelegate()
        let session = URLSession.test(delegate: delegate) { $0.waitsForConnectivity = true }
        session.dataTask(with: try #require(URL(string: "http://127.0.0.1:\(unused)/"))).resume()
        #expect(try await delegate.failure().code == .cannotConnectToHost)
        #expect(!delegate.events.contains(.waiting))
        session.invalidateAndCancel()
    }

    // MARK: Routes

    private static let names = "Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask"

    private static func row6(_ destination: String, _ flags: String, _ name: String) -> String {
        let zeros = String(repeating: "0", count: 32)
        return "\(destination) 00 \(zeros) 00 \(zeros) 00000400 00000001 00000000 \(flags) \(name)"
    }

    @Test(
        arguments: [
            ("", "", false), (names, "", false),
            (names + "\neth0\t00000000\t0100A8C0\t0003\t0\t0\t0\t00000000", "", true),
            (names + "\neth0\t0000A8C0\t00000000\t0001\t0\t0\t0\t00FFFFFF", "", true),
            (names + "\nlo\t0000007F\t00000000\t0001\t0\t0\t0\t000000FF", "", false),
            (names + "\neth0\t00000000\t0100A8C0\t0002\t0\t0\t0\t00000000", "", false),
            ("", row6("20010db8000000000000000000000000", "00000001", "eth0"), true),
            ("", row6("00000000000000000000000000000000", "00200200", "lo"), false),
            ("", row6("fd000000000000000000000000000002", "80200001", "eth0"), false),
            ("", row6("fe800000000000000000000000000000", "00000001", "eth0"), false),
            ("", row6("ff000000000000000000000000000000", "00000001", "eth0"), false),
            ("what is", "no table\nat all", false),
        ]
    )
    func onlyRoutesToOtherHostsCount(_ table4: String, _ table6: String, _ leads: Bool) {
        #expect(NetworkRoutes(version4: table4, version6: table6).leadAnywhere == leads)
    }

    @Test func attemptsGetLessFrequent() {
        var wait = ConnectivityWait()
        #expect(!wait.hasBegun)
        let delays = (0..<8).map { _ in wait.nextDelay() }
        #expect(delays == [0.5, 1, 2, 4, 8, 16, 30, 30])
        #expect(wait.hasBegun)
    }
}
