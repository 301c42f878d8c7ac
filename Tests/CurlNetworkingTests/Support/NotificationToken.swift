internal import Foundation

/// Observes notifications as long as it lives.
///
/// `@unchecked Sendable`: its one constant is a token, which is only handed back, and that may be done on any
/// thread.
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
