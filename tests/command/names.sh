#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# names.sh: fifty hostile names (names.py) of files, solvers, sets, scenes, bodies and joints through
# compare, plot, report, export, convert, simulate and view: nothing is executed, no name is lost
# or taken for another one, no terminal and no page is changed by one. Speaks TAP.
set -u
perp=$(cd "${PERP_BUILD:-.}" && pwd)/perp
source=$(cd "${PERP_SOURCE:-.}" && pwd)
names=$source/tests/command/names.py
work=$(cd "${PERP_BUILD:-.}" && pwd)/tests/scratch/names-$$
suite=names
. "$source/tests/support/command.sh"
cd "$work" || exit 1

# check WHAT FILE...: a check of names.py.
check() { python3 "$names" "$@" >"$work/found" 2>&1; }
calm() { [ "$status" -eq 0 ] && check shown out err; }
skip() {
    count=$((count + 1))
    echo "ok $count - $suite: $1 # SKIP $2"
}
check make || exit 1
twin=$(printf "scenes/it's\n\342\200\256{_^.json")
esc=$(printf 'in/esc\033[2J\033]0;title\007.json')
byte=$(printf 'in/\351.json')

# gnuplot, with what it warns of kept.
mkdir bin
gnuplot=$(command -v gnuplot || echo none)
printf '#!/bin/sh\n%s "$@" 2>>"%s/warnings"\n' "$gnuplot" "$work" >bin/gnuplot
chmod +x bin/gnuplot
PATH=$work/bin:$PATH
: >warnings

# -- compare --------------------------------------------------------------------------------
run compare suite.json --no-report --jobs 2 -o runs
calm
ok $? "compare runs all names, and its lines hold no character that a terminal acts on"
check runs runs
ok $? "records hold each name as it is; bytes that are not UTF-8, and long names, stay apart"
check commands "$perp" runs
ok $? "the command of a record repeats the run in a shell"
run compare suite.json --dry-run --only '*/pgs/*' -o other
calm
ok $? "so do the lines of --dry-run"
run compare suite.json --print-slurm -o "$(printf 'd\ntouch pwned\n')"
[ "$status" -eq 0 ] && sh -n out && sed "s/^exec .*/: 'd/" out >script && sh script &&
    grep -q '^#SBATCH --job-name=perp-x---touch-pwned-----$' out
ok $? "the script for SLURM has no line that a name has made"
check terminal "$perp" compare suite.json --no-report --only '*/pgs/*e*' -o onterminal
ok $? "nor has the bar of a terminal anything but its own escapes"
run compare --merge runs runs -o merged
calm && check runs merged
ok $? "merge keeps them"

# PDF is drawn by the library of PNG: NAMES_TERMINALS adds it.
terminals="png svg tikz ${NAMES_TERMINALS:-}"

# -- figures, tables, the report --------------------------------------------------------------
if [ "$gnuplot" = none ]; then
    skip "figures" "gnuplot is not there"
