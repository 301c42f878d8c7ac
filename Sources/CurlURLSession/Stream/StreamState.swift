internal import CurlTransport
internal import Foundation

/// All that a ``StreamConnection`` knows, under its lock. What is to be told to others is put aside, to
/// be told without the lock.
struct StreamState: Sendable {
    typealias News = @Sendable () -> Void

    private(set) var phase = Phase.waiting
    /// How many attempts to connect were begun.
    private(set) var attempt = 0
    private(set) var connection: ByteConnection?
    /// Whoever is told how an attempt goes; nil where none is under way.
    private(set) var loader: StreamLoader?

    private var reads = StreamReads()
    private var writes = StreamWrites()
    private var readSide = Side.open
    private var writeSide = Side.open
    private var isReadEndTold = false
    /// Nothing more is taken as long as there is no room.
    private var isPaused = false
    private var isSuspended = false

    /// How far the task is with giving it away.
    var capture = Capture.none
    /// Why this side ends it. The first reason counts.
    private var failure: TransportError?
    /// What those are told who come when it is over.
    private var end: TransportError?
    private var lastTicket: UInt64 = 0
    var news = NewsQueue<News>()

    /// While so much waits in the connection, no more is handed to it.
    private static let sendWindow = 128 * 1024

    mutating func tell(_ news: @escaping News) {
        self.news.append(news)
    }

    /// Nobody waits for anything.
    var isIdle: Bool { reads.isIdle && writes.isEmpty }

    /// Whoever was told how it goes isn't any more.
    mutating func takeLoader() -> StreamLoader? { loader.take() }

    mutating func makeTicket() -> UInt64 {
        lastTicket += 1
        return lastTicket
    }

    // MARK: Connecting

    /// An attempt begins. Nil where it is connected, or over.
    mutating func begin(_ loader: StreamLoader) -> Int? {
        guard phase == .waiting, self.loader == nil else { return nil }
        self.loader = loader
        attempt += 1
        return attempt
    }

    /// The connection that is being made. It may have been ended meanwhile, on either side.
    mutating func keep(_ connection: ByteConnection, attempt: Int) {
        guard attempt == self.attempt, loader != nil, self.connection == nil else { return }
        self.connection = connection
        if isSuspended { connection.pauseReceiving() }
        if phase == .over { connection.cancel() }
    }

    mutating func opened(_ connection: ByteConnection) {
        keep(connection, attempt: attempt)
        guard phase == .waiting else { return }
        phase = .open
        // Each call has its own limit.
        connection.setIdleLimit(nil)
        updateSides()
        pump()
    }

    // MARK: What the owner does

    mutating func read(_ read: StreamReads.Read) {
        guard readSide == .open else {
            return tell { read.completion(.failure(Self.closed(.receiving))) }
        }
        if phase == .over, let end { return tell { read.completion(.failure(end)) } }
        reads.append(read)
        serveReads()
    }

    mutating func write(_ write: StreamWrites.Write) {
        guard writeSide == .open, phase != .over else {
            let error = end ?? Self.closed(.sending)
            return tell { write.completion(error) }
        }
        writes.append(write)
        pump()
    }

    mutating func closeRead() {
        guard readSide == .open else { return }
        readSide = .closing
        updateSides()
    }

    mutating func closeWrite() {
        guard writeSide == .open else { return }
        writeSide = .closing
        updateSides()
    }

    /// Has nothing to tell.
    mutating func setSuspended(_ isSuspended: Bool) {
        guard self.isSuspended != isSuspended else { return }
        self.isSuspended = isSuspended
        if isSuspended {
            connection?.pauseReceiving()
        } else if !isPaused, readSide != .closed {
            connection?.resumeReceiving()
        }
        handOver()
    }

    /// Ends it at once.
    mutating func cancel(because error: TransportError = .cancelled) {
        guard phase != .over else { return }
        phase = .over
        failure = error
        end = error
        reads.removeAll()
        failAll(error)
        connection?.cancel()
    }

    // MARK: Time limits

    mutating func set(_ alarm: Task<Void, Never>, for ticket: UInt64) -> Bool {
        reads.set(alarm, for: ticket) || writes.set(alarm, for: ticket)
    }

