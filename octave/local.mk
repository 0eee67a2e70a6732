# SPDX-License-Identifier: Apache-2.0
# Functions of Octave over the command perp.
octavedir = $(datadir)/octave/site/m/perp
dist_octave_DATA = %D%/perp_read.m %D%/perp_solve.m
octave_privatedir = $(octavedir)/private
dist_octave_private_DATA = %D%/private/perp_run.m
dist_check_SCRIPTS += tests/interop/octave_functions.sh
