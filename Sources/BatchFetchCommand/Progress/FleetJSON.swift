import FoundationEssentials

#if Fleet
    import BatchFleet

    /// The status of a run as JSON, for programs.
    enum FleetJSON {
        /// One line with sorted keys.
        static func text(for status: FleetStatus) throws -> String {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return String(decoding: try encoder.encode(Object(status)), as: UTF8.self)
        }

        /// A number with one decimal.
        private static func rounded(_ number: Double) -> Double { (number * 10).rounded() / 10 }

        private static func seconds(_ duration: Duration) -> Double {
            rounded(duration / .seconds(1))
        }

        private struct Object: Encodable {
            enum CodingKeys: String, CodingKey {
                case run, state, hosts, pending, fetched, failed, total, rate, workers
                case leasedHosts = "leased_hosts"
                case waitingHosts = "waiting_hosts"
                case remaining = "eta_seconds"
                case slowHosts = "slow_hosts"
            }

            let run: String
            let state: String
            let hosts: Int
            let leasedHosts: Int
            let waitingHosts: Int
            let pending: Int
            let fetched: Int
            let failed: Int
            let total: Int
            let rate: Double
            /// Not encoded if unknown.
            let remaining: Double?
            let workers: [WorkerObject]
            let slowHosts: [HostObject]

            init(_ status: FleetStatus) {
                run = status.run
                state = status.state.rawValue
                hosts = status.counts.hosts
                leasedHosts = status.counts.leasedHosts
                waitingHosts = status.waitingHosts
                pending = status.counts.pending
                fetched = status.counts.fetched
                failed = status.counts.failed
                total = status.total
                rate = rounded(status.rate)
                remaining = status.state == .open ? status.remaining.map { seconds($0) } : nil
                workers = status.workers.map { WorkerObject($0) }
                slowHosts = status.slowHosts.map { HostObject($0) }
            }
        }

        private struct WorkerObject: Encodable {
            enum CodingKeys: String, CodingKey {
                case id, name, hosts, results, rate
                case age = "age_seconds"
                case unseen = "unseen_seconds"
            }

            let id: Int
            let name: String
            let hosts: Int
            let results: Int
            let rate: Double
            let age: Double
            let unseen: Double

            init(_ worker: FleetStatus.Worker) {
                id = worker.id
                name = worker.name
                hosts = worker.hosts
                results = worker.accepted
                rate = rounded(worker.rate)
                age = seconds(worker.age)
                unseen = seconds(worker.unseen)
            }
        }

        private struct HostObject: Encodable {
            enum CodingKeys: String, CodingKey {
                case name, pending, failed, worker
                case isBroken = "breaker_open"
                case wait = "wait_seconds"
            }

            let name: String
            let pending: Int
            let failed: Int
            let wait: Double
            /// Not encoded if no worker holds the host.
            let worker: Int?
            let isBroken: Bool

            init(_ host: FleetStatus.Host) {
                name = host.name
                pending = host.pending
                failed = host.failed
                wait = seconds(host.wait)
                worker = host.owner
                isBroken = host.isBroken
            }
        }
    }
#endif