    /// Gives up a call that has waited for too long. With bytes of its own missing in the middle, the
    /// stream isn't one any more.
    mutating func expire(_ ticket: UInt64, _ error: TransportError) {
        if let read = reads.withdraw(ticket) {
            tell { read.completion(.failure(error)) }
            serveReads()
        } else if let (write, isTorn) = writes.withdraw(ticket) {
            tell { write.completion(error) }
            if isTorn { cancel(because: error) } else { updateSides() }
        }
    }

    // MARK: What happens

    mutating func received(_ bytes: Span<UInt8>) -> DeliveryDecision {
        guard phase == .open, readSide != .closed else { return .proceed }
        reads.append(bytes)
        serveReads()
        guard reads.isFull, readSide != .closed else { return .proceed }
        isPaused = true
        return .pause
    }

    mutating func receivedEnd() {
        guard phase == .open else { return }
        reads.end()
        tellReadEnd()
        serveReads()
    }

    mutating func sent(upTo position: Int64) {
        writes.noteSent(upTo: position)
        pump()
    }

    /// The connection is over, or there never was one.
    mutating func ended(_ error: TransportError?) {
        let error = failure ?? error
        let wasOpen = phase != .waiting
        // Where this side has ended before, the other's end is told with that of the connection.
        if wasOpen, error == nil { tellReadEnd() }
        let loader = loader
        self.loader = nil
        connection = nil
        // The transport may be the last reference's, which isn't to be let go of under the lock.
        let capture = capture
        if wasOpen { self.capture = .none }
        tell {
            loader?.end(error, wasOpen: wasOpen)
            extendLifetime(capture)
        }
        // An attempt that failed: there may be another.
        guard wasOpen else { return }
        phase = .over
        end = error
        if let error {
            failAll(error)
        } else {
            reads.end()
            serveReads()
            failAll(Self.closed(.sending))
        }
    }

    // MARK: Serving

    private mutating func serveReads() {
        while let due = reads.takeDue() {
            tell {
                due.read.alarm?.cancel()
                due.read.completion(.success((due.data, due.isAtEnd)))
            }
        }
        if isPaused, reads.hasRoom {
            isPaused = false
            if !isSuspended { connection?.resumeReceiving() }
        }
        updateSides()
    }

    /// Hands over what there is to send, as long as there is room.
    private mutating func handOver() {
        guard phase == .open, !isSuspended, let connection else { return }
        while connection.waitingBytes <= Self.sendWindow, let piece = writes.nextPiece() {
            _ = connection.send(piece)
        }
    }

    /// Hands over what there is to send, and tells whose bytes are sent.
    private mutating func pump() {
        handOver()
        guard phase == .open else { return }
        for write in writes.takeSent() {
            tell {
                write.alarm?.cancel()
                write.completion(nil)
            }
        }
        updateSides()
    }

    /// Closes the sides that are to be closed and have served those who came before.
    private mutating func updateSides() {
        guard phase == .open else { return }
        updateCapture()
        if readSide == .closing, reads.isIdle {
            readSide = .closed
            reads.removeAll()
            connection?.pauseReceiving()
            tellReadEnd()
        }
        if writeSide == .closing, writes.isEmpty {
            writeSide = .closed
            let (loader, connection) = (loader, connection)
            // In this order: nothing is told of a connection that is over.
            tell {
                loader?.writeEnded()
                connection?.finishSending()
            }
        }
        if readSide == .closed, writeSide == .closed {
            let connection = connection
            tell { connection?.close() }
        }
    }

    private mutating func tellReadEnd() {
        guard !isReadEndTold else { return }
        isReadEndTold = true
        let loader = loader
        tell { loader?.readEnded() }
    }

    private mutating func failAll(_ error: TransportError) {
        for read in reads.giveUp() {
            tell {
                read.alarm?.cancel()
                read.completion(.failure(error))
            }
        }
        for write in writes.giveUp() {
            tell {
                write.alarm?.cancel()
                write.completion(error)
            }
        }
    }

    private static func closed(_ phase: TransportError.Phase) -> TransportError {
        TransportError(.connectionLost, phase: phase, message: "this side of the stream is closed.")
    }
}
