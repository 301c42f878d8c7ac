internal import Dispatch

/// Tells the main queue from others. Its thread needn't be the main one.
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
