/// What the feeder of jobs that wait on the disk asks, and is told.
extension RunState {
    mutating func takeFrontierCall() -> FrontierCall {
        let room = hasRoom ? configuration.lookAhead - waitingCount : 0
        return FrontierCall(room: room, hosts: queues.takeDemand())
    }

    func room(for hosts: [String]) -> [String: Int] {
        Dictionary(hosts.map { ($0, queues.room(for: $0)) }, uniquingKeysWith: { $1 })
    }

    /// The feeder is about to wait; false if it needn't.
    mutating func waitForFrontierCall(orRoom: Bool) -> Bool {
        frontierWait = orRoom ? .room : .hosts
        return !isStopping && !endFrontierWait()
    }

    /// Whether the feeder waits for what there is now: then it is to be woken.
    mutating func endFrontierWait() -> Bool {
        let isOver =
            switch frontierWait {
            case .nothing: false
            case .hosts: queues.hasDemand
            case .room: queues.hasDemand || hasRoom
            }
        if isOver { frontierWait = .nothing }
        return isOver
    }
}
