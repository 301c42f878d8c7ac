/// How fast a count grows: a mean over the last few seconds in which old growth counts less and
/// less. Pure: the time comes as an argument.
struct RateMeter: Sendable {
    /// Growth this old, in seconds, counts a third of growth now.
    private let memory: Double

    private var lastCount: Double?
    private var lastTime = 0.0
    private var weight = 0.0
    private var growth = 0.0

    init(memory: Double = 3) {
        self.memory = memory
    }

    /// Takes the count at `seconds`, and returns the rate per second.
    mutating func rate(count: Double, at seconds: Double) -> Double {
        guard let before = lastCount else {
            lastCount = count
            lastTime = seconds
            return 0
        }
        let elapsed = seconds - lastTime
        guard elapsed > 0 else { return weight > 0 ? growth / weight : 0 }
        // 1/(1+x) falls as e^-x does where x is small, and needs no library.
        let fade = 1 / (1 + elapsed / memory)
        growth = growth * fade + max(0, count - before)
        weight = weight * fade + elapsed
        lastCount = count
        lastTime = seconds
        return growth / weight
    }
}
