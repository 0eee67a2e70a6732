/* SPDX-License-Identifier: Apache-2.0
 * determined/freedom.c: what the velocities of an answer leave to each block of K, and the variables of
 * it. */
#include <config.h>

#include "determined.h"
#include "judge/judge.h"
#include "matrix/storages.h"

/* The open rows of a contact: -mu w_T/|w_T| where it slides. */
typedef struct contact_part {
    unsigned first, dim; /* rows of the part in the block */
    double mu;
    bool slides;
    double ray[2];
} contact_part;

static determined_variable *open_variable(perp_determined *d)
{
    determined_variable *v = &d->variable[d->count++];

    *v = (determined_variable){.link = DETERMINED_NO_LINK};
    return v;
}

static void open_row(determined_variable *v, size_t row, double coef)
{
    v->row[v->count] = row;
    v->coef[v->count++] = coef;
}

/* A variable for one row as it is. */
static determined_variable *open_one(perp_determined *d, size_t row)
{
    determined_variable *v = open_variable(d);

    open_row(v, row, 1.0);
    v->value = d->z[row];
    return v;
}

static perp_freedom open_interval(perp_determined *d, const perp_block *block, double lo,
                                  double hi, double most)
{
    perp_status status = PERP_OK;

    if (fabs(d->w[block->first]) > most * d->s[block->first] &&
        block->kind != PERP_SET_FREE) {
        return PERP_FREEDOM_NONE;
    }
    if (!(lo < hi)) {
        return PERP_FREEDOM_NONE;
    }
    open_one(d, block->first);
    if (!isfinite(lo) && !isfinite(hi)) {
        status = perp_set_add_free(d->set);
    } else if (lo == 0.0 && !isfinite(hi)) {
        status = perp_set_add_nonneg(d->set);
    } else {
        status = perp_set_add_box(d->set, lo, hi);
    }
    return status == PERP_OK ? PERP_FREEDOM_SET : PERP_FREEDOM_NONE;
}

static contact_part open_part(const perp_determined *d, const perp_block *block,
                              unsigned first, unsigned dim, double mu, double most)
{
    const double *w = d->w + block->first + first;
    double norm = perp_tangent_norm(w, dim);
    contact_part part = {.first = first, .dim = dim, .mu = mu};

    part.slides = mu == 0.0 || norm > most * d->s[block->first];
    for (unsigned i = 0; i < dim && mu > 0.0 && part.slides; i++) {
        part.ray[i] = -mu * w[i] / norm;
    }
    return part;
}

/* The normal of a contact with the rays of the parts that slide, and a cone for one that does not. */
static void open_cone(perp_determined *d, const perp_block *block,
                      const contact_part *stuck, const contact_part *slid, size_t link,
                      double sign)
{
    determined_variable *normal = open_variable(d);

    normal->link = link;
    normal->sign = sign;
    normal->value = d->z[block->first];
    if (sign >= 0.0) {
        open_row(normal, block->first, 1.0);
    }
    for (unsigned i = 0; slid && i < slid->dim; i++) {
        open_row(normal, block->first + slid->first + i, slid->ray[i]);
    }
    for (unsigned i = 0; stuck && i < stuck->dim; i++) {
        open_one(d, block->first + stuck->first + i);
    }
    if (stuck) {
        (void)perp_set_add_cone(d->set, stuck->dim + 1, stuck->mu);
    } else {
        (void)perp_set_add_nonneg(d->set);
    }
}

static perp_freedom open_contact(perp_determined *d, const perp_block *block, double most)
{
    const double *w = d->w + block->first;
    bool rolling = block->kind == PERP_SET_ROLLING;
    contact_part part[2] = {
        open_part(d, block, 1, rolling ? 2 : block->dim - 1, block->mu, most),
        rolling ? open_part(d, block, 3, 2, block->mu_rolling, most)
                : (contact_part){.slides = true}};
    double slack = w[0];

    if (d->p->law == PERP_LAW_ASSOCIATED) {
        slack -= perp_de_saxce_shift(block, w);
    }
    if (slack > most * d->s[block->first]) {
        return PERP_FREEDOM_NONE;
    }
    if (part[0].slides && part[1].slides) {
        determined_variable *v = NULL;

        open_cone(d, block, NULL, &part[0], DETERMINED_NO_LINK, 0.0);
        v = &d->variable[d->count - 1];
        for (unsigned i = 0; i < part[1].dim; i++) {
            open_row(v, block->first + 3 + i, part[1].ray[i]);
        }
        return PERP_FREEDOM_RAY;
    }
    if (!part[0].slides && !part[1].slides) {
        open_cone(d, block, &part[0], NULL, d->links, 1.0);
        open_cone(d, block, &part[1], NULL, d->links++, -1.0);
        return PERP_FREEDOM_SET;
    }
    open_cone(d, block, &part[part[0].slides], &part[!part[0].slides], DETERMINED_NO_LINK,
              0.0);
    return rolling && !(part[0].slides ? block->mu == 0.0 : block->mu_rolling == 0.0)
               ? PERP_FREEDOM_PART
               : PERP_FREEDOM_SET;
}

static perp_freedom open_disk(perp_determined *d, const perp_block *block, double most)
{
    if (perp_norm2(d->w[block->first], d->w[block->first + 1]) >
            most * d->s[block->first] ||
        block->radius == 0.0) {
        return PERP_FREEDOM_NONE;
    }
    open_one(d, block->first);
    open_one(d, block->first + 1);
    (void)perp_set_add_disk(d->set, block->radius);
    return PERP_FREEDOM_SET;
}

static perp_freedom open_block(perp_determined *d, const perp_block *block, double most)
{
    double lo = 0.0;
    double hi = 0.0;

    switch (block->kind) {
    case PERP_SET_CONE:
    case PERP_SET_ROLLING:
        return open_contact(d, block, most);
    case PERP_SET_DISK:
        return open_disk(d, block, most);
    default:
        perp_block_bounds(block, d->z, &lo, &hi);
        return open_interval(d, block, lo, hi, most);
    }
}

/* Whether a compliance fixes the rows: C d = 0. */
static bool open_compliant(const perp_operator *A, const perp_block *block)
{
    bool compliant = false;

    for (unsigned i = 0; perp_operator_in_factors(A) && i < block->dim; i++) {
        compliant = compliant || perp_operator_compliance(A)[block->first + i] > 0.0;
    }
    return compliant;
}

perp_status perp_determined_open(perp_determined *d, double most, perp_error *err)
{
    const perp_set *set = d->p->set;

    /* a rolling contact has a variable more than rows, and a block more */
    d->variable = perp_workspace_alloc(d->ws, set->n + set->count, sizeof *d->variable);
    d->freedom = perp_workspace_alloc(d->ws, set->count, sizeof *d->freedom);
    TRY(perp_workspace_status(d->ws, err));
    TRY(perp_set_new(&d->set, 2 * set->count, err));
    for (size_t k = 0; k < set->count; k++) {
        const perp_block *block = &set->blocks[k];

        d->freedom[k] = open_compliant(d->p->A, block) ? PERP_FREEDOM_NONE
                                                       : open_block(d, block, most);
    }
    return PERP_OK;
}
