"""`cropkit batch --stream`: a million responses in constant memory, a slow reader, a process that is killed."""

import array
import fcntl
import json
import os
import signal
import subprocess
import termios
import threading
import time

from soak import LONG, PROGRAM, Soak, read

LINES = 1_000_000 if LONG else 2_000


def held(process, key="VmRSS"):
    """The memory of a process in KiB; 0 if it has exited."""
    try:
        with open(f"/proc/{process.pid}/status") as file:
            return next((int(line.split()[1]) for line in file if line.startswith(key)), 0)
    except OSError:
        return 0


def sleepers(process):
    """How often each thread of a process and of its workers went to sleep; None if one is not sleeping."""
    counts = {}
    processes = [process]
    while processes:
        folder = f"/proc/{processes.pop()}/task"
        try:
            for thread in os.listdir(folder):
                with open(f"{folder}/{thread}/status") as file:
                    fields = dict(line.rstrip("\n").split(":\t", 1) for line in file if ":\t" in line)
                if not fields["State"].startswith("S"):
                    return None
                counts[thread] = fields["voluntary_ctxt_switches"]
                with open(f"{folder}/{thread}/children") as file:
                    processes += file.read().split()
        except OSError:
            return None
    return counts


def is_at_rest(process):
    """Whether it and its workers slept at the same time: then only external events wake them."""
    first = sleepers(process.pid)
    return bool(first) and first == sleepers(process.pid)


def start(soak, *options):
    return subprocess.Popen(
        [PROGRAM, "batch", "--stream", "-", *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, cwd=soak.folder)


def waiting(pipe):
    """The number of bytes in a pipe."""
    count = array.array("i", [0])
    fcntl.ioctl(pipe, termios.FIONREAD, count)
    return count[0]


def answers(process):
    """Each response with the bytes after it."""
    for line in process.stdout:
        answer = json.loads(line)
        output = answer.get("output")
        yield answer, process.stdout.read(output["bytes"]) if isinstance(output, dict) else None


def writing(process, lines):
    """Writes all lines, from a separate thread."""
    def work():
        try:
            for line in lines:
                process.stdin.write(line)
            process.stdin.close()
        except BrokenPipeError:
            pass
    thread = threading.Thread(target=work)
    thread.start()
    return thread


def long_stream(soak, *options):
    """Lines of all kinds, one in twenty bad: each gets its response, and memory stays as after a tenth of
    them."""
    photo = os.path.basename(soak.photo("photo.jpg", 96, 64))
    content = read(soak.path(photo))

    def line(number):
        fields = {"id": number, "input": photo, "output": {"bytes": True},
                  "rect": f"{number % 3 * 16},{number % 2 * 16},48,32"}
        follows = b""
        if number % 20 == 11:
            fields["input"] = f"missing-{number}.jpg"
        elif number % 4 == 1:
            fields["input"], follows = {"bytes": len(content)}, content
        return json.dumps(fields).encode() + b"\n" + follows

    begun = time.monotonic()
    process = start(soak, *options)
    thread = writing(process, map(line, range(LINES)))
    early, bad, seen, wanted, last = 0, 0, 0, {}, -1
    for answer, content_made in answers(process):
        number = answer["id"]
        soak.check(answer["ok"] == (number % 20 != 11), f"line {number}: {answer}")
        if "--unordered" not in options:
            soak.check(number == last + 1, f"line {number} follows {last}")
        last = number
        seen += 1
        bad += not answer["ok"]
        if content_made is not None:
            # The crop is the same each time, however the image is passed.
            kind = number % 6
            soak.check(wanted.setdefault(kind, content_made) == content_made, f"line {number} differs")
        if seen == LINES // 10:
            early = held(process)
        if seen == LINES - 1:
            late = held(process)
    thread.join()
    seconds = time.monotonic() - begun
    status, errors = process.wait(), process.stderr.read().decode()
    soak.check(seen == LINES, f"{seen} answers of {LINES} lines")
    soak.check(status == 1, f"the status is {status}")
    soak.check(errors == f"cropkit: {bad} of {LINES} crops failed\n", f"it says {errors}")
    soak.check(late < early + 16 * 1024, f"{late} KiB where {early} were held after a tenth")
    print(f"stream {' '.join(options)}: {LINES} lines, {bad} bad, {early} KiB after a tenth, {late} KiB at "
          f"the end, {LINES / seconds:.0f} lines a second with their writer and reader")


def slow_reader(soak):
    """Large results that nobody reads: no more than the limit is kept, whatever follows."""
    photo = os.path.basename(soak.photo("large.jpg", 2400, 1800))
    fields = {"input": photo, "output": {"bytes": True}, "inset": "16"}
    count = 600 if LONG else 150
    process = start(soak, "--jobs", "1")
    thread = writing(process, [json.dumps(fields).encode() + b"\n"] * count)
    # It continues until unread results block it; until it has written something, it has a reason to continue.
    while not (waiting(process.stdout) and is_at_rest(process)):
        time.sleep(0.05)
    most = held(process)
    # 32 MiB of results, one that is being made, one that is being reported, and the program itself.
    soak.check(most < 96 * 1024, f"{most} KiB wait for their reader")
    sizes = [len(content) for _, content in answers(process)]
    thread.join()
    soak.check(process.wait() == 0 and len(sizes) == count, f"{len(sizes)} answers of {count}")
    total = sum(sizes) >> 10
    soak.check(total > 128 * 1024, f"only {total} KiB of results")
    print(f"stream: {total} KiB of results, {most} KiB held while nobody read them")


def killed(soak):
    """If it is killed, existing files are complete; the same lines again make the missing ones."""
    photo = os.path.basename(soak.photo("photo.jpg", 320, 240))
    os.mkdir(soak.path("out"))
    count = 5_000 if LONG else 300
    lines = [json.dumps({"input": photo, "output": f"out/{number}.jpg", "aspect": "1:1", "rotate": number % 3 * 90 + 90,
                         "options": {"lossless": "never"}}).encode() + b"\n" for number in range(count)]
    process = start(soak, "--unordered")
    thread = writing(process, lines)
    wanted = soak.random.randrange(1, count // 2)
    reported = []
    for answer, _ in answers(process):
        reported.append(answer["output"])
        if len(reported) == wanted:
            process.send_signal(signal.SIGKILL)
    thread.join()
    soak.check(process.wait() == -9, "it was not killed")
    names = os.listdir(soak.path("out"))
    soak.check(all(name[0].isdigit() for name in names), f"left after the kill: {names}")
    soak.check(all(os.path.exists(soak.path(name)) for name in reported), "an answer without its file")
    process = start(soak, "--resume")
    thread = writing(process, lines)
    again = [answer for answer, _ in answers(process)]
    thread.join()
    soak.check(process.wait() == 0, "it is resumed")
    soak.check([answer["line"] for answer in again] == list(range(1, count + 1)), "the order")
    skipped = sum(answer.get("skipped", False) for answer in again)
    soak.check(skipped == len(names), f"{skipped} skipped of {len(names)} that were done")
    soak.check(len(os.listdir(soak.path("out"))) == count, "the count of outputs")


def main():
    with Soak("stream") as soak:
        long_stream(soak)
        long_stream(soak, "--unordered", "--jobs", "3")
        slow_reader(soak)
        killed(soak)


main()
