import Curl

/// Jobs that wait on the disk, so that a host of which there are many doesn't fill the room of all
/// others: hosts take turns, and each gives its jobs in their order.
///
/// The first 1,024 hosts have a lane each. All others share 1,024 buckets, by a hash of the host; what
/// comes to a bucket's front and can't be taken because its host has its share already goes to a lane, so
/// that it holds up nobody behind it. A host's order stays, because what comes for a bucket that isn't
/// empty joins it, and what leaves a bucket joins its host's lane, if there is one. For one thread at
/// a time; calls may wait for the disk.
struct Frontier: ~Copyable, Sendable {
    static let laneLimit = 1024
    static let bucketCount = 1024
    /// How many queues, and jobs of each, are looked at together.
    private static let portion = 64
    private static let share = 16

    private var file: BlockFile
    /// The buckets, and behind them the lanes.
    private var queues = [FrontierQueue](repeating: FrontierQueue(), count: bucketCount)
    private var lanes: [String: Int] = [:]
    private var unusedLanes: [Int] = []
    /// The queues that may have something to give.
    private var ready = RingQueue<Int>()
    /// Those of them that have been asked for now.
    private var current: [Int] = []
    /// How many jobs there are.
    private(set) var count = 0

    init(_ file: consuming BlockFile) {
        self.file = file
    }

    var isEmpty: Bool { count == 0 }

    /// Whether something may be there for hosts that have room.
    var hasReady: Bool { !ready.isEmpty }

    /// Takes a job. It is kept also where this throws.
    mutating func append(_ job: FetchJob) throws(FileError) {
        let key = job.place.hostKey
        let bucket = Self.bucket(of: key)
        count += 1
        let index = queues[bucket].isEmpty ? lane(of: key) ?? bucket : bucket
        try put(job, in: index)
    }

    /// These hosts have room again.
    mutating func wake(_ hosts: [String]) {
        for host in hosts { makeReady(lanes[host] ?? Self.bucket(of: host)) }
    }

    /// The hosts, perhaps some more than once, of which there may be something: for
    /// ``take(_:upTo:)``, which has to follow.
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
    ///   - room: How many of each host may be taken.
    ///   - limit: How many may be taken in all, but for a few.
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
                    // It is kept in memory, and what is read makes room for what is to come.
                }
            } else {
                // Until that host has room.
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

    /// A host's lane, which is made if there may be one more.
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
