#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What ./quickstart installs, leaves out or prints, with package managers that only answer: each has what its
# test says. In a tree of two files; after the packages the set-up ends with status 1, since no autoreconf
# is there. Speaks TAP.
set -u
work=$(cd "${PERP_BUILD:-.}" && pwd)/tests/scratch/quickstart-$$
suite=quickstart
. "${PERP_SOURCE:-.}/tests/support/tap.sh"
mkdir -p "$work/bin" "$work/tree/build-aux"
cp "${PERP_SOURCE:-.}/quickstart" "$work/tree"
cp "${PERP_SOURCE:-.}/build-aux/packages.txt" "$work/tree/build-aux"
for tool in sh awk sed grep tr cut paste dirname mktemp tail cat rm xargs; do
    ln -s "$(command -v "$tool")" "$work/bin/$tool"
done

fake() { # fake NAME BODY: a program of that name
    printf '#!/bin/sh\n%s\n' "$2" >"$work/bin/$1"
    chmod +x "$work/bin/$1"
}
start() { # start WORDS…: sets $status; out and err hold what was printed, done what was installed
    : >"$work/done"
    status=0
    PATH=$work/bin DONE=$work/done "$work/tree/quickstart" "$@" >"$work/out" 2>"$work/err" || status=$?
}
# apt NAMES: an apt that offers every package but these, as root. What is installed is there.
apt() {
    fake id 'echo 0'
    fake apt-get 'case $1 in install) shift 3; for p; do
        case $p in '"${2:-none}"') exit 100 ;; esac; done; for p; do echo "$p" >>"$DONE"; done ;; esac'
    fake dpkg-query 'for p; do :; done; grep -qx "$p" "$DONE" && echo installed'
    fake apt-cache 'shift; for p; do case $p in '"$1"') ;; *) printf "%s:\n  Candidate: 1.0\n" "$p" ;; esac; done'
}

apt none
start packages
grep -q '^apt-get install .* libflint-dev libflint-arb-dev$' "$work/out"
ok $? "apt with Arb beside FLINT: both packages"
apt libflint-arb-dev
start packages
grep -q ' libflint-dev$' "$work/out" && ! grep -q arb "$work/out"
ok $? "apt with Arb inside FLINT: one package"
start build
[ "$status" -eq 1 ] && grep -qx libflint-dev "$work/done" && grep -qx libmatio-dev "$work/done" && ! grep -q without "$work/out"
ok $? "apt has all: all is installed and nothing is left out"
apt 'libmetis-dev|libflint-dev'
start build
[ "$status" -eq 1 ] && grep -qx libgsl-dev "$work/done" &&
    grep -q 'without METIS (libmetis-dev): AMD orders' "$work/out" && grep -q 'without FLINT with Arb' "$work/out"
ok $? "apt lacks what is optional: it is named with its loss, and the set-up goes on"
apt none libmatio-dev
start build
[ "$status" -eq 1 ] && grep -qx libgsl-dev "$work/done" && grep -q 'without matio (libmatio-dev)' "$work/out"
ok $? "a package that is optional and cannot be installed stops nothing"
apt libhdf5-dev
start build
[ "$status" -eq 2 ] && grep -q '^quickstart: missing: HDF5$' "$work/out"
ok $? "apt lacks what is needed: it is named, status 2"
apt none
fake id 'echo 1000'
start build
[ "$status" -eq 2 ] && [ ! -s "$work/done" ] && grep -q '^    sudo apt-get install .* libhdf5-dev ' "$work/out"
ok $? "neither root nor sudo: the command is printed, status 2"

rm "$work/bin/apt-get"
fake rpm 'exit 1'
fake pacman 'exit 1'
fake brew '[ "$1" != list ]'
while read -r manager line; do
    fake "$manager" "$(tail -n +2 "$work/bin/$manager" 2>/dev/null)"
    start build
    [ "$status" -eq 2 ] && grep -q "^    $line" "$work/out"
    ok $? "$manager: the packages by their names there"
    rm "$work/bin/$manager"
done <<'END'
dnf sudo dnf install gcc make .* openblas-devel lapack-devel
pacman sudo pacman -S --needed gcc make .* blas-openblas
zypper sudo zypper install gcc make .* libjansson-devel
brew brew install make .* suite-sparse
END
[ "$count" -eq 11 ]
ok $? "every package manager was tried"
echo "1..$count"
