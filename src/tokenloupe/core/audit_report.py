"""An audit as Markdown: the census, what was found of each kind, and how far the search went.

    >>> markdown(audit(VocabularyIndex(load_bundled("gpt2")))).splitlines()[0]
    '# Audit of gpt2'
"""

from __future__ import annotations

from .audit import Audit
from .audit_finding import KINDS, Finding
from .census_report import counts_table
from .reach import Status
from .tables import code_span, readable

#: Findings of a kind that a report lists.
LISTED = 50


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
        lines += [_line(f, audit) for f in some]
        if total > len(some):
            lines.append(f"- and {total - len(some)} more")
        lines.append("")
    clean = [k for k in KINDS if not audit.totals.get(k)]
    if clean:
        lines += [f"Nothing was found of: {', '.join(clean)}.", ""]
    return "\n".join(lines)


def _line(finding: Finding, audit: Audit) -> str:
    parts = []
    if finding.ids:
        piece = audit.index.vocabulary.bytes_of(finding.ids[0])
        shown = f" {code_span(readable(piece))}" if piece else ""
        parts.append(f"{finding.ids[0]}{shown}: ")
    what = f"{finding.severity.word}: {finding.what}"
    parts.append(code_span(what) if set(what) & set("`*_<>[]|\\") else what)
    if finding.proof:
        parts.append(f" ({finding.proof})")
    if finding.witness is not None:
        parts.append(f"; witness {code_span(readable(finding.witness))}")
    return f"- {''.join(parts)}"
