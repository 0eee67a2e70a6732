/* SPDX-License-Identifier: Apache-2.0
 * families/families.h: generated instances, each a constant struct with a table of its
 * parameters. The same call gives the same bits: all that is random comes from SplitMix64 in
 * a fixed order of draws, and only pow, exp, log, sin and cos are left to the C library.
 *
 * A family that builds its solution keeps it in p->solution; others have none there. */
#ifndef PERP_FAMILIES_H
#define PERP_FAMILIES_H

#include <perp/perp.h>

typedef struct perp_family {
    const char *name;              /**< "murty-lower" */
    const char *summary;           /**< one line */
    const char *reference;         /**< a key of paper/references.bib, or "" */
    const perp_option *parameters; /**< ended by PERP_OPTION_END */
    /** `opt` holds the parameters, checked; *p is the caller's. */
    perp_status (*make)(const perp_options *opt, perp_problem **p, perp_error *err);

    /** The real parameter that grows from step to step of its sequence, or NULL: b drifts. */
    const char *grows;
    /** A sequence of its own making instead, added to an empty `s`, and what it takes beside
     *  the parameters above; NULL: perp_sequence_parameters. */
    perp_status (*sequence)(const perp_options *opt, perp_sequence *s, perp_error *err);
    const perp_option *sequence_parameters;
} perp_family;

/** What sequences take that no family makes itself: steps, grow, change, direction. */
extern const perp_option perp_sequence_parameters[];

/** All families, in the order of the catalogue; `count` may be NULL. */
const perp_family *const *perp_families(size_t *count);
/** By name, or NULL. */
const perp_family *perp_family_find(const char *name);
/** The family of a call such as "spd:n=100,seed=3", and in opt its parameters and (with
 *  `sequence`) those of its sequence; the ones not given have their defaults. PERP_ERR_OPTION
 *  says what was found and what was expected. */
perp_status perp_family_parse(const char *call, bool sequence, const perp_family **family,
                              perp_options *opt, perp_error *err);
/** Make the problem of a call; it is named after the call. */
perp_status perp_family_make(const char *call, perp_problem **p, perp_error *err);

/** A sequence from a call, "wall:nx=3,steps=40", named after it: the family's own, one of its
 *  parameters growing, or b drifting. */
perp_status perp_family_make_sequence(const char *call, perp_sequence **s,
                                      perp_error *err);
/** b(t) = b + t db for t from 0 to 1: db is drawn, each entry at most `change` max |b|. */
perp_status perp_parametric_sequence(const perp_problem *p, const perp_options *opt,
                                     perp_sequence *s, perp_error *err);
/** Defaults of the parameters of a family and (with `sequence`) of its sequence. A NULL
 *  family: those of a parametric sequence. */
void perp_family_defaults(perp_options *opt, const perp_family *family, bool sequence);

#endif
