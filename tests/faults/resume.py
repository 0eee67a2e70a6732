# SPDX-License-Identifier: Apache-2.0
"""Kill perp at system calls that write, resume it, and compare with a run that was never killed.

    resume.py PERP TRACE SHIM WORK [--all] [--only NAME]

For each case the calls are counted; then, for calls 1, 2, ..., or for some of them, the command is
killed at the call, resumed, and every file of its folder is compared: numbers to the last digit,
times, process ids and the order of parallel runs aside. Nothing temporary may be left. Some resumes
are killed as well, and some kills leave half of a write, or come after the call; with --all, each
call is also left half written. Simulations are ended by missing memory as well. As many runs are made
at once as there are processors.
Speaks TAP; reads trajectories with h5dump."""
import concurrent.futures
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys

PERP, TRACE, SHIM, WORK = (os.path.abspath(path) for path in sys.argv[1:5])
ALL = '--all' in sys.argv
ONLY = sys.argv[sys.argv.index('--only') + 1] if '--only' in sys.argv else None
CALLS = 'write,open,rename,fsync,unlink,mkdir,truncate,link,mode'
LIMIT = 60  # seconds of one command on a busy machine

# Members of records that depend on the clock, on the processor, or on the process.
TIMES = re.compile(r'(^|_)(date|seconds|time|times|started|ended|since|clock|rate|speed|factor|load|mhz|'
                   r'memory|megabytes|kilobytes|pinned|worker|pid|temperature)(_|$)|^machine')


def call(words, cwd, **more):
    """Run a command with more variables; its exit status and all it has printed."""
    try:
        done = subprocess.run(words, cwd=cwd, env={**os.environ, **more}, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=LIMIT, check=False)
    except subprocess.TimeoutExpired:
        return -1, f'no end after {LIMIT} s'
    return done.returncode, done.stdout.decode(errors='replace')


# -- files without their times -----------------------------------------------------------------

def plain(value):
    """A record without members that depend on the clock."""
    if isinstance(value, dict):
        return {k: [row[:1] + row[2:] for row in v] if k == 'history' and isinstance(v, list) else plain(v)
                for k, v in sorted(value.items()) if not TIMES.search(k)}
    if isinstance(value, list):
        return [plain(v) for v in value]
    return value


def plain_json(path):
    with open(path, encoding='utf-8') as file:
        return json.dumps(plain(json.load(file)), sort_keys=True)


def plain_lines(path):
    """Records, one per line, in the order of their keys: parallel runs end in any order."""
    with open(path, encoding='utf-8') as file:
        text = file.read()
    if text and not text.endswith('\n'):
        raise ValueError(f'{path}: the last line is torn')
    return '\n'.join(sorted(json.dumps(plain(json.loads(line)), sort_keys=True)
                            for line in text.splitlines()))


def plain_csv(path):
    """A table without the columns of times. No name of a column holds a comma here."""
    with open(path, encoding='utf-8') as file:
        rows = [line.split(',') for line in file.read().splitlines()]
    keep = [k for k, name in enumerate(rows[0]) if not TIMES.search(name.split(' ')[0])]
    return '\n'.join(','.join(row[k] for k in keep if k < len(row)) for row in rows)


def numbers(text, name):
    found = re.search(r'DATASET "' + name + r'" \{.*?DATA \{(.*?)\n *\}', text, re.S)
    return [word for word in found[1].replace(',', ' ').split()] if found else []


def plain_trajectory(path):
    """All datasets and attributes to 17 digits; of the checkpoints the last one, without its
    summary, which holds times and is in summary.json."""
    text = subprocess.run(['h5dump', '-y', '-m', '%.17g', path], stdout=subprocess.PIPE,
                          check=True).stdout.decode(errors='replace')
    lines, skipping, state = [], None, []
    for line in text.splitlines()[1:]:  # the first one names the file
        blanks = len(line) - len(line.lstrip())
        if skipping is None and re.match(r' *(GROUP "state"|DATASET "seconds") \{', line):
            skipping = blanks
            keep = state if '"state"' in line else []
        if skipping is None:
            lines.append(line)
        else:
            keep.append(line)
            if blanks == skipping and line.strip() == '}':
                skipping = None
    state = '\n'.join(state)
    start, end = int(numbers(state, 'start')[-1]), int(numbers(state, 'end')[-1])
    lines += ['state', numbers(state, 'step')[-1]] + numbers(state, 'values')[start:end]
    # Of steps, frames, contacts, impulses and names; the other two count checkpoints.
    return '\n'.join(lines + numbers(state, 'counts')[-7:-2])


def plain_problem(path):
    """A captured problem."""
    return subprocess.run(['h5dump', '-m', '%.17g', path], stdout=subprocess.PIPE,
                          check=True).stdout.decode(errors='replace').split('\n', 1)[1]


