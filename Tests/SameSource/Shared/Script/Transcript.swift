import Foundation
import Synchronization

/// What a program sees, one line for each event, printed as it happens.
final class Transcript: Sendable {
    private let lineCount = Mutex(0)

    func log(_ line: String) {
        lineCount.withLock { count in
            FileHandle.standardOutput.write(Data((line + "\n").utf8))
            count += 1
        }
    }
}
