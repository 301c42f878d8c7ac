internal import CurlURLSession
internal import Foundation
internal import HTTPSemantics

/// Reads events from one connection after another.
struct ServerSentEventReader {
    private let connector: ServerSentEventConnector?
    private let limit: Int
    private var stream: ResponseStream
    private var lines: LineReader
    private var parser: ServerSentEventParser
    /// The number of attempts in a row.
    ///
    /// A received line or a long-lived connection resets it.
    private var attempts = 0
    private var connected = ContinuousClock.now
    private var isOver = false

    init(
        stream: ResponseStream,
        connector: ServerSentEventConnector?,
        lastEventID: String,
        limit: Int
    ) {
        self.stream = stream
        self.connector = connector
        self.limit = limit
        lines = LineReader(stream, limit: limit)
        parser = ServerSentEventParser(limit: limit, lastEventID: lastEventID)
        isOver = ServerSentEventConnector.isOver(stream.response)
    }

    var lastEventID: String { parser.lastEventID }

    /// Returns the next event; `nil` at the end.
    mutating func next() async throws -> ServerSentEvent? {
        while !isOver {
            if let event = try await nextOfConnection() { return event }
        }
        return nil
    }

    /// Returns the connection's next event.
    ///
    /// The result is `nil` after a reconnection, or at the end.
    private mutating func nextOfConnection() async throws -> ServerSentEvent? {
        do {
            while let line = try await lines.next() {
                // A comment also shows that the connection works.
                attempts = 0
                if let event = try take(line) { return event }
            }
            try await reconnect(after: nil)
        } catch {
            guard !isOver, ServerSentEventConnector.mayRetry(after: error) else {
                isOver = true
                throw error
            }
            try await reconnect(after: error)
        }
        return nil
    }

    private func noteTooLong(_ limit: Int) -> any Error {
        stream.source.refuse(because: NSError.eventTooLong(limit, stream.response))
    }

    private mutating func take(_ line: [UInt8]) throws -> ServerSentEvent? {
        do {
            return try parser.take(line).map { ServerSentEvent($0) }
        } catch {
            throw noteTooLong(error.limit)
        }
    }

    /// Reconnects, as often as the rules allow. Otherwise the stream is over.
    ///
    /// - Throws: The last error.
    private mutating func reconnect(after error: (any Error)?) async throws {
        parser.restart()
        guard let connector, let rules = connector.reconnection else {
            isOver = true
            if let error { throw error }
            return
        }
        if connected.duration(to: .now) > rules.maximumDelay { attempts = 0 }
        var last = error
        while true {
            guard attempts < rules.maximumAttempts else {
                isOver = true
                // With a limit of 0, the stream ends without an error.
                guard attempts > 0 || last != nil else { return }
                throw last ?? URLError.silentEventStream(stream.response, attempts: attempts)
            }
            attempts += 1
            do {
                try await wait(rules)
                stream = try await connector.connect(lastEventID: lastEventID)
                lines = LineReader(stream, limit: limit)
                connected = .now
                isOver = ServerSentEventConnector.isOver(stream.response)
                return
            } catch {
                guard ServerSentEventConnector.mayRetry(after: error) else {
                    isOver = true
                    throw error
                }
                last = error
            }
        }
    }

    private func wait(_ rules: ServerSentEventReconnection) async throws {
        let delay = rules.delay(
            attempt: attempts,
            wanted: parser.reconnectionTime,
            chance: .random(in: 0...1)
        )
        do {
            try await Task.sleep(for: delay)
        } catch {
            throw URLError(.cancelled)
        }
    }
}