def plain_file(path):
    name = os.path.basename(path)
    if name == 'trajectory.h5':
        return plain_trajectory(path)
    if name.endswith('.hdf5'):
        return plain_problem(path)
    if name.endswith('.jsonl'):
        return plain_lines(path)
    if name.endswith('.json'):
        return plain_json(path)
    if name == 'metrics.csv':
        return plain_csv(path)
    if name.endswith('.damaged'):
        return ''
    with open(path, 'rb') as file:
        return hashlib.sha256(file.read()).hexdigest()


def picture(folder):
    """All files below a folder, without times."""
    files = {}
    for root, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(root, name)
            files[os.path.relpath(path, folder)] = plain_file(path)
    return files


def difference(expected, found, steady):
    """The first difference of two pictures; None: there is none."""
    for name in sorted(set(expected) | set(found)):
        if name not in found or name not in expected:
            return f'{name} is {"missing" if name not in found else "too much"}'
        if name in steady and expected[name] != found[name]:
            for a, b in zip(expected[name].split('\n'), found[name].split('\n')):
                if a != b:
                    at = next((k for k, (x, y) in enumerate(zip(a, b)) if x != y), 0)
                    return f'{name}: "{a[max(0, at - 60):at + 60]}" became "{b[max(0, at - 60):at + 60]}"'
            return f'{name} has another length'
    return None


# -- cases -----------------------------------------------------------------------------------

