internal import DequeModule
import Posix

/// The queue of jobs on disk.
///
/// Hosts are served round-robin, so a host with many jobs doesn't block the others. Each host's
/// jobs keep their order. Each of the first 1,024 hosts has its own queue, a lane. All other hosts
/// share 1,024 buckets, chosen by a hash of the host. A job at the front of a bucket whose host is
/// at its limit moves to the lane of its host, so that it doesn't block the jobs behind it. A
/// host's order is kept, because a job for a non-empty bucket joins it, and a job that leaves a
/// bucket joins its host's lane, if there is one.
///
/// For one thread at a time; calls may block on the disk.
struct Frontier: ~Copyable, Sendable {
    static let laneLimit = 1024
    static let bucketCount = 1024
    /// How many queues to look at together. `share` is the number of jobs of each.
    private static let portion = 64
    private static let share = 16

    private var file: BlockFile
    /// The buckets, followed by the lanes.
    private var queues = [FrontierQueue](repeating: FrontierQueue(), count: bucketCount)
    private var lanes: [String: Int] = [:]
    private var unusedLanes: [Int] = []
    /// The queues that may have a job to start.
    private var ready = Deque<Int>()
    /// The queues that ``candidates()`` has chosen for the next ``take(_:upTo:)``.
    private var current: [Int] = []
    /// The number of jobs.
    private(set) var count = 0

    init(_ file: consuming BlockFile) {
        self.file = file
    }

    var isEmpty: Bool { count == 0 }

    /// Adds a job. Keeps it in memory if writing throws.
    mutating func append(_ job: FetchJob) throws(FileError) {
        let key = job.place.hostKey
        let bucket = Self.bucket(of: key)
        count += 1
        let index = queues[bucket].isEmpty ? lane(of: key) ?? bucket : bucket
        try put(job, in: index)
    }

    /// Marks hosts that have room again.
    mutating func wake(_ hosts: [String]) {
        for host in hosts { makeReady(lanes[host] ?? Self.bucket(of: host)) }
    }

    /// Returns hosts that may have jobs, possibly with repetitions.
    ///
    /// A call of ``take(_:upTo:)`` must follow.
    mutating func candidates() throws(FrontierDamage) -> [String] {
        while current.count < Self.portion, let index = ready.popFirst() {
            queues[index].isReady = false
            current.append(index)
        }
        var hosts: [String] = []
        for index in current {
            if let host = queues[index].host {
                hosts.append(host)
                continue
            }
            while queues[index].front.count < Self.share, let job = try next(of: index) {
                queues[index].front.append(job)
            }
            hosts += queues[index].front.map(\.place.hostKey)
        }
        return hosts
    }

    /// Removes and returns jobs of the candidates.
    ///
    /// - Parameters:
    ///   - room: The maximum number of jobs for each host.
    ///   - limit: The maximum number of jobs in all; a few more are possible.
    mutating func take(
        _ room: [String: Int],
        upTo limit: Int
    ) throws(FrontierDamage) -> [FetchJob] {
        var room = room
        var jobs: [FetchJob] = []
        let asked = current
        current = []
        for index in asked {
            if jobs.count >= limit {
                makeReady(index)
            } else if let host = queues[index].host {
                try takeLane(index, host, &room, &jobs)
            } else {
                try takeBucket(index, &room, &jobs)
            }
        }
        count -= jobs.count
        return jobs
    }

    private mutating func takeLane(
        _ index: Int,
        _ host: String,
        _ room: inout [String: Int],
        _ jobs: inout [FetchJob]
    ) throws(FrontierDamage) {
        var left = room[host] ?? 0
        var taken = 0
        while left > 0, taken < Self.share, let job = try next(of: index) {
            jobs.append(job)
            left -= 1
            taken += 1
        }
        room[host] = left
        if queues[index].isEmpty {
            lanes[host] = nil
            unusedLanes.append(index)
            queues[index] = FrontierQueue()
        } else if left > 0 {
            makeReady(index)
        }
    }

    private mutating func takeBucket(
        _ index: Int,
        _ room: inout [String: Int],
        _ jobs: inout [FetchJob]
    ) throws(FrontierDamage) {
        while let job = queues[index].front.first {
            let host = job.place.hostKey
            let left = room[host] ?? 0
            if lanes[host] == nil, left > 0 {
                room[host] = left - 1
                jobs.append(job)
            } else if let lane = lane(of: host) {
                do throws(FileError) {
                    try put(job, in: lane)
                } catch {
                    // The job is kept in memory, and the blocks that were read make room for new
                    // ones.
                }
            } else {
                // The bucket waits until this host has room.
                return
            }
            queues[index].front.removeFirst()
        }
        makeReady(index)
    }

    // MARK: Queues

    private static func bucket(of host: String) -> Int {
        Int(UInt(bitPattern: host.hashValue) % UInt(bucketCount))
    }

    /// Returns the lane of a host. Creates one if the limit allows it.
    private mutating func lane(of host: String) -> Int? {
        if let lane = lanes[host] { return lane }
        guard lanes.count < Self.laneLimit else { return nil }
        let index: Int
        if let unused = unusedLanes.popLast() {
            index = unused
        } else {
            index = queues.count
            queues.append(FrontierQueue())
        }
        queues[index].host = host
        lanes[host] = index
        return index
    }

    private mutating func put(_ job: FetchJob, in index: Int) throws(FileError) {
        let isFirst = job.target.details.map { $0.request.priority > 0 } ?? false
        let wasEmpty = queues[index].isEmpty
        defer { if wasEmpty { makeReady(index) } }
        try queues[index].append(JobCodec.record(job), isFirst: isFirst, to: &file)
    }

    private mutating func next(of index: Int) throws(FrontierDamage) -> FetchJob? {
        guard let record = try queues[index].popFirst(from: &file) else { return nil }
        guard let job = JobCodec.job(record) else { throw FrontierDamage(reason: nil) }
        return job
    }

    private mutating func makeReady(_ index: Int) {
        guard !queues[index].isReady, !queues[index].isEmpty else { return }
        queues[index].isReady = true
        ready.append(index)
    }
}

/// The jobs of one host (a lane), or of a bucket's hosts.
struct FrontierQueue: Sendable {
    /// The host of a lane; `nil` for a bucket.
    var host: String?
    /// Whether the queue is in the frontier's list of ready queues.
    var isReady = false
    /// Jobs that were decoded from the front of a bucket.
    var front: [FetchJob] = []
    /// The jobs with priority, which come before the other jobs.
    private var first = RecordChain()
    private var rest = RecordChain()

    var isEmpty: Bool { front.isEmpty && first.isEmpty && rest.isEmpty }

    mutating func append(
        _ record: [UInt8],
        isFirst: Bool,
        to file: inout BlockFile
    ) throws(FileError) {
        if isFirst {
            try first.append(record, to: &file)
        } else {
            try rest.append(record, to: &file)
        }
    }

    /// Removes and returns the next record after ``front``.
    mutating func popFirst(from file: inout BlockFile) throws(FrontierDamage) -> [UInt8]? {
        try first.isEmpty ? rest.popFirst(from: &file) : first.popFirst(from: &file)
    }
}

/// A run's request for jobs from its frontier, the queue on disk.
struct FrontierCall: Sendable {
    /// The number of jobs that the run has room for.
    var room: Int
    /// The hosts that had no room and have some now.
    var hosts: [String]
}

/// What the feeder of a frontier is waiting for.
enum FrontierWait: Sendable {
    case nothing
    /// A host with room.
    case hosts
    /// A host with room, or room in the whole run.
    case room
}
