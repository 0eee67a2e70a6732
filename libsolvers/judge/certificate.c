/* SPDX-License-Identifier: Apache-2.0
 * judge/certificate.c: the certificates of a «no» as data. */
#include <config.h>

#include "core/solvers.h"

const char *perp_certificate_name(perp_certificate_kind kind)
{
    switch (kind) {
#define PERP_CASE(name, text)                                                            \
    case name:                                                                           \
        return text;
        PERP_CERTIFICATE_LIST(PERP_CASE)
#undef PERP_CASE
    }
    return NULL;
}

const char *perp_rule_name(perp_rule rule)
{
    switch (rule) {
#define PERP_CASE(name, text)                                                            \
    case name:                                                                           \
        return text;
        PERP_RULE_LIST(PERP_CASE)
#undef PERP_CASE
    }
    return NULL;
}

void perp_certificate_clear(perp_certificate *c)
{
    free(c->y);
    free(c->dz);
    free(c->cover);
    free(c->states);
    *c = (perp_certificate){0};
}

perp_status perp_certificate_init(perp_certificate *c, perp_certificate_kind kind,
                                  size_t n, size_t steps, perp_error *err)
{
    bool ray = kind == PERP_CERTIFICATE_RAY;
    bool cycle = kind == PERP_CERTIFICATE_CYCLE;
    size_t bytes = 0;

    perp_certificate_clear(c);
    c->kind = kind;
    c->n = n;
    c->steps = cycle ? steps : 0;
    if (cycle && !perp_mul(n, steps, &bytes)) {
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for %zu sets of %zu rows",
                         steps, n);
    }
    c->y = cycle ? NULL : perp_reals_new(n);
    c->dz = ray ? perp_reals_new(n) : NULL;
    c->cover = ray ? perp_reals_new(n) : NULL;
    c->states = cycle ? calloc(bytes ? bytes : 1, 1) : NULL;
    if (cycle ? !c->states : !c->y || (ray && (!c->dz || !c->cover))) {
        perp_certificate_clear(c);
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for a certificate of %zu rows",
                         n);
    }
    return PERP_OK;
}
