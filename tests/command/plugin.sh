#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# plugin.sh: solvers in shared objects that the test compiles: every verb that takes them, suites,
# records, and what is refused. Speaks TAP.
set -u
perp=$(cd "${PERP_BUILD:-.}" && pwd)/perp
build=$(cd "${PERP_BUILD:-.}" && pwd)
work=$build/tests/scratch/plugin-$$
source=$(cd "${PERP_SOURCE:-.}" && pwd)
PERP_SOURCE=$source
suite=plugin
. "$source/tests/support/command.sh"
cd "$work" || exit 1

# compile FILE [WORD...]: libNAME.so of NAME.c, as docs/plugin.md does it.
compile() {
    name=$1
    shift
    # shellcheck disable=SC2086 # flags are meant to split
    ${CC:-cc} -std=c11 -Wall -Werror -shared -fPIC "$name.c" -o "lib$name.so" \
        ${EXAMPLE_CFLAGS-} -I"$source/libsolvers" "$@" >compiled 2>&1
}
# says TEXT…: each is in out.
says() {
    for text in "$@"; do
        grep -qF -- "$text" out || return 1
    done
}
# record DIR EXPRESSION: holds for the list of runs of DIR.
record() {
    python3 -c '
import json, sys
runs = [json.loads(l) for l in open(sys.argv[1] + "/runs.jsonl")]
assert eval("(" + sys.argv[2] + ")"), [(r["label"], r["status"], r.get("plugins")) for r in runs]' "$@" 2>>err
}

cp "$source/docs/examples/plugin.c" mine.c
status=1
compile mine
ok $? "the example compiles with the public headers alone"
sed 's/\.name = "mine"/.name = "other"/' mine.c >other.c
compile other

{
    sed 's/.*/extern char &[];/' "$source/libsolvers/exports.txt"
    echo 'extern const void *const all_of_perp[];'
    echo 'const void *const all_of_perp[] = {'
    sed 's/$/,/' "$source/libsolvers/exports.txt"
    echo '};'
} >names.c
cp mine.c public.c
compile public names.c && run info solvers --plugin libpublic.so
[ "$status" -eq 0 ] && says "mine"
ok $? "a plugin may use each name that the library exports"

# -- verbs --------------------------------------------------------------------------------
run solve generate:spd:n=20 --plugin libmine.so --solver mine --step 1.5
[ "$status" -eq 0 ] && says "solver      mine" "outcome     solved"
ok $? "perp solve runs a solver of a plugin with an option of its own"
run solve generate:stack:n=2 --plugin=libmine.so --solver mine --tolerance 1e-4
[ "$status" -eq 0 ] && says "around mine" "outcome     solved"
ok $? "perp solve wraps it where it does not know the friction law"
run solve generate:spd:n=20 --plugin libother.so --plugin libmine.so --solver prox:mine --tolerance 1e-5 --json
[ "$status" -eq 0 ] && python3 -c '
import json
a = json.load(open("out"))
p = a["plugins"]
assert a["solver"] == "prox:mine" and len(p) == 1, p
assert p[0]["solver"] == "mine" and p[0]["file"] == "libmine.so" and len(p[0]["hash"]) == 16, p' 2>>err
ok $? "it is an inner solver, and the answer names its plugin and the hash of the file"
run info solvers --plugin libmine.so --plugin ./libmine.so --plugin libother.so
[ "$status" -eq 0 ] && [ "$(grep -c '^mine  *gradient' out)" -eq 1 ] && grep -q '^other  *gradient' out
ok $? "perp info solvers lists the solvers of two plugins, one of them named twice"
run info mine --plugin libmine.so
[ "$status" -eq 0 ] && says "mine: projected gradient" "--step X" "sets          free, nonneg, box, cone"
ok $? "perp info prints the page of the solver"
run simulate bouncing-ball --plugin libmine.so --solver mine --steps 5 -o ball --json
[ "$status" -eq 0 ] && python3 -c '
import json
s = json.load(open("out"))
assert s["steps"] == 5 and s["plugins"][0]["solver"] == "mine", s' 2>>err
ok $? "perp simulate steps a scene with it, and the summary names the plugin"
run --complete solve --plugin libmine.so --solver mi
grep -q '^mine' out
ok $? "the completion of words knows it"

