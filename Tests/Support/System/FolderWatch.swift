internal import CTestSupport
internal import Glibc

/// Waits for other processes' changes in folders, which the kernel reports.
package enum FolderWatch {
    /// How long a cancelled task may continue to wait, in milliseconds.
    private static let patience: Int32 = 1000

    /// Returns when `condition` holds. A separate thread checks it after every change in one of the
    /// folders. A folder needn't exist yet if its parent is watched too.
    package static func wait(
        in folders: [String],
        until condition: @escaping @Sendable () -> Bool
    ) async throws {
        let isCancelled = Watched(false)
        try await withTaskCancellationHandler {
            try await NativeThread.run("folder watch") {
                try wait(in: folders) { isCancelled.read { $0 } || condition() }
            }
        } onCancel: {
            isCancelled.update { $0 = true }
        }
        try Task.checkCancellation()
    }

    private static func wait(in folders: [String], until condition: () -> Bool) throws {
        let watch = ts_folder_watch()
        guard watch >= 0 else { throw SystemError("inotify_init1") }
        defer { close(watch) }
        let poller = ts_poller()
        guard poller >= 0 else { throw SystemError("epoll_create1") }
        defer { close(poller) }
        guard ts_watch(poller, watch, ts_readable, 0) >= 0 else { throw SystemError("epoll_ctl") }
        while true {
            // Changes after this line are reported.
            for folder in folders { ts_folder_watch_add(watch, folder) }
            if condition() { return }
            var event = ts_event()
            ts_poll(poller, &event, 1, patience)
            ts_folder_watch_clear(watch)
        }
    }
}
