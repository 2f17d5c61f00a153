"""An audit of a tokenizer's vocabulary: everything that is wrong with it, or looks as if, with proofs and witnesses.

    >>> for step in audit_steps(VocabularyIndex(load_bundled("gpt2"))):
    ...     progress_or_audit = step
    >>> progress_or_audit.totals["unreachable"]
    13

The parts: reach.py (which entries some text produces), audit_entries.py (what can be seen in the entries), and
audit_tables.py (ids, merges, added and special tokens). audit_report.py writes it down as Markdown.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from .audit_entries import entry_findings, roundtrip_findings
from .audit_finding import KINDS, MOST, Finding, More, Severity
from .audit_tables import table_steps
from .census import Census, Counts
from .lineage import Lineage
from .query import VocabularyIndex
from .reach import Reachability, Status, reach_steps
from .reach_proofs import NO_PRE_TOKEN

__all__ = ["KINDS", "Audit", "Finding", "Severity", "audit", "audit_steps"]


@dataclass(frozen=True)
class Audit:
    """findings: at most MOST of a kind, in the order of KINDS; totals: kind -> how many there are in truth."""

    index: VocabularyIndex
    counts: Counts
    reach: Reachability
    findings: tuple[Finding, ...]
    totals: dict[str, int]

    def of_kind(self, kind: str) -> list[Finding]:
        return [f for f in self.findings if f.kind == kind]


def audit(index: VocabularyIndex) -> Audit:
    """All of `audit_steps` at once."""
    *_, last = audit_steps(index)
    assert isinstance(last, Audit)
    return last


def audit_steps(index: VocabularyIndex) -> Iterator[float | Audit]:
    """Yields progress 0..1 in slices, at last the Audit. Stop iterating to give up."""
    yield from (0.01 * step for step in index.points_steps())
    counts = Census(index).counts
    yield 0.01
    tables: list[Finding | More] = []
    lineage = Lineage(index)
    for one in table_steps(index, lineage):
        if isinstance(one, float):
            yield 0.01 + 0.04 * one
        else:
            tables.append(one)
    yield 0.05
    entries: list[Finding] = []
    for finding in entry_findings(index):
        if finding is None:
            yield 0.05 + 0.03 * min(1.0, len(entries) / 1000)
        else:
            entries.append(finding)
    yield 0.08
    found: Reachability | None = None
    for step in reach_steps(index, lineage):
        if isinstance(step, Reachability):
            found = step
        else:
            yield 0.08 + 0.8 * step
    assert found is not None
    changed: list[Finding | More] = []
    for part in roundtrip_findings(index):
        if isinstance(part, float):
            yield 0.88 + 0.12 * part
        else:
            changed.append(part)
    yield _gathered(index, counts, found, [*tables, *_reach_findings(index, found), *entries, *changed])


def _reach_findings(index: VocabularyIndex, found: Reachability) -> Iterable[Finding]:
    if not found.tried:
        return
    for row in found.rows(Status.UNREACHABLE).tolist():
        proof = found.proofs[row]
        kind = "fits no pre-token" if proof == NO_PRE_TOKEN else "unreachable"
        yield Finding(kind, Severity.WARNING, (int(index.vocabulary.ids[row]),), "no text produces it", proof)
    for row in found.rows(Status.NONE_FOUND).tolist():
        yield Finding("none found", Severity.NOTE, (int(index.vocabulary.ids[row]),),
                      "no text was found that produces it, and no proof that there is none")
    for row in found.rows(Status.CONTEXT).tolist():
        if row not in found.parsed:
            yield Finding("needs a neighbour", Severity.NOTE, (int(index.vocabulary.ids[row]),),
                          "its own text does not produce it, another does", witness=found.witnesses[row])


def _gathered(index: VocabularyIndex, counts: Counts, found: Reachability, found_all: list[Finding | More]) -> Audit:
    all_of_them = [f for f in found_all if isinstance(f, Finding)]
    totals = Counter(f.kind for f in all_of_them)
    for more in found_all:
        if isinstance(more, More):
            totals[more.kind] += more.count
    kept: list[Finding] = []
    for kind in KINDS:
        some = [f for f in all_of_them if f.kind == kind]
        some.sort(key=lambda f: f.severity)
        kept += some[:MOST]
    return Audit(index, counts, found, tuple(kept), {k: totals[k] for k in KINDS if totals[k]})
