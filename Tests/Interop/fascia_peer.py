#!/usr/bin/env python3
"""A Fascia peer in Python, written from spec/ and Fixtures/ alone.

    fascia_peer.py generate-fixtures        writes Fixtures/
    fascia_peer.py check-fixtures           checks Fixtures/ against this implementation
    fascia_peer.py phone --connect H:P      pairs if --code is given, shows a picture, is presented, resumes, says goodbye
    fascia_peer.py car --listen H:P         a head unit that pairs, applies commits and answers Presented
    fascia_peer.py conform --connect H:P    plays the fixtures to a paired head unit and compares how it closes
    fascia_peer.py conform --listen H:P     the same for a paired phone that reconnects
    fascia_peer.py against PROGRAM          starts a fascia-headunit and does all of the above to it
    fascia_peer.py self-test                phone against car in this process
"""
import argparse
import sys
import tempfile
import threading

from fascia_interop import (against, applink, appsound, car, checks, conform, coverage, fixtures, phone, vectors_display, vectors_frame,
                            vectors_message, vectors_resource, vectors_session, vectors_sound, vectors_spake2)


def generate(_):
    collection = fixtures.Collection()
    for module in (vectors_frame, vectors_session, vectors_message, vectors_sound, vectors_resource, vectors_display, vectors_spake2, applink, appsound):
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


def run_phone(arguments):
    return phone.run(arguments.connect, arguments.state_dir, arguments.code, arguments.seconds, not arguments.no_resume)


def run_car(arguments):
    with car.listen(arguments.listen) as listener:
        phone.report("listening", port=listener.getsockname()[1])
        car.Car(arguments.state_dir, arguments.code).serve(listener, arguments.connections)
    return 0


def run_conform(arguments):
    if arguments.connect:
        return conform.head_unit(arguments.connect, arguments.state_dir, arguments.only)
    return conform.phone(arguments.listen, arguments.state_dir, arguments.only)


def self_test(_):
    """Pair, connect, resume; then a wrong code."""
    with tempfile.TemporaryDirectory() as folder, car.listen("127.0.0.1:0") as listener:
        address = f"127.0.0.1:{listener.getsockname()[1]}"
        server = threading.Thread(target=car.Car(f"{folder}/car", "123456").serve, args=(listener, 4), daemon=True)
        server.start()
        good = phone.run(address, f"{folder}/phone", "123456", 0.3) == 0
        wrong = phone.run(address, f"{folder}/other", "654321", 0.3) == 1
        server.join(5)
        print("self-test", "passed" if good and wrong else "failed")
        return 0 if good and wrong else 1


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    commands.add_parser("generate-fixtures").set_defaults(run=generate)
    commands.add_parser("check-fixtures").set_defaults(run=check)
    commands.add_parser("self-test").set_defaults(run=self_test)
    one = commands.add_parser("against")
    one.add_argument("program")
    one.set_defaults(run=lambda arguments: against.run(arguments.program))
    one = commands.add_parser("phone")
    one.add_argument("--connect", required=True)
    one.add_argument("--code")
    one.add_argument("--seconds", type=float, default=1.0, help="how long to listen for input")
    one.add_argument("--no-resume", action="store_true")
    one.add_argument("--state-dir", required=True)
    one.set_defaults(run=run_phone)
    one = commands.add_parser("car")
    one.add_argument("--listen", required=True)
    one.add_argument("--code", default="123456")
    one.add_argument("--connections", type=int, default=1_000)
    one.add_argument("--state-dir", required=True)
    one.set_defaults(run=run_car)
    one = commands.add_parser("conform")
    end = one.add_mutually_exclusive_group(required=True)
    end.add_argument("--connect", help="a head unit")
    end.add_argument("--listen", help="for a phone that reconnects")
    one.add_argument("--only", default="", help="part of a fixture's name")
    one.add_argument("--state-dir", required=True)
    one.set_defaults(run=run_conform)
    arguments = parser.parse_args()
    return arguments.run(arguments)


if __name__ == "__main__":
    sys.exit(main())
