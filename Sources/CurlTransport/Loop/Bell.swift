internal import Curl

/// Wakes a thread. Whoever is about to ring holds it, so that its descriptor isn't another's by then.
final class Bell: Sendable {
    let wakeup: Wakeup

    init() throws(SystemFailure) {
        wakeup = try Wakeup()
    }
}
