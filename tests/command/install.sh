#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What make install installs: programs against it by pkg-config and by CMake, and its removal.
set -u
build=$(cd "${PERP_BUILD:-.}" && pwd)
source=$(cd "${PERP_SOURCE:-.}" && pwd)
# shellcheck disable=SC2034 # read by command.sh
perp=$build/perp
work=$build/tests/scratch/install-$$
suite=install
. "$source/tests/support/command.sh"
cd "$work" || exit 99
# The jobs of the make that runs this test are not ours.
unset MAKEFLAGS MAKELEVEL MFLAGS
# What links a library built with sanitizers needs them too.
CFLAGS=$(sed -n 's/^CFLAGS = //p' "$build/Makefile" | tr ' ' '\n' | grep '^-fsanitize' | tr '\n' ' ')
export CFLAGS

root=$work/root
cat >"$work/main.c" <<'C'
#include <perp/dynamics/world.h>
#include <perp/perp.h>
#include <stdio.h>

int main(void)
{
    const double M[] = {2, 1, 1, 2}, q[] = {-5, -6};
    double z[2] = {0};
    perp_error err = {0};
    perp_world *w = NULL;

    if (perp_lcp_solve(2, M, q, z, NULL, &err) != PERP_OK || perp_world_new(&w, 3, &err) != PERP_OK) {
        fprintf(stderr, "%s\n", err.text);
        return 1;
    }
    perp_world_free(w);
    printf("z = (%.4f, %.4f)\n", z[0], z[1]);
    return 0;
}
C
expected='z = (1.3333, 2.3333)'

make -C "$build" -s install DESTDIR="$root" >"$work/out" 2>"$work/err"
ok $? "installs into DESTDIR"
prefix=$(sed -n 's/^prefix=//p' "$build/libsolvers/perp-solvers.pc")
installed=$root$prefix

make -C "$build" -s install prefix="$work/elsewhere" >"$work/out" 2>"$work/err"
[ $? -ne 0 ] && [ ! -e "$work/elsewhere" ] && grep -q 'run configure --prefix=' "$work/err"
ok $? "refuses another prefix before it writes"

PKG_CONFIG_PATH=$installed/lib/pkgconfig
export PKG_CONFIG_PATH
static=
[ -e "$installed/lib/libperp-solvers.so" ] || static=--static
# shellcheck disable=SC2046,SC2086 # flags
${CC:-cc} $CFLAGS "$work/main.c" -o "$work/main" \
    $(pkg-config $static --define-variable=prefix="$installed" --cflags --libs perp-dynamics) \
    >"$work/out" 2>"$work/err" &&
    [ "$(LD_LIBRARY_PATH=$installed/lib "$work/main")" = "$expected" ]
ok $? "a program is built by pkg-config"

if command -v cmake >/dev/null 2>&1; then
    cat >"$work/CMakeLists.txt" <<'C'
cmake_minimum_required(VERSION 3.12)
project(main C)
find_package(perp-dynamics 0.1 REQUIRED)
add_executable(main main.c)
target_link_libraries(main perp::dynamics)
C
    cmake -S "$work" -B "$work/cmake" -DCMAKE_PREFIX_PATH="$installed" >"$work/out" 2>"$work/err" &&
        cmake --build "$work/cmake" >"$work/out" 2>>"$work/err" &&
        [ "$("$work/cmake/main")" = "$expected" ]
    ok $? "a program is built by CMake"
    sed 's/0\.1 REQUIRED/9 REQUIRED/' "$work/CMakeLists.txt" >"$work/new.txt"
    mv "$work/new.txt" "$work/CMakeLists.txt"
    cmake -S "$work" -B "$work/cmake9" -DCMAKE_PREFIX_PATH="$installed" >"$work/out" 2>"$work/err"
    [ $? -ne 0 ] && grep -q 'version: 0.1' "$work/err"
    ok $? "CMake finds no later version"
else
    ok 0 "a program is built by CMake # SKIP cmake is not installed"
fi

missing=
for file in bin/perp share/man/man1/perp.1 share/perp/experiments/suites/quick.json \
    share/perp/experiments/scenes/stack.json share/doc/perp/tutorial.md share/doc/perp/measures.md \
    share/bash-completion/completions/perp; do
    [ -s "$installed/$file" ] || missing="$missing $file"
done
[ -z "$missing" ] || echo "missing:$missing" >"$work/err"
[ -z "$missing" ]
ok $? "command, pages, suites, scenes, documents and completion are installed"

LD_LIBRARY_PATH=$installed/lib "$installed/bin/perp" info suites >out 2>err && grep -q quick out
ok $? "the installed command starts"

make -C "$build" -s uninstall DESTDIR="$root" >"$work/out" 2>"$work/err"
find "$root" -type f -o -type l >"$work/err"
[ ! -s "$work/err" ]
ok $? "removes all that it installed"

echo "1..$count"
