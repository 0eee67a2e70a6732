#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# completion.sh: words that bash, zsh and fish complete, each driven as it is. Speaks TAP.
set -u
build=$(cd "${PERP_BUILD:-.}" && pwd)
perp=$build/perp
source=$(cd "${PERP_SOURCE:-.}" && pwd)
work=$build/tests/scratch/completion-$$
suite=completion
. "$source/tests/support/command.sh"
PATH=$build:$PATH
export PATH
cd "$work" || exit 99
mkdir folder
: >folder/pile.hdf5

skip() {
    count=$((count + 1))
    echo "ok $count - $suite: $1 # SKIP no $2"
}
# offers WORDS…: candidates for the last word, one per line, in out.
offers() { "$perp" --complete "$@" >out 2>err; }
names() { cut -f1 out; }

# -- candidates ---------------------------------------------------------------------------
offers ''
"$perp" --help | sed -n 's/^  \([a-z][a-z-]*\)  .*/\1/p' | sort >verbs
names | grep -vx help | sort | cmp -s - verbs
ok $? "offers the verbs of the help"
good=0
while read -r verb; do
    offers "$verb" --
    names | sort >found
    "$perp" "$verb" --help all | sed -n 's/^  *\(-.,\)\{0,1\} *\(--[a-z-]*\).*/\2/p' | grep -v -e '^--$' |
        sort -u >wanted
    cmp -s found wanted || { good=1; diff found wanted >>err; }
done <verbs
ok $good "offers the options of each verb that its help lists"
offers solve x --solver ''
"$perp" info solvers --json | sed -n 's/^    "name": "\(.*\)",$/\1/p' | sort >wanted
names | sort | comm -13 - wanted >found
[ -s wanted ] && [ ! -s found ]
ok $? "offers every solver"
offers solve x --solver psor --rel
[ "$(names)" = --relaxation ]
ok $? "offers the options of the solver that was named"
offers solve x --solver=ds:spg-
[ "$(names)" = --solver=ds:spg-inline ]
ok $? "offers the inner solver of a wrapper"
offers solve generate:spd:n=3,se
[ "$(names | head -1)" = generate:spd:n=3,seed= ]
ok $? "offers parameters of a family"
offers simulate stack --set r
[ "$(names)" = ratio= ]
ok $? "offers parameters of a scene"
offers solve scene:stack:n=2,st
[ "$(names | head -1)" = scene:stack:n=2,step= ]
ok $? "offers what the call of a scene takes"
offers solve x --scale ''
[ "$(names | tr '\n' ' ')" = 'on off ' ]
ok $? "offers the values of a switch"
offers simulate x --integrator r
[ "$(names)" = rk4 ]
ok $? "offers choices of a step"
offers compare q
names | grep -qx quick && grep -qx '\*files' out
ok $? "offers suites and files"
offers convert a b --to f
[ "$(names)" = fclib ]
ok $? "offers formats"
offers compare x --against ''
[ "$(names)" = '*folders' ]
ok $? "offers folders"
offers nonsense '' && [ ! -s out ]
ok $? "offers nothing behind an unknown verb"

# Each option with a word for its value, which is neither a number nor a text of one's own.
free='N|X|S|K|T|MB|BODY|TEXT|WHEN|ORDER|WxH|NAME,SIZE|K/N|SET/SOLVER/INSTANCE|N,N,...'
good=0
while read -r verb; do
    "$perp" "$verb" --help all | sed -n 's/^ *\(-.,\)\{0,1\} *\(--[a-z-]*\) \([^ ]*\)  .*/\2 \3/p' >options
    while read -r option value; do
        case "|$free|" in *"|$value|"*) continue ;; esac
        offers "$verb" "$option" ''
        [ -s out ] || case "$verb $option" in
        'plot --set' | 'simulate --set' | 'info --set' | 'convert --set') ;;
        *) good=1 && echo "$verb $option $value" >>err ;;
        esac
    done <options
done <verbs
ok $good "offers values for each option that has names"

# Time of the processor, the least of five, beside that of the start of the program: how fast and how busy
# the machine is does not matter.
python3 - "$perp" <<'PY' 2>err
import os, subprocess, sys
def cost(*words):
    begin = os.times()
    subprocess.run([sys.argv[1], *words], stdout=subprocess.DEVNULL, check=True)
    end = os.times()
    return end.children_user + end.children_system - begin.children_user - begin.children_system
for words in (["solve", ""], ["compare", ""], ["simulate", ""], ["solve", "x", "--solver", ""]):
    costs = [(cost("--complete", *words), cost("--version")) for k in range(5)]
    answer, start = (min(c[k] for c in costs) for k in (0, 1))
    assert answer <= 3 * start + 0.02, (words, answer, start)
PY
ok $? "answers within three times what the program needs to start"
refuse "names the shells" 'expected one of: bash, zsh, fish' --completion tcsh

