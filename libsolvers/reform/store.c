/* SPDX-License-Identifier: Apache-2.0
 * reform/store.c: the same problem with its matrix in another storage. */
#include <config.h>

#include "reforms.h"

static const perp_reform_type store_type = {
    .name = "store",
    .changes_physics = false,
    .map = perp_reform_identity,
    .unmap = perp_reform_identity,
    .certificate = perp_reform_identity,
};

perp_status perp_reform_store(perp_reform **t, const perp_problem *p,
                              perp_storage storage, perp_error *err)
{
    if (perp_check_arguments(t && p, "perp_reform_store", err) != PERP_OK) {
        return PERP_ERR_ARGUMENT;
    }

    perp_operator *A = NULL;
    perp_problem *to = NULL;
    perp_status status = perp_reform_needs_local(p, err);

    *t = NULL;
    if (status == PERP_OK) {
        status =
            perp_operator_convert(&A, p->A, storage, perp_set_block_size(p->set), err);
    }
    if (status == PERP_OK) {
        A->entries = p->A->entries; /* the same numbers */
        status = perp_reform_problem_like(&to, p, A, NULL, err);
    }
    if (status == PERP_OK) {
        status = perp_reform_new(t, &store_type, p, to, NULL, err);
    }
    if (status == PERP_OK) {
        perp_reform_describe(*t, "%s matrix stored as %s", p->A->type->name,
                             to->A->type->name);
    }
    return status;
}
