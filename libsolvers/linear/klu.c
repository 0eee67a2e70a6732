/* SPDX-License-Identifier: Apache-2.0
 * linear/klu.c: KLU, its status as ours, its memory in a workspace. */
#include <config.h>

#include "base/base.h"
#include "klu.h"

/* Count in the workspace what KLU holds now, and fail where the limit does not allow it. */
static perp_status klu_charge(perp_klu *f, perp_error *err)
{
    if (f->common.status == KLU_OUT_OF_MEMORY || f->common.status == KLU_TOO_LARGE) {
        return perp_fail(err, PERP_ERR_MEMORY,
                         "no memory for a sparse LU factorisation of %zu rows", f->n);
    }
    perp_workspace_discharge(f->ws, f->charged);
    f->charged = 0;
    if (!perp_workspace_charge(f->ws, f->common.memusage)) {
        return perp_workspace_status(f->ws, err);
    }
    f->charged = f->common.memusage;
    return PERP_OK;
}

static perp_status klu_failed(const perp_klu *f, perp_error *err)
{
    return perp_fail(err, PERP_ERR_LIBRARY, "KLU failed with status %d",
                     f->common.status);
}

perp_status perp_klu_analyse(perp_klu *f, size_t n, int *ptr, int *row,
                             perp_workspace *ws, perp_error *err)
{
    *f = (perp_klu){.n = n, .ws = ws};
    klu_defaults(&f->common);
    f->symbolic = klu_analyze((int)n, ptr, row, &f->common);
    TRY(klu_charge(f, err));
    return f->symbolic ? PERP_OK : klu_failed(f, err);
}

perp_status perp_klu_factor(perp_klu *f, int *ptr, int *row, double *x, bool *done,
                            perp_error *err)
{
    perp_status status = PERP_OK;

    *done = false;
    klu_free_numeric(&f->numeric, &f->common);
    f->numeric = klu_factor(ptr, row, x, f->symbolic, &f->common);
    status = klu_charge(f, err);
    if (status != PERP_OK) {
        klu_free_numeric(&f->numeric, &f->common);
        return status;
    }
    *done = f->numeric != NULL;
    return *done || f->common.status == KLU_SINGULAR ? PERP_OK : klu_failed(f, err);
}

void perp_klu_close(perp_klu *f)
{
    if (f->ws) {
        klu_free_symbolic(&f->symbolic, &f->common);
        klu_free_numeric(&f->numeric, &f->common);
        perp_workspace_discharge(f->ws, f->charged);
        f->charged = 0;
    }
}
