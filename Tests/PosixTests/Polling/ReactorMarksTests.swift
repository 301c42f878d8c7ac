import Glibc
import Testing

@testable import Posix

/// Names of open connections, by which a loop finds them again.
@Suite struct ReactorMarksTests {
    private let pair: DescriptorPair

    init() throws {
        pair = try DescriptorPair()
    }

    private func makeReactor(_ wakeup: borrowing Wakeup) throws -> Reactor {
        var reactor = try Reactor(wakeup: wakeup.descriptor)
        reactor.socketOpened(pair.first)
        reactor.socketOpened(pair.second)
        return reactor
    }

    /// Which of the names `a`, `b` and `c` are those of connections.
    private func marks(_ reactor: borrowing Reactor) -> [String] {
        var found: [String] = []
        for name in ["a", "b", "c"] where reactor.hasMarked(name) { found.append(name) }
        return found
    }

    @Test("A connection has one name, and each name belongs to its latest connection")
    func connectionHasOneName() throws {
        let wakeup = try Wakeup()
        var reactor = try makeReactor(wakeup)
        var found = marks(reactor)
        #expect(found == [])
        reactor.mark(pair.first, as: "a")
        reactor.mark(pair.first, as: "b")
        found = marks(reactor)
        #expect(found == ["b"])
        reactor.mark(pair.second, as: "b")
        reactor.mark(pair.first, as: "c")
        found = marks(reactor)
        #expect(found == ["b", "c"], "renaming the first keeps the second's name")
    }

    @Test("A renamed connection has the new name; an unknown name changes nothing")
    func renamedConnectionHasTheNewName() throws {
        let wakeup = try Wakeup()
        var reactor = try makeReactor(wakeup)
        reactor.mark(pair.first, as: "a")
        reactor.renameMarked("a", to: "b")
        var found = marks(reactor)
        #expect(found == ["b"])
        reactor.renameMarked("a", to: "c")
        reactor.renameMarked("b", to: "b")
        found = marks(reactor)
        #expect(found == ["b"])
    }

    @Test("A connection's name is removed when it closes or its descriptor is reused")
    func nameEndsWithItsConnection() throws {
        let wakeup = try Wakeup()
        var reactor = try makeReactor(wakeup)
        reactor.mark(pair.first, as: "a")
        reactor.socketOpened(pair.first)
        var found = marks(reactor)
        #expect(found == [])
        let copy = fcntl(pair.first, F_DUPFD_CLOEXEC, 0)
        reactor.socketOpened(copy)
        reactor.mark(copy, as: "b")
        reactor.closeSocket(copy)
        found = marks(reactor)
        #expect(found == [])
    }

    @Test("A socket that isn't open can't have a name")
    func closedSocketGetsNoName() throws {
        let wakeup = try Wakeup()
        var reactor = try Reactor(wakeup: wakeup.descriptor)
        reactor.watch(pair.first, for: .read)
        reactor.mark(pair.first, as: "a")
        reactor.mark(-1, as: "b")
        reactor.mark(100_000, as: "c")
        let found = marks(reactor)
        #expect(found == [])
    }
}