# -- runs ---------------------------------------------------------------------------------
cat >crash.c <<'C'
#include <perp/plugin.h>
#include <stdlib.h>
static perp_status crash_setup(void *state, const perp_problem *p, const perp_options *opt,
                               perp_workspace *ws, perp_result *r, perp_error *err)
{
    return PERP_OK;
}
static perp_status crash_iterate(void *state, perp_result *r, perp_error *err)
{
    abort();
}
static const perp_solver_type crash = {
    .name = "crash", .family = "mine", .summary = "aborts", .reference = "",
    .sets = PERP_SETS(NONNEG), .storages = PERP_STORAGES(DENSE), .check_every = 1,
    .setup = crash_setup, .iterate = crash_iterate,
};
PERP_PLUGIN_SOLVERS(&crash);
C
compile crash
mkdir -p suites/objects
mv libcrash.so suites/objects
cp libmine.so suites
cat >suites/own.json <<'JSON'
{"name": "own", "plugin": ["libmine.so", "objects/libcrash.so"], "history": false,
 "limits": {"seconds": 5}, "tolerances": [1e-6],
 "sets": [{"name": "lcp", "instances": ["generate:spd:n=10"],
           "solvers": ["lemke", "ds:mine", "crash",
                       {"solver": "mine", "options": {"step": [1, 1.9]}}]},
          {"name": "ball", "scenes": ["bouncing-ball"], "steps": 3, "solvers": ["mine"]}]}
JSON
run compare suites/own.json --dry-run
[ "$status" -eq 0 ] && says "mine step=1.9" "crash"
ok $? "a dry run of a suite lists the solvers of its plugins"
run compare suites/own.json -o new -q --no-report
[ "$status" -eq 0 ] && record new 'len(runs) == 6 and sum(r["solved"] for r in runs if r["set"] == "lcp") == 4'
ok $? "a suite names plugins relative to its folder, and its runs use their solvers"
record new 'all(r["status"] == "crash: signal 6" for r in runs if r["label"] == "crash") and
    sum(r["label"] == "crash" for r in runs) == 1'
ok $? "a crash within a plugin ends its run alone and is recorded"
record new 'all([p["file"] for p in r["plugins"]] == ["suites/libmine.so"] for r in runs if "mine" in r["solver"]) and
    all("plugins" not in r for r in runs if r["solver"] == "lemke")'
ok $? "records name the plugin of their solver, and no other"
python3 -c '
import json
for line in open("new/runs.jsonl"):
    r = json.loads(line)
    if r["label"] == "mine step=1.9":
        print(r["command"])' >again
sed "s|^perp|'$perp'|" again | sh >out 2>err
says "solver      mine" "outcome     solved"
ok $? "the command of a record repeats the run"
sed 's/"plugin": \[[^]]*\],//; s/"crash",//' suites/own.json >bare.json
run compare bare.json --plugin suites/libmine.so -o bare -q
[ "$status" -eq 0 ] && record bare 'len(runs) == 5' && [ -s bare/report.html ]
ok $? "--plugin gives a suite its solvers, and the report is made"
cp -r bare kept
run compare bare.json --plugin suites/libmine.so -o bare --resume --no-report
[ "$status" -eq 0 ] && ! says "made again" && cmp bare/runs.jsonl kept/runs.jsonl
ok $? "--resume keeps the runs of a plugin that is the same"
cp suites/libmine.so same.so
{ cat mine.c; echo 'int perp_plugin_of_another_day = 1;'; } >changed.c
compile changed && cp libchanged.so suites/libmine.so
run compare bare.json --plugin suites/libmine.so -o bare --dry-run
[ "$status" -eq 0 ] && says "4 runs to make, 1 there already"
ok $? "a dry run counts the runs of a plugin that has changed"
run compare bare.json --plugin suites/libmine.so -o bare --resume
[ "$status" -eq 0 ] && says "4 runs are made again: suites/libmine.so has changed, hash" &&
    record bare 'len(runs) == 9 and len({r["key"] for r in runs}) == 5 and
    len({p["hash"] for r in runs for p in r.get("plugins", [])}) == 2'
