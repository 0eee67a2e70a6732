/* SPDX-License-Identifier: Apache-2.0
 * formats/siconos_soclcp.c: read second-order cone LCPs of the Siconos text format.
 *
 *     n  cones  M  q  coneIndex[cones+1]  tau[cones]
 *
 * Cone k has the rows coneIndex[k] .. coneIndex[k+1]-1, the first of them its axis, and
 *
 *     K_k = { z : |z_2..d| <= tau_k z_1 },   z in K,   M z + q in K*,   z orthogonal to M z + q.
 *
 * This is the associated law without De Saxce's term. Cones of 2 and 3 rows become CONE with
 * mu = tau; one row is NONNEG, whatever its tau; no set has more rows. */
#include <config.h>

#include "base/base.h"
#include "siconos.h"

/* One contact in space under Coulomb's law begins as one cone of three rows does: coneIndex
 * distinguishes them, which rises from 0 to n. */
static bool cone_index_follows(const siconos_reading *r, size_t n, size_t cones)
{
    perp_scan ahead = r->scan;
    int64_t last = 0;

    for (size_t k = 0; k <= cones; k++) {
        int64_t index = -1;

        if (perp_scan_integer(&ahead, &index) != PERP_SCAN_GOOD ||
            index < (k ? last + 1 : 0) || (k == 0 && index != 0)) {
            return false;
        }
        last = index;
    }
    return last == (int64_t)n;
}

/* coneIndex, checked: rows of each cone. */
static perp_status read_cone_index(siconos_reading *r, size_t n, size_t cones,
                                   size_t *index)
{
    perp_scan *s = &r->scan;
    perp_status status = perp_scan_size(s, "coneIndex[0]", 0, 0, &index[0]);

    for (size_t k = 1; status == PERP_OK && k <= cones; k++) {
        status = perp_scan_size(s, "coneIndex", index[k - 1] + 1, n, &index[k]);
        if (status == PERP_OK && index[k] - index[k - 1] > 3) {
            return perp_scan_fail(
                s, PERP_ERR_UNSUITABLE, "cone %zu has %zu row%s, expected 1, 2 or 3",
                k - 1, index[k] - index[k - 1], perp_plural(index[k] - index[k - 1]));
        }
    }
    if (status == PERP_OK && index[cones] != n) {
        return perp_scan_fail(s, PERP_ERR_FORMAT,
                              "the last coneIndex is %zu, expected %zu", index[cones], n);
    }
    return status;
}

static perp_status read_cones(siconos_reading *r, size_t cones, const size_t *index)
{
    double *tau = NULL;
    perp_status status = perp_siconos_read_friction(r, "tau", cones, &tau);

    if (status == PERP_OK) {
        status = perp_set_new(&r->p->set, cones, r->scan.err);
    }
    for (size_t k = 0; status == PERP_OK && k < cones; k++) {
        if (index[k + 1] - index[k] == 1) {
            perp_set_add_nonneg(r->p->set);
        } else {
            perp_set_add_cone(r->p->set, (unsigned)(index[k + 1] - index[k]), tau[k]);
        }
    }
    free(tau);
    return status;
}

/* M and q are read. */
static perp_status read_cone_set(siconos_reading *r, size_t n, size_t cones)
{
    size_t *index = NULL;
    perp_status status = PERP_OK;

    if (r->kind == SICONOS_KIND_ANY && !cone_index_follows(r, n, cones)) {
        return perp_scan_fail(&r->scan, PERP_ERR_FORMAT, "no coneIndex follows q");
    }
    index = calloc(cones + 1, sizeof *index);
    if (!index) {
        return perp_fail(r->scan.err, PERP_ERR_MEMORY, "%s: no memory for %zu cones",
                         r->scan.path, cones);
    }
    status = read_cone_index(r, n, cones, index);
    if (status == PERP_OK) {
        status = read_cones(r, cones, index);
    }
    free(index);
    return status;
}

perp_status perp_siconos_read_soclcp(siconos_reading *r)
{
    perp_scan *s = &r->scan;
    size_t n = 0;
    size_t cones = 0;
    size_t block_size = 1;

    TRY(perp_scan_size(s, "n", 0, perp_scan_room(s), &n));
    TRY(perp_scan_size(s, "number of cones", 0, n, &cones));
    TRY(perp_siconos_read_matrix(s, "M", n, n, 1, &r->p->A, NULL, &r->notes));
    TRY(perp_scan_reals(s, "q", n, &r->p->b));
    TRY(read_cone_set(r, n, cones));
    r->p->n = n;
    if (perp_set_count(r->p->set, PERP_SET_CONE) > 0) {
        r->p->law = PERP_LAW_ASSOCIATED;
    }
    block_size = perp_set_block_size(r->p->set);
    return r->p->A->type->storage == PERP_STORAGE_CSR && block_size > 1
               ? perp_operator_use_blocks(&r->p->A, block_size, s->err)
               : PERP_OK;
}
