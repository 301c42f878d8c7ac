internal import CurlURLSession
internal import Foundation

/// Reads events from one connection after the other.
struct ServerSentEventReader {
    private let connector: ServerSentEventConnector?
    private let limit: Int
    private var stream: ResponseStream
    private var lines: LineReader
    private var parser: ServerSentEventParser
    /// In a row, without any line in between, or a connection that has lived for long.
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

    /// The next event; `nil` at the end.
    mutating func next() async throws -> ServerSentEvent? {
        while !isOver {
            if let event = try await nextOfConnection() { return event }
        }
        return nil
    }

    /// The next event; `nil` where the connection has ended and there is another one, or it is over.
    private mutating func nextOfConnection() async throws -> ServerSentEvent? {
        do {
            while let line = try await lines.next() {
                // A comment is a sign of life, too.
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
            return try parser.take(line)
        } catch {
            throw noteTooLong(error.limit)
        }
    }

    /// Tries to have another connection, as often as that may be. Without one it is over.
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
                // Who allows none wants none.
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
