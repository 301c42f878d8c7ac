internal import BatchFetch
internal import Posix

/// Results that the database hasn't taken yet, on disk.
extension FleetWorker {
    private func warn(_ text: String) { configuration.onWarning?(text) }

    /// Finds the results that workers which have died kept.
    func findKept() async {
        guard let journal else { return }
        do throws(FileError) {
            try await journal.findFiles()
        } catch {
            warn("kept results can't be read: \(error)")
        }
    }

    /// Moves the results that aren't stored yet to disk, so that they outlive this process.
    func keep(_ state: inout WorkerState, after error: FleetError) async {
        if !state.isAway {
            let place = journal.map { "in the folder \($0.folder)" } ?? "in memory"
            warn("\(error); results are kept \(place) until the database takes them")
        }
        state.isAway = true
        guard let journal, !state.report.completions.isEmpty || !state.report.moves.isEmpty else {
            return
        }
        do throws(FleetError) {
            try await synchronizeBodies(&state)
        } catch {
            return warn("\(error); their URLs are fetched again")
        }
        do throws(FileError) {
            try await journal.append(state.report)
            meter.kept(state.report.completions.count + state.report.moves.count)
            state.report.completions = []
            state.report.moves = []
        } catch {
            if !state.hasDiskWarning { warn("results are kept in memory only: \(error)") }
            state.hasDiskWarning = true
        }
    }

    /// Stores the results that are on disk. Those whose lease is lost are dropped: their URLs are
    /// fetched again.
    func deliverKept(_ state: inout WorkerState) async throws(FleetError) {
        guard let journal, !journal.isEmpty else { return }
        var (stored, dropped) = (0, 0)
        while let portion = await nextKept(journal) {
            let held = try await store.accept(portion.report, of: run, from: state.worker)
            state.isAway = false
            journal.skip(portion)
            let (completions, moves) = (portion.report.completions, portion.report.moves)
            let leases = completions.map(\.lease) + moves.map(\.lease)
            let count = leases.count { held.contains($0) }
            stored += count
            dropped += leases.count - count + portion.damaged
        }
        meter.storedKept()
        guard stored + dropped > 0 else { return }
        var text = "the database has taken \(stored) kept results"
        if dropped > 0 {
            text +=
                "; \(dropped) more came too late and are dropped, so URLs that had no result are "
                + "fetched again"
        }
        warn(text)
    }

    /// The next results on disk. A file that can't be read stays there.
    private func nextKept(_ journal: ReportJournal) async -> ReportFile.Portion? {
        while !journal.isEmpty {
            do throws(FileError) {
                return try await journal.next()
            } catch {
                warn("kept results can't be read: \(error)")
                journal.skipFile()
            }
        }
        return nil
    }
}
