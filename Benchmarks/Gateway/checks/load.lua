-- Every fourth response takes a quarter of a second, so that some are in flight at any moment.
local count = 0

function request()
    count = count + 1
    if count % 4 == 0 then
        return wrk.format("GET", "/load/slow")
    end
    return wrk.format("GET", "/load/1k")
end

function done(summary, latency, requests)
    io.write(string.format(
        "wrk: completed %d, failed %d, timeouts %d, p99 %d us\n",
        summary.requests,
        summary.errors.status,
        summary.errors.timeout,
        latency:percentile(99.0)
    ))
end
