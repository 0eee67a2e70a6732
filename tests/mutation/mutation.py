#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""mutation.py FOLDER [ROOM ...]: the share of drawn mutants that the tests notice. A ROOM is a
folder of sources, or one source file.

FOLDER keeps everything; the same command goes on where it was stopped:
    build/         a build whose test program loads both libraries from one shared object, so
                   that a mutant costs one compiled file and one link for all of them
    mutants.tsv    what was drawn; one that does not compile, or compiles to the same object as
                   the source (equivalent) or another mutant (duplicate), is replaced
    objects/       their object files
    tests.jsonl    of each test whether it passes, its CPU time, the lines that it executes
    results.tsv    killed, timeout or survived; by which test, after how many, in what time
A mutant meets only the tests that execute its line, those of its room first, then by their time,
until one fails. A timeout is ten times the usual CPU time and at least 5 s; it counts as killed."""
import argparse
import collections
import csv
import difflib
import hashlib
import json
import math
import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import sys
import threading
import time

sys.dont_write_bytecode = True
import mutants as drawing

ROOMS = ["libdynamics/shapes", "libdynamics/collision", "libdynamics/articulation",
         "libdynamics/reduced", "libdynamics/problem", "libsolvers/splitting",
         "libsolvers/pivoting"]
DRAWN = ["id", "room", "file", "line", "operator", "before", "after", "state"]
RESULT = DRAWN[:-1] + ["verdict", "test", "says", "tests", "seconds"]
MEMORY = 8 << 20  # KiB that a test may take, since a mutant may ask for ever more
RUNNERS = {".sh": "sh", ".c": "tests/perp-tests"}
# The test program stands between the libraries and malloc by --wrap; for other programs these do.
ALLOCATORS = "#include <stddef.h>\n" + "".join(
    f"void *__real_{name}({types}); void *__wrap_{name}({types});\n"
    f"void *__wrap_{name}({types}) {{ return __real_{name}({values}); }}\n"
    for name, types, values in [
        ("malloc", "size_t n", "n"), ("calloc", "size_t k, size_t n", "k, n"),
        ("realloc", "void *p, size_t n", "p, n"), ("aligned_alloc", "size_t a, size_t n", "a, n")])


def rows(path):
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))


def append(path, *values):
    with path.open("a", encoding="utf-8") as out:
        out.write("\t".join(re.sub(r"\s+", " ", str(v)) for v in values) + "\n")


def digest(path):
    return hashlib.sha1(path.read_bytes()).digest()


class Tree:
    """The sources, their build, and the tests."""

    def __init__(self, source, folder, jobs):
        for name in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL"):  # this may be run by make
            os.environ.pop(name, None)
        self.source, self.folder = source.resolve(), folder.resolve()
        self.build, self.objects = self.folder / "build", self.folder / "objects"
        for path in (self.build, self.objects):
            path.mkdir(parents=True, exist_ok=True)
        if not (self.build / "Makefile").exists():
            self.call(self.source / "configure", "--quiet", "--disable-shared", "--with-pic",
                      "CFLAGS=-O2")
        self.libraries = self.variable("lib_LTLIBRARIES")
        self.compiler = self.variable("CC")
        self.environment = " ".join(self.variable("AM_TESTS_ENVIRONMENT"))
        names = ["DEFS", "DEFAULT_INCLUDES", "AM_CFLAGS", "CFLAGS"]
        names += [re.sub(r"\W", "_", l) + "_CPPFLAGS" for l in self.libraries]
        self.flags = [word for name in names for word in self.variable(name)] + ["-w", "-fPIC"]
        if not (self.build / "complete").exists():
            self.make(jobs)

    def call(self, *command, **more):
        return subprocess.run(command, cwd=self.build, check=True, **more)

    def variable(self, name):
        return self.call("make", "-s", "-f", "-", "show", stdout=subprocess.PIPE, text=True,
                         input=f"include Makefile\nshow:;@: $(info $({name}))").stdout.split()

    def make(self, jobs):
        """Build the libraries, then the tests with the shared object in place of archives."""
        library = self.folder / "plain/libmutant.so"
        if not library.exists():
            self.call("make", f"-j{jobs}", *self.libraries, stdout=subprocess.DEVNULL)
            self.compile("allocators.c", ALLOCATORS, self.objects / "allocators.o")
            for name in self.libraries:
                archive = self.build / re.sub(r"([^/]*)\.la$", r".libs/\1.a", name)
                archive.rename(self.objects / archive.name)
                archive.write_text(f"INPUT({library})\n", encoding="utf-8")
            self.link(library)
        self.call("make", f"-j{jobs}", "check", "TESTS=", stdout=subprocess.DEVNULL,
                  env=dict(os.environ, LD_LIBRARY_PATH=str(library.parent)))
        (self.build / "complete").touch()

    def compile(self, file, text, out, *more):
        """Compile a text as if it stood in the file; the file itself where text is None."""
        path = self.source / file
        what = [path] if text is None else ["-x", "c", "-iquote", path.parent, "-"]
        return subprocess.run([*self.compiler, *self.flags, *more, "-c", "-o", out, *what],
                              cwd=self.build, input=text, text=True,
                              stderr=subprocess.DEVNULL).returncode == 0

    def link(self, out, objects=(), *more):
        """The libraries as one shared object; `objects` precede those of the same names."""
        out.parent.mkdir(exist_ok=True)
        files = [(self.build / l).read_text(encoding="utf-8") for l in self.libraries]
        needs = [w for f in files for w in re.search("^dependency_libs='(.*)'", f, re.M)[1].split()]
        self.call(*self.compiler, "-shared", "-o", out, "-Wl,-soname,libmutant.so,-z,muldefs",
                  *more, "-Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=aligned_alloc",
                  *objects, self.objects / "allocators.o", "-Wl,--whole-archive",
                  *(self.objects / (os.path.basename(l)[:-3] + ".a") for l in self.libraries),
                  "-Wl,--no-whole-archive", *(word for word in needs if word[0] == "-"))

    def worker(self, name):
        """A folder to run tests in: links to the build, and a scratch of its own."""
        path = self.folder / f"worker-{name}"
        if not path.exists():
            self.call("cp", "-as", self.build, path)
        return path

    def run(self, test, worker, library, seconds, to_the_end=False):
        """Run a test with a library: passed, failed or timeout, and its first complaint, at which
        it is ended unless it is to run to its end."""
        path = self.build / test if (self.build / test).exists() else self.source / test
        command = (f"ulimit -c 0; ulimit -S -v {MEMORY}; ulimit -S -t {seconds}; "
                   f"{self.environment.replace(str(self.build), str(worker))} "
                   f"exec {RUNNERS.get(path.suffix, '')} '{path}'")
        env = {k: v for k, v in os.environ.items() if not k.startswith("PERP_")}
        env["LD_LIBRARY_PATH"] = str(library)
        p = subprocess.Popen(["sh", "-c", command], cwd=worker, env=env, start_new_session=True,
                             stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT, text=True, errors="replace")

        def end():
            try:
                os.killpg(p.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass

        wait = 120 + 20 * seconds  # for one that uses no CPU; the machine may be busy
        clock = threading.Timer(wait, end)
        clock.start()
        with p.stdout:
            complaint = next((line for line in p.stdout if line.startswith("not ok")), "")
            if complaint and not to_the_end:
                end()
            p.stdout.read()
            status = p.wait()
        end()
        clock.cancel()
        if complaint:
            return "failed", complaint.strip()
        if status == -signal.SIGKILL:
            return "timeout", f"no end in {wait} s"
        if status in (-signal.SIGXCPU, 128 + signal.SIGXCPU):
            return "timeout", f"more than {seconds} s"
        return ("passed", "") if status in (0, 77) else ("failed", f"exit status {status}")

    def learn(self, files):
        """Run each test with libraries that count lines, and once more as it is for its time."""
        path, cover = self.folder / "tests.jsonl", self.folder / "cover"
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        known = [json.loads(line) for line in text.splitlines()]
        done = {k["test"] for k in known}
        left = [t for t in ["", *self.variable("TESTS")] if t not in done]
        if left:
            objects = [cover / f.replace("/", "+").replace(".c", ".o") for f in files]
            cover.mkdir(exist_ok=True)
            for file, out in zip(files, objects):
                self.compile(file, None, out, "-O0", "--coverage")
            self.link(cover / "libmutant.so", objects, "--coverage")
        for test in left:
            seconds, passes = 0.0, False
            self.executed(cover)
            if test:
                self.run(test, self.worker(0), cover, 6000, to_the_end=True)
            lines = self.executed(cover) if test else self.executed(cover, ".gcno", 0)
            if test and lines:
                before = resource.getrusage(resource.RUSAGE_CHILDREN)
                passes = self.run(test, self.worker(0), self.folder / "plain", 6000)[0] == "passed"
                after = resource.getrusage(resource.RUSAGE_CHILDREN)
                seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
                print(f"{seconds:8.2f} s  {test}{'' if passes else ': fails, left out'}", flush=True)
            known.append(dict(test=test, passes=passes, seconds=round(seconds, 3), lines=lines))
            append(path, json.dumps(known[-1]))
        return known

    def executed(self, cover, suffix=".gcda", least=1):
        """{file: lines} executed since the last call; with .gcno, those that can be."""
        found, counts = {}, list(cover.glob("*" + suffix))
        said = self.call("gcov", "--json-format", "--stdout", *counts, stdout=subprocess.PIPE,
                         stderr=subprocess.DEVNULL, text=True).stdout if counts else ""
        for file in (f for document in said.splitlines() for f in json.loads(document)["files"]):
            lines = {l["line_number"] for l in file["lines"] if l["count"] >= least}
            if lines and file["file"].endswith(".c"):
                found[os.path.relpath(self.build / file["file"], self.source)] = sorted(lines)
        for path in counts if suffix == ".gcda" else []:
            path.unlink()
        return found

    def files(self, room):
        if room.endswith(".c"):
            return [room]
        return sorted(f"{room}/{f.name}" for f in (self.source / room).glob("*.c"))

    def text(self, file):
        return (self.source / file).read_text(encoding="utf-8")

    def draw(self, rooms, count, seed):
        """Draw the mutants; each beginning of the list is a sample of the whole."""
        path = self.folder / "mutants.tsv"
        if not path.exists():
            found, sizes, seen, drawn = {}, {}, {}, []
            for room in rooms:
                some = [drawing.mutants(self.text(f), f) for f in self.files(room)]
                found[room], sizes[room] = sum((s[0] for s in some), []), sum(s[1] for s in some)
            for room, wanted in drawing.quotas(sizes, count).items():
                for m in drawing.shuffled(found[room], seed):
                    if wanted == 0:
                        break
                    text, out, state = self.text(m.file), self.objects / f"{m.id}.o", "drawn"
                    if m.file not in seen:
                        self.compile(m.file, text, out)
                        seen[m.file] = {digest(out): "equivalent"}
                    if not self.compile(m.file, drawing.apply(text, m), out):
                        state = "does not compile"
                    elif digest(out) in seen[m.file]:
                        state = seen[m.file][digest(out)]
                    else:
                        seen[m.file][digest(out)] = "duplicate"
                        wanted -= 1
                    drawn.append((m.id, room, *m[1:-1], state))
            drawn.sort(key=lambda row: hashlib.sha1(f"order {seed} {row[0]}".encode()).digest())
            unfinished = path.with_suffix(".tmp")
            unfinished.unlink(missing_ok=True)
            for row in [DRAWN, *drawn]:
                append(unfinished, *row)
            unfinished.rename(path)
        return [row for row in rows(path) if row["state"] == "drawn"]

    def trials(self, row, tests, worker):
        """Link a mutant and run its tests: (test, result, complaint) of each."""
        shutil.rmtree(worker / "tests/scratch", ignore_errors=True)  # left by tests that were ended
        self.link(worker / "mutant/libmutant.so", [self.objects / f"{row['id']}.o"])
        # A line of a statement without code of its own counts with the code line before it.
        code = tests[0]["lines"].get(row["file"], [])
        line = max((l for l in code if l <= int(row["line"])), default=0)
        meets = [t for t in tests if t["passes"] and line in t["lines"].get(row["file"], [])]
        room = f"tests/{os.path.basename(os.path.dirname(row['file']))}/"
        for t in sorted(meets, key=lambda t: (not t["test"].startswith(room), t["seconds"])):
            limit = max(5, math.ceil(10 * t["seconds"]))
            yield t["test"], *self.run(t["test"], worker, worker / "mutant", limit)

    def try_all(self, drawn, tests, path, jobs):
        """Write the results of those that have none."""
        if not path.exists():
            append(path, *RESULT)
        done, lock = {row["id"] for row in rows(path)}, threading.Lock()
        left = iter([row for row in drawn if row["id"] not in done])

        def work(worker):
            while True:
                with lock:
                    row = next(left, None)
                if row is None:
                    return
                begin, ran, verdict, killer, says = time.monotonic(), 0, "survived", "", ""
                for test, result, words in self.trials(row, tests, worker):
                    ran += 1
                    if result != "passed":
                        verdict, killer, says = result.replace("failed", "killed"), test, words
                        break
                seconds = round(time.monotonic() - begin, 1)
                with lock:
                    append(path, *(row[k] for k in DRAWN[:-1]), verdict, killer, says, ran, seconds)

        threads = [threading.Thread(target=work, args=(self.worker(k),), daemon=True)
                   for k in range(jobs)]
        for step in (threading.Thread.start, threading.Thread.join):
            for thread in threads:
                step(thread)

    def show(self, row, tests):
        """One mutant for a person to look at, and what every test says of it."""
        before, worker = self.text(row["file"]), self.worker("only")
        m = next(m for m in drawing.mutants(before, row["file"])[0] if m.id == row["id"])
        after = drawing.apply(before, m)
        sys.stdout.writelines(difflib.unified_diff(
            before.splitlines(True), after.splitlines(True), m.file, m.id, n=2))
        for test, result, words in self.trials(row, tests, worker):
            print(f"{result:8} {test} {words}", flush=True)
        print(f"In {self.build}, LD_LIBRARY_PATH={worker}/mutant TEST runs a test with it.")


def table(results):
    print(f"{'':22} mutants  killed timeout survived untested  share    95 % interval")
    groups = [(key, v) for key in ("room", "operator") for v in sorted({r[key] for r in results})]
    for key, value in groups + [(None, "all")]:
        of = [r for r in results if key is None or r[key] == value]
        verdicts = collections.Counter(r["verdict"] for r in of)
        untested = sum(r["tests"] == "0" for r in of)
        n, survived, z = len(of), verdicts["survived"], 1.96
        middle = n - survived + z * z / 2  # Wilson's interval
        half = z * math.sqrt((n - survived) * survived / n + z * z / 4)
        low, high = (100 * (middle + side) / (n + z * z) for side in (-half, half))
        print(f"{value:22} {n:7} {verdicts['killed']:7} {verdicts['timeout']:7} {survived:8} "
              f"{untested:8} {100 * (n - survived) / n:5.1f} %  {low:5.1f} to {high:.1f} %")


def main():
    parse = argparse.ArgumentParser(description=__doc__,
                                    formatter_class=argparse.RawDescriptionHelpFormatter)
    here = pathlib.Path(__file__).resolve().parent
    parse.add_argument("folder", type=pathlib.Path)
    parse.add_argument("rooms", nargs="*", default=ROOMS)
    parse.add_argument("--source", type=pathlib.Path, default=here.parent.parent)
    parse.add_argument("--mutants", type=int, default=400)
    parse.add_argument("--seed", type=int, default=1)
    parse.add_argument("--jobs", type=int, default=1)
    parse.add_argument("--list", action="store_true", help="print what is drawn, and no more")
    parse.add_argument("--table", action="store_true", help="print the shares so far, and no more")
    parse.add_argument("--only", metavar="ID", help="show one mutant and run all its tests")
    args = parse.parse_args()
    results = args.folder / "results.tsv"
    if not args.table:
        tree = Tree(args.source, args.folder, args.jobs)
        drawn = tree.draw(args.rooms, args.mutants, args.seed)
        if args.list:
            return print((args.folder / "mutants.tsv").read_text(encoding="utf-8"), end="")
        tests = tree.learn([f for room in args.rooms for f in tree.files(room)])
        if args.only:
            return tree.show(next(row for row in drawn if row["id"] == args.only), tests)
        tree.try_all(drawn, tests, results, args.jobs)
    return table(rows(results))


if __name__ == "__main__":
    main()