class Case:
    """A command that is killed and resumed in folders of its own."""

    def __init__(self, name, words, files, expect, stride, resume=('--resume',)):
        self.name, self.words, self.files, self.resume = name, words, files, list(resume)
        self.expect = expect  # files that must not depend on times
        self.stride = stride  # of the calls, where not all of them are tried
        self.home = os.path.join(WORK, name)
        self.reference, self.steady, self.count, self.status = {}, set(), 0, 0

    def folder(self, name):
        path = os.path.join(self.home, name)
        shutil.rmtree(path, ignore_errors=True)
        os.makedirs(path)
        for file, text in self.files.items():
            with open(os.path.join(path, file), 'w', encoding='utf-8') as out:
                out.write(text)
        return path

    def prepare(self):
        """Two undisturbed runs, the second one counted: what differs depends on times."""
        one, two = self.folder('one'), self.folder('two')
        self.status, text = call([PERP] + self.words, one)
        calls = os.path.join(self.home, 'count')
        status, _ = call([TRACE, '--calls', CALLS, '--count', calls, '--', PERP] + self.words, two)
        with open(calls, encoding='utf-8') as file:
            self.count = int(file.read())
        self.reference, second = picture(one), picture(two)
        self.steady = {k for k in self.reference if self.reference[k] == second.get(k)}
        missing = [k for k in self.expect if k not in self.steady]
        if status != self.status or self.status not in (0, 1) or missing or \
                set(self.reference) != set(second):
            return f'two undisturbed runs differ: status {self.status} and {status}, {missing}, {text}'
        shutil.rmtree(two)
        return None

    def resumed(self, where, torn):
        """Resume and compare; None: all is as it should be, and the folder is removed. Half a write may spoil a trajectory: it
        is kept, and the run starts again."""
        status, text = call([PERP] + self.words + self.resume, where)
        if status != self.status:
            return f'resumed with status {status}: {text}'
        found = picture(where)
        if torn:
            found.pop('run/trajectory.h5.damaged', None)
        bad = difference(self.reference, found, self.steady)
        if not bad:
            shutil.rmtree(where)
        return bad

    def kill(self, k, how=(), again=0):
        """Kill at call k, then the resume at call `again`, then resume."""
        where = self.folder(f'killed-{k}{"".join(how)}-{again}')
        trace = [TRACE, '--calls', CALLS] + list(how)
        status, text = call(trace + ['--kill', str(k), '--', PERP] + self.words, where)
        if status not in (137, self.status):
            return f'status {status}, expected 137: {text}'
        if again:
            call([TRACE, '--calls', CALLS, '--kill', str(again), '--', PERP] + self.words +
                 self.resume, where)
        return self.resumed(where, '--torn' in how)

    def allocations(self):
        """How many allocations an undisturbed run makes."""
        path = os.path.join(self.home, 'allocations')
        with open(path, 'wb') as file:
            file.write(bytes(8))
        call([PERP] + self.words, self.folder('two'), LD_PRELOAD=SHIM, PERP_FAULT_KIND='memory',
             PERP_FAULT_AT='0', PERP_FAULT_COUNT=path)
        with open(path, 'rb') as file:
            return int.from_bytes(file.read(8), sys.byteorder)

    def starve(self, k):
        """Let allocation k fail, then resume."""
        where = self.folder(f'starved-{k}')
        path = os.path.join(self.home, f'starved-{k}.count') # several at once
        with open(path, 'wb') as file:
            file.write(bytes(16))
        status, text = call([PERP] + self.words, where, LD_PRELOAD=SHIM, PERP_FAULT_KIND='memory',
                            PERP_FAULT_AT=str(k), PERP_FAULT_COUNT=path)
        with open(path, 'rb') as file:
            crashed = (status < 0 or status == 255) and file.read()[8]  # of libhdf5, as a kill
        if status not in (2, self.status) and not crashed:
            return f'status {status}, expected 2: {text}'
        return self.resumed(where, False)

    def tries(self):
        """Calls and ways of all kills."""
        for n, k in enumerate(range(1, self.count + 1, 1 if ALL else self.stride)):
            ways = [(k, ('--after',), 0), (k, (), 1 + k // 2), (k, (), k + 2), (k, ('--torn',), 0)]
            yield k, (), 0
            if ALL:
                yield ways.pop()
            if n % 3 == 0:
                yield ways[n // 3 % len(ways)]

    def run(self):
        """All kills: how many, and the sentences of those that failed."""
        tries = list(self.tries())
        count = self.allocations() if self.words[0] == 'simulate' else 0
        starved = range(1, count + 1, 8 if ALL else 1 + count // 20)
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            ends = list(pool.map(lambda one: self.kill(*one), tries))
            lacks = list(pool.map(self.starve, starved))
        failed = [f'call {k}, {" ".join(how)} then {again}: {bad}'
                  for (k, how, again), bad in zip(tries, ends) if bad]
        failed += [f'allocation {k} of {count}: {bad}' for k, bad in zip(starved, lacks) if bad]
        return f'{len(tries)} kills at {self.count} calls, {len(starved)} allocations of {count}', failed


BOX = '''{"title": "a box with a bob", "time": "0.24 s", "solver": "nsgs",
  "scheme": {"dt": "0.01 s", "margin": 0.02}, "ground": {},
  "bodies": [
    {"name": "box", "mass": 1, "position": [0, 0, 0.26], "velocity": [1, 0, 0],
     "shapes": [{"type": "box", "size": [0.5, 0.5, 0.5]}]},
    {"name": "bob", "mass": 0.1, "position": [0, 0.8, 1.21], "velocity": [1, 0, 0],
     "shapes": [{"type": "sphere", "size": 0.1}]}],
  "joints": [{"type": "revolute", "name": "elbow", "bodies": ["box", "bob"],
              "at": [0, 0.6, 0.71], "axis": [1, 0, 0]}]}'''
LCP = '''{"name": "test", "limits": {"seconds": 60, "megabytes": 4000}, "sets": [{"name": "lcp",
  "instances": ["generate:spd:n=6", "generate:spd:n=9,seed=5"], "solvers": ["lemke", "pgs"]}]}'''
MIXED = '''{"name": "mixed", "limits": {"seconds": 60, "megabytes": 4000}, "sets": [
  {"name": "lcp", "instances": ["generate:spd:n=6"], "solvers": ["lemke", "pgs"]},
  {"name": "step", "instances": ["scene:box.json:step=12"], "solvers": ["nsgs"]},
  {"name": "scene", "scenes": ["box.json"], "scheme": {"friction": "box"},
   "solvers": ["nsgs", "pgs"]}]}'''
RUN = ['run/trajectory.h5', 'run/metrics.csv', 'run/summary.json']
SIM = ['simulate', 'box.json', '-o', 'run', '-q', '--checkpoint', '5']
COMPARE = ['compare', 'suite.json', '-o', 'run', '-q']
RECORDS = ['run/runs.jsonl', 'run/instances.jsonl', 'run/suite.json']

CASES = [
    Case('maximal', SIM + ['--capture', '4'], {'box.json': BOX},
         RUN + ['run/capture/step_00024.hdf5'], 89),
    Case('reduced', SIM + ['--coordinates', 'reduced', '--every', '3'], {'box.json': BOX}, RUN, 97),
    Case('unsolved', SIM + ['--max-iterations', '3', '--tolerance', '1e-14', '--view', '--write',
                            'end.json', '--steps', '12'], {'box.json': BOX}, RUN + ['end.json'], 79),
    Case('compare', COMPARE + ['--no-report'], {'suite.json': LCP}, RECORDS, 4),
    Case('parallel', COMPARE + ['--no-report', '-j', '2', '--no-pin'], {'suite.json': LCP}, RECORDS, 5),
    Case('mixed', COMPARE + ['--no-report'], {'suite.json': MIXED, 'box.json': BOX}, RECORDS, 13),
    Case('report', COMPARE, {'suite.json': LCP}, RECORDS, 37),
]


def main():
    number = 0
    for case in CASES:
        if ONLY and case.name != ONLY:
            continue
        number += 1
        bad = case.prepare()
        tried, failed = ('nothing', [bad]) if bad else case.run()
        steady = f'{len(case.steady)} of {len(case.reference)} files to the bit'
        print(f'{"not " if failed else ""}ok {number} - resume: {case.name}, {tried}, {steady}', flush=True)
        for line in failed[:20]:
            print('#  ', line.replace('\n', '\n#   '), flush=True)
        if not failed:
            shutil.rmtree(case.home)
    print(f'1..{number}')


main()
