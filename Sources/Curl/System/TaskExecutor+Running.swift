extension TaskExecutor {
    /// Runs a job on the calling thread, which is one of this executor's.
    package func run(_ job: UnownedJob) {
        unsafe job.runSynchronously(on: asUnownedTaskExecutor())
    }
}
