#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# terminal_widths.sh: what perp prints on terminals of several widths, with and without colour, in
# braille and in ASCII, and into a pipe. Speaks TAP.
set -u
perp=$(cd "${PERP_BUILD:-.}" && pwd)/perp
source=$(cd "${PERP_SOURCE:-.}" && pwd)
data=$(cd "${PERP_DATASETS:-$source/datasets}" && pwd)
work=$(cd "${PERP_BUILD:-.}" && pwd)/tests/scratch/terminal-$$
suite=terminal
. "$source/tests/support/command.sh"
unset COLUMNS
TERM=xterm
LC_ALL=C.UTF-8
export TERM LC_ALL
cd "$work" || exit 99

has() { grep -qF -- "$1" "${2:-out}"; }
# on COLUMNS WORDS…: run perp on a terminal; what it prints in out, its status in $status.
on() {
    columns=$1
    shift
    python3 "$source/tests/support/terminal.py" "$columns" "$perp" "$@" >raw 2>err
    status=$?
    sed 's/.*\r//; s/\x1b\[K//g' raw >out # the bar of a run is drawn over itself
}
# fits COLUMNS: no line of out has more characters.
fits() {
    python3 - "$1" out <<'PY' >>err
import sys
wide = [x for x in open(sys.argv[2], encoding="utf-8") if len(x.rstrip("\n")) > int(sys.argv[1])]
print("".join(wide), end="")
sys.exit(bool(wide))
PY
}
# ascii: out has no other characters.
ascii() { ! LC_ALL=C grep -q '[^ -~]' out; }

# -- lists --------------------------------------------------------------------------------
lists="solvers codes options sets formats families suites metrics figures scenes joints
    mobilizers shapes forces integrators broad narrow"
for columns in 60 80 120; do
    good=0
    for list in '' $lists; do
        on $columns info $list
        { [ "$status" -eq 0 ] && [ -s out ] && fits $columns; } || good=1
    done
    ok $good "no line of a list is longer than $columns columns"
done
on 60 info formats
grep -qx 'fclib' out && grep -qx '  extension  .hdf5' out && grep -qx '  reads      yes' out
ok $? "a row that does not fit is a list of its cells"
on 100 info formats
grep -qE '^fclib +\.hdf5 +yes +yes +FCLIB HDF5' out
ok $? "a row that fits is a row"
run info sets
[ "$(wc -l <out)" -eq 8 ] && [ "$(awk 'length > 150' out | wc -l)" -gt 4 ]
ok $? "a row is one line in a pipe, however long"
# The wrapper of libtool is a script, in which bash sets COLUMNS after each command.
echo 'shopt -u checkwinsize' >keep
BASH_ENV=$work/keep COLUMNS=60 on 200 info suites
fits 60 && ! has "$(printf '\033')"
ok $? "COLUMNS is the width of a terminal"
COLUMNS=60 run info sets
[ "$(wc -l <out)" -eq 8 ]
ok $? "COLUMNS does not matter in a pipe"
good=0
for list in $lists; do
    on 40 info $list
    { [ "$status" -eq 0 ] && [ -s out ]; } || good=1
    case $list in options) ;; *) fits 40 || good=1 ;; esac
done
on 40 solve --help
{ [ "$status" -eq 0 ] && has 'starting'; } || good=1
ok $good "40 columns are enough for lists and help"

# -- colour -------------------------------------------------------------------------------
escape=$(printf '\033')
NO_COLOR='' on 80 info suites
has "$escape"
ok $? "headings are in colour on a terminal"
on 80 info suites
! has "$escape"
ok $? "NO_COLOR prints none"
NO_COLOR='' TERM=dumb on 80 info suites
! has "$escape"
ok $? "neither does a dumb terminal"
NO_COLOR='' run info suites
! has "$escape"
ok $? "nor a pipe"

# -- convergence --------------------------------------------------------------------------
lcp=generate:spd:n=40
on 80 solve $lcp --solver pgs --history
[ "$status" -eq 0 ] && fits 80 && has '┤' && has 'tolerance' && has 'iterations' && has '1e-08 ┤' &&
    [ "$(grep -c '│\|┤' out)" -eq 12 ]
