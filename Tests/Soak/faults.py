"""Makes each system call on files fail, or kills the program in it, and checks the remaining files.

For each way of saving (a new file, a replaced one, in place, a batch), with and without anonymous files, each
call since the image was opened fails with ENOSPC, EIO and EINTR, and is the last one before SIGKILL. The
original must be intact, and the output the old or the new file; no other file may be left, except a hidden
one after SIGKILL.
"""

import collections
import os
import re
import subprocess
import sys

from soak import CRASHES, LONG, PROGRAM, Soak, read, write

CALLS = (
    "openat read pread64 write fsync linkat renameat renameat2 unlinkat fchmod fchown newfstatat fstat "
    "lstat stat close fsetxattr fgetxattr flistxattr lgetxattr fremovexattr faccessat faccessat2 access lseek fcntl readlink"
).split()
NAMING = ("linkat", "renameat", "renameat2", "unlinkat")
FAULTS = ("error=ENOSPC", "error=EIO", "error=EINTR", "signal=SIGKILL")
MODES = ("new", "force", "in-place", "batch")
OLD = b"an old file " * 4000


class Bench:
    """One way of saving, tried repeatedly in a new folder."""

    def __init__(self, soak, mode, is_named, original):
        self.soak, self.mode, self.is_named, self.original = soak, mode, is_named, original
        self.folder = soak.path("bench")
        self.input = os.path.join(self.folder, "in.jpg")
        self.output = self.input if mode == "in-place" else os.path.join(self.folder, "out.jpg")
        self.log = soak.path("trace")
        self.old = {"force": OLD, "in-place": original}.get(mode)

    def command(self):
        crop = [PROGRAM, "crop", self.input, "--rect", "16,16,160,112"]
        if self.mode == "in-place":
            return crop + ["--in-place"]
        if self.mode == "batch":
            return [PROGRAM, "batch", self.soak.path("list"), "--jobs", "1"]
        return crop + ["-o", self.output] + (["--force"] if self.mode == "force" else [])

    def reset(self):
        os.makedirs(self.folder, exist_ok=True)
        for name in os.listdir(self.folder):
            os.unlink(os.path.join(self.folder, name))
        write(self.input, self.original)
        if self.mode == "force":
            write(self.output, OLD)
        write(self.soak.path("list"), (
            '{"input":"%s","output":"%s","recipe":{"rect":{"x":16,"y":16,"width":160,"height":112}}}\n'
            % (self.input, self.output)).encode())

    def trace(self, *injections):
        self.reset()
        words = ["strace", "-f", "-o", self.log, "-e", "signal=none", "-e", "trace=" + ",".join(
            "?" + call for call in CALLS)]
        for injection in injections:
            words += ["-e", "inject=" + injection]
        try:
            return subprocess.run(
                words + self.command(), stdin=subprocess.DEVNULL, capture_output=True, timeout=600)
        except subprocess.TimeoutExpired:
            return None

    def calls(self):
        """Each call since the image was opened, as its name and its number in its thread, and the number of
        the openat that requests an anonymous file."""
        self.trace()
        counts, found, unnamed, is_on = collections.Counter(), [], None, False
        with open(self.log, errors="replace") as log:
            for line in log:
                match = re.match(r"(\d+) +(\w+)\(", line)
                if not match:
                    continue
                thread, call = match.groups()
                counts[thread, call] += 1
                if call == "openat" and '/in.jpg"' in line:
                    is_on = True
                if "O_TMPFILE" in line:
                    unnamed = counts[thread, call]
                if is_on:
                    found.append((call, counts[thread, call]))
        return sorted(set(found)), unnamed

    def try_fault(self, call, number, fault, unnamed):
        injections = [f"{call}:{fault}:when={number}"]
        if self.is_named:
            # As on an old or foreign file system: files have a name from the start.
            if call == "openat":
                return
            injections.append(f"openat:error=EOPNOTSUPP:when={unnamed}")
        done = self.trace(*injections)
        where = f"{self.mode}{' named' if self.is_named else ''} {call} {number} {fault}"
        if done is None:
            return self.soak.check(False, f"{where}: hangs")
        log = read(self.log).decode(errors="replace")
        if "(INJECTED)" not in log.replace("EOPNOTSUPP (Operation not supported) (INJECTED)", "") and (
                "killed by SIGKILL" not in log):
            return
        is_killed = "killed by SIGKILL" in log
        now = read(self.output)
        problems = []
        if not is_killed and (done.returncode in CRASHES or done.returncode < 0):
            problems.append(f"crashed with {done.returncode}")
        if self.mode != "in-place" and read(self.input) != self.original:
            problems.append("the original is changed")
        if now not in (self.old, self.new):
            problems.append(f"the output is neither old nor new, {now and len(now)} bytes")
        if done.returncode == 0 and now != self.new:
            problems.append("it says done and is not")
        if self.old is None and not is_killed and done.returncode != 0 and now is not None:
            # If only printing the report failed, the file stays.
            if not (call == "write" and fault != "error=EINTR"):
                problems.append("it says failed and left its output")
        if self.old is not None and not is_killed and done.returncode != 0 and call != "write":
            if (now == self.new) != (b"the new file is in place" in done.stderr):
                problems.append("it does not say which file is there")
        others = set(os.listdir(self.folder)) - {"in.jpg", "out.jpg"}
        for name in others:
            is_hidden = re.fullmatch(r"\.cropkit-[0-9a-z]+\.tmp", name)
            content = read(os.path.join(self.folder, name))
            if not is_killed or not is_hidden or not (self.is_named or content == self.new):
                problems.append(f"{name} is left")
        self.soak.check(not problems, f"{where}: {', '.join(problems)} {done.stderr[-120:]}")


def main():
    with Soak("faults") as soak:
        original = read(soak.photo())
        plans = []
        for mode in MODES:
            for is_named in (False, True):
                bench = Bench(soak, mode, is_named, original)
                done = bench.trace()
                if done is None or done.returncode != 0:
                    if b"ptrace" in (done.stderr if done else b""):
                        print("SKIPPED: faults, for nothing can be traced here")
                        sys.exit(0)
                    sys.exit(f"faults: {mode}: {done and done.stderr}")
                bench.new = read(bench.output)
                calls, unnamed = bench.calls()
                plans += [
                    (bench, call, number, fault, unnamed)
                    for call, number in calls for fault in FAULTS]
        soak.random.shuffle(plans)
        # Calls that create and remove file names are never skipped.
        plans.sort(key=lambda plan: plan[1] not in NAMING)
        for bench, *rest in plans:
            if not LONG and soak.count >= 60:
                break
            bench.try_fault(*rest)
        if LONG and soak.count < 500:
            soak.wrong.append(f"only {soak.count} faults; 500 are wanted")


if __name__ == "__main__":
    main()
