/* SPDX-License-Identifier: Apache-2.0
 * core/problem.h: views of a problem, its labels, and what one borrows. Private. */
#ifndef PERP_CORE_PROBLEM_H
#define PERP_CORE_PROBLEM_H

#include <perp/problem.h>

/** *view := p with scratch of its own in A, so that several threads can work on p at once. It
 *  borrows all parts of p. Freed by perp_problem_view_free, also after a failure. */
perp_status perp_problem_view(perp_problem *view, const perp_problem *p, perp_error *err);
void perp_problem_view_free(perp_problem *view);
/** Copy a label, texts too, into one that holds none; false: no memory. */
bool perp_label_copy(perp_label *to, const perp_label *from);
/** PERP_ERR_DATA where p has labels, but not one per block. */
perp_status perp_labels_check(const perp_problem *p, perp_error *err);
/** perp_problem_seal of a view, whose A then knows what the check has found. */
perp_status perp_problem_view_seal(perp_problem *view, perp_error *err);

/** The pointer to data that a struct borrows: its field is not const, since the same field
 *  owns its data elsewhere, but the data are not written. */
static inline void *perp_borrowed(const void *data)
{
    return (void *)(uintptr_t)data;
}

/** The check of perp_problem_seal, without the mark. */
perp_status perp_problem_check(const perp_problem *p, perp_error *err);
/** PERP_OK for a sealed problem, else perp_problem_check. */
static inline perp_status perp_problem_ensure_checked(const perp_problem *p,
                                                      perp_error *err)
{
    return p->sealed ? PERP_OK : perp_problem_check(p, err);
}

perp_status perp_labels_copy(perp_labels **out, const perp_labels *labels,
                             perp_error *err);
perp_status perp_origin_copy(perp_origin **out, const perp_origin *origin,
                             perp_error *err);

#endif