ok $? "the history is drawn on a terminal"
LC_ALL=C on 80 solve $lcp --solver pgs --history
[ "$status" -eq 0 ] && ascii && fits 80 && has '1e-08 +' && has "'tolerance"
ok $? "in ASCII where the locale has no UTF-8"
TERM=dumb on 80 solve $lcp --solver pgs --history
ascii && has '1e-08 +'
ok $? "and on a dumb terminal"
on 40 solve $lcp --solver pgs --history
fits 40 && has '┤' && has ' iterations'
ok $? "40 columns are enough for it"
on 80 solve $lcp --solver pgs --history-axis products
has ' products' && ! has ' iterations,'
ok $? "its axis can be chosen"
on 80 solve $lcp --solver pgs --history-axis seconds
grep -q 'time \[[mu]*s\]$' out
ok $? "as time too"
refuse "names the axes" 'the nearest is "seconds"' solve $lcp --solver pgs --history-axis second
run solve $lcp --solver pgs --history
[ "$status" -eq 0 ] && ! has '┤' && python3 - out <<'PY' 2>err
import sys
lines = open(sys.argv[1]).read().split("\n\n")[1].splitlines()
assert lines[0].split() == ["iteration", "products", "residual", "time", "[s]"], lines[0]
rows = [[float(x) for x in line.split()] for line in lines[1:]]
assert rows[0][0] == 0 and rows[-1][2] <= 1e-8 and all(len(r) == 4 for r in rows), rows
assert len({r[0] for r in rows}) == len(rows), "an iteration is repeated"
PY
ok $? "the history is a table in a pipe"
run solve $lcp --solver pgs --draw
has '┤' && has tolerance
ok $? "and drawn there with --draw"
run solve $lcp --solver pgs --history --json
python3 - out <<'PY' 2>err
import json, sys
h = json.load(open(sys.argv[1]))["history"]
assert len(h) > 2, h
PY
ok $? "JSON has its samples as before"
on 80 solve "$data/fclib/local_problem_test.hdf5" --solver auto --tolerance 1e-8 --history
[ "$status" -eq 0 ] && grep -q '^ *A  [a-z-]*: [0-9]* iterations, residual' out &&
    grep -q '^ *B  [a-z-]*: ' out && grep -q '┤A.*B' out
ok $? "a rescue by another solver is marked"

# -- instances ----------------------------------------------------------------------------
on 80 info generate:wall
[ "$status" -eq 0 ] && fits 80 && has 'pattern, a dot per entry' && has '┌──' && has 'singular values' &&
    has 'index' && has '⣿'
ok $? "pattern and spectrum are drawn on a terminal"
LC_ALL=C on 80 info generate:wall
ascii && fits 80 && has '+------' && has ':::'
ok $? "in ASCII without UTF-8"
on 40 info generate:wall
fits 40 && has '┌──'
ok $? "40 columns are enough for them"
run info generate:wall
ascii && ! has pattern && has 'positive semidefinite to rounding' && has 'rank        24 of 60'
ok $? "there is no drawing in a pipe"
run info generate:wall --draw
has 'pattern, a dot per entry'
ok $? "unless --draw asks for it"
run info generate:spd:n=20 --json
python3 - out <<'PY' 2>err
import json, sys
f = json.load(open(sys.argv[1]))
s = f["singular_values"]
assert len(s) == 20 and all(a >= b for a, b in zip(s, s[1:])), s
assert f["rank"] == 20 and abs(f["condition"] - s[0] / s[-1]) <= 1e-12 * f["condition"], f
assert f["definite"] == "positive definite" and f["p_matrix"] is True and f["symmetric"] is True
assert f["nonzero_entries"] == 400 and f["bandwidth"] == 19 and f["blocks"] == 20
PY
ok $? "JSON has the numbers"
run info generate:spd:n=50 --spectrum 49
has 'not computed for 50 rows, more than 49: --spectrum 50 computes it'
ok $? "says which option computes the rank of a larger problem"
run info "$data/siconos-lcp/lcp_exp_murty.dat"
has 'yes: triangular with a positive diagonal'
ok $? "finds that a triangular matrix is a P-matrix"
on 80 info stack
[ "$status" -eq 0 ] && fits 80
ok $? "a scene fits too"

# -- runs ---------------------------------------------------------------------------------
on 80 simulate bouncing-ball --time 0.5 -o ball
[ "$status" -eq 0 ] && grep -qE '^energy +[▁▂▃▄▅▆▇█]+  [0-9.e-]+ .. [0-9.e-]+ J$' out &&
    grep -qE '^penetration +[▁▂▃▄▅▆▇█]+  0 .. [0-9.e-]+ m$' out && fits 80
ok $? "a run ends with energy and penetration in bars"
python3 - ball/metrics.csv out <<'PY' 2>err
import csv, re, sys
rows = list(csv.DictReader(open(sys.argv[1])))
e = [float(r["energy [J]"]) for r in rows]
line = [x for x in open(sys.argv[2]) if re.match("energy +[▁▂▃▄▅▆▇█]", x)][0]
low, high = re.search(r"  (\S+) \.\. (\S+) J", line).groups()
assert low == "%.5g" % min(e) and high == "%.5g" % max(e), (line, min(e), max(e))
PY
ok $? "with the least and the greatest of its steps"
LC_ALL=C on 40 simulate bouncing-ball --time 0.5 -o ascii
[ "$status" -eq 0 ] && ascii && fits 40 && grep -qE '^energy +[-_.=+*%#]+  ' out
ok $? "in ASCII and in 40 columns"
on 80 simulate bouncing-ball --time 0.5 -q -o quiet
[ "$status" -eq 0 ] && [ ! -s out ]
ok $? "but not with --quiet"
run simulate bouncing-ball --time 0.5 -o pipe
[ "$status" -eq 0 ] && ascii && [ "$(grep -c '^penetration' out)" -eq 1 ]
ok $? "nor in a pipe"
echo "1..$count"
