#if Fleet
    import BatchFetch
    import Testing

    @testable import BatchFetchCommand
    @testable import BatchFleet

    /// The metrics of a worker of a fleet.
    @Suite struct PrometheusFleetTests {
        @Test("A worker's page has its leases, its URLs and its database after the run's metrics")
        func pageHasWorkerAndDatabase() {
            var worker = WorkerFigures()
            worker.leasedHosts = 3
            worker.urlsInHand = 40
            worker.unstoredInMemory = 3
            worker.unstoredOnDisk = 2
            worker.renewals = 6
            worker.leaseLosses = 1
            var database = DatabaseFigures()
            database.add(nil, after: .milliseconds(250))
            database.add(FleetError(.statement, "no"), after: .milliseconds(250))
            database.add(FleetError(.connectionLost, "gone"), after: .seconds(1))
            let page = PrometheusText.page(for: BatchSummary(), worker, database)
            #expect(page.hasPrefix(PrometheusText.page(for: BatchSummary())))
            let lines = page.split(separator: "\n").filter { $0.hasPrefix("batchfetch_fleet_") }
            #expect(
                lines == [
                    "batchfetch_fleet_leased_hosts 3", "batchfetch_fleet_urls_in_hand 40",
                    "batchfetch_fleet_unstored_results 5",
                    "batchfetch_fleet_lease_renewals_total 6",
                    "batchfetch_fleet_lease_losses_total 1", "batchfetch_fleet_database_up 0",
                    "batchfetch_fleet_database_outages_total 1",
                    "batchfetch_fleet_database_refusals_total 1",
                    "batchfetch_fleet_database_seconds_sum 1.5",
                    "batchfetch_fleet_database_seconds_count 3",
                ]
            )
            #expect(page.contains("# TYPE batchfetch_fleet_database_seconds summary\n"))
            #expect(page.contains("# TYPE batchfetch_fleet_lease_losses_total counter\n"))
        }

        @Test("The database is up after an answer, and its closing by the owner isn't counted")
        func databaseIsUpAfterAnswer() {
            var database = DatabaseFigures()
            #expect(database.isAvailable == nil)
            database.add(FleetError(.unreachable, "no server"), after: .zero)
            #expect(database.isAvailable == false)
            database.add(FleetError(.statement, "refused"), after: .zero)
            #expect(database.isAvailable == true)
            database.add(FleetError(.closed, "closed"), after: .zero)
            #expect(database.requests == 2 && database.outages == 1 && database.refusals == 1)
        }
    }
#endif
