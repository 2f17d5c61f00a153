"""An audit as Markdown: the census, what was found of each kind, and how far the search went.

    >>> markdown(audit(VocabularyIndex(load_bundled("gpt2")))).splitlines()[0]
    '# Audit of gpt2'
"""

from __future__ import annotations

from .audit import Audit
from .audit_finding import KINDS, Finding, Severity, shown
from .census_report import counts_table
from .reach import Status
from .tables import code_span

#: Findings of a kind that a report lists, and characters of an entry that it shows.
LISTED = 50
SHOWN = 40
#: Merges that are written out though their entries are made by others.
FEW = 5


def markdown(audit: Audit, listed: int = LISTED) -> str:
    """listed: findings of a kind that are written out, the worst first."""
    tokenizer = audit.index.tokenizer
    lines = [f"# Audit of {tokenizer.name if tokenizer else 'a vocabulary'}", ""]
    if tokenizer is not None and tokenizer.sha256:
        lines += [f"{tokenizer.format}, SHA-256 `{tokenizer.sha256}`", ""]
    lines += ["## Census", "", *counts_table(audit.counts)]
    lines += ["", "## Can a text produce them?", ""]
    if audit.reach.tried:
        lines += ["| entries | |", "|--:|---|"]
        lines += [f"| {len(audit.reach.rows(s))} | {s.word} |" for s in Status]
    lines += ["", f"{audit.reach.limits[:1].upper()}{audit.reach.limits[1:]}.", ""]
    for kind, meaning in KINDS.items():
        total = audit.totals.get(kind, 0)
        if not total:
            continue
        lines += [f"## {kind[:1].upper()}{kind[1:]}: {total}", "", f"{meaning[:1].upper()}{meaning[1:]}.", ""]
        some = audit.of_kind(kind)[:listed]
        if kind == "merge never fires":  # other merges make the entries of most: a few will do
            worse = [f for f in some if f.severity != Severity.NOTE]
            some = some[: len(worse) + FEW]
        lines += _lines(some, audit)
        if total > len(some):
            lines.append(f"- and {total - len(some)} more")
        lines.append("")
    clean = [k for k in KINDS if not audit.totals.get(k)]
    if clean:
        lines += [f"Nothing was found of: {', '.join(clean)}.", ""]
    return "\n".join(lines)


def _lines(findings: list[Finding], audit: Audit) -> list[str]:
    """One line for all of which the same is said; the entries are listed in it."""
    alike: dict[str, list[str]] = {}
    for finding in findings:
        text = ""
        if finding.ids:
            piece = audit.index.vocabulary.bytes_of(finding.ids[0])
            text = shown(piece) if piece else ""
        said = finding.what.removeprefix(f"{text} ") if text else finding.what
        if finding.proof or finding.witness is not None or finding.kind == "none found":
            said = finding.proof  # that no text produces it, or another, is what the section is about
        if set(said) & set("`*_<>[]|\\"):
            said = code_span(said)
        if len(text) > SHOWN:
            text = f"{text[:SHOWN]}…"
        ids = " = ".join(map(str, finding.ids[: 4 if finding.kind == "duplicate" else 1]))
        entry = f"{ids} {code_span(text)}" if text else ids
        if finding.witness is not None:
            entry += f" in {code_span(shown(finding.witness))}"
        word = "" if finding.severity == Severity.NOTE else finding.severity.word
        alike.setdefault(": ".join(x for x in (word, said) if x), []).append(entry)
    out = []
    for said, entries in alike.items():
        if len(entries) == 1:
            out.append("- " + " – ".join(x for x in (entries[0], said) if x))
        else:
            listed = ", ".join(x for x in entries if x)
            out.append("- " + ": ".join(x for x in (said, listed) if x))
    return out
