#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Processes side by side in one folder: figures of several at once, of one that is killed, and who holds
# a folder. Speaks TAP.
set -u
command -v gnuplot >/dev/null 2>&1 || {
    echo "1..0 # SKIP gnuplot is not there"
    exit 0
}
build=$(cd "${PERP_BUILD:-.}" && pwd)
perp=$build/perp
trace=$build/tests/faults/trace
work=$build/tests/scratch/beside-$$
suite=beside
. "${PERP_SOURCE:-.}/tests/support/command.sh"
cd "$work" || exit 1

has() { grep -qF -- "$1" "${2:-out}"; }
left() { find "$1" -name '*tmp-*' | grep -q .; }

cat >suite.json <<'JSON'
{"name": "test", "limits": {"seconds": 60, "megabytes": 4000}, "sets": [{"name": "lcp",
  "instances": ["generate:spd:n=6", "generate:spd:n=9,seed=5"], "solvers": ["lemke", "pgs"]}]}
JSON
run compare suite.json -o r -q
[ "$status" -eq 0 ] && ls r/figures | grep -q . && ! left r
ok $? "a comparison with its report"
names=$(ls r r/figures)

"$perp" plot r >one 2>&1 &
first=$!
"$perp" plot r >two 2>&1 &
second=$!
run plot r
third=$status
wait "$first"
a=$?
wait "$second"
b=$?
cat one two >>err
[ "$a$b$third" = 000 ] && [ "$(ls r r/figures)" = "$names" ] && ! left r
ok $? "three processes draw into one folder at the same time"

# Beside a comparison at work, which holds the folder.
printf '#!/bin/sh\ntouch %s/started\nfor k in $(seq 600); do [ -e %s/go ] && break; sleep 0.05; done\nexec %s "$@"\n' \
    "$work" "$work" "$perp" >slow
chmod +x slow
head -2 r/runs.jsonl >lines && cp -r r held && cp lines held/runs.jsonl
PERP_EXECUTABLE=$work/slow "$perp" compare suite.json -o held --resume -q >held.out 2>&1 &
first=$!
for _ in $(seq 600); do
    [ -e started ] && break
    sleep 0.05
done
run plot held
drawn=$status
run compare --merge r -o held
[ "$status" -eq 2 ] && grep -q "held: process $first (.*perp compare suite.json -o held --resume -q) is writing to it" err
ok $? "nothing is merged into the folder of a comparison at work"
run compare --merge held r -o joined
[ "$status" -eq 0 ] && grep -q "held: process $first (.*) is writing to it; its runs so far" err &&
    [ "$(wc -l <joined/runs.jsonl)" -eq 4 ]
ok $? "the runs that such a folder has so far are joined, and a line says so"
touch go
"$perp" plot held >two 2>&1
b=$?
wait "$first"
a=$?
cat held.out two >>err
[ "$a$b$drawn" = 000 ] && [ "$(wc -l <held/runs.jsonl)" -eq 4 ] && [ "$(ls held held/figures | sed s/held/r/)" = "$names" ] &&
    ! left held
ok $? "figures are drawn beside a comparison, and neither fails"

"$trace" -- true 2>/dev/null
if [ $? -ne 77 ]; then
    "$trace" --count calls -- "$perp" plot r >out 2>err
    calls=$(cat calls)
    good=0
    for k in $((calls / 4)) $((calls / 2)) $((3 * calls / 4)); do
        "$trace" --kill "$k" -- "$perp" plot r >out 2>err
        [ $? -eq 137 ] || good=1
        left r && seen=yes
    done
    [ $good -eq 0 ] && [ "${seen:-no}" = yes ] && run plot r && [ "$status" -eq 0 ] &&
        [ "$(ls r r/figures)" = "$names" ] && ! left r
    ok $? "what killed processes left is removed by the next one"

    rm -rf joined && run compare --merge r held -o joined && mv joined whole
    "$trace" --count calls -- "$perp" compare --merge r held -o joined >out 2>err
    good=0
    for k in $(seq 1 3 "$(cat calls)"); do
        rm -rf joined
        "$trace" --kill "$k" -- "$perp" compare --merge r held -o joined >out 2>err
        # The folder is there, whole, or not at all.
        [ -e joined ] || run compare --merge r held -o joined
        [ "$(ls -d joined*)" = joined ] && diff -r joined whole >>found || good=1
    done
    ok $good "a merge that is killed leaves a whole folder or none, and the next one removes the rest"
fi

echo "1..$count"
