package import Foundation
internal import Synchronization

// `@unchecked Sendable`: its one stored property is constant, and of a type that the compiler
// proves to be `Sendable`. The methods here use nothing else, and those of the superclass may be
// called on any thread. Foundation declares `OperationQueue` unchecked, so that a subclass must
// say the same.
/// A serial delegate queue that counts all of its work, also barrier blocks.
///
/// `operationCount` leaves barrier blocks out. Sessions and managers create this queue for
/// themselves.
package final class DelegateQueue: OperationQueue, @unchecked Sendable {
    private let barriers: BarrierCount

    /// Creates a queue that runs one operation at a time.
    package override init() {
        barriers = BarrierCount()
        super.init()
        maxConcurrentOperationCount = 1
    }

    /// The number of operations and barrier blocks in the queue, also those that run.
    var workCount: Int { operationCount + barriers.value.load(ordering: .acquiring) }

    /// Adds a block that runs after the earlier operations, and before the later ones.
    ///
    /// If the program cancels the block, it stays counted: then calls share no operation any more.
    package override func addBarrierBlock(_ barrier: @escaping @Sendable () -> Void) {
        barriers.value.add(1, ordering: .acquiringAndReleasing)
        super.addBarrierBlock { [barriers] in
            barrier()
            barriers.value.subtract(1, ordering: .acquiringAndReleasing)
        }
    }
}

/// The number of barrier blocks that haven't run.
private final class BarrierCount: Sendable {
    let value = Atomic(0)
}
