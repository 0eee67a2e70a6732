#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# pages.sh PERP SOURCE [text]: write docs/solvers: the table of all solvers, then a page and a
# picture of each, or of those in $PAGES; with "text" no pictures. A picture shows the residual
# against iterations on three instances: the first three below that the solver accepts.
# `make pages`, `make pages-text`.
set -eu
perp=$1
source=$2
kind=${3-}
out=$source/docs/solvers
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

contact=datasets/siconos-fc3d/Confeti-ex03-Fc3D-SBM.dat
instances="LCP, positive definite, 100 rows|generate:spd:n=100
LCP, rank-deficient contacts, 120 rows|generate:normal-contacts:n=120
Coulomb friction, 54 contacts|$contact
friction by pyramids, an LCP of 324 rows|$contact --friction pyramid:4
box friction, 20 contacts|generate:friction-cloud:contacts=20
LCP, positive definite, 16 rows|generate:spd:n=16
LCP, rank-deficient contacts, 15 rows|generate:normal-contacts:n=15
LCP, asymmetric, 10 rows|generate:harker-pang:n=10"

# blocks SOLVER: up to three blocks of data, one per instance: its title, then iteration and
# residual. There is no JSON for an instance that the solver does not accept.
blocks() {
    echo "$instances" | while IFS='|' read -r title instance; do
        # shellcheck disable=SC2086 # an instance may have options
        (cd "$source" && "$perp" solve $instance --solver "$1" --history --json \
            --check-every 1 --time-limit 10 --max-iterations 20000) \
            >"$work/answer" 2>"$work/err" || true
        if [ -s "$work/answer" ]; then
            python3 - "$work/answer" "$title" <<'PY'
import json, sys

POINTS = 120  # as many as the eye can separate, in even steps on the logarithmic axis
answer = json.load(open(sys.argv[1]))
outcome = answer["outcome"]
samples = [(m[0] + 1, m[3]) for m in answer["history"] if isinstance(m[3], (int, float))]
samples.append((answer["iterations"] + 1, answer["residual"]))
print('"%s%s"' % (sys.argv[2], "" if outcome == "solved" else ": " + outcome))
last = samples[-1][0]
shown = 0.0
for k, (iteration, residual) in enumerate(samples):
    if k in (0, len(samples) - 1) or iteration >= shown * last ** (1.0 / POINTS):
        print(iteration, max(residual or 0.0, 1e-17))
        shown = iteration
print("\n")
PY
            echo >>"$work/taken"
        fi
        [ "$(wc -l <"$work/taken")" -lt 3 ] || break
    done
}

mkdir -p "$out"
"$perp" info --markdown >"$out/README.md"
for solver in ${PAGES:-$("$perp" info solvers --json | sed -n 's/^    "name": "\(.*\)",$/\1/p')}; do
    "$perp" info --solver "$solver" --markdown >"$out/$solver.md"
    if [ "$kind" != text ]; then
        : >"$work/taken"
        blocks "$solver" >"$work/data"
        count=$(wc -l <"$work/taken")
        (cd "$work" && gnuplot -e "data='$work/data'; count=$count" \
            -e "style='$source/build-aux/figures.gp'; out='$out/$solver.svg'" \
            "$source/build-aux/page.gp")
        echo "$solver"
    fi
done
