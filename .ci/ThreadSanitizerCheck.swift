// Two threads count together, under a `Mutex` or, when told to `race`, under none. The thread
// sanitizer must find fault with the second alone.

import Glibc
import Synchronization

final class Guarded: Sendable {
    let count = Mutex(0)
}

final class Unguarded: @unchecked Sendable {
    var count = 0
}

let guarded = Guarded()
let unguarded = Unguarded()
let isRace = CommandLine.arguments.contains("race")
let threads = (0..<2).map { _ in
    var thread = pthread_t()
    pthread_create(
        &thread,
        nil,
        { _ in
            for turn in 0..<100_000 {
                if isRace { unguarded.count += 1 }
                // Held across a pause now and then, so that the other thread has to wait.
                guarded.count.withLock { count in
                    if !isRace { count += 1 }
                    if turn % 1000 == 0 { usleep(10) }
                }
                if isRace { unguarded.count += 1 }
            }
            return nil
        },
        nil
    )
    return thread
}
for thread in threads { pthread_join(thread, nil) }
print(isRace ? unguarded.count : guarded.count.withLock { $0 })
