"""A plugin of pytest for all tests in Python: what a short run, `-m "not thorough"`, leaves out."""

import collections

import pytest


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Of a test with several parameters, only the first runs in a short run, which is the most important one."""
    tried = collections.Counter()
    for item in items:
        test = item.nodeid.split("[")[0]
        tried[test] += 1
        if tried[test] > 1:
            item.add_marker(pytest.mark.thorough)
