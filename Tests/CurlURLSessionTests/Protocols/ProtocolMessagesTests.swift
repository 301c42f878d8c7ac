import CurlTransport
import Foundation
import Testing

@testable import CurlURLSession

struct ProtocolMessagesTests {
    /// The messages, to be changed where they are asked.
    private final class Messages {
        private var messages = ProtocolMessages()

        var isOver: Bool { messages.isOver }
        func append(_ message: ProtocolMessages.Message) { messages.append(message) }
        func schedule() -> Bool { messages.schedule() }
        func hold(_ isHeld: Bool) { messages.isHeld = isHeld }
        func ask() { messages.isAsking = true }
        func cutShort() { _ = messages.cutShort(by: .transport(.cancelled)) }

        /// The next one's name.
        func next() -> String? {
            switch messages.next() {
            case nil: nil
            case .response: "response"
            case .data(let data): "data \(data.count)"
            case .redirect: "redirect"
            case .challenge: "challenge"
            case .end(let failure): failure == nil ? "end" : "failure"
            }
        }
    }

    @Test func messagesComeInOrderAndOnePersonTellsThem() {
        let messages = Messages()
        #expect(!messages.schedule())
        messages.append(.data(Data([1])))
        #expect(messages.schedule())
        messages.append(.data(Data([1, 2])))
        #expect(!messages.schedule())
        #expect(messages.next() == "data 1")
        #expect(!messages.schedule())
        #expect(messages.next() == "data 2")
        #expect(messages.next() == nil)
        #expect(!messages.schedule())
        messages.append(.end(nil))
        #expect(messages.schedule())
        #expect(!messages.isOver)
        #expect(messages.next() == "end")
        #expect(messages.isOver)
        #expect(messages.next() == nil)
    }

    @Test func messagesThatNeverRunOutDoNotGrow() throws {
        var messages = ProtocolMessages()
        messages.append(.data(Data([0])))
        for _ in 0..<10_000 {
            messages.append(.data(Data([1])))
            #expect(messages.next() != nil)
        }
        let storage = Mirror(reflecting: messages).descendant("messages", "storage")
        #expect(try #require(storage as? [ProtocolMessages.Message?]).count < 200)
    }

    @Test func whatIsHeldWaitsAndAnEndDoesnt() {
        let messages = Messages()
        messages.append(.data(Data([1])))
        messages.append(.end(nil))
        messages.hold(true)
        #expect(messages.next() == nil)
        messages.hold(false)
        #expect(messages.next() == "data 1")
        messages.hold(true)
        #expect(messages.next() == "end")
    }

    @Test func nothingIsToldWhileAChallengeIsAsked() {
        let messages = Messages()
        messages.append(.data(Data([1])))
        messages.ask()
        #expect(messages.next() == nil)
        messages.cutShort()
        #expect(messages.next() == "failure")
    }

    @Test func cuttingShortLeavesOnlyTheEnd() {
        let messages = Messages()
        messages.append(.data(Data([1])))
        messages.append(.end(nil))
        messages.cutShort()
        #expect(messages.next() == "failure")
        messages.cutShort()
        #expect(messages.next() == nil)
    }
}
