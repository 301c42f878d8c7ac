import BatchFetch
internal import FoundationEssentials

/// The style sheet of a report.
enum ReportStyle {
    /// The sheet's SHA-256 in Base64, for the Content-Security-Policy.
    ///
    /// Browsers then apply no other sheet (CSP Level 3, 2.3.1).
    static var digest: String {
        let digest = RunningDigest(.sha256)
        let bytes = Array("\(sheet)".utf8)
        digest.update(bytes.span)
        return Data(digest.finish()).base64EncodedString()
    }

    /// The style sheet, for light and dark mode.
    ///
    /// The colours are distinguishable with colour-vision deficiency; percentiles also differ by
    /// their dashes.
    static let sheet: StaticString = """

        :root {
          color-scheme: light dark;
          --paper: #f6f7f9; --sheet: #ffffff; --ink: #1b2330; --soft: #5a6576; --rule: #e1e5eb;
          --fetched: #2f6fce; --existing: #93a4b8; --bytes: #1d8a6d;
          --failed-1: #d1492e; --failed-2: #e08a3c; --failed-3: #a8325e; --failed-4: #8a6d1f;
          --failed-5: #6b5f5a; --p50: #2f6fce; --p90: #1d8a6d; --p99: #c2452d; --track: #e9edf2;
        }
        @media (prefers-color-scheme: dark) {
          :root {
            --paper: #12161d; --sheet: #1a2029; --ink: #e6eaf0; --soft: #9aa6b6; --rule: #2c3440;
            --fetched: #6aa3f5; --existing: #6d7c90; --bytes: #4fc3a1;
            --failed-1: #f07a5f; --failed-2: #f0ad66; --failed-3: #e07ba3; --failed-4: #d3b75a;
            --failed-5: #a39a95; --p50: #6aa3f5; --p90: #4fc3a1; --p99: #f07a5f; --track: #2a323d;
          }
        }
        * { box-sizing: border-box; }
        body {
          margin: 0 auto; padding: 2.5rem 1.25rem 3rem; max-width: 64rem; background: var(--paper);
          color: var(--ink); font: 15px/1.5 system-ui, "Segoe UI", Roboto, "Helvetica Neue", Arial,
          "DejaVu Sans", sans-serif; overflow-wrap: anywhere;
        }
        header { margin-bottom: 1.75rem; }
        h1 { font-size: 1.75rem; line-height: 1.2; margin: 0 0 .35rem; letter-spacing: -.01em; }
        h2 { font-size: 1.1rem; margin: 0 0 1rem; }
        p { margin: 0 0 .75rem; max-width: 46rem; }
        .kind { margin: 0 0 .25rem; color: var(--soft); font-size: .8rem; font-weight: 600;
          letter-spacing: .08em; text-transform: uppercase; }
        .when, .note, figcaption, footer, caption { color: var(--soft); }
        .when { margin: 0; }
        .note, figcaption, footer, caption { font-size: .875rem; }
        section { background: var(--sheet); border: 1px solid var(--rule); border-radius: 10px;
          padding: 1.25rem 1.4rem 1.1rem; margin-bottom: 1.25rem; }
        section > :last-child { margin-bottom: 0; }
        .cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); gap: .9rem;
          background: none; border: 0; padding: 0; }
        .card { margin: 0; padding: .9rem 1rem .8rem; background: var(--sheet);
          border: 1px solid var(--rule); border-radius: 10px; }
        .card dt { color: var(--soft); font-size: .8rem; }
        .card dd { margin: 0; }
        .card .value { font-size: 1.45rem; font-weight: 650; line-height: 1.35;
          font-variant-numeric: tabular-nums; white-space: nowrap; }
        .card .note { font-size: .8rem; line-height: 1.35; }
        .card.bad .value { color: var(--failed-1); }
        figure { margin: 0 0 1.5rem; }
        figcaption { display: flex; flex-wrap: wrap; justify-content: space-between; gap: .25rem 1.5rem;
          margin-bottom: .4rem; }
        svg { display: block; width: 100%; height: auto; overflow: visible; }
        svg.bar { margin-bottom: 1rem; border-radius: 5px; overflow: hidden; }
        svg text { font-size: 12px; fill: var(--soft); font-variant-numeric: tabular-nums; }
        svg .name { font-size: 12px; }
        .end { text-anchor: end; } .middle { text-anchor: middle; }
        .grid { stroke: var(--rule); } .axis { stroke: var(--soft); }
        .curve { fill: none; stroke-width: 2; stroke-linejoin: round; }
        line.mark { stroke: var(--ink); stroke-width: 1.25; }
        .tip { fill: transparent; } .tip:hover { fill: var(--soft); fill-opacity: .12; }
        .fetched { fill: var(--fetched); } .existing { fill: var(--existing); }
        .bytes { fill: var(--bytes); } .track { fill: var(--track); }
        .failed-1 { fill: var(--failed-1); } .failed-2 { fill: var(--failed-2); }
        .failed-3 { fill: var(--failed-3); } .failed-4 { fill: var(--failed-4); }
        .failed-5 { fill: var(--failed-5); }
        .p50 { stroke: var(--p50); } .p90 { stroke: var(--p90); stroke-dasharray: 7 3; }
        .p99 { stroke: var(--p99); stroke-dasharray: 2 3; }
        .dot.p50 { fill: var(--p50); } .dot.p90 { fill: var(--p90); } .dot.p99 { fill: var(--p99); }
        rect.p90 { fill: var(--p90); stroke: none; }
        .legend { display: flex; flex-wrap: wrap; gap: .1rem 1.1rem; list-style: none; margin: 0; padding: 0; }
        .swatch { display: inline-block; width: .75rem; height: .75rem; border-radius: 3px;
          margin-right: .45rem; vertical-align: -.05rem; }
        .swatch.fetched { background: var(--fetched); } .swatch.existing { background: var(--existing); }
        .swatch.failed-1 { background: var(--failed-1); } .swatch.failed-2 { background: var(--failed-2); }
        .swatch.failed-3 { background: var(--failed-3); } .swatch.failed-4 { background: var(--failed-4); }
        .swatch.failed-5 { background: var(--failed-5); }
        .swatch.p50, .swatch.p90, .swatch.p99 { width: 1.6rem; height: 0; border-radius: 0;
          vertical-align: .25rem; border-top: 2.5px solid var(--p50); }
        .swatch.p90 { border-top: 2.5px dashed var(--p90); }
        .swatch.p99 { border-top: 2.5px dotted var(--p99); }
        table { border-collapse: collapse; width: 100%; margin-bottom: 1.1rem; font-size: .9rem; }
        caption { text-align: left; padding-bottom: .4rem; }
        th, td { padding: .4rem .7rem .4rem 0; border-bottom: 1px solid var(--rule);
          vertical-align: top; text-align: left; font-weight: 400; }
        tr:last-child > * { border-bottom: 0; }
        thead th { color: var(--soft); font-size: .8rem; font-weight: 600; border-bottom-width: 2px; }
        th.number, td.number { padding-left: .5rem; text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
        tbody th.name { white-space: nowrap; font-weight: 600; }
        td.url { width: 50%; } th.url { width: 32%; }
        .hint { display: block; color: var(--soft); font-size: .82rem; }
        td.meter { width: 13%; min-width: 4.5rem; vertical-align: middle; }
        td.meter svg { height: .5rem; border-radius: 3px; overflow: hidden; }
        details > table { margin-top: .75rem; }
        summary { cursor: pointer; color: var(--soft); font-size: .875rem; }
        .damage { margin: 0; padding-left: 1.2rem; }
        @media (max-width: 40rem) { td.meter { display: none; } section { overflow-x: auto; } }
        @media print { body { background: none; padding: 0; } section { break-inside: avoid; } }

        """
}