ok $? "--resume makes the runs of a plugin that has changed again, and says why"
hash=$(python3 -c 'import json
print(json.loads(open("bare/runs.jsonl").readlines()[-1])["plugins"][0]["hash"])')
grep -qF "suites/libmine.so: mine, hash $hash, 4 runs" bare/summary.txt &&
    [ "$(grep -c 'libmine.so: mine, hash' bare/summary.txt)" -eq 1 ] &&
    echo 'print(report["plugins"])' | python3 "$source/tests/support/page.py" bare/report.html 2>>err | grep -qF "hash $hash, 4 runs"
ok $? "the summary and the report have the hash, and count each run once"
run compare --merge bare -o merged
[ "$status" -eq 0 ] && record merged 'len(runs) == 5 and
    {p["hash"] for r in runs for p in r.get("plugins", [])} == {"'"$hash"'"}'
ok $? "perp compare --merge keeps the newest record of a run"
run solve generate:spd:n=10 --plugin suites/libmine.so --solver mine --tolerance 1e-6 -o a.json && run verify generate:spd:n=10 a.json --tolerance 1e-6
[ "$status" -eq 0 ] && says "solver mine of the plugin suites/libmine.so, hash $hash"
ok $? "perp verify names the plugin of an answer"
cp same.so suites/libmine.so
cat >chain.c <<'C'
#include <perp/plugin.h>
static bool always(const perp_problem *p) { return p->n > 0; }
static const perp_chain_row rows[] = {{"everything", always, .steps = {"mine", "lemke"}}, {0}};
static const perp_solver_type chain = {
    .name = "chain", .family = "chain", .summary = "mine, then lemke", .reference = "",
    .sets = PERP_SETS(NONNEG), .storages = PERP_STORAGES(DENSE), .chain = rows,
};
PERP_PLUGIN_SOLVERS(&chain);
C
compile chain
run solve generate:spd:n=10 --plugin libchain.so --plugin libmine.so --solver chain
[ "$status" -eq 0 ] && says "outcome     solved" "mine"
ok $? "a chain of one plugin names a solver of another"

# -- what is refused ----------------------------------------------------------------------
refuse "a file that is missing" "missing.so: cannot open: No such file" \
    solve generate:spd:n=10 --plugin missing.so --solver mine
refuse "a file that is no shared object" "mine.c: " solve generate:spd:n=10 --plugin mine.c --solver mine
refuse "a name that no plugin has" 'unknown solver "mime", the nearest is "mine"' \
    solve generate:spd:n=10 --plugin libmine.so --solver mime
refuse "a solver of a plugin that is not loaded" 'unknown solver "mine"' solve generate:spd:n=10 --solver mine
sed 's/^PERP_PLUGIN_SOLVERS.*/int none;/; s/^static const perp_solver_type/const perp_solver_type/' mine.c >plain.c
compile plain
refuse "an object without the symbols of a plugin" "libplain.so: no symbol perp_plugin_compiled_with, expected PERP_PLUGIN_SOLVERS" \
    info solvers --plugin libplain.so
mkdir -p old/perp
sed 's/PERP_PLUGIN_INTERFACE 1/PERP_PLUGIN_INTERFACE 0/' "$source/libsolvers/perp/plugin.h" >old/perp/plugin.h
cp mine.c version.c
compile version -Iold -I"$source/libsolvers" && ${CC:-cc} -std=c11 -shared -fPIC -Iold -I"$source/libsolvers" \
    mine.c -o libversion.so
refuse "a plugin of another interface" "libversion.so: compiled for interface 0 of plugins, expected 1" \
    info solvers --plugin libversion.so
sed 's/bool brief;/bool brief, more; double most;/' "$source/libsolvers/perp/options.h" >old/perp/options.h
rm old/perp/plugin.h
${CC:-cc} -std=c11 -shared -fPIC -Iold -I"$source/libsolvers" mine.c -o libsize.so
refuse "a plugin that was compiled with other structs" "libsize.so: compiled with other headers: perp_options has" \
    info solvers --plugin libsize.so
sed 's/\.name = "mine"/.name = "pgs"/' mine.c >taken.c
compile taken
refuse "the name of a built-in solver" 'libtaken.so: solver "pgs": a solver of this name is registered already' \
    info solvers --plugin libtaken.so
cp mine.c twin.c
compile twin
refuse "the name of a solver of another plugin" 'libtwin.so: solver "mine": a solver of this name is registered already' \
    info solvers --plugin libmine.so --plugin libtwin.so
sed 's/\.family = "gradient",//' mine.c >family.c
compile family
refuse "a type without a family" 'libfamily.so: solver "mine": family is NULL, expected a text' \
    info solvers --plugin libfamily.so
sed 's/PERP_PLUGIN_SOLVERS(&solver)/PERP_PLUGIN_SOLVERS(NULL)/; s/^static const perp_solver_type/const perp_solver_type/' mine.c >empty.c
compile empty
refuse "a plugin without solvers" "libempty.so: has no solver, expected one" info solvers --plugin libempty.so
sed 's/perp_workspace_status(ws, err)/perp_no_such_function()/; s/^typedef/int perp_no_such_function(void);\ntypedef/' mine.c >lacks.c
compile lacks
refuse "a function that perp does not have" "perp_no_such_function" info solvers --plugin liblacks.so
sed 's|objects/libcrash.so|libgone.so|' suites/own.json >suites/gone.json
refuse "a plugin of a suite that is missing" "suites/gone.json: plugin[1]: suites/libgone.so: cannot open" \
    compare suites/gone.json -o new
sed 's|"plugin": \[[^]]*\]|"plugin": 3|' suites/own.json >suites/number.json
refuse "a plugin of a suite that is no file" "suites/number.json: plugin: " compare suites/number.json -o new

# A copy of the library within a plugin: possible where the command has its own copy in itself.
cat >copy.c <<'C'
int perp_solve(void) { return 0; }
C
${CC:-cc} -shared -fPIC copy.c -o libcopy.so
compile mine -L. -Wl,--no-as-needed -lcopy -Wl,-rpath,"$work"
refuse "a plugin that brings a copy of the library" "libmine.so: is linked with another copy of libperp-solvers" \
    info solvers --plugin libmine.so
echo "1..$count"
