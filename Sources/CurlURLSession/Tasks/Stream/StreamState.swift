internal import CurlTransport
internal import Foundation

/// The state of a ``StreamConnection`` under its lock.
///
/// Calls to others are queued, and made after the lock is released.
struct StreamState: Sendable {
    typealias Callback = @Sendable () -> Void

    private(set) var phase = Phase.waiting
    /// The number of connection attempts so far.
    private(set) var attempt = 0
    private(set) var connection: ByteConnection?
    /// Gets the result of the current attempt; `nil` if there is none.
    private(set) var loader: StreamLoader?

    private var reads = StreamReads()
    private var writes = StreamWrites()
    private var readSide = Side.open
    private var writeSide = Side.open
    private var isReadEndReported = false
    /// Receiving is paused because the buffer is full.
    private var isPaused = false
    private var isSuspended = false

    /// The progress of a capture.
    var capture = Capture.none
    /// Why this side ended the connection. The first reason is kept.
    private var failure: TransportError?
    /// The error of calls that are made after the end.
    private var end: TransportError?
    private var lastTicket: UInt64 = 0
    var callbacks = CallbackQueue<Callback>()

    /// The number of queued bytes in the connection that stops handing over more.
    private static let sendWindow = 128 * 1024

    mutating func notify(_ callback: @escaping Callback) {
        callbacks.append(callback)
    }

    /// Whether no call is pending.
    var isIdle: Bool { reads.isIdle && writes.isEmpty }

    /// Detaches the loader, so that it gets no more events.
    mutating func takeLoader() -> StreamLoader? { loader.take() }

    mutating func makeTicket() -> UInt64 {
        lastTicket += 1
        return lastTicket
    }

    // MARK: Connecting

    /// Begins an attempt. Returns `nil` if the stream is connected or has ended.
    mutating func begin(_ loader: StreamLoader) -> Int? {
        guard phase == .waiting, self.loader == nil else { return nil }
        self.loader = loader
        attempt += 1
        return attempt
    }

    /// Stores the new connection. Either side may have ended it in the meantime.
    mutating func keep(_ connection: ByteConnection, attempt: Int) {
        guard attempt == self.attempt, loader != nil, self.connection == nil else { return }
        self.connection = connection
        if isSuspended { connection.pauseReceiving() }
        if phase == .over { connection.cancel() }
    }

    mutating func opened(_ connection: ByteConnection) {
        keep(connection, attempt: attempt)
        assert(phase != .open, "a connection was opened twice")
        guard phase == .waiting else { return }
        phase = .open
        // Each call has its own timeout.
        connection.setIdleLimit(nil)
        updateSides()
        pump()
    }

    // MARK: Calls of the owner

    mutating func read(_ read: StreamReads.Read) {
        guard readSide == .open else {
            return notify { read.completion(.failure(Self.closed(.receiving))) }
        }
        if phase == .over, let end { return notify { read.completion(.failure(end)) } }
        reads.append(read)
        serveReads()
    }

    mutating func write(_ write: StreamWrites.Write) {
        guard writeSide == .open, phase != .over else {
            let error = end ?? Self.closed(.sending)
            return notify { write.completion(error) }
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

    /// Queues no calls.
    mutating func setSuspended(_ isSuspended: Bool) {
        guard self.isSuspended != isSuspended else { return }
        self.isSuspended = isSuspended
        if isSuspended {
            connection?.pauseReceiving()
        } else if !isPaused, readSide != .closed {
            connection?.resumeReceiving()
        }
        submitWrites()
    }

    /// Ends the connection at once.
    mutating func cancel(because error: TransportError = .cancelled) {
        guard phase != .over else { return }
        phase = .over
        failure = error
        end = error
        reads.removeAll()
        failAll(error)
        connection?.cancel()
    }

    // MARK: Timeouts

    mutating func set(_ alarm: Task<Void, Never>, for ticket: UInt64) -> Bool {
        reads.set(alarm, for: ticket) || writes.set(alarm, for: ticket)
    }

    /// Fails a call that has timed out. If a write was sent in part, the whole connection ends: the
    /// byte stream would be corrupt.
    mutating func expire(_ ticket: UInt64, _ error: TransportError) {
        if let read = reads.withdraw(ticket) {
            notify { read.completion(.failure(error)) }
            serveReads()
        } else if let (write, isTorn) = writes.withdraw(ticket) {
            notify { write.completion(error) }
            if isTorn { cancel(because: error) } else { updateSides() }
        }
    }

    // MARK: Events of the connection

    mutating func received(_ bytes: Span<UInt8>) -> DeliveryDecision {
        assert(phase != .waiting, "bytes arrived before the connection was open")
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
        reportReadEnd()
        serveReads()
    }

    mutating func sent(upTo position: Int64) {
        writes.noteSent(upTo: position)
        pump()
    }

    /// The connection has ended, or the attempt to connect has failed.
    mutating func ended(_ error: TransportError?) {
        let error = failure ?? error
        let wasOpen = phase != .waiting
        // Reports the end of the reading side now, if it wasn't reported before.
        if wasOpen, error == nil { reportReadEnd() }
        let loader = loader
        self.loader = nil
        connection = nil
        // The capture may hold the last reference to the transport, which must not be released
        // under the lock.
        let capture = capture
        if wasOpen { self.capture = .none }
        notify {
            loader?.end(error, wasOpen: wasOpen)
            extendLifetime(capture)
        }
        // A failed attempt may be followed by another one.
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

    // MARK: Serving calls

    private mutating func serveReads() {
        while let due = reads.takeDue() {
            notify {
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

    /// Hands pending bytes to the connection, up to the send window.
    private mutating func submitWrites() {
        guard phase == .open, !isSuspended, let connection else { return }
        while connection.waitingBytes <= Self.sendWindow, let piece = writes.nextPiece() {
            _ = connection.send(piece)
        }
    }

    /// Hands over pending bytes, and completes the writes whose bytes were sent.
    private mutating func pump() {
        submitWrites()
        guard phase == .open else { return }
        for write in writes.takeSent() {
            notify {
                write.alarm?.cancel()
                write.completion(nil)
            }
        }
        updateSides()
    }

    /// Closes each side that is closing and has no pending calls.
    private mutating func updateSides() {
        guard phase == .open else { return }
        updateCapture()
        if readSide == .closing, reads.isIdle {
            readSide = .closed
            reads.removeAll()
            connection?.pauseReceiving()
            reportReadEnd()
        }
        if writeSide == .closing, writes.isEmpty {
            writeSide = .closed
            let (loader, connection) = (loader, connection)
            // In this order, because no events are reported for a connection that has ended.
            notify {
                loader?.writeEnded()
                connection?.finishSending()
            }
        }
        if readSide == .closed, writeSide == .closed {
            let connection = connection
            notify { connection?.close() }
        }
    }

    private mutating func reportReadEnd() {
        guard !isReadEndReported else { return }
        isReadEndReported = true
        let loader = loader
        notify { loader?.readEnded() }
    }

    private mutating func failAll(_ error: TransportError) {
        for read in reads.giveUp() {
            notify {
                read.alarm?.cancel()
                read.completion(.failure(error))
            }
        }
        for write in writes.giveUp() {
            notify {
                write.alarm?.cancel()
                write.completion(error)
            }
        }
    }

    private static func closed(_ phase: TransportError.Phase) -> TransportError {
        TransportError(.connectionLost, phase: phase, message: "this side of the stream is closed.")
    }
}
