## SPDX-License-Identifier: Apache-2.0

## perp_solve: solve a complementarity or frictional contact problem with perp
##
##   [z, info] = perp_solve (M, q)
##   [z, info] = perp_solve (A, b, NAME, VALUE, ...)
##   [z, info] = perp_solve (P, NAME, VALUE, ...)
##
## Finds z in K such that w = A*z + b and -w is in the normal cone of K at z. Without further
## arguments this is the linear complementarity problem z >= 0, w >= 0, z'*w = 0. P is a
## problem that perp_read returned, or the name of a file that perp reads. A may be sparse.
##
## Names of the problem, not used with P:
##
##   "lo", "hi"   bounds of z, one number for all rows without friction, or one per row:
##                lo <= z <= hi. "lo" alone means hi = Inf, "hi" alone lo = -Inf
##   "mu"         coefficients of friction, one number or one per contact. The rows of a
##                contact are the normal, then the tangents; impulses lie in the cone
##                norm (z_T) <= mu * z_N of Coulomb
##   "cones"      rows per contact, 2 or 3 [3]
##   "findex"     box friction: for each row the row whose impulse bounds it, or 0. Then mu
##                has one number per friction row: abs (z(i)) <= mu * z(findex(i))
##
## Names of the solve:
##
##   "solver"     name of the solver ["auto"], see the command: perp info solvers
##   "start"      starting point
##   other names are options of the solver, with underscores in place of hyphens:
##   "tolerance", "max_iterations", "time_limit", "relaxation", ...
##
## info has the members of the JSON answer of perp solve: w, outcome ("solved", ...), reason,
## residual, iterations, seconds, path, history, certificate, and others.
##
## The command perp does the work. It is $PERP_EXECUTABLE, or found in $PATH.
##
## Examples:
##
##   z = perp_solve ([2 1; 1 2], [-1; 1])                        # (0.5, 0)
##   z = perp_solve (eye (3), [-1; 3; 4], "mu", 0.5)             # (1, -0.3, -0.4)
##   [z, info] = perp_solve ("problem.hdf5", "solver", "nsgs", "tolerance", 1e-10);
##
## See also: perp_read

function [z, info] = perp_solve (varargin)
  if (nargin == 0)
    print_usage ();
  endif
  [problem, settings] = read_arguments (varargin);
  folder = tempname ();
  mkdir (folder);
  cleanup = onCleanup (@() remove (folder));
  if (ischar (problem))
    file = problem;
  else
    file = fullfile (folder, "problem.mat");
    save ("-v6", file, "-struct", "problem");
  endif
  words = {"solve", file, "--history", "-o", fullfile(folder, "answer.json")};
  if (isfield (settings, "start"))
    start = settings.start(:);
    settings.start = fullfile (folder, "start.txt");
    dlmwrite (settings.start, start, "precision", "%.17g");
  endif
  names = fieldnames (settings);
  for k = 1:numel (names)
    words(end + 1 : end + 2) = {["--" strrep(names{k}, "_", "-")], as_text(settings.(names{k}))};
  endfor
  perp_run (words);
  info = jsondecode (fileread (fullfile (folder, "answer.json")));
  z = info.z(:);
  info.w = info.w(:);
endfunction

function remove (folder)
  confirm_recursive_rmdir (false, "local");
  rmdir (folder, "s");
endfunction

## The problem as a struct to be saved or as the name of a file; the other names and values.
function [problem, settings] = read_arguments (arguments)
  if (ischar (arguments{1}) || isstruct (arguments{1}))
    problem = arguments{1};
    rest = arguments(2:end);
  else
    if (numel (arguments) < 2 || ! isnumeric (arguments{1}) || ! isnumeric (arguments{2}))
      error ("perp_solve: expected a matrix and a vector, a struct of perp_read, or a file");
    endif
    problem = struct ("A", as_double (arguments{1}, "A"), "b", as_double (arguments{2}(:), "b"));
    rest = arguments(3:end);
  endif
  settings = struct ("solver", "auto");
  if (mod (numel (rest), 2) != 0 || ! iscellstr (rest(1:2:end)))
    error ("perp_solve: expected names, each with a value");
  endif
  for k = 1:2:numel (rest)
    settings.(rest{k}) = rest{k + 1};
  endfor
  if (isstruct (problem) && isfield (problem, "A") && ! isfield (problem, "perp"))
    [problem, settings] = add_set (problem, settings);
  endif
