/// Lets a body flow again that a sink had paused. Any thread.
protocol FlowControl: Sendable {
    func resumeReceiving()
}
