internal import CTestSupport
internal import Glibc

/// Waits for what other processes do in folders, as the kernel tells of it.
package enum FolderWatch {
    /// How long a cancelled task may go on waiting, in milliseconds.
    private static let patience: Int32 = 1000

    /// Returns when `condition` holds, which is asked, on a thread of its own, whenever something has
    /// changed in one of the folders. They needn't be there yet where the folder above is watched too.
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
            // What is done after this is told.
            for folder in folders { ts_folder_watch_add(watch, folder) }
            if condition() { return }
            var event = ts_event()
            ts_poll(poller, &event, 1, patience)
            ts_folder_watch_clear(watch)
        }
    }
}