# -- bash ---------------------------------------------------------------------------------
if command -v bash >/dev/null 2>&1; then
    "$perp" --completion bash >perp.bash
    # bash splits words at ':' and '=' before a function of completion sees them
    cat >drive.bash <<'BASH'
. ./perp.bash
complete -p perp >registered
words() {
    COMP_WORDS=(perp "$@") COMP_CWORD=$#
    COMP_LINE="${COMP_WORDS[*]}" COMP_POINT=${#COMP_LINE}
    _perp perp "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
    echo "${COMPREPLY[*]}"
}
words sol
words solve x --solver nsg
words solve generate : fat
words solve generate : spd : n = 3,se
words solve x --solver = pgs
words compare --merge fold
BASH
    bash drive.bash >out 2>err
    printf '%s\n' solve 'nsgs nsgs+newton' fathi 3,seed= pgs folder >wanted
    grep -qx 'complete -F _perp perp' registered && cmp -s out wanted && [ ! -s err ]
    ok $? "bash completes verbs, solvers, calls and folders"
    # a short prompt: the line must not wrap, however long the name of the folder is
    printf '%s\n' '. ./perp.bash' 'bind "set show-all-if-ambiguous on" 2>/dev/null' \
        'PS1=ready:' >rc
    python3 - <<'PY' >out 2>err
import os, pty, select, time
pid, fd = pty.fork()
if pid == 0:
    os.execvp("bash", ["bash", "--noprofile", "--rcfile", "rc", "-i"])
def read(until, limit=20.0):
    text, end = "", time.time() + limit
    while until not in text and time.time() < end:
        if select.select([fd], [], [], 0.2)[0]:
            try:
                text += os.read(fd, 4096).decode(errors="replace").replace("\a", "")
            except OSError:
                break
    return text
read("ready:")
os.write(fd, b"perp simul\t")
print("verb", "simulate " in read("simulate "))
os.write(fd, b"--int\t")
print("option", "--integrator " in read("--integrator "))
os.write(fd, b"rk\t")
print("value", "rk4 " in read("rk4 "))
os.write(fd, b"\x15exit\n")
PY
    [ "$(grep -cx '[a-z]* True' out)" -eq 3 ]
    ok $? "bash completes at its prompt"
else
    skip "bash completes verbs, solvers, calls and folders" bash
    skip "bash completes at its prompt" bash
fi

# -- zsh ----------------------------------------------------------------------------------
if command -v zsh >/dev/null 2>&1; then
    mkdir functions
    "$perp" --completion zsh >functions/_perp
    python3 - <<'PY' >out 2>err
import os, pty, select, time
pid, fd = pty.fork()
if pid == 0:
    os.environ["TERM"] = "dumb"
    os.execvp("zsh", ["zsh", "-f", "-i"])
def read(until, limit=30.0):
    text, end = "", time.time() + limit
    while until not in text and time.time() < end:
        if select.select([fd], [], [], 0.2)[0]:
            try:
                text += os.read(fd, 4096).decode(errors="replace").replace("\a", "")
            except OSError:
                break
    return text
os.write(fd, b"fpath=($PWD/functions $fpath); autoload -Uz compinit; compinit -D -u; PS1='% '; echo re''ady\n")
read("ready")
def line(typed, wanted):
    os.write(fd, typed)
    found = wanted in read(wanted)
    os.write(fd, b"\x15")
    time.sleep(0.2)
    return found
print("verb", line(b"perp simul\t", "simulate "))
print("solver", line(b"perp solve x --solver prox-\t", "prox-newton "))
print("call", line(b"perp solve generate:fat\t", "generate:fathi"))
print("about", line(b"perp solve x --solver nsg\t\t", "-- nonsmooth Gauss-Seidel"))
os.write(fd, b"exit\n")
PY
    [ "$(grep -cx '[a-z]* True' out)" -eq 4 ]
    ok $? "zsh completes verbs, solvers and calls, and says what they are"
else
    skip "zsh completes verbs, solvers and calls, and says what they are" zsh
fi

# -- fish ---------------------------------------------------------------------------------
if command -v fish >/dev/null 2>&1; then
    "$perp" --completion fish >perp.fish
    HOME=$work fish -c '. ./perp.fish
        for line in "perp sol" "perp solve x --solver=ac" "perp solve generate:fat" "perp compare --merge fold" "perp simulate x --bro"
            complete -C $line
        end' >out 2>err
    names >found
    printf '%s\n' solve --solver=ac generate:fathi folder/ --broad >wanted
    cmp -s found wanted && grep -q "^solve$(printf '\t')solve one instance" out
    ok $? "fish completes verbs, solvers, calls, folders and options"
else
    skip "fish completes verbs, solvers, calls, folders and options" fish
fi
echo "1..$count"
