#!/usr/bin/env python3
"""Adds up the results of all steps: results.py FOLDER

Reads the JUnit XML in FOLDER (`*-again.xml` holds tests that were tried a second time) and the logs next to it.
Prints the tests that were skipped, by reason, those that passed only when tried again, and the sum as
`N passed, N failed`; with CROPKIT_TEST_ALL also the slowest tests. Fails if a test failed, if more than one passed
only when tried again, or if there is no result.
"""

import collections
import os
import pathlib
import re
import sys
import xml.etree.ElementTree as tree


def cases(path):
    """The tests of a file by name: the elements for failures and skips that each contains."""
    found = collections.defaultdict(list)
    for case in tree.parse(path).iter("testcase"):
        found[f"{case.get('classname')}.{case.get('name')}"] += [part for part in case if part.tag in OUTCOMES]
    return found


OUTCOMES = ("failure", "error", "skipped")


def failures(found):
    return {name for name, parts in found.items() if any(part.tag != "skipped" for part in parts)}


def slowest(files):
    """The twenty slowest tests and their seconds. Tests in Swift, which run all at once, mostly wait for each other."""
    times = [
        (float(case.get("time") or 0), f"{case.get('classname')}.{case.get('name')}")
        for path in files if not path.stem.startswith(("swift", "views")) for case in tree.parse(path).iter("testcase")]
    return sorted(times, reverse=True)[:20]


def main(folder):
    passed, failed, unsteady = set(), [], []
    skipped = collections.Counter()
    files = [path for path in sorted(folder.glob("*.xml")) if not path.stem.endswith("-again")]
    for path in files:
        found = cases(path)
        wrong = failures(found)
        again = path.with_name(f"{path.stem}-again.xml")
        if again.exists():
            tried = cases(again)
            recovered = (wrong & tried.keys()) - failures(tried)
            unsteady += sorted(recovered)
            wrong -= recovered
        failed += sorted(wrong)
        for name, parts in found.items():
            reasons = [part.get("message") or "no reason" for part in parts if part.tag == "skipped"]
            skipped.update(reasons)
            if name not in wrong and not reasons:
                # A test that runs twice, in two browsers, counts once.
                passed.add((path.stem.split("-")[0], name))
    for log in sorted(folder.parent.glob("*.log")):
        skipped.update(re.findall(r"^SKIPPED: (.*)$", log.read_text(errors="replace"), re.MULTILINE))
    if skipped:
        reasons = "; ".join(f"{reason} ({count})" for reason, count in skipped.most_common())
        print(f"SKIPPED: {skipped.total()} tests: {reasons}")
    if os.environ.get("CROPKIT_TEST_ALL"):
        for seconds, name in slowest(files):
            print(f"SLOW {seconds:5.0f} s  {name}")
    for name in unsteady:
        print(f"UNSTEADY: {name} passed only when tried again (one such test is allowed)")
    for name in failed:
        print(f"FAILED: {name}")
    isBroken = len(unsteady) > 1 or not files
    print(f"{len(passed)} passed, {len(failed) or int(isBroken)} failed")
    return 1 if failed or isBroken else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
