import Posix
import Synchronization

/// Holds the results of bodies in archives that aren't in object storage yet.
///
/// A result must not exist before its body is safe. Archives are uploaded one after another while
/// the next one is written.
final class HeldResults: Sendable {
    /// How many archives are uploaded, or wait for that, while another one is written.
    private static let maximumUploads = 2

    private struct State: Sendable {
        /// The results of archives that aren't stored, by name.
        var held: [String: [BatchResult]] = [:]
        /// How the upload of an archive ended.
        var endings: [String: Ending] = [:]
        /// Results that can be taken.
        var ready: [BatchResult] = []
        var uploadCount = 0
        var failure: BatchFailure?
        var onEnd: (@Sendable (BatchFailure?) -> Void)?
    }

    private enum Ending: Sendable {
        case stored
        case failed(BatchFailure)

        var failure: BatchFailure? {
            if case .failed(let failure) = self { failure } else { nil }
        }
    }

    private let state = Mutex(State())
    private let wakeup: Wakeup

    init() throws(BatchFailure) {
        do throws(SystemFailure) {
            wakeup = try Wakeup()
        } catch {
            throw BatchFailure(.resources, "\(error)")
        }
    }

    /// Sets what is called when an archive is stored, or with the reason if it can't be.
    func onEnd(_ notify: @escaping @Sendable (BatchFailure?) -> Void) {
        state.withLock { $0.onEnd = notify }
    }

    /// Holds the results of archives that aren't stored, and returns all others.
    func release(adding results: [BatchResult]) -> [BatchResult] {
        state.withLock { state in
            var released = state.ready
            state.ready = []
            for result in results {
                guard let shard = result.shard else {
                    released.append(result)
                    continue
                }
                if let ending = state.endings[shard] {
                    released.append(result.ended(ending.failure))
                } else {
                    state.held[shard, default: []].append(result)
                }
            }
            return released
        }
    }

    /// Counts one more upload, and blocks while there are too many.
    ///
    /// For one thread at a time.
    func beginUpload() {
        while true {
            let mayBegin = state.withLock { state in
                guard state.uploadCount < Self.maximumUploads else { return false }
                state.uploadCount += 1
                return true
            }
            if mayBegin { return }
            wakeup.wait(until: nil)
        }
    }

    /// Releases the results of an archive whose upload has ended.
    func endUpload(of shard: String, _ failure: BatchFailure?) {
        end(shard, failure, uploads: 1)
    }

    /// Releases the results of an archive that is stored, or never will be.
    func end(_ shard: String, _ failure: BatchFailure?) {
        end(shard, failure, uploads: 0)
    }

    private func end(_ shard: String, _ failure: BatchFailure?, uploads: Int) {
        let notify = state.withLock { state in
            // Together: `waitForUploads` returns when no upload is left, and the failure counts then.
            state.uploadCount -= uploads
            state.endings[shard] = failure.map { .failed($0) } ?? .stored
            state.failure = state.failure ?? failure
            let results = state.held.removeValue(forKey: shard) ?? []
            state.ready += results.map { $0.ended(failure) }
            return state.onEnd
        }
        wakeup.signal()
        notify?(failure)
    }

    /// Blocks until no upload is left; returns the first failure.
    func waitForUploads() -> BatchFailure? {
        while true {
            let (count, failure) = state.withLock { ($0.uploadCount, $0.failure) }
            if count == 0 { return failure }
            wakeup.wait(until: nil)
        }
    }
}

extension BatchResult {
    /// The result after the upload of its archive.
    fileprivate func ended(_ failure: BatchFailure?) -> BatchResult {
        guard let failure else { return self }
        var result = self
        result.failure = result.failure ?? failure
        result.shard = nil
        result.shardOffset = nil
        return result
    }
}
