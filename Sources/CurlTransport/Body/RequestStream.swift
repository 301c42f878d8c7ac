/// A type-erased asynchronous sequence of byte chunks.
struct RequestStream: Sendable {
    var length: Int64?
    let isRestartable: Bool

    /// Iterates a new sequence into the window until it ends, fails or the task is cancelled.
    let pump: @Sendable (UploadWindow) async -> Void

    init<Bytes: AsyncSequence & Sendable>(
        length: Int64?,
        isRestartable: Bool,
        _ make: @escaping @Sendable () -> Bytes
    ) where Bytes.Element == [UInt8] {
        self.length = length
        self.isRestartable = isRestartable
        pump = { window in
            do {
                for try await chunk in make() {
                    guard await window.append(chunk) else { return }
                }
                window.finish()
            } catch {
                window.fail(error)
            }
        }
    }
}
