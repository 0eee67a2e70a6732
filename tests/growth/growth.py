#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""growth.py PERP [CASE...]: processor time of the command on files of size n and 10 n.

A ratio of 10 is linear growth. A ratio above 30 is a defect: exit status 1. Times are those of the
process and its children without the time of `perp --version`; a case that takes less than 50 ms at
10 n has no ratio. `make growth` runs all cases in a folder of its own.
"""

import json
import os
import resource
import subprocess
import sys

PERP = os.path.abspath(sys.argv[1])
MOST = 30.0
LEAST = 0.05
LIMIT = 300


def write_json(path, value):
    with open(path, 'w', encoding='utf-8') as out:
        json.dump(value, out)


def urdf(path, n, parent, kind='continuous', massless=()):
    with open(path, 'w', encoding='utf-8') as out:
        out.write('<robot name="r">\n')
        for k in range(n + 1):
            mass = '' if k in massless else (
                '<inertial><mass value="1"/><inertia ixx="0.1" iyy="0.1" izz="0.1" '
                'ixy="0" ixz="0" iyz="0"/></inertial>')
            out.write(f'<link name="link{k}">{mass}</link>\n')
        for k in range(n):
            out.write(f'<joint name="joint{k}" type="{kind}"><parent link="link{parent(k)}"/>'
                      f'<child link="link{k + 1}"/><origin xyz="0 0 0.01"/>'
                      '<axis xyz="0 1 0"/></joint>\n')
        out.write('</robot>\n')


def chain(path, n):
    urdf(path, n, lambda k: k)


def star(path, n):
    urdf(path, n, lambda k: 0)


def fixed(path, n):
    urdf(path, n, lambda k: k, 'fixed')


def merged(path, n):
    urdf(path, n, lambda k: k, 'fixed', range(1, n + 1))


def body(k, **more):
    return {'name': f'b{k}', 'position': [0, 0, k], 'mass': 1, 'inertia': [1, 1, 1], **more}


def joint(k, name):
    return {'type': 'revolute', 'name': name, 'bodies': [f'b{k}', f'b{k + 1}'],
            'at': [0, 0, k + 0.5], 'axis': [0, 1, 0]}


def sphere(**more):
    return [{'type': 'sphere', 'radius': 0.4, **more}]


def bodies(path, n):
    write_json(path, {'bodies': [body(k, shapes=sphere()) for k in range(n)]})


def joints(path, n):
    write_json(path, {'bodies': [body(k) for k in range(n)], 'joints': [
        joint(k, f'j{r}-{k}') for r in range(5) for k in range(n - 1)]})


def groups(path, n):
    write_json(path, {'bodies': [
        body(k, shapes=sphere(groups=[k % 32], meets=[(k + 1) % 32])) for k in range(n)]})


def materials(path, n):
    write_json(path, {
        'materials': [{'name': f'm{k}', 'friction': 0.5} for k in range(n)],
        'bodies': [body(k, shapes=sphere(material=f'm{k}')) for k in range(n)]})


def forces(path, n):
    write_json(path, {'bodies': [body(k) for k in range(n)], 'forces': [
        {'type': 'spring', 'name': f'f{k}', 'bodies': [f'b{k}', f'b{k + 1}'], 'stiffness': 1}
        for k in range(n - 1)]})


def copies(path, n):
    item = body(0, repeat={'count': n, 'step': [0, 0, 1]})
    write_json(path, {'bodies': [{**item, 'name': 'b{k}'}]})


def suite(sets):
    return {'name': 's', 'limits': {'seconds': 2, 'megabytes': 512}, 'tolerances': [1e-8],
            'sets': sets}


def entries(path, n):
    write_json(path, suite([{'name': 'a', 'solvers': ['pgs', 'lemke'], 'instances': [
        f'generate:spd:n=5,seed={k}' for k in range(n)]}]))


def sets(path, n):
    write_json(path, suite([{'name': f's{k}', 'solvers': ['pgs'], 'instances': [
        f'generate:spd:n=5,seed={k}']} for k in range(n)]))


def problem(path, n, **more):
    indices = list(range(n))
    write_json(path, {'M': {'shape': [n, n], 'indptr': indices + [n], 'indices': indices,
                            'data': [1.0] * n}, 'q': [-1.0] * n, **more})


def labels(path, n):
    problem(path, n, labels=[{'kind': 'joint', 'index': k} for k in range(n)])


def sequence(path, n):
    subprocess.run([PERP, 'generate', 'parametric', '--sequence', '--instance', 'generate:spd:n=5',
                    '--direction', '3', '--steps', str(n), '-o', path, '-q'], check=True)


def motion(path, n):
    """A run of one step: bodies of two spheres, one with a size and colour of its own."""
    write_json(f'{path}.json', {'bodies': [
        body(k, shapes=sphere(radius=0.1 + 0.1 * k / n, color=f'#{k % 0xffffff:06x}')
             + sphere()) for k in range(n)]})
    subprocess.run([PERP, 'simulate', f'{path}.json', '--steps', '1', '-o', path, '-q',
                    '--force'], check=True)


def runs(path, n):
    os.makedirs(path, exist_ok=True)
    record = {'schema': 'perp-run/1', 'suite': 's', 'set': 'a', 'kind': 'lcp', 'n': 5,
              'contacts': 0, 'nonzeros': 25, 'options': {}, 'formulation': 'natural',
              'law': 'coulomb', 'tolerance': 1e-8, 'seed': 1, 'vary': {}, 'start': 'cold',
              'status': 'ok', 'message': None, 'outcome': 'solved', 'reason': '',
              'solved': True, 'residual': 0.0, 'iterations': 2,
              'seconds': 1e-3, 'measures': {},
              'work': {'products': 1.0, 'factorizations': 0.0, 'pivots': 2.0}}
    with open(f'{path}/runs.jsonl', 'w', encoding='utf-8') as out:
        for k in range(n):
            name, label = f'i{k // 10}', f'solver{k % 10}'
            out.write(json.dumps({**record, 'key': f'{k:016x}', 'place': k,
                                  'instance': name, 'problem': name, 'hash': f'{k // 10:016x}',
                                  'seconds': 1e-3 * (1 + k % 7), 'solver': label,
                                  'label': label,
                                  'solver_label': label}) + '\n')


# name: maker, ending, n, arguments with {} for the file
CASES = {
    'chain-info': (chain, '.urdf', 2000, ['info', '{}']),
    'star-info': (star, '.urdf', 2000, ['info', '{}']),
    'fixed-info': (fixed, '.urdf', 2000, ['info', '{}']),
    'merged-info': (merged, '.urdf', 2000, ['info', '{}']),
    'chain-step-reduced': (chain, '.urdf', 2000, [
        'simulate', '{}', '--steps', '1', '--coordinates', 'reduced', '-o', '{}-out']),
    'star-step-reduced': (star, '.urdf', 200, [
        'simulate', '{}', '--steps', '1', '--coordinates', 'reduced', '-o', '{}-out']),
    'chain-step-maximal': (chain, '.urdf', 1000, [
        'simulate', '{}', '--steps', '1', '--solver', 'pgs max-iterations=10', '-o',
        '{}-out']),
    'bodies-info': (bodies, '.json', 2000, ['info', '{}']),
    'joints-info': (joints, '.json', 2000, ['info', '{}']),
    'groups-info': (groups, '.json', 2000, ['info', '{}']),
    'materials-info': (materials, '.json', 2000, ['info', '{}']),
    'forces-info': (forces, '.json', 2000, ['info', '{}']),
    'copies-info': (copies, '.json', 20000, ['info', '{}']),
    'bodies-convert': (bodies, '.json', 2000, ['convert', '{}', '{}-out.json', '-q']),
    'bodies-mjcf': (bodies, '.json', 2000, ['convert', '{}', '{}-out.xml', '-q']),
    'motion-gltf': (motion, '', 10000, ['convert', '{}', '{}-out.glb', '-q']),
    'suite-entries': (entries, '.json', 1000, ['compare', '{}', '-o', 'none', '--dry-run']),
    'suite-sets': (sets, '.json', 1000, ['compare', '{}', '-o', 'none', '--dry-run']),
    'problem-info': (problem, '.json', 10000, ['info', '{}']),
    'problem-solve': (problem, '.json', 10000, ['solve', '{}', '--solver', 'pgs']),
    'problem-siconos': (problem, '.json', 10000, ['convert', '{}', '{}-out.dat', '-q']),
    'problem-mat': (problem, '.json', 10000, ['convert', '{}', '{}-out.mat', '-q']),
    'problem-npz': (problem, '.json', 10000, ['convert', '{}', '{}-out.npz', '-q']),
    'labels-info': (labels, '.json', 10000, ['info', '{}']),
    'labels-mat': (labels, '.json', 10000, ['convert', '{}', '{}-out.mat', '-q']),
    'sequence-info': (sequence, '.hdf5', 200, ['info', '{}']),
    'sequence-solve': (sequence, '.hdf5', 200, [
        'solve', '{}', '--sequence', '--solver', 'lemke']),
    'runs-plot': (runs, '', 1000, ['plot', '{}', '--figure', 'profile', '-o', '{}-out']),
    'runs-merge': (runs, '', 1000, ['compare', '--merge', '{}', '-o', '{}-out']),
}


def processor_time(command):
    """Seconds of the command and its children, and its last line where it failed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        end = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                             stderr=subprocess.PIPE, timeout=LIMIT, check=False)
    except subprocess.TimeoutExpired:
        return float(LIMIT), f'not done after {LIMIT} s'
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    words = end.stderr.decode(errors='replace').strip().splitlines()
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return spent, '' if end.returncode in (0, 1) else (words or ['failed'])[-1]


def measure(name, idle):
    """Print the line of one case; False: a failure, or too large a ratio."""
    make, ending, n, words = CASES[name]
    times = []
    for size in (n, 10 * n):
        path = f'{name}-{size}{ending}'
        make(path, size)
        command = [PERP] + [word.replace('{}', path) for word in words]
        spent, failure = processor_time(command)
        if failure:
            print(f'{name:20} {size:8}  {failure}')
            return False
        times.append(max(spent - idle, 1e-3))
    ratio = times[1] / times[0]
    small = times[1] < LEAST
    print(f'{name:20} {n:8} {times[0]:9.3f} s {10 * n:8} {times[1]:9.3f} s  '
          + ('-' if small else f'{ratio:.1f}'), flush=True)
    return small or ratio <= MOST


def main():
    names = sys.argv[2:] or list(CASES)
    os.makedirs('growth', exist_ok=True)
    os.chdir('growth')
    idle = min(processor_time([PERP, '--version'])[0] for _ in range(3))
    good = [measure(name, idle) for name in names]
    print(f'{sum(good)} of {len(good)} grow in proportion')
    return 0 if all(good) else 1


if __name__ == '__main__':
    sys.exit(main())
