#if Fleet
    import Testing

    @testable import BatchFetchCommand
    @testable import BatchFleet

    /// The lines of `batchfetch fleet status --watch`, without a database.
    @Suite struct FleetBlockTests {
        private let plain = FleetBlock(hasColor: false, isUnicode: false)

        private func status() -> FleetStatus {
            var status = FleetStatus(run: "may", state: .open)
            status.counts = FleetCounts(
                hosts: 500,
                pending: 17_055,
                fetched: 12_342,
                failed: 3,
                leasedHosts: 24
            )
            status.waitingHosts = 2
            var worker = FleetStatus.Worker(id: 1, name: "queue-a")
            worker.hosts = 12
            worker.accepted = 6172
            worker.rate = 617
            worker.unseen = .seconds(2)
            status.workers = [worker]
            worker.id = 2
            worker.unseen = .seconds(28)
            worker.rate = 0
            status.workers.append(worker)
            var host = FleetStatus.Host(name: "api.example.org")
            host.pending = 9876
            host.failed = 3
            host.wait = .seconds(40)
            host.isBroken = true
            status.slowHosts = [host]
            host.name = "b.example.org"
            host.isBroken = false
            host.wait = .zero
            host.owner = 2
            status.slowHosts.append(host)
            return status
        }

        @Test("The lines have counts, rate, estimated end, workers and slow hosts")
        func linesHaveFigures() {
            let lines = plain.lines(for: status(), columns: 80)
            #expect(
                lines == [
                    "may  open",
                    "##################>-------------------------  41 % of 29,400   ETA 28 s",
                    "12,345 done   3 failed   17,055 pending   24 of 500 hosts leased   2 waiting",
                    "617/s in the last minute",
                    "worker               hosts       rate    results   last seen",
                    "queue-a 1               12      617/s      6,172   2 s ago",
                    "queue-a 2               12      0.0/s      6,172   28 s ago",
                    "slowest host       pending     failed   next request",
                    "api.example.org      9,876          3   in 40 s, breaker open",
                    "b.example.org        9,876          3   now, worker 2",
                ],
                "\(lines.joined(separator: "\n"))"
            )
        }

        @Test("No line is longer than the terminal", arguments: [1, 8, 20, 40, 60, 79, 200])
        func linesFit(columns: Int) {
            var status = status()
            status.slowHosts[0].name = String(repeating: "long", count: 30)
            for line in plain.lines(for: status, problem: "no database", columns: columns) {
                #expect(line.count <= max(1, columns - 1), "\(line)")
            }
        }

        @Test("A narrow terminal shows whole numbers or none")
        func numbersAreNotCut() {
            let lines = plain.lines(for: status(), columns: 40)
            #expect(lines[4...5].map(\.count) == [34, 34], "\(lines)")
            #expect(lines[5].hasSuffix(" 617/s") && lines[8].hasSuffix(" 3"), "\(lines)")
        }

        @Test("Colours are used only if wanted, and names can't move the cursor")
        func coloursAreOptional() {
            var status = status()
            status.slowHosts[0].name = "a\u{1B}[2Jb"
            let colored = FleetBlock(hasColor: true, isUnicode: true)
            #expect(!plain.lines(for: status, columns: 80).joined().contains("\u{1B}"))
            let text = colored.lines(for: status, columns: 80).joined()
            #expect(text.contains("\u{1B}[32m12,345\u{1B}[0m"))
            #expect(!text.contains("\u{1B}[2J"))
            #expect(text.contains("━"))
        }

        @Test("Long tables are cut, and workers that have ended aren't shown")
        func tablesAreCut() {
            var status = status()
            let worker = status.workers[0]
            status.workers = (1...30).map { number in
                var worker = worker
                worker.id = number
                worker.hosts = number > 20 ? 0 : 1
                worker.unseen = .seconds(number > 20 ? 90 : 1)
                return worker
            }
            let lines = plain.lines(for: status, columns: 80)
            #expect(lines.contains("and 12 more"))
            #expect(lines.count { $0.hasPrefix("queue-a") } == 8)
        }

        @Test("A paused run has no estimated end, and a run without workers says so")
        func pausedRunHasNoEnd() {
            var status = status()
            status.state = .paused
            #expect(!plain.lines(for: status, columns: 80).joined().contains("ETA"))
            status.workers = []
            #expect(plain.lines(for: status, columns: 80).contains("no worker"))
            #expect(plain.lines(for: nil, problem: "no database", columns: 80) == ["no database"])
        }

        @Test("The line and the JSON have the same counts")
        func lineAndJSONHaveCounts() throws {
            var status = status()
            #expect(
                FleetText.line(status)
                    == "may (open): 12342 fetched, 3 failed, 17055 pending; "
                    + "24 of 500 hosts leased; 617/s, ETA 28 s"
            )
            status.slowHosts.removeLast()
            status.workers.removeLast()
            status.workers[0].age = .milliseconds(61_240)
            let json = try FleetJSON.text(for: status)
            #expect(
                json == """
                    {"eta_seconds":27.6,"failed":3,"fetched":12342,"hosts":500,"leased_hosts":24,\
                    "pending":17055,"rate":617,"run":"may","slow_hosts":[{"breaker_open":true,\
                    "failed":3,"name":"api.example.org","pending":9876,"wait_seconds":40}],"state":"open",\
                    "total":29400,"waiting_hosts":2,"workers":[{"age_seconds":61.2,"hosts":12,\
                    "id":1,"name":"queue-a","rate":617,"results":6172,"unseen_seconds":2}]}
                    """
            )
        }
    }
#endif
