#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scene-costs.py PERP SOURCE: measure exactness and cost of large scenes, for the documents.

A run measures steps after the first one, each started from the impulses of the last, by the
solver of the scene; a problem is that of one step, solved alone from zero by `auto`. Times are
CPU seconds of a process less those of one that only reads, or makes one sweep. Results are kept in
docs/scenes/costs.json; tables are written between the marks <!-- costs --> and
<!-- end of costs --> of docs/large.md and of the pages of the scenes.

SCENES="wall ring" measures these only; LIMIT=60 is the most CPU time of a process in seconds;
TABLES=1 measures nothing and writes the tables again. `make scene-costs`."""
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

# scene, parameters, steps to measure
RUNS = [
    ("box-pyramid", "levels=14", 20),
    ("box-pyramid", "levels=24", 10),
    ("box-pyramid", "levels=44", 5),
    ("box-pyramid", "levels=100", 3),
    ("towers", "", 40),
    ("towers", "towers=50,boxes=20,dt=1/60 s", 20),
    ("wall", "", 20),
    ("wall", "courses=20,bricks=25", 5),
    ("card-house", "", 20),
    ("card-house", "levels=12", 5),
    ("masonry-bridge", "stones=199", 10),
    ("chain-net", "rows=50,columns=50", 10),
    ("ring", "links=1000", 10),
]
# scene, the rest of a call, description of the step
PROBLEMS = [
    ("box-pyramid", "levels=14,friction=0.3,slide=1", "sliding"),
    ("box-pyramid", "levels=14,shake=1", "impact"),
    ("box-pyramid", "levels=44,friction=0.3,slide=1", "sliding"),
    ("box-pyramid", "levels=44,shake=1", "impact"),
    ("wall", "courses=20,bricks=25,shake=1", "impact"),
    ("sphere-pack", "count=1000,by=nsgs,iterations=30,step=300", "settled"),
    ("sphere-pack", "count=10000,by=nsgs,iterations=30,step=350", "settled"),
    ("sphere-pack", "count=100000,by=nsgs,iterations=30,step=500", "settled"),
    ("sphere-pack", "count=1000,model=cone,by=nsgs,iterations=30,step=300", "settled"),
    ("sphere-pack", "count=10000,model=cone,by=nsgs,iterations=30,step=350", "settled"),
    ("gravel", "count=216,by=nsgs,iterations=50,step=400", "settled"),
    ("gravel", "count=2000,by=nsgs,iterations=30,step=500", "settled"),
    ("drum", "count=10000,by=nsgs,iterations=30,step=300", "turning"),
    ("hopper", "count=10000,by=nsgs,iterations=30,step=300", "flowing"),
    ("rag-doll", "dolls=100,by=nsgs,iterations=30,when=contacts>100", "falling"),
]
CASES = [("run", c) for c in RUNS] + [("problem", c) for c in PROBLEMS]
HEAD = ("| scene | state | bodies | contacts | solved | residual | penetration [m] | "
        "CPU per step | command |\n"
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n")


def cpu_of(pid):
    """CPU seconds of a process that runs."""
    try:
        with open(f"/proc/{pid}/stat") as f:
            fields = f.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    except OSError:
        return 0.0


class Bench:
    def __init__(self, perp, limit, work):
        self.perp, self.limit, self.work = perp, limit, work

    def run(self, *words, limit=None):
        """CPU seconds and the JSON that was printed, or None. Ended at the limit of CPU time
        by SIGINT, after the current step, and killed at twice that time."""
        limit = limit or self.limit
        with open(os.path.join(self.work, "answer"), "w+") as out:
            process = subprocess.Popen([self.perp, *words, "--json"], stdout=out,
                                       stderr=subprocess.DEVNULL, cwd=self.work)
            stopped = False
            while True:
                pid, _, usage = os.wait4(process.pid, os.WNOHANG)
                if pid:
                    break
                used = cpu_of(process.pid)
                if used > 2 * limit:
                    os.kill(process.pid, signal.SIGKILL)
                elif used > limit and not stopped:
                    os.kill(process.pid, signal.SIGINT)
                    stopped = True
                time.sleep(0.02 if used < 1 else 0.2)
            process.returncode = 0
            out.seek(0)
            try:
                answer = json.load(out)
            except ValueError:
                answer = None
        return usage.ru_utime + usage.ru_stime, answer

    def bodies(self, scene, sets):
        answer = self.run("info", scene, *sets)[1] or {}
        return sum(b["motion"] == "dynamic" for b in answer.get("bodies", []))

    def measure_run(self, scene, parameters, steps):
        sets = [w for p in parameters.split(",") if p for w in ("--set", p)]
        shown = "".join(" --set " + (f"'{p}'" if " " in p else p)
                        for p in parameters.split(",") if p)
        row = {"scene": scene, "call": parameters, "state": "from the start",
               "command": f"perp simulate {scene}{shown} --steps {steps + 1}"}
        folder = os.path.join(self.work, "run")
        shutil.rmtree(folder, ignore_errors=True)
        common = ["simulate", scene, *sets, "-q", "-o", folder]
        cpu, answer = self.run(*common, "--steps", "1")
        if not answer or answer["steps"] < 1:
            row["failed"] = f"no step in {self.limit:.0f} s"
            return row
        read = self.run(*common, "--steps", "1", "--resume")[0]
        row["first"] = max(cpu - read, 0.0)
        cpu, more = self.run(*common, "--steps", str(steps + 1), "--resume")
        answer = more or answer
        made = answer["steps"] - 1
        row["seconds"] = (cpu - read) / made if made else None
        if not made:
            row["failed"] = f"one step, no second one in {self.limit:.0f} s"
        row.update(steps=answer["steps"], solved=answer["solved"],
                   residual=answer["residual"], penetration=answer["penetration"],
                   contacts=answer["contacts"])
        return row

    def measure_problem(self, scene, call, state):
        path = f"scene:{scene}:{call}"
        quoted = f"'{path}'" if re.search(r"[> ]", path) else path
        row = {"scene": scene, "call": call, "state": state + ", one problem, cold",
               "command": f"perp solve {quoted} --solver auto"}
        # the first of these makes and stores it, the others read it
        if self.run("info", path, limit=20 * self.limit)[1] is None:
            row["failed"] = "the problem was not made"
            return row
        solve = ["solve", path, "--solver"]
        read, facts = self.run(*solve, "nsgs", "--max-iterations", "1")
        cpu, answer = self.run(*solve, "auto")
        row["contacts"] = (facts or {}).get("contacts")
        if answer is None:
            row["failed"] = f"no answer in {self.limit:.0f} s"
            return row
        row.update(steps=1, solved=int(answer["outcome"] == "solved"),
                   residual=answer["residual"], seconds=max(cpu - read, 0.0))
        return row


def key_of(kind, case):
    return f"{kind} {case[0]} {case[1]}"


def time_text(s):
    if s is None:
        return "–"
    return (f"{s * 1e6:.0f} us" if s < 1e-3 else f"{s * 1e3:.3g} ms" if s < 1
            else f"{s:.3g} s")


def cells(row):
    number = lambda key: "–" if row.get(key) is None else f"{row[key]:.1e}"
    failed = row.get("failed")
    solved = "–" if "solved" not in row else f"{row['solved']} of {row['steps']}"
    cost = failed or time_text(row.get("seconds"))
    if not failed and row.get("first", 0.0) > max(2.0 * row["seconds"], 0.01):
        cost += f" (first {time_text(row['first'])})"
    parameters = row["scene"]
    contacts = row.get("contacts")
    return (f"| {parameters} | {row['state']} | {row.get('bodies') or '–'} | "
            f"{'–' if contacts is None else format(contacts, '.0f')} | {solved} | "
            f"{number('residual')} | {number('penetration')} | {cost} | "
            f"`{row['command']}` |\n")


def write_tables(source, rows, machine):
    pages = {"": os.path.join(source, "docs", "large.md")}
    for row in rows:
        pages[row["scene"]] = os.path.join(source, "docs", "scenes", row["scene"] + ".md")
    for scene, path in pages.items():
        with open(path) as f:
            text = f.read()
        mine = [r for r in rows if scene in ("", r["scene"])]
        table = (f"<!-- costs -->\n{machine}\n\n" + HEAD + "".join(map(cells, mine)) +
                 "<!-- end of costs -->")
        new, count = re.subn(r"<!-- costs -->.*?<!-- end of costs -->", lambda _: table, text,
                             flags=re.S)
        if count != 1:
            sys.exit(f"{path}: expected one place between <!-- costs --> and "
                     f"<!-- end of costs -->, found {count}")
        with open(path, "w") as f:
            f.write(new)


def processor():
    with open("/proc/cpuinfo") as f:
        for line in f:
            if line.startswith("model name"):
                return " ".join(line.split(":", 1)[1].split())
    return "a processor without a name"


def save(path, known):
    with open(path + ".tmp", "w") as f:
        json.dump(known, f, indent=1)
        f.write("\n")
    os.replace(path + ".tmp", path)


def measure_all(perp, known, store):
    """Measure the requested rows again; each is stored when it is done."""
    only = os.environ.get("SCENES", "").split()
    limit = float(os.environ.get("LIMIT", "60"))
    with tempfile.TemporaryDirectory() as work:
        os.environ.setdefault("PERP_CAPTURES", os.path.join(work, "captures"))
        bench = Bench(perp, limit, work)
        for kind, case in CASES:
            if only and case[0] not in only:
                continue
            row = (bench.measure_run if kind == "run" else bench.measure_problem)(*case)
            sets = [w for p in case[1].split(",") for w in ("--set", p)
                    if p and not re.match(r"(step|when|by|iterations|model)=", p)]
            row["bodies"] = bench.bodies(case[0], sets)
            print(cells(row), end="", flush=True)
            known["rows"][key_of(kind, case)] = row
            save(store, known)
    version = subprocess.run([perp, "--version"], capture_output=True, text=True)
    known["machine"] = (f"{version.stdout.splitlines()[0]}, one core of {processor()}, at most "
                        f"{limit:g} s of CPU time per process:")


def main():
    perp, source = sys.argv[1:3]
    store = os.path.join(source, "docs", "scenes", "costs.json")
    known = {"machine": "", "rows": {}}
    if os.path.exists(store):
        with open(store) as f:
            known = json.load(f)
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    if "TABLES" not in os.environ:
        measure_all(perp, known, store)
    # in the order of the cases; rows of removed cases are dropped
    keys = [key_of(kind, case) for kind, case in CASES]
    known["rows"] = {k: known["rows"][k] for k in keys if k in known["rows"]}
    save(store, known)
    write_tables(source, list(known["rows"].values()), known["machine"])


main()
