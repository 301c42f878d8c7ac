import BatchFetch

#if Fleet
    import BatchFleet

    extension PrometheusText {
        /// The page of a worker of a fleet: its run, its leases, and its database.
        static func page(
            for summary: BatchSummary,
            _ worker: WorkerFigures,
            _ database: DatabaseFigures
        ) -> String {
            var page = page(for: summary)
            for (name, kind, help, value) in [
                ("leased_hosts", "gauge", "Hosts that the worker holds.", worker.leasedHosts),
                (
                    "urls_in_hand", "gauge",
                    "URLs that the worker has got from the queue and that have no result.",
                    worker.urlsInHand
                ),
                (
                    "unstored_results", "gauge",
                    "Results and redirects that the database doesn't have yet.", worker.unstored
                ), ("lease_renewals_total", "counter", "Renewals of all leases.", worker.renewals),
                (
                    "lease_losses_total", "counter",
                    "Losses of leases, after which the worker aborted its requests.",
                    worker.leaseLosses
                ),
                (
                    "database_up", "gauge",
                    "1 if the database answered the last request, 0 otherwise.",
                    database.isAvailable == true ? 1 : 0
                ),
                (
                    "database_outages_total", "counter",
                    "Requests that found no database or lost it before the answer.",
                    database.outages
                ),
                (
                    "database_refusals_total", "counter", "Requests that the database refused.",
                    database.refusals
                ),
            ] {
                add("fleet_\(name)", kind, help, to: &page) { [("", "\(value)")] }
            }
            let help = "Duration of requests to the database in seconds."
            add("fleet_database_seconds", "summary", help, to: &page) { [] }
            page += "batchfetch_fleet_database_seconds_sum \(seconds(database.duration))\n"
            page += "batchfetch_fleet_database_seconds_count \(database.requests)\n"
            return page
        }
    }
#endif
