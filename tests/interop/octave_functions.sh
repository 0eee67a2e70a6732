#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# octave_functions.sh: perp_solve and perp_read of Octave, through octave-cli. Speaks TAP.
set -u
suite='octave functions'
source=$(cd "${PERP_SOURCE:-.}" && pwd)
build=$(cd "${PERP_BUILD:-.}" && pwd)
datasets=$(cd "${PERP_DATASETS:-$source/datasets}" && pwd)
work=$build/tests/scratch/octave-$$
. "$source/tests/support/tap.sh"
PERP_EXECUTABLE=$build/perp
export PERP_EXECUTABLE

# run CODE: a program of Octave that ends with an error where an assertion fails
run() {
    printf '%s\n' "$1" >"$work/program.m"
    octave-cli --no-history --norc --path "$source/octave" "$work/program.m" >"$work/out" 2>"$work/err" &&
        ! grep -q '^error: [^i]' "$work/err"
}

# check SENTENCE: the program on standard input
check() {
    program=$(cat)
    if ! command -v octave-cli >/dev/null 2>&1 || ! "$PERP_EXECUTABLE" info mat >/dev/null 2>&1; then
        count=$((count + 1))
        echo "ok $count - $suite: $1 # SKIP octave-cli or matio is not installed"
        return
    fi
    run "$program"
    ok $? "$1"
}

check "an LCP worked by hand is solved" <<'M'
[z, info] = perp_solve ([2 1; 1 2], [-1; 1]);
assert (z, [0.5; 0], 1e-14);
assert (info.w, [0; 1.5], 1e-14);
assert (info.outcome, "solved");
M

check "bounds are those of each row" <<'M'
z = perp_solve (2 * eye (4), [1 -1 4 9], "lo", [-1 0 -1 -Inf], "hi", [1 0.25 1 Inf]);
assert (z, [-0.5; 0.25; -1; -4.5], 1e-12);
M

check "hi alone leaves the rows open below, as in files" <<'M'
assert (perp_solve (eye (2), [5 6], "hi", 1), [-5; -6], 1e-12);
assert (perp_solve (eye (2), [-5 6], "lo", -1), [5; -1], 1e-12);
assert (perp_solve (eye (2), [-5 6], "hi", int64 ([1 1])), [1; -6], 1e-12);
M

check "contacts slide in Coulomb's cone, in space and in the plane" <<'M'
assert (perp_solve (eye (3), [-1; 3; 4], "mu", 0.5), [1; -0.3; -0.4], 1e-7);
z = perp_solve (eye (4), [-1; 2; -2; 0.1], "mu", [0.5 0.25], "cones", 2);
assert (z, [1; -0.5; 2; -0.1], 1e-7);
M

check "findex bounds a row by the impulse of its normal" <<'M'
z = perp_solve (eye (3), [-2; 5; -0.5], "mu", 0.5, "findex", [0 1 1]);
assert (z, [2; -1; 0.5], 1e-7);
z = perp_solve (eye (3), [-2; 5; -0.5], "mu", 0.5, "findex", [0 1 1], "lo", 0, "hi", 1);
assert (z, [1; -0.5; 0.5], 1e-7);
M

check "sparse matrices, solvers, options and starting points are passed on" <<'M'
rand ("seed", 1);
n = 40;
A = speye (n) * 9 + sprand (n, n, 0.1);
b = linspace (-1, 1, n)';
[z, cold] = perp_solve (A, b, "solver", "pgs", "tolerance", 1e-12, "relaxation", 1.1);
assert (cold.solver, "pgs");
assert (min (z, A * z + b), zeros (n, 1), 1e-10);
[~, warm] = perp_solve (A, b, "solver", "pgs", "start", z);
assert (cold.iterations > 0 && warm.iterations == 0);
[~, one] = perp_solve (A, b, "solver", "pgs", "max_iterations", 1);
assert (one.outcome, "iteration limit");
M

check "files are read, solved, and give what Octave computes" <<M
file = "$datasets/siconos-fc3d/NESpheres_10_1.dat";
P = perp_read (file);
assert (size (P.A), [27 27]);
assert (numel (P.mu), 9);
[z, info] = perp_solve (P, "solver", "nsgs", "tolerance", 1e-10);
assert (info.outcome, "solved");
assert (info.w, P.A * z + P.b, 1e-12 * norm (P.b));
[same, ~] = perp_solve (file, "solver", "nsgs", "tolerance", 1e-10);
assert (same, z);
P.perp = strrep (P.perp, "NESpheres_10_1", "Körper");  # a text in 16-bit units
assert (perp_solve (P, "solver", "nsgs", "tolerance", 1e-10), z);
L = perp_read ("generate:spd:n=10");
assert (size (L.A), [10 10]);
assert (size (perp_read (file, "friction", "pyramid:4").A), [54 54]);
M

check "an error has the sentence of perp" <<'M'
function expect (words, code)
  try
    eval (code);
  catch err
    assert (! isempty (strfind (err.message, words)), err.message);
    return;
  end_try_catch
  error ("no error: %s", code);
endfunction
expect ("unknown solver \"lemk\", the nearest is \"lemke\"", "perp_solve (eye (2), [1;2], 'solver', 'lemk');");
expect ("unknown option --tolerence of auto, the nearest is --tolerance", "perp_solve (eye (2), [1;2], 'tolerence', 1);");
expect ("no/such/file", "perp_read ('no/such/file.hdf5');");
expect ("lo has 3 numbers, expected 2", "perp_solve (eye (2), [1;2], 'lo', [1 2 3]);");
expect ("q: complex, expected real", "perp_solve (struct ('M', eye (2), 'q', [1; 2i]));");
expect ("A is complex, expected real", "perp_solve ([2 1i; 0 2], [1;2]);");
expect ("b has the entry 9007199254740993, expected", "perp_solve (eye (2), int64 (flintmax ()) + [1; 0]);");
expect ("A has the entry 18446744073709551615, expected", "perp_solve (intmax ('uint64'), 1);");
expect ("findex: number 3 is 0.9", "perp_solve (eye (3), [-2;5;-1], 'mu', 0.5, 'findex', [0 1 0.9]);");
expect ("hi: number 2 is 0.1", "perp_solve (eye (3), [-2;5;-1], 'mu', 0.5, 'findex', [0 1 1], 'hi', [9 .1 .1]);");
expect ("contacts, which have no bounds", "perp_solve (eye (3), [-2;5;-1], 'mu', 0.5, 'hi', 1);");
expect ("4 rows are no whole number of contacts", "perp_solve (eye (4), [1;2;3;4], 'mu', 1);");
M

check "both functions have a help text" <<'M'
assert (! isempty (strfind (evalc ("help perp_solve"), "perp_solve (A, b, NAME, VALUE, ...)")));
assert (! isempty (strfind (evalc ("help perp_read"), "P = perp_read (FILE)")));
M

echo "1..$count"
