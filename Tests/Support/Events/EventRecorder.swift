/// Collects events from any thread, in order; tests read them or wait for them.
package final class EventRecorder<Event: Sendable>: Sendable {
    private let recorded = Watched<[Event]>([])

    package init() {}

    package func record(_ event: Event) {
        recorded.update { $0.append(event) }
    }

    package var events: [Event] { recorded.read { $0 } }

    /// Waits until at least `count` events have been recorded, and returns all of them.
    package func wait(count: Int) async throws -> [Event] {
        try await recorded.wait { $0.count >= count ? $0 : nil }
    }

    /// Waits for the first event for which `fits` returns true.
    package func first(where fits: @escaping @Sendable (Event) -> Bool) async throws -> Event {
        try await recorded.wait { $0.first(where: fits) }
    }
}
