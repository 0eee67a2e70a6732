# SPDX-License-Identifier: Apache-2.0
"""Let calls fail in the processes that perp starts, and judge what perp makes of it.

    children.py PERP TRACE SHIM WORK [--all] [--only NAME]

Memory fails by the shared object SHIM, calls on files by TRACE; perp itself is spared. The fault may have no
effect. Otherwise perp must end soon, by itself, with a reason: of a run that failed in its record, of
others in a line on standard error. A run that failed is not solved. Nothing temporary and no process may be
left. Some calls of each case are tried, with --all every one. Speaks TAP."""
import ctypes
import errno
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time

PERP, TRACE, SHIM, WORK = (os.path.abspath(path) for path in sys.argv[1:5])
ALL = '--all' in sys.argv
ONLY = sys.argv[sys.argv.index('--only') + 1] if '--only' in sys.argv else None
SECONDS = 60
SUBREAPER = 36  # of prctl: children of children come to this process
CALLS = 'write,open,rename,fsync,mkdir,truncate'  # a folder that cannot be removed stays

SUITE = '''{"name": "small", "limits": {"seconds": 20}, "sets": [
  {"name": "lcp", "instances": ["generate:ahn:n=4"], "solvers": ["lemke", "exec:\\"sh answer.sh\\""]}]}'''
# A program of the user: writes the answer of an earlier run.
ANSWER = '''set -e
cat answer.txt >"$PERP_SOLUTION"
'''


def environment(**more):
    """A quiet environment with a folder of its own for temporary files."""
    env = {k: v for k, v in os.environ.items() if not k.startswith('PERP_FAULT')}
    env.update(OPENBLAS_NUM_THREADS='1', NO_COLOR='1', TMPDIR=os.path.join(WORK, 'tmp'), **more)
    return env


def strangers():
    """Processes that ended commands have left."""
    with open(f'/proc/self/task/{os.getpid()}/children', encoding='utf-8') as file:
        return [int(pid) for pid in file.read().split()]


def call(words, cwd, env):
    """Run a command: its status, both outputs, and what it did wrong at its end."""
    with subprocess.Popen(words, cwd=cwd, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, start_new_session=True) as process:
        try:
            out, err = process.communicate(timeout=SECONDS)
            wrong = None
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            out, err = process.communicate()
            wrong = f'no end after {SECONDS} s'
    for _ in range(40):
        while True:
            try:
                if os.waitpid(-1, os.WNOHANG)[0] == 0:
                    break
            except ChildProcessError:
                break
        if not strangers():
            break
        time.sleep(0.05)
    for pid in strangers():
        wrong = wrong or 'a process is left'
        os.kill(pid, signal.SIGKILL)
    return process.returncode, out.decode(errors='replace'), err.decode(errors='replace'), wrong


