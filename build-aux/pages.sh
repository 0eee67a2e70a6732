#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# pages.sh PERP SOURCE: write docs/solvers: a page and a picture of every solver, and the table
# of all. The picture shows the residual on the way on three fixed instances. `make pages`.
set -eu
perp=$1
source=$2
out=$source/docs/solvers
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

instances='spd|LCP, positive definite, 100 rows|generate:spd:n=100
normal|LCP, rank-deficient contacts, 120 rows|generate:normal-contacts:n=120
contact|Coulomb friction, 54 contacts|datasets/siconos-fc3d/Confeti-ex03-Fc3D-SBM.dat'

# history SOLVER: one data block an instance: its title, then iteration and residual.
history() {
    echo "$instances" | while IFS='|' read -r _ title instance; do
        (cd "$source" && "$perp" solve "$instance" --solver "$1" --history --json \
            --check-every 1 --time-limit 10 --max-iterations 20000) >"$work/answer" 2>"$work/err" || true
        python3 - "$work/answer" "$title" <<'PY'
import json, sys
title = sys.argv[2]
try:
    answer = json.load(open(sys.argv[1]))
except ValueError:
    print('"%s: not taken"\n1 NaN\n\n' % title)
    sys.exit()
outcome = answer["outcome"]
moments = [(m[0], m[3]) for m in answer["history"] if isinstance(m[3], (int, float))]
moments.append((answer["iterations"], answer["model_residual"]))
if len(moments) > 400:  # one in so many: the picture has that many columns
    step = len(moments) // 400 + 1
    moments = moments[::step] + moments[-1:]
print('"%s%s"' % (title, "" if outcome == "solved" else ": " + outcome))
for iteration, residual in moments:
    print(iteration + 1, max(residual or 0.0, 1e-17))
print("\n")
PY
    done
}

mkdir -p "$out"
"$perp" info --markdown >"$out/README.md"
for solver in ${PAGES-$("$perp" list solvers --json | python3 -c 'import json, sys
for s in json.load(sys.stdin): print(s["name"])')}; do
    "$perp" info --solver "$solver" --markdown >"$out/$solver.md"
    history "$solver" >"$work/data"
    (cd "$work" && gnuplot -e "data='$work/data'; solver='$solver'; out='$out/$solver.svg'" \
        "$source/build-aux/page.gp")
    echo "$solver"
done
