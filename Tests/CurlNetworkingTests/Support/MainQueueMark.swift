internal import Dispatch

/// Recognises the main queue, which needn't run on the main thread.
enum MainQueueMark {
    private static let key = DispatchSpecificKey<Bool>()

    private static let isMarked: Bool = {
        DispatchQueue.main.setSpecific(key: key, value: true)
        return true
    }()

    static var isOnMainQueue: Bool {
        isMarked && DispatchQueue.getSpecific(key: key) == true
    }
}
