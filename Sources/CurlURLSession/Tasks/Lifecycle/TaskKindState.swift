internal import CurlTransport
internal import Foundation

/// The kind of a task, with the state that only tasks of this kind have.
enum TaskKindState: Sendable {
    case data
    case upload(UploadState)
    case download(DownloadState)
    // Indirect, because each task has room for the largest case, and most have no such connection.
    indirect case webSocket(TaskWebSocket)
    indirect case stream(TaskStream)

    var isData: Bool {
        if case .data = self { true } else { false }
    }

    var isUpload: Bool {
        if case .upload = self { true } else { false }
    }

    var isDownload: Bool {
        if case .download = self { true } else { false }
    }

    var isWebSocket: Bool {
        if case .webSocket = self { true } else { false }
    }

    /// Takes the connection of a task that has ended, once. `nil` for tasks without one.
    mutating func takeAbandoned() -> (any TaskConnection)? {
        if let webSocket, !webSocket.isAbandoned {
            self.webSocket?.noteAbandoning()
            return webSocket.connection
        }
        if let stream, !stream.isAbandoned {
            self.stream?.isAbandoned = true
            return stream.connection
        }
        return nil
    }
}

// The state of each kind; `nil` for tasks of other kinds. Setting it to `nil` has no effect.

extension TaskKindState {
    var upload: UploadState? {
        get { if case .upload(let upload) = self { upload } else { nil } }
        set { if let newValue { self = .upload(newValue) } }
    }

    var download: DownloadState? {
        get { if case .download(let download) = self { download } else { nil } }
        set { if let newValue { self = .download(newValue) } }
    }

    var webSocket: TaskWebSocket? {
        get { if case .webSocket(let webSocket) = self { webSocket } else { nil } }
        set { if let newValue { self = .webSocket(newValue) } }
    }

    var stream: TaskStream? {
        get { if case .stream(let stream) = self { stream } else { nil } }
        set { if let newValue { self = .stream(newValue) } }
    }
}

/// A connection with pending reads or writes of a task's owner.
protocol TaskConnection: Sendable {
    /// Ends the connection at once; pending calls fail.
    func cancel()
}

extension WebSocketConnection: TaskConnection {}
