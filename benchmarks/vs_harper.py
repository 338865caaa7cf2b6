#!/usr/bin/env python3
"""Corrects sentences by harper-py (pip install harper-py), each a line: the first suggestion of every lint but those of layout.

Usage: benchmarks/vs_harper.py SOURCE >HYPOTHESIS

Lints of layout are about blanks, quotation marks and dashes, which tokenised sentences have otherwise. Of lints that overlap the first one
counts.
"""
import collections
import sys

import harper

LAYOUT = {"Formatting", "Typography", "Punctuation"}


def corrected(linter, text, kinds):
    end, changes = 0, []
    for lint in sorted(linter.lint(text), key=lambda one: (one.span.start, one.span.end)):
        suggestions = lint.suggestions
        if lint.lint_kind in LAYOUT or not suggestions or lint.span.start < end:
            continue
        kinds[lint.lint_kind] += 1
        changes.append((lint, suggestions[0]))
        end = lint.span.end
    for lint, suggestion in reversed(changes):
        text = linter.apply_suggestion(text, lint, suggestion)
    return text


def main():
    linter, kinds = harper.Linter(), collections.Counter()
    with open(sys.argv[1], encoding="utf-8") as file:
        for line in file:
            print(corrected(linter, line.rstrip("\n"), kinds).replace("\n", " "))
    print(dict(kinds), file=sys.stderr)


main()
