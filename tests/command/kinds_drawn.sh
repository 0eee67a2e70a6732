#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# kinds_drawn.sh: every kind of figure, from runs, on every page and for every terminal; LaTeX is
# compiled. Speaks TAP.
set -u
perp=$(cd "${PERP_BUILD:-.}" && pwd)/perp
work=$(cd "${PERP_BUILD:-.}" && pwd)/tests/scratch/kinds-$$
suite=kinds
. "${PERP_SOURCE:-.}/tests/support/command.sh"
cd "$work" || exit 1

cat >suite.json <<'JSON'
{"name": "kinds", "tolerances": [1e-4, 1e-8], "sets": [
  {"name": "lcp", "instances": [{"generate": "spd", "n": [10, 20, 40], "seed": [1, 2]}],
   "solvers": ["lemke", "pgs", "mpgp"]},
  {"name": "dt", "tolerances": [1e-8], "scenes": ["pendulum"], "coordinates": ["maximal", "reduced"],
   "vary": {"dt": ["8 ms", "4 ms", "2 ms"], "integrator": ["semi-implicit", "rk4"]}, "time": 0.1, "solvers": ["bpp"]},
  {"name": "links", "tolerances": [1e-8], "scenes": ["pendulum-chain"], "vary": {"links": [2, 4]}, "steps": 5,
   "coordinates": ["maximal", "reduced"], "solvers": ["bpp"]},
  {"name": "turn", "tolerances": [1e-8], "scenes": [{"scene": "incline-slip", "angle": 0, "speed": 2}], "steps": 10,
   "vary": {"direction": ["0 deg", "45 deg", "90 deg"], "scheme.friction": ["coulomb", "box"]}, "solvers": ["auto"]},
  {"name": "time", "tolerances": [1e-8], "sequences": ["generate:spd:n=20,steps=4"], "solvers": ["pgs", "bpp"]}]}
JSON
"$perp" compare suite.json -o runs -q --no-report >out 2>err &&
    "$perp" simulate pendulum --time 0.1 -o run -q >>out 2>>err
ok $? "runs of every sort are made"

# The kinds as the command lists them, each with an order that these runs can follow.
cat >orders <<'ORDERS'
profile:set=lcp
pair-profile:set=lcp,x=pgs,y=mpgp
data-profile:set=lcp
accuracy-profile:set=lcp
share:set=lcp
work-precision:set=lcp
convergence:set=lcp
metric:set=lcp,x=n,y=seconds
heat:set=lcp,x=n,y=seed,z=iterations
scaling:set=lcp
box:set=lcp,y=seconds
pareto:set=lcp
pivots:set=lcp,x=iterations
order:set=dt,x=dt,by=integrator
drift:set=dt,y=energy,by=integrator
coordinates:set=links
rose:set=turn,x=direction,y=moved,by=scheme.model
warm:set=time
warm-steps:set=time
ORDERS
"$perp" info figures --json | python3 -c '
import json, sys
kinds = {kind["name"] for kind in json.load(sys.stdin)}
ordered = {line.split(":")[0] for line in open("orders")}
assert kinds - ordered == {"run", "energy", "joints", "pattern", "spectrum"}, kinds - ordered' 2>err
ok $? "every kind of a set is ordered, and the others are of a run or of a problem"

# draw PAGE TERMINAL: all kinds; what is wrong goes to err.
draw() {
    set -- "$1" "$2" --style "$1" --terminal "$2"
    page=$1 terminal=$2
    shift 2
    while read -r order; do
        set -- "$@" --figure "$order"
    done <orders
    rm -rf drawn
    "$perp" plot runs -o drawn/set "$@" >out 2>err &&
        "$perp" plot run -o drawn/run --style "$page" --terminal "$terminal" --figure run --figure energy --figure joints >>out 2>>err &&
        "$perp" plot generate:spd:n=20 -o drawn/problem --style "$page" --terminal "$terminal" >>out 2>>err
}

# Each figure that a list names is a file that is not empty, of each kind at least one.
whole() {
    python3 - <<'PY' 2>>err
import glob, json, os
kinds = set()
for path in glob.glob("drawn/*/figures.json") + glob.glob("drawn/*/figures/figures.json"):
    for figure in json.load(open(path)):
        file = os.path.join(os.path.dirname(path), figure["file"])
        assert os.path.getsize(file) > 400, file
        assert figure["caption"], file
        kinds.add(figure["kind"])
assert len(kinds) == 24, sorted(kinds)
PY
}

# compile TERMINAL: every figure of it in one document.
compile() {
    for folder in $(find drawn -type d -name "$1"); do
        {
            printf '\\documentclass{article}\n\\usepackage[utf8]{inputenc}\n\\usepackage{graphicx,xcolor}\n'
            [ "$1" = cairolatex ] || printf '%s\n' '\usepackage{gnuplot-lua-tikz}'
            printf '\\newcommand\\perpfigures{.}\n\\begin{document}\n'
            for figure in "$folder"/*.tex; do
                case $figure in *gnuplot-lua-tikz*) ;; *) printf '\\input{%s}\\clearpage\n' "$(basename "$figure")" ;; esac
            done
            printf '%s\n' '\end{document}'
        } >"$folder/all.latex"
        (cd "$folder" && pdflatex -interaction=nonstopmode -halt-on-error all.latex >all.out 2>&1) ||
            { grep -A3 '^!' "$folder/all.out" >>err; return 1; }
    done
}

for page in column double slide screen; do
    for terminal in pdfcairo svg png cairolatex tikz; do
        draw "$page" "$terminal" && whole
        ok $? "$page, $terminal"
    done
done
for terminal in cairolatex tikz; do
    if command -v pdflatex >/dev/null && { [ "$terminal" = cairolatex ] || kpsewhich tikz.sty >/dev/null; }; then
        draw column "$terminal" && compile "$terminal"
        ok $? "LaTeX compiles all kinds, $terminal"
    else
        ok 0 "LaTeX compiles all kinds, $terminal # SKIP LaTeX is not installed"
    fi
done
echo "1..$count"
