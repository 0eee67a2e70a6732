/* SPDX-License-Identifier: Apache-2.0
 * solve/registry.c: all solvers, and how their full names are read. */
#include <config.h>

#include <stdio.h>

#include "core/solvers.h"

/* clang-format off */
static const perp_solver_type *const registry[] = {
    &perp_solver_lemke,
    &perp_solver_dantzig,
    &perp_solver_friction_path,
    &perp_solver_keller,
    &perp_solver_murty,
    &perp_solver_bard,
    &perp_solver_bpp,
    &perp_solver_enumerate,
    &perp_solver_jacobi,
    &perp_solver_pgs,
    &perp_solver_psor,
    &perp_solver_spgs,
    &perp_solver_nsgs,
    &perp_solver_nncg,
    &perp_solver_mpgp,
    &perp_solver_kprgp,
    &perp_solver_spg,
    &perp_solver_spg_inline,
    &perp_solver_apgd,
    &perp_solver_admm,
    &perp_solver_admm_ncp,
    &perp_solver_fb,
    &perp_solver_minmap,
    &perp_solver_ac,
    &perp_solver_prox_newton,
    &perp_solver_nsgs_newton,
    &perp_solver_ipm,
    &perp_solver_ipm_socp,
    &perp_solver_prox,
    &perp_solver_ds,
    &perp_solver_tresca,
    &perp_solver_panagiotopoulos,
    &perp_solver_staggered,
    &perp_solver_auto,
    NULL,
};
/* clang-format on */

const perp_solver_type *const *perp_solvers(size_t *count)
{
    if (count) {
        *count = sizeof registry / sizeof *registry - 1;
    }
    return registry;
}

static const perp_solver_type *find(const char *name, size_t length)
{
    for (size_t i = 0; registry[i]; i++) {
        if (strncmp(registry[i]->name, name, length) == 0 && !registry[i]->name[length]) {
            return registry[i];
        }
    }
    return NULL;
}

const perp_solver_type *perp_solver_find(const char *name)
{
    return find(name, strlen(name));
}

static const char *nearest_solver(const char *name)
{
    const char *best = "";
    size_t least = SIZE_MAX;

    for (size_t i = 0; registry[i]; i++) {
        size_t distance = perp_edit_distance(name, registry[i]->name);

        if (distance < least) {
            least = distance;
            best = registry[i]->name;
        }
    }
    return best;
}

perp_status perp_solver_parse(const char *name, const perp_solver_type **type,
                              perp_options *opt, perp_error *err)
{
    const char *colon = strchr(name, ':');
    size_t length = colon ? (size_t)(colon - name) : strlen(name);
    const perp_solver_type *outer = find(name, length);
    const perp_solver_type *inner = NULL;
    const char *wanted = NULL;

    *type = NULL;
    if (!outer) {
        return perp_fail(err, PERP_ERR_OPTION,
                         "unknown solver \"%.*s\", the nearest is \"%s\"", (int)length,
                         name, nearest_solver(name));
    }
    if (colon && !(outer->flags.flag_bits & PERP_FLAG_WRAPPER)) {
        return perp_fail(err, PERP_ERR_OPTION, "solver \"%s\" in \"%s\" wraps no other",
                         outer->name, name);
    }
    if (outer->flags.flag_bits & PERP_FLAG_WRAPPER) {
        wanted = colon ? colon + 1 : outer->inner;
        inner = perp_solver_find(wanted);
        if (!inner || (inner->flags.flag_bits & PERP_FLAG_WRAPPER) || inner->chain) {
            return perp_fail(
                err, PERP_ERR_OPTION,
                "unknown inner solver \"%s\" in \"%s\", the nearest is \"%s\"", wanted,
                name, nearest_solver(wanted));
        }
    }
    *type = outer;
    perp_options_init(opt, outer, inner);
    return PERP_OK;
}

void perp_solver_print(const perp_solver_type *type, const perp_options *opt, char *name,
                       size_t length)
{
    if (opt && opt->inner) {
        snprintf(name, length, "%s:%s", type->name, opt->inner->name);
    } else {
        snprintf(name, length, "%s", type->name);
    }
}
