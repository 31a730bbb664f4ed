#!/usr/bin/env python3
"""A Fascia peer in Python, written from spec/ and Fixtures/ alone.

    fascia_peer.py generate-fixtures        writes Fixtures/
    fascia_peer.py check-fixtures           checks Fixtures/ against this implementation
"""
import argparse
import sys

from fascia_interop import (applink, checks, coverage, fixtures, vectors_display, vectors_frame, vectors_message, vectors_resource, vectors_session,
                            vectors_spake2)


def generate(_):
    collection = fixtures.Collection()
    for module in (vectors_frame, vectors_session, vectors_message, vectors_resource, vectors_display, vectors_spake2, applink):
        module.make(collection)
    collection.write()
    problems = coverage.write(collection.entries)
    for problem in problems:
        print(problem, file=sys.stderr)
    print(f"{len(collection.entries)} fixtures, {len(collection.files)} files")
    return 1 if problems else 0


def check(_):
    count, failures = checks.run()
    for failure in failures:
        print(failure, file=sys.stderr)
    print(f"{count} checks, {len(failures)} failed")
    return 1 if failures else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    commands.add_parser("generate-fixtures").set_defaults(run=generate)
    commands.add_parser("check-fixtures").set_defaults(run=check)
    arguments = parser.parse_args()
    return arguments.run(arguments)


if __name__ == "__main__":
    sys.exit(main())
