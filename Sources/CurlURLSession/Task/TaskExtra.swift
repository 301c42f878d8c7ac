/// What tasks of some kinds have beside what every task has. On the heap, for most tasks have none.
indirect enum TaskExtra: Sendable {
    case webSocket(TaskWebSocket)
    case stream(TaskStream)
}

extension TaskState {
    /// `nil` for other tasks, and for those of no session.
    var webSocket: TaskWebSocket? {
        get { if case .webSocket(let webSocket) = extra { webSocket } else { nil } }
        set { extra = newValue.map { .webSocket($0) } }
    }

    /// `nil` for other tasks, and for those of no session.
    var stream: TaskStream? {
        get { if case .stream(let stream) = extra { stream } else { nil } }
        set { extra = newValue.map { .stream($0) } }
    }
}
