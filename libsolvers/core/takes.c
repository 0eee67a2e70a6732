/* SPDX-License-Identifier: Apache-2.0
 * core/takes.c: the sets and laws that a solver takes. A type says which; options `sets` and
 * `laws` of the type narrow them, as those of exec, whose program perp does not know. */
#include <config.h>

#include "core/solvers.h"

/* The bits of the option of that name where the type has it, else all. */
static unsigned takes_declared(const perp_solver_type *type, const perp_options *opt,
                               const char *name)
{
    for (const perp_option *o = type->options; opt && o && o->name; o++) {
        if (o->kind == PERP_OPTION_LIST && strcmp(o->name, name) == 0 &&
            perp_options_find(opt, name) == o) {
            return perp_options_list(opt, name);
        }
    }
    return ~0u;
}

unsigned perp_solver_sets(const perp_solver_type *type, const perp_options *opt)
{
    return type->sets.set_bits & takes_declared(type, opt, "sets");
}

unsigned perp_solver_laws(const perp_solver_type *type, const perp_options *opt)
{
    return type->laws.law_bits & takes_declared(type, opt, "laws");
}

perp_status perp_solver_check_law(const perp_solver_type *type, const perp_options *opt,
                                  const perp_problem *p, perp_error *err)
{
    bool cones = (perp_set_kinds(p->set) & (PERP_SET_CONE | PERP_SET_ROLLING)) != 0;

    return !cones || (perp_solver_laws(type, opt) & (1u << p->law))
               ? PERP_OK
               : perp_fail(err, PERP_ERR_UNSUITABLE, "%s takes no cones of the %s law%s",
                           type->name, perp_problem_law_name(p),
                           p->law == PERP_LAW_COULOMB
                               ? "; --friction associated asks for that law"
                               : "");
}
