internal import CurlTransport
internal import Foundation
internal import HTTPTypes

/// One request of a task, and its progress.
struct TaskLoad {
    enum Phase {
        /// No response yet.
        case waiting
        /// A response has arrived. The delegate decides whether the task takes it.
        case held
        /// The task has taken the response.
        case delivering
        /// Another request follows. At most `left` more bytes are read, so that the connection can
        /// be reused.
        case discarding(left: Int)
    }

    let loader: any Loader
    let loadRequest: LoadRequest
    /// The request given to the transport. `nil` if the transport doesn't load it.
    let httpRequest: HTTPRequest?
    let started: Date
    var phase = Phase.waiting
    private(set) var response: LoadedResponse?
    /// The proxy's last response to `CONNECT`.
    private(set) var tunnelHead: ResponseHead?
    /// `nil` until the loader has ended.
    private(set) var outcome: LoadOutcome?
    var sent: Int64 = 0
    var sentAt: Date?
    /// The uploaded file, if the upload can be resumed.
    @Indirect var file: FileVersion? = nil

    /// The largest unwanted body that is read to keep the connection, in bytes.
    static let maximumDiscarded = 64 * 1024

    /// The server's response; before it, the proxy's.
    var currentResponse: URLResponse? {
        (response ?? tunnelHead.map { .head($0) })?.response(url: loadRequest.request.url)
    }

    var isOver: Bool { outcome != nil }

    /// Whether the task has taken the response.
    var isDelivering: Bool {
        if case .delivering = phase { true } else { false }
    }

    // These are methods because assigning through an optional that a noncopyable type stores leaks
    // the old value (Swift 6.3).

    mutating func end(with outcome: LoadOutcome) { self.outcome = outcome }

    mutating func note(_ response: LoadedResponse) {
        self.response = response
    }

    /// Moves the response's head to memory that the calling thread allocates. The former memory is
    /// the pool's again.
    mutating func moveHead(returningMemoryTo pool: BufferPool?) {
        guard let pool, case .head(var head)? = response else { return }
        var memory = head.moveOut()
        // In one step: optimised code may lose a value that is taken out and put back (Swift 6.3).
        response = .head(head)
        pool.recycle(&memory)
    }

    mutating func note(tunnelHead head: ResponseHead) {
        tunnelHead = head
    }
}