endfunction

## Move bounds and friction from the settings to the problem, with a description of its rows.
function [problem, settings] = add_set (problem, settings)
  n = numel (problem.b);
  given = struct ("lo", [], "hi", [], "mu", [], "cones", [], "findex", []);
  for name = fieldnames (given)'
    if (isfield (settings, name{1}))
      given.(name{1}) = as_double (settings.(name{1})(:), name{1});
      settings = rmfield (settings, name{1});
    endif
  endfor
  if (! isempty (given.cones) || (! isempty (given.mu) && isempty (given.findex)))
    [problem, sets] = add_cones (problem, given, n);
  else
    [problem, sets] = add_rows (problem, given, n);
  endif
  if (! isempty (sets))
    problem.perp = sprintf ("{\"format\": \"perp-mat\", \"version\": 1, \"n\": %d, \"sets\": [%s]}",
                            n, sets);
  endif
endfunction

function [problem, sets] = add_cones (problem, given, n)
  dim = 3;
  if (! isempty (given.cones))
    dim = given.cones;
  endif
  if (! isscalar (dim) || mod (n, dim) != 0)
    error ("perp_solve: %d rows are no whole number of contacts of dimension %d", n, dim(1));
  endif
  if (! isempty (given.findex))
    error ("perp_solve: findex and cones are two models of friction: give one of them");
  endif
  if (! isempty (given.lo) || ! isempty (given.hi))
    error ("perp_solve: lo, hi: all rows belong to contacts, which have no bounds");
  endif
  problem.mu = spread (given.mu, n / dim, "mu");
  sets = sprintf ("{\"kind\": \"cone\", \"dim\": %d, \"count\": %d}", dim, n / dim);
endfunction

function [problem, sets] = add_rows (problem, given, n)
  sets = "";
  if (isempty (given.lo) && isempty (given.hi) && isempty (given.findex))
    return;
  endif
  if (isempty (given.lo) && ! isempty (given.hi))
    given.lo = -Inf;
  endif
  lo = spread (ifempty (given.lo, 0), n, "lo");
  hi = spread (ifempty (given.hi, Inf), n, "hi");
  kinds = repmat ({"box"}, n, 1);
  kinds(lo == 0 & hi == Inf) = {"nonneg"};
  kinds(lo == -Inf & hi == Inf) = {"free"};
  if (! isempty (given.findex))
    findex = spread (given.findex, n, "findex");
    kinds(findex > 0) = {"friction"};
    ## One number is for the rows that have bounds.
    lo(isscalar (given.lo) & findex > 0) = -Inf;
    hi(isscalar (given.hi) & findex > 0) = Inf;
    problem.findex = findex;
    problem.mu = spread (given.mu, nnz (findex > 0), "mu");
  endif
  problem.lo = lo;
  problem.hi = hi;
  sets = strjoin (cellfun (@(kind) sprintf ("{\"kind\": \"%s\"}", kind), kinds,
                           "UniformOutput", false), ", ");
endfunction

## Real numbers, none of which a double rounds.
function y = as_double (x, name)
  y = double (x);
  if (iscomplex (y))
    error ("perp_solve: %s is complex, expected real numbers", name);
  endif
  if (isinteger (x))
    lost = cast (y, class (x)) != x | (y > flintmax () & y == double (intmax (class (x))));
    if (any (lost(:)))
      error ("perp_solve: %s has the entry %s, expected integers that a double holds, as all up to 2^53",
             name, strtrim (disp (x(find (lost, 1)))));
    endif
  endif
endfunction

function value = ifempty (value, default)
  if (isempty (value))
    value = default;
  endif
endfunction

function x = spread (x, n, name)
  if (isscalar (x))
    x = repmat (x, n, 1);
  elseif (numel (x) != n)
    error ("perp_solve: %s has %d numbers, expected %d", name, numel (x), n);
  endif
endfunction

function text = as_text (value)
  if (ischar (value))
    text = value;
  elseif (islogical (value))
    text = {"off", "on"}{value + 1};
  else
    text = sprintf ("%.17g", value);
  endif
endfunction
