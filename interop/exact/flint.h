/* SPDX-License-Identifier: Apache-2.0
 * exact/flint.h: FLINT and Arb, where their versions keep them. */
#ifndef PERP_EXACT_FLINT_H
#define PERP_EXACT_FLINT_H

#include <flint/fmpz.h>
#include <flint/fmpz_mat.h>
#include <flint/fmpz_vec.h>
#include <flint/nmod_mat.h>
#include <flint/ulong_extras.h>
#ifdef HAVE_FLINT_ARB_MAT_H
#include <flint/arb.h>
#include <flint/arb_mat.h>
#include <flint/arf.h>
#else
#include <arb.h>
#include <arb_mat.h>
#include <arf.h>
#endif

/** The largest prime below 2^63. Of integers, a rank modulo a prime is at most the rank. */
#define EXACT_PRIME UWORD(9223372036854775783)

#endif