else
    for terminal in $terminals; do
        run plot runs -o "plots/$terminal" --terminal "$terminal" --title --data --tables \
            --figure share --figure pareto:by=label,set==labels --figure box:y=iterations,x=instance \
            --figure 'pareto:by=label,set==labels,title=a"`{_^%d$(touch pwned),name=../../{x'
        calm && [ ! -s warnings ]
        result=$?
        cp warnings found
        ok $result "figures for $terminal are drawn without a warning of gnuplot"
    done
    [ "$(ls plots | wc -l)" -eq "$(echo $terminals | wc -w)" ] && [ ! -e x.png ] &&
        [ -z "$(find plots -name '*[!A-Za-z0-9._-]*')" ]
    ok $? "names of figures stay in their folder, of letters and digits"
    grep -qF 'rtl\u202egnp.exe' plots/svg/figures/share__labels*.svg && check xml plots/svg/figures/*.svg
    ok $? "a name of a figure is shown with marks"
    check shown plots/png/summary.txt
    ok $? "the summary holds no character that a terminal acts on"
    check tables plots/png
    ok $? "tables and data as CSV have the names, and no formula"
    check report plots/png/report.html
    ok $? "the page of the report has the names, and none as markup"
fi
if command -v pdflatex >/dev/null && kpsewhich siunitx.sty >/dev/null && [ -d plots/png/tables ]; then
    {
        printf '\\documentclass{article}\\usepackage[T1]{fontenc}\n'
        printf '\\usepackage{array,booktabs,siunitx,threeparttable}\\begin{document}\n'
        for file in plots/png/tables/*.tex; do printf '\\input{%s}\n' "$file"; done
        printf '\\end{document}\n'
    } >all.tex
    pdflatex -draftmode -interaction=nonstopmode -halt-on-error all.tex >found 2>&1
    ok $? "LaTeX compiles the tables"
else
    skip "LaTeX compiles the tables" "pdflatex is not there"
fi
if command -v node >/dev/null; then
    cat >csv.mjs <<'JS'
import {readFileSync, writeFileSync} from 'node:fs';
import vm from 'node:vm';
const scope = vm.createContext({});
vm.runInContext(readFileSync(process.argv[2], 'utf8'), scope);
const texts = JSON.parse(readFileSync(0, 'utf8'));
writeFileSync('saved.csv', vm.runInContext('csvText', scope)(texts.map(t => [t, 1])));
JS
    python3 -c "import sys; sys.path.insert(0, '$source/tests/command')
import json, names; print(json.dumps(names.TEXTS))" |
        node csv.mjs "$source/web/base.js" >found 2>&1 && check saved saved.csv
    ok $? "pages save CSV by the same rule"
else
    skip "pages save CSV by the same rule" "node is not there"
fi

# -- scenes -----------------------------------------------------------------------------------
run info "$twin"
calm
ok $? "info of a scene"
run info "$twin" --json
calm && check info out
ok $? "info --json of a scene has the names as they are"
run simulate "$twin" -o "$(printf 'run\n\377')"
calm
ok $? "simulate, into a folder whose name is not UTF-8"
mv "$(printf 'run\n\377')" run
run simulate "$twin" -o run2 --json
calm && grep -q '"scene": "it.s\\n\\u202e{_^"' out
ok $? "simulate --json names the scene"
check run run
ok $? "metrics.csv has a column for each joint"
check terminal "$perp" simulate "$twin" -o run3
ok $? "simulate on a terminal reads its metrics back"
if [ "$gnuplot" != none ]; then
    : >warnings
    run plot run --figure joints --figure run --figure energy --terminal svg
    calm && [ ! -s warnings ] && check xml run/figures/*.svg
    ok $? "figures of a run are drawn without a warning"
fi
run view run
calm && check view run/view.html
ok $? "the viewer has the names, and none as markup"
run convert run run.glb
calm && check gltf run.glb
ok $? "glTF has the names"
run convert run paraview.pvd
calm && check xml paraview.pvd $(find paraview -name '*.vt[pu]')
ok $? "files for ParaView are XML"
run convert "$twin" scene.json
calm && check read_scene scene.json
ok $? "a scene has the names after it was read and written"
refuse "MJCF, which cannot hold them, is refused in one line" \
    "it's\\n\\u202e{_^.json: the name of body 6 has a character" convert "$twin" new.xml

# -- exports ----------------------------------------------------------------------------------
run convert suite.json -o set --to json
calm && check collection set
ok $? "export makes a file for each, in the folder, also where case does not count"
run convert hostile.json again.json
calm && check texts hostile.json again.json
ok $? "texts of a problem are the same after convert"
result=0
for form in 'ampl #' 'gams *' 'mps *' 'lp \' 'qps *'; do
    run convert hostile.json "out.${form% *}" --to "${form% *}"
    calm && check comments "out.${form% *}" "${form#* }" || result=1
    [ "$result" -eq 0 ] || break
done
ok $result "a text cannot leave the comments of a model"

# -- messages ---------------------------------------------------------------------------------
run solve "$esc" --solver pgs
calm
ok $? "solve shows a name with escapes"
run solve "$byte" --solver pgs --json
calm && grep -qF '"instance": "\\xe9"' out
ok $? "solve --json shows a byte that is not UTF-8"
refuse "a path with escapes is told in one line" 'no\nsuch\x1b[2J\u202e\xff: there is no such file' \
    info "$(printf 'no\nsuch\033[2J\342\200\256\377')"
refuse "an unknown solver, too" 'a\nb\x1b[2J' solve in/case.json --solver "$(printf 'a\nb\033[2J')"
refuse "an unknown verb, too" 'v\x1b[2J' "$(printf 'v\033[2J')"
printf 'secret:x:0:0\n' >secret
for kind in scenes instances sequences; do
    printf '{"name": "s", "sets": [{"name": "s", "%s": ["secret"], "solvers": ["pgs"]}]}' $kind >peek.json
    "$perp" compare peek.json --no-report -q -o peek-$kind >>peeked 2>&1
    cat peek-$kind/runs.jsonl >>peeked 2>/dev/null
done
printf '{"robots": [{"name": "r", "file": "secret"}]}' >peek.json
"$perp" info peek.json >>peeked 2>&1
printf '{"bodies": [{"name": "b", "mass": 1, "shapes": [{"type": "mesh", "file": "secret"}]}]}' >peek.json
"$perp" info peek.json >>peeked 2>&1
cp secret secret.obj
sed -i 's/"secret"/"secret.obj"/' peek.json
"$perp" info peek.json >>peeked 2>&1
grep -q 'expected a file .stl or .obj' peeked && grep -q 'not that of a mesh' peeked && ! grep -qF 'secret:x' peeked &&
    ! grep -q "near 'secret" peeked
result=$?
cp peeked found
ok $result "no message tells what a file holds that a suite or a scene names"

[ -z "$(find . -name pwned)" ]
ok $? "nothing was executed"
echo "1..$count"
