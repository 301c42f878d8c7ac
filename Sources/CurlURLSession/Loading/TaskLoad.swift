internal import CurlTransport
internal import Foundation
internal import HTTPTypes

/// One request of a task on its way.
struct TaskLoad {
    enum Phase {
        /// No response yet.
        case waiting
        /// A response that may not be the task's: the delegate is asked what to do about it.
        case held
        /// Its response is the task's.
        case delivering
        /// Another request follows; so many bytes more are taken, so that the connection can be used
        /// again.
        case discarding(left: Int)
    }

    let loader: any Loader
    let plan: LoadPlan
    /// The request as the engine was given it; `nil` where it wasn't.
    let outgoing: HTTPRequest?
    let started: Date
    var phase = Phase.waiting
    private(set) var response: LoadedResponse?
    /// What the proxy says where a tunnel is asked for; the last of it, where there is more.
    private(set) var tunnelHead: ResponseHead?
    /// `nil` as long as the loader isn't over.
    var outcome: LoadOutcome?
    var sent: Int64 = 0
    var sentAt: Date?
    /// The file that is sent, where the upload may be gone on with.
    @Boxed var file: FileVersion? = nil

    /// Content of a response that isn't wanted is read up to this size.
    static let maximumDiscarded = 64 * 1024

    /// The response as the user has it; else the proxy's.
    var currentResponse: URLResponse? {
        (response ?? tunnelHead.map { .head($0) })?.response(url: plan.request.url)
    }

    var isOver: Bool { outcome != nil }

    /// Its response is the task's.
    var isDelivering: Bool {
        if case .delivering = phase { true } else { false }
    }

    // Not assigned from outside: what is assigned by way of an optional that a type stores which can't be
    // copied takes the place of something that is never freed (Swift 6.3).

    mutating func note(_ response: LoadedResponse) {
        self.response = response
    }

    mutating func note(tunnelHead head: ResponseHead) {
        tunnelHead = head
    }
}
