import CurlTransport
import Foundation
import Testing

@testable import CurlURLSession

struct ProtocolMessagesTests {
    /// The messages in a class, so that expectations can change them.
    private final class Messages {
        private var messages = ProtocolMessages()

        var isOver: Bool { messages.isOver }
        func append(_ message: ProtocolMessages.Message) { messages.append(message) }
        func schedule() -> Bool { messages.schedule() }
        func hold(_ isHeld: Bool) { messages.isHeld = isHeld }
        func ask() { messages.isAsking = true }
        func cutShort() { _ = messages.cutShort(by: .transport(.cancelled)) }

        /// Removes the next message and returns its name.
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

    @Test func messagesAreDeliveredInOrderByOneClient() {
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

    @Test func heldMessagesWaitButAnEndDoesNot() {
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

    @Test func nothingIsDeliveredDuringAChallenge() {
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
