import Foundation

/// A reader of server-sent events.
enum EventReaderScript {
    static let steps = [
        Step("events", events),
        Step("live", live),
        Step("lost", lost),
        Step("not events", notEvents),
        Step("no more", noMore),
        Step("busy", busy),
        Step("long event", longEvent),
    ]

    /// Logs a source's notices until an event of type `end`.
    private static func read(
        _ path: String,
        _ stage: Stage,
        _ atEvent: (ServerSentEvent) async throws -> Void = { _ in }
    ) async throws {
        let source = EventSource(stage.url(path))
        source.start()
        for await notice in source.notices {
            switch notice {
            case .opened(let status): stage.log("opened \(status)")
            case .refused(let status, let type): stage.log("refused \(status) \(type ?? "nothing")")
            case .closed(let error): stage.log("closed: \(stage.text(of: error))")
            case .retrying(let milliseconds): stage.log("again in \(milliseconds) ms")
            case .invalid: stage.log("invalid")
            case .event(let event):
                let lines = event.data.split(separator: "\n").joined(separator: "|")
                let text = lines.count > 60 ? "\(lines.count) characters" : lines
                stage.log("\(event.type) \(event.id): \(text)")
                try await atEvent(event)
                if event.type == "end" {
                    stage.log("stop")
                    source.stop()
                }
            }
        }
    }

    /// The server ends the stream; the second connection continues after the last event.
    private static func events(_ stage: Stage) async throws {
        try await read("/events", stage)
    }

    /// The server sends an event only after the previous one has arrived.
    private static func live(_ stage: Stage) async throws {
        try await read("/live", stage) { event in
            if event.id == "1" { try await stage.control("open/live") }
        }
    }

    /// The connection breaks in the middle of an event.
    private static func lost(_ stage: Stage) async throws {
        try await read("/lost", stage)
    }

    private static func notEvents(_ stage: Stage) async throws {
        try await read("/page", stage)
    }

    private static func noMore(_ stage: Stage) async throws {
        try await read("/nothing", stage)
    }

    private static func busy(_ stage: Stage) async throws {
        try await read("/busy", stage)
    }

    private static func longEvent(_ stage: Stage) async throws {
        try await read("/long", stage)
    }
}
