import Testing

@testable import Curl

struct ReactorTests {
    /// The kernel can't watch a regular file.
    @Test func aDescriptorThatCanNotBeWatchedIsToldOnce() throws {
        let wakeup = try Wakeup()
        var reactor = try Reactor(wakeup: wakeup.descriptor)
        let file = try FileDescriptor.openForReading("/proc/self/exe")
        let number = file.number
        reactor.socketOpened(number, for: 7)
        reactor.watch(number, for: .read)
        // Doesn't wait, although nothing else would ever end it.
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
