internal import Foundation

// `@unchecked Sendable`: its only constant is a token, which is only passed back, and any thread may
// do that.
/// Observes notifications until it is released.
final class NotificationToken: @unchecked Sendable {
    private let token: any NSObjectProtocol

    init(
        _ name: Notification.Name,
        object: AnyObject?,
        _ body: @escaping @Sendable (Notification) -> Void
    ) {
        token = NotificationCenter.default.addObserver(
            forName: name,
            object: object,
            queue: nil,
            using: body
        )
    }

    deinit { NotificationCenter.default.removeObserver(token) }
}