class Case:
    """A command, the files that it starts from, and the processes of it that fail."""

    def __init__(self, name, words, program=None, some=4):
        self.name, self.words, self.program, self.some = name, words, program, some
        self.home = os.path.join(WORK, name)
        self.plain = None
        self.counts = []

    def clean(self):
        shutil.rmtree(self.home, ignore_errors=True)
        shutil.rmtree(os.path.join(WORK, 'tmp'), ignore_errors=True)
        os.makedirs(os.path.join(WORK, 'tmp'))
        shutil.copytree(os.path.join(WORK, 'in'), self.home)

    def memory(self, k, at='AT'):
        """The k-th allocation of the children fails, or all FROM it on. Returns the end, and the number of calls."""
        count = os.path.join(WORK, 'count')
        with open(count, 'wb') as file:
            file.write(bytes(8))
        more = {'PERP_FAULT_PROGRAM': self.program} if self.program else {}
        self.clean()
        end = call([PERP] + self.words, self.home,
                   environment(LD_PRELOAD=SHIM, PERP_FAULT_KIND='memory',
                               PERP_FAULT_CHILDREN='only', PERP_FAULT_COUNT=count,
                               **{f'PERP_FAULT_{at}': str(k)}, **more))
        with open(count, 'rb') as file:
            return end, int.from_bytes(file.read(8), sys.byteorder)

    def system(self, k, name):
        """The k-th call on files of the children fails with this error."""
        count = os.path.join(WORK, 'count')
        words = ['--only-children', '--calls', CALLS, '--errno', name, '--count', count]
        words += ['--program', self.program] if self.program else []
        words += ['--fail', str(k)] if k else []
        self.clean()
        end = call([TRACE] + words + ['--', PERP] + self.words, self.home, environment())
        with open(count, encoding='utf-8') as file:
            return end, int(file.read())

    # -- the judge ------------------------------------------------------------------------

    def files(self):
        found = {}
        for folder, _, names in os.walk(self.home):
            for name in names:
                path = os.path.join(folder, name)
                found[os.path.relpath(path, self.home)] = os.path.getsize(path)
        return found

    def records(self):
        """Records by key, and what is wrong with them."""
        path = os.path.join(self.home, 'new', 'runs.jsonl')
        found = {}
        if not os.path.exists(path):
            return found, None
        with open(path, encoding='utf-8') as file:
            lines = file.read().split('\n')
        try:
            for line in lines[:-1]:
                record = json.loads(line)
                if record['key'] in found:
                    return found, 'a run is there twice'
                found[record['key']] = record
        except ValueError:
            return found, 'a line of records is torn'
        return found, 'a line of records is torn' if lines[-1] else None

    def judge_records(self, status, reason):
        plain, (now, wrong) = self.plain[3], self.records()
        if wrong or (status <= 1 and set(now) != set(plain)):
            return wrong or 'runs are missing'
        for key, record in now.items():
            if record['solved'] and not plain[key]['solved']:
                return 'a run is solved that was not'
            said = f"{record['status']} {record.get('message')} {record.get('reason')}"
            if plain[key]['solved'] and not record['solved'] and not re.search(reason, said):
                return f'a record does not say why: {said}'
        return None

    def judge(self, end, reason):
        """What is wrong with an end, or None. Without `reason` the end is that without a fault."""
        status, _, err, wrong = end
        files = self.files()
        left = [name for name in files if re.search(r'[.](tmp|part)-', name)] + os.listdir(
            os.path.join(WORK, 'tmp'))
        if wrong or left:
            return wrong or f'left over: {left}'
        if reason is None:
            self.plain = (status, files, err, self.records()[0])
            return None if status <= 1 else f'status {status} without a fault: {err}'
        if status < 0 or status > 2:
            return f'status {status}: {err}'
        if status == 2:
            return None if err.endswith('\n') and re.search(reason, err) else f'a reason that is not true: {err}'
        if self.plain[3]:
            return self.judge_records(status, reason)
        if status != self.plain[0]:
            path = os.path.join(self.home, 'answer.json')
            if not os.path.exists(path):
                return f'status {status}: {err}'
            with open(path, encoding='utf-8') as file:
                answer = json.load(file)
            said = str(answer.get('reason')) + str(answer.get('message'))
            return None if answer['outcome'] != 'solved' and len(said) > 10 else f'status {status}: {said}'
        lacking = [name for name, size in self.plain[1].items()
                   if name not in files or (files[name] == 0) != (size == 0)]
        return f'status {status}, but files are missing or empty: {lacking}' if lacking else None

    def run(self):
        """All faults; the number of runs, and what was found."""
        tried, found = 0, []
        lacking = 'memory|Memory|alloc|signal|crash'
        kinds = [('memory', self.memory, lacking),
                 ('memory-from', lambda k: self.memory(k, 'FROM'), lacking),
                 ('ENOSPC', lambda k: self.system(k, 'ENOSPC'), None),
                 ('EACCES', lambda k: self.system(k, 'EACCES'), None)]
        for name, fault, reason in kinds:
            end, count = fault(0)
            wrong = self.judge(end, None)
            if wrong:
                return tried, [wrong]
            self.counts.append(f'{count} {name}')
            # A record has room for a part of a sentence with long paths; gnuplot may not say why.
            reason = (reason or os.strerror(getattr(errno, name))[:12]) + '|gnuplot'
            step = 1 if ALL else max(1, count // self.some)
            for k in range(1, count + 1, step):
                end, _ = fault(k)
                wrong = self.judge(end, reason)
                tried += 1
                if wrong:
                    found.append(f'{name} {k} of {count}: {wrong}')
        return tried, found


class Film(Case):
    """A film: chromium bears neither a tracer nor another allocator, so that ffmpeg is limited instead."""

    def limited(self, commands):
        folder = os.path.join(WORK, 'bin')
        path = os.path.join(folder, 'ffmpeg')
        os.makedirs(folder, exist_ok=True)
        with open(path, 'w', encoding='utf-8') as file:
            file.write(f'#!/bin/sh\n{commands}\nexec "{shutil.which("ffmpeg")}" "$@"\n')
        os.chmod(path, 0o755)
        self.clean()
        return call([PERP] + self.words, self.home, environment(PATH=f'{folder}:{os.environ["PATH"]}'))

    def run(self):
        found = [self.judge(self.limited(':'), None)]
        for commands in ('ulimit -f 1', 'ulimit -v 60000', 'exit 3', 'kill -9 $$', 'head -c 9 >/dev/null; exit 3'):
            self.counts.append(commands)
            wrong = self.judge(self.limited(commands), 'ffmpeg')
            if wrong or os.path.exists(os.path.join(self.home, 'new.mp4')):
                found.append(f'{commands}: {wrong or "a film is there"}')
        return len(self.counts), [wrong for wrong in found if wrong]


def prepare():
    """The files that all cases start from."""
    home = os.path.join(WORK, 'in')
    shutil.rmtree(WORK, ignore_errors=True)
    os.makedirs(home)
    os.makedirs(os.path.join(WORK, 'tmp'))
    for name, text in (('suite.json', SUITE), ('answer.sh', ANSWER)):
        with open(os.path.join(home, name), 'w', encoding='utf-8') as file:
            file.write(text)
    scene = os.path.join(os.environ['PERP_SOURCE'], 'experiments/scenes/incline-slip.json')
    shutil.copy(scene, home)
    commands = (['solve', 'generate:ahn:n=4', '--solver', 'lemke', '-o', 'lemke.json'],
                ['simulate', 'incline-slip.json', '--time', '0.03', '-o', 'run', '-q'])
    for words in commands:
        status, out, err, _ = call([PERP] + words, home, environment())
        if status != 0:
            sys.exit(f'children.py: perp {words[0]}: {out}{err}')
    with open(os.path.join(home, 'lemke.json'), encoding='utf-8') as file:
        z = json.load(file)['z']
    with open(os.path.join(home, 'answer.txt'), 'w', encoding='utf-8') as file:
        json.dump({'z': z, 'claim': 'solved'}, file)
    status, out, err, _ = call([PERP, 'compare', 'suite.json', '-o', 'results', '-q', '--no-report'], home,
                               environment())
    if status > 1:
        sys.exit(f'children.py: perp compare: {out}{err}')


def cases():
    solve = ['solve', 'generate:ahn:n=4', '-o', 'answer.json', '--solver']
    codes = os.environ.get('PERP_CODES', '')
    yield Case('compare', ['compare', 'suite.json', '-o', 'new', '-q', '--no-report'])
    yield Case('exec', solve + ['exec:"sh answer.sh"'])
    if os.path.exists(os.path.join(codes, 'perp-glpk')):
        yield Case('code', solve + ['glpk:milp'], 'perp-glpk')
    if shutil.which('gnuplot'):
        yield Case('plot', ['plot', 'results', '-o', 'new', '--figure', 'share'], 'gnuplot')
    if ALL and shutil.which('ffmpeg') and shutil.which('chromium'):
        yield Film('film', ['view', 'run', '--film', 'new.mp4', '--size', '160x120', '--rate', '5', '-q'])


def main():
    ctypes.CDLL(None).prctl(SUBREAPER, 1, 0, 0, 0)
    prepare()
    number = 0
    for case in cases():
        if ONLY and case.name != ONLY:
            continue
        number += 1
        tried, found = case.run()
        print(f'{"not " if found else ""}ok {number} - children: {case.name}, {tried} faults '
              f'({", ".join(case.counts)})', flush=True)
        for line in found[:20]:
            print('#  ', line.replace('\n', '\n#   '), flush=True)
    print(f'1..{number}')


main()
