## SPDX-License-Identifier: Apache-2.0

## perp_read: read a complementarity or frictional contact problem from a file
##
##   P = perp_read (FILE)
##   P = perp_read (FILE, NAME, VALUE, ...)
##
## FILE is in any format that perp reads (FCLIB, Siconos, Matrix Market, npz, ...; see the
## command: perp info formats), or a call such as "generate:spd:n=50". P is a struct:
##
##   A, b         of w = A*z + b, and what occurs of
##   lo, hi       bounds, one per row
##   mu           coefficients of friction, one per contact or friction row
##   findex       the row whose impulse bounds a friction row, or 0
##   M, H, f, b   of a global problem
##   perp         the description: kind, law, order of the rows
##
## Matrices that are stored sparse are sparse. Names are options of the command perp convert
## with a value: "from" (the format), "kind", "item" (of a batch, from 0), "step" (of a
## sequence, from 0), "friction" ("pyramid:8", "box", "associated").
##
## Examples:
##
##   P = perp_read ("problem.hdf5");
##   [z, info] = perp_solve (P, "solver", "nsgs");
##
## See also: perp_solve

function P = perp_read (file, varargin)
  if (nargin < 1 || ! ischar (file))
    print_usage ();
  endif
  if (mod (numel (varargin), 2) != 0 || ! iscellstr (varargin(1:2:end)))
    error ("perp_read: expected names, each with a value");
  endif
  copy = [tempname() ".mat"];
  cleanup = onCleanup (@() delete (copy));
  words = {"convert", file, copy, "--to", "mat", "--quiet"};
  for k = 1:2:numel (varargin)
    words(end + 1 : end + 2) = {["--" strrep(varargin{k}, "_", "-")], num2str(varargin{k + 1})};
  endfor
  perp_run (words);
  P = load (copy);
endfunction
