/// A part of a program that stands on its own.
struct Step: Sendable {
    let name: String
    let run: @Sendable (Stage) async throws -> Void

    init(_ name: String, _ run: @escaping @Sendable (Stage) async throws -> Void) {
        self.name = name
        self.run = run
    }
}
