"""What is left behind: results.json, results.md and the plots; and, published, Results.md."""

import json
import sys

from . import machine, plots, report, scenarios


class Output:
    """The files of one measurement. They are rewritten after each scenario, so an interrupted run keeps
    its completed scenarios."""

    def __init__(self, folder, facts, arguments):
        self._folder = folder
        amount = "few requests and rounds (`--quick`)" if arguments.quick else "all"
        self._facts = {**facts, "amount": amount}
        self._revisions = {}
        self.least = {}
        self.results = {}
        if arguments.add:
            self._take_over()

    def _take_over(self):
        """Keeps what the scenarios came to that were measured before, by the same means."""
        path = self._folder / "results.json"
        if not path.exists():
            return
        earlier = json.loads(path.read_text())
        # The other libcurl is named only if all scenarios that use it are measured now.
        differing = sorted(name for name, fact in self._facts.items()
                           if name not in ("revision", machine.OTHER_LIBCURL)
                           and earlier["machine"].get(name, fact) != fact)
        if differing:
            raise SystemExit(f"--add: {' and '.join(differing)} changed since "
                             f"{self._folder / 'results.json'}; measure everything again, without --add")
        self._facts = {**earlier["machine"], **self._facts}
        self._revisions = earlier["revisions"]
        self.least = earlier["least_memory_kb"]
        self.results = earlier["scenarios"]

    def add(self, scenario, runs):
        """Keeps and shows what a scenario came to."""
        self.results[scenario.name] = runs
        self._revisions[scenario.name] = self._facts["revision"]
        print(report.section(scenario, runs, self.least), flush=True)
        self._folder.mkdir(parents=True, exist_ok=True)
        (self._folder / "results.json").write_text(json.dumps(
            {"machine": self._facts, "revisions": self._revisions,
             "least_memory_kb": self.least, "scenarios": self.results}, indent=1))

    def finish(self):
        self._write(self._folder / "results.md", "plots")

    def publish(self, package):
        self._write(package / "Results.md", "Plots")

    def _write(self, file, plots_name):
        has_plots = self._draw(file.parent / plots_name)
        sections = [report.section(scenario, self.results[scenario.name], self.least)
                    for scenario in scenarios.ALL
                    if scenario.name in self.results and scenario not in scenarios.SWEEP_ALONE]
        sections += [report.growth_section(growth, self.results, self.least,
                                           plots_name if has_plots else None)
                     for growth in report.GROWTHS]
        sections.append(report.aims_section(self.results, self.least))
        facts = {**self._facts, "revision": self._all_revisions()}
        file.write_text(report.document(facts, list(filter(None, sections))))
        print(f"written: {file}", file=sys.stderr)

    def _all_revisions(self):
        """Which revision was measured, and where there were several, in which scenarios each."""
        names = {}
        for name, revision in self._revisions.items():
            names.setdefault(revision, []).append(f"`{name}`")
        if len(names) == 1:
            return next(iter(names))
        return "; ".join(f"{revision} in {', '.join(scenarios)}"
                         for revision, scenarios in names.items())

    def _draw(self, folder):
        curves = [{"name": name, "title": f"{growth.title}: {title}", "axis": growth.axis,
                   "values": values}
                  for growth in report.GROWTHS
                  for name, title, _, values in report.curves(growth, self.results, self.least)
                  if values]
        if not curves:
            return False
        if plots.draw(curves, folder):
            return True
        print("no plots: they need python3-matplotlib", file=sys.stderr)
        return False
