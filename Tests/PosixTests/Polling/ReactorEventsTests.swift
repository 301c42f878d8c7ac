import Glibc
import TestSupport
import Testing

@testable import Posix

/// The readiness that a loop gets for its sockets.
@Suite(.timeLimit(.minutes(10))) struct ReactorEventsTests {
    private struct Event: Hashable {
        let descriptor: Int32
        let ready: SocketInterest
    }

    /// The events of a turn that doesn't wait.
    private func events(
        _ reactor: inout Reactor,
        until deadline: MonotonicTime? = .now
    ) -> Set<Event> {
        let count = reactor.wait(until: deadline)
        return Set(
            (0..<count).compactMap { index in
                reactor.event(at: index).map { Event(descriptor: $0.descriptor, ready: $0.ready) }
            }
        )
    }

    @Test("A socket is reported only for the events that it is watched for")
    func socketIsReportedForItsInterest() throws {
        let wakeup = try Wakeup()
        var reactor = try Reactor(wakeup: wakeup.descriptor)
        let pair = try DescriptorPair()
        reactor.socketOpened(pair.first)
        reactor.watch(pair.first, for: .read)
        var found = events(&reactor)
        #expect(found == [])
        try pair.writer.write([1])
        found = events(&reactor)
        #expect(found == [Event(descriptor: pair.first, ready: .read)])
        reactor.watch(pair.first, for: [.read, .write])
        found = events(&reactor)
        #expect(found == [Event(descriptor: pair.first, ready: [.read, .write])])
        reactor.watch(pair.first, for: .write)
        found = events(&reactor)
        #expect(found == [Event(descriptor: pair.first, ready: .write)])
    }

    @Test("The last interest that is set in a turn replaces earlier ones")
    func lastInterestOfATurnCounts() throws {
        let wakeup = try Wakeup()
        var reactor = try Reactor(wakeup: wakeup.descriptor)
        let pair = try DescriptorPair()
        reactor.socketOpened(pair.first)
        for interest in [.read, nil, [.read, .write], .write, nil, .read] as [SocketInterest?] {
            reactor.watch(pair.first, for: interest)
        }
        var isWatched = reactor.isWatched(pair.first)
        #expect(isWatched)
        let found = events(&reactor)
        #expect(found == [], "a socket without input is writable")
        reactor.watch(pair.first, for: nil)
        isWatched = reactor.isWatched(pair.first)
        #expect(!isWatched)
        reactor.watch(pair.first, for: SocketInterest())
        isWatched = reactor.isWatched(pair.first)
        #expect(!isWatched)
    }

    /// It stays in the kernel's set between two requests, where it may have events.
    @Test("A socket without interest has no events, and has them again with interest")
    func socketWithoutInterestHasNoEvents() throws {
        let wakeup = try Wakeup()
        var reactor = try Reactor(wakeup: wakeup.descriptor)
        let pair = try DescriptorPair()
        reactor.socketOpened(pair.first)
        reactor.watch(pair.first, for: .read)
        var found = events(&reactor)
        reactor.watch(pair.first, for: nil)
        try pair.writer.write([1])
        for _ in 0..<3 {
            found = events(&reactor)
            #expect(found == [])
        }
        // The unwanted event has removed it: no further one wakes the loop.
        let count = reactor.wait(until: .now)
        #expect(count == 0)
        reactor.watch(pair.first, for: .read)
        found = events(&reactor)
        #expect(found == [Event(descriptor: pair.first, ready: .read)])
    }

    @Test("More ready sockets than a turn's events have their turns one after the other")
    func readySocketsTakeTurns() throws {
        let wakeup = try Wakeup()
        var reactor = try Reactor(wakeup: wakeup.descriptor)
        let pairs = try (0..<100).map { _ in try DescriptorPair() }
        for pair in pairs {
            reactor.socketOpened(pair.first)
            reactor.watch(pair.first, for: .read)
            try pair.writer.write([1])
        }
        wakeup.signal()
        // All stay ready.
        for _ in 0..<3 {
            var found: Set<Int32> = []
            for _ in 0..<4 {
                let turn = events(&reactor)
                #expect(turn.count <= Reactor.maximumEvents)
                found.formUnion(turn.map(\.descriptor))
            }
            #expect(found == Set(pairs.map(\.first) + [wakeup.descriptor]))
        }
    }

    @Test("A lost connection is reported as an error, and as ready for the interest")
    func lostConnectionIsReadyForTheInterest() throws {
        let wakeup = try Wakeup()
        var reactor = try Reactor(wakeup: wakeup.descriptor)
        let pair = try DescriptorPair()
        reactor.socketOpened(pair.first)
        reactor.watch(pair.first, for: .write)
        // Not closed, because a child that another test is starting may hold a copy.
        shutdown(pair.second, Int32(SHUT_RDWR))
        let found = events(&reactor)
        #expect(found == [Event(descriptor: pair.first, ready: [.write, .error])])
    }

    @Test("A socket that reuses a closed one's descriptor isn't watched")
    func reusedNumberHasNoInterest() throws {
        let wakeup = try Wakeup()
        var reactor = try Reactor(wakeup: wakeup.descriptor)
        let pair = try DescriptorPair()
        // High numbers, which no other test's descriptor takes in the meantime.
        let number = fcntl(pair.first, F_DUPFD_CLOEXEC, 950)
        try #require(number >= 950)
        reactor.socketOpened(number, for: 1)
        reactor.watch(number, for: .write)
        var found = events(&reactor)
        #expect(found == [Event(descriptor: number, ready: .write)])
        reactor.closeSocket(number)
        #expect(fcntl(number, F_GETFD) < 0)
        try #require(dup2(pair.first, number) == number)
        reactor.socketOpened(number, for: 2)
        found = events(&reactor)
        #expect(found == [])
        reactor.watch(number, for: .write)
        found = events(&reactor)
        #expect(found == [Event(descriptor: number, ready: .write)])
        reactor.closeSocket(number)
    }

    /// libcurl closes such a socket itself, and its number may return in the same turn.
    @Test("A socket that the reactor doesn't own is unwatched when its interest ends")
    func untrackedSocketLeavesTheSetWithItsInterest() throws {
        let wakeup = try Wakeup()
        var reactor = try Reactor(wakeup: wakeup.descriptor)
        let pair = try DescriptorPair()
        reactor.watch(pair.first, for: .write)
        var found = events(&reactor)
        #expect(found == [Event(descriptor: pair.first, ready: .write)])
        reactor.watch(pair.first, for: nil)
        let count = reactor.wait(until: .now)
        #expect(count == 0)
        reactor.watch(pair.first, for: .write)
        found = events(&reactor)
        #expect(found == [Event(descriptor: pair.first, ready: .write)])
    }

    @Test("A wakeup is reported together with any socket events")
    func wakeupIsAnEvent() throws {
        let wakeup = try Wakeup()
        var reactor = try Reactor(wakeup: wakeup.descriptor)
        wakeup.signal()
        for _ in 0..<2 {
            let found = events(&reactor, until: nil)
            #expect(found == [Event(descriptor: wakeup.descriptor, ready: .read)])
        }
        wakeup.clear()
        let found = events(&reactor)
        #expect(found == [])
    }

    @Test("A wait that times out ends after its deadline, not before")
    func timedOutWaitHasPassedItsDeadline() throws {
        let wakeup = try Wakeup()
        var reactor = try Reactor(wakeup: wakeup.descriptor)
        for microseconds in [1, 999, 1001] {
            let deadline = MonotonicTime.now.advanced(by: .microseconds(microseconds))
            let count = reactor.wait(until: deadline)
            #expect(count == 0 && MonotonicTime.now >= deadline)
        }
        let count = reactor.wait(until: MonotonicTime(nanoseconds: 0))
        #expect(count == 0)
    }

    @Test("If a wakeup can't be watched, the error has the system call's name")
    func invalidWakeupIsAnError() {
        let failure = #expect(throws: SystemFailure.self) {
            let reactor = try Reactor(wakeup: -1)
            _ = consume reactor
        }
        #expect(failure == SystemFailure("epoll_ctl", errno: EBADF))
    }

    @Test("Watching a closed descriptor fails for its owner; an invalid one is ignored")
    func closedDescriptorIsRefused() throws {
        let wakeup = try Wakeup()
        var reactor = try Reactor(wakeup: wakeup.descriptor)
        let pair = try DescriptorPair()
        let number = fcntl(pair.first, F_DUPFD_CLOEXEC, 970)
        try #require(number >= 970)
        reactor.socketOpened(number, for: 3)
        reactor.watch(number, for: .read)
        close(number)
        reactor.watch(-1, for: .read)
        reactor.socketOpened(-1, for: 4)
        reactor.closeSocket(-1)
        let count = reactor.wait(until: nil)
        #expect(count == 0)
        let refused = reactor.takeRefused()
        #expect(refused.map(\.owner) == [3])
        #expect(refused.map(\.failure) == [SystemFailure("epoll_ctl", errno: EBADF)])
        let again = reactor.takeRefused()
        #expect(again.isEmpty)
    }

    /// The kernel can't watch a regular file.
    @Test func unwatchableDescriptorIsReportedOnce() throws {
        let wakeup = try Wakeup()
        var reactor = try Reactor(wakeup: wakeup.descriptor)
        let file = try FileDescriptor.openForReading("/proc/self/exe")
        let number = file.number
        reactor.socketOpened(number, for: 7)
        reactor.watch(number, for: .read)
        // Returns at once, although no other event would ever end the wait.
        var events = reactor.wait(until: nil)
        #expect(events == 0)
        var isRefused = reactor.hasRefused
        #expect(isRefused)
        let refused = reactor.takeRefused()
        #expect(refused.map(\.descriptor) == [number])
        #expect(refused.map(\.owner) == [7])
        #expect(refused.map(\.failure.call) == ["epoll_ctl"])
        events = reactor.wait(until: .now)
        #expect(events == 0)
        isRefused = reactor.hasRefused
        #expect(!isRefused)
        _ = consume file
    }
}
