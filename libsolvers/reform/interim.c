/* SPDX-License-Identifier: Apache-2.0
 * INTERIM, to be deleted by the branch that brings the real reformulations (git rm this file
 * and its line in local.mk). Lets solvers link and run with scaling and storage only. */
#include <config.h>
#include <stdio.h>
#include "solvers.h"

static void same(const void *s, const perp_problem *p, const double *a, double *b)
{ (void)s; memcpy(b, a, p->n * sizeof *a); }
typedef struct { size_t n; double d[]; } scaling;
static void sforth(const void *s, const perp_problem *p, const double *z, double *zz)
{ const scaling *c = s; (void)p; for (size_t i = 0; i < c->n; i++) zz[i] = z[i] / c->d[i]; }
static void sback(const void *s, const perp_problem *p, const double *zz, double *z)
{ const scaling *c = s; (void)p; for (size_t i = 0; i < c->n; i++) z[i] = zz[i] * c->d[i]; }
static const perp_reform_type t_same = {"store", false, same, same, same, NULL};
static const perp_reform_type t_scale = {"scale", false, sforth, sback, sback, free};
static perp_reform *make(const perp_reform_type *type, const perp_problem *p, perp_problem *to, void *state, const char *what)
{ perp_reform *t = calloc(1, sizeof *t); t->type = type; t->from = p; t->to = to; t->state = state; snprintf(t->what, sizeof t->what, "%s", what); return t; }
void perp_reform_free(perp_reform *t) { if (t) { perp_problem_free(t->to); free(t->state); free(t); } }
perp_status perp_reform_store(perp_reform **t, const perp_problem *p, perp_storage storage, perp_error *err)
{ perp_problem *q = NULL; perp_operator *A = NULL; perp_status s = perp_problem_copy(&q, p, err); if (s) return s;
  s = perp_operator_convert(&A, p->A, storage, perp_set_edge(p->set), err); if (s) { perp_problem_free(q); return s; }
  perp_operator_free(q->A); q->A = A; *t = make(&t_same, p, q, NULL, A->type->name); return PERP_OK; }
perp_status perp_reform_scale(perp_reform **t, const perp_problem *p, perp_error *err)
{ perp_problem *q = NULL; perp_status s = perp_problem_copy(&q, p, err); if (s) return s;
  scaling *c = malloc(sizeof *c + (p->n + 1) * sizeof(double)); c->n = p->n; perp_row_scales(p, c->d);
  for (size_t i = 0; i < p->n; i++) { int e; double m = frexp(c->d[i], &e); c->d[i] = ldexp(1.0, -(m > 0.70710678 ? e : e - 1)); }
  q->A->type->scale(q->A, c->d, c->d);
  for (size_t i = 0; i < p->n; i++) q->b[i] *= c->d[i];
  for (size_t k = 0; k < q->set->count; k++) { perp_block *b = &q->set->blocks[k];
    if (b->kind == PERP_SET_BOX) { b->lo /= c->d[b->first]; b->hi /= c->d[b->first]; }
    if (b->kind == PERP_SET_FRICTION) b->mu *= c->d[b->normal] / c->d[b->first];
    if (b->kind == PERP_SET_DISK) b->radius /= c->d[b->first]; }
  *t = make(&t_scale, p, q, c, "scale by powers of two"); return PERP_OK; }
static perp_status no(perp_error *err) { return perp_fail(err, PERP_ERR_UNSUITABLE, "reformulation not merged yet"); }
perp_status perp_reform_condense(perp_reform **t, const perp_problem *p, perp_error *err) { (void)t; (void)p; return no(err); }
perp_status perp_reform_pyramid(perp_reform **t, const perp_problem *p, size_t eta, perp_error *err) { (void)t; (void)p; (void)eta; return no(err); }
perp_status perp_reform_box_friction(perp_reform **t, const perp_problem *p, perp_error *err) { (void)t; (void)p; return no(err); }
perp_status perp_reform_associated(perp_reform **t, const perp_problem *p, perp_error *err)
{ perp_problem *q = NULL; perp_status s = perp_problem_copy(&q, p, err); if (s) return s; q->law = PERP_LAW_ASSOCIATED; *t = make(&t_same, p, q, NULL, "associated law"); return PERP_OK; }
perp_status perp_reform_friction_to_lcp(perp_reform **t, const perp_problem *p, perp_error *err) { (void)t; (void)p; return no(err); }
perp_status perp_reform_box_to_lcp(perp_reform **t, const perp_problem *p, perp_error *err) { (void)t; (void)p; return no(err); }
perp_status perp_reform_eliminate_free(perp_reform **t, const perp_problem *p, double *y, perp_error *err) { (void)t; (void)p; (void)y; return no(err); }
perp_status perp_reform_named(perp_reform **t, const perp_problem *p, const char *name, perp_error *err)
{ *t = NULL; if (!strcmp(name, "natural")) return PERP_OK; if (!strcmp(name, "associated")) return perp_reform_associated(t, p, err); return no(err); }
