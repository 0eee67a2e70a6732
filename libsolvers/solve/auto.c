/* SPDX-License-Identifier: Apache-2.0
 * solve/auto.c: chooses solvers by what the problem is, and falls back.
 *
 *     contacts, at most 50              nsgs+newton, admm-ncp, nsgs
 *     contacts, more                    nsgs+newton, admm-ncp, nsgs relaxation=0.7
 *     contacts, too many to factor      nsgs, nncg, ds:spg
 *     rolling contacts                  nsgs+newton, admm-ncp, nsgs, ds:spg
 *     cones of the associated law       spg, ipm-socp, admm
 *     box friction                      tresca:dantzig, prox-newton, pgs, friction-path,
 *                                       prox-newton, prox:friction-path, lemke
 *     circuits: free rows, A asymmetric fb, minmap, ipm, lemke
 *     bilateral rows, A symmetric       dantzig, prox:dantzig, bpp, fb, lemke
 *     many of them, A sparse            bpp, dantzig, prox:dantzig, fb, lemke
 *     LCP of at most 64 rows            lemke, fb, keller, enumerate
 *     LCP, A symmetric                  bpp, dantzig, prox:bpp, lemke
 *     LCP, A sparse and symmetric       bpp, ipm, psor, mpgp
 *     LCP, zero diagonal (KKT)          keller, prox:bpp, lemke
 *     LCP, A asymmetric                 lemke, bpp, fb, ipm
 *
 * Each solver starts from the best point so far, has at most half of the time that is left,
 * and stands in what ran with how it ended. The first line of what ran names the situation.
 * The answer, and a certificate, is that of the solver that found it; there is nothing of its
 * own in this one. A proof that there is no solution ends the chain, any other «no» calls the
 * next solver; when none is left, the sentence names the best and the last. Cost and memory
 * are those of the solvers that ran. Most of them are compared on contact problems in
 * [acary-bremond-huber-2018]. */
#include <config.h>

#include "core/solvers.h"

enum {
    SMALL_LCP = 64,       /* rows that a dense method pivots through at once */
    FEW_CONTACTS = 50,    /* the Newton matrix is factored in no time */
    MANY_CONTACTS = 5000, /* its factors no longer fit: sweeps only */
    DENSE_ROWS = 2000,    /* of a dense Cholesky factor: 32 MB, a second */
    TINY_LCP = 14,        /* all 2^n sets can be looked at */
};

/* A is sparse where fewer than this part of its entries are stored. */
static const double sparse_part = 0.1;

static void add(perp_chain *c, const char *step)
{
    if (c->count < PERP_CHAIN_MAX) {
        c->steps[c->count++] = step;
    }
}

static void choose(perp_chain *c, const char *situation, const char *first,
                   const char *second, const char *third, const char *last)
{
    const char *const steps[] = {first, second, third, last};

    c->situation = situation;
    for (size_t i = 0; i < 4; i++) {
        if (steps[i]) {
            add(c, steps[i]);
        }
    }
}

static void choose_contacts(const perp_problem *p, perp_chain *c)
{
    size_t contacts = perp_problem_contacts(p);

    if (p->law == PERP_LAW_ASSOCIATED) {
        choose(c, "cones of the associated law", "spg max-iterations=2000", "ipm-socp",
               "admm", "nsgs");
    } else if (contacts > MANY_CONTACTS) {
        choose(c, "more contacts than can be factored", "nsgs", "nncg", "ds:spg", NULL);
    } else if (contacts > FEW_CONTACTS) {
        choose(c, "frictional contact, to be factored", "nsgs+newton", "admm-ncp",
               "nsgs relaxation=0.7", NULL);
    } else {
        choose(c, "frictional contact, at most 50 contacts", "nsgs+newton", "admm-ncp",
               "nsgs", NULL);
    }
}

static bool has_zero_diagonal(const perp_problem *p)
{
    for (size_t i = 0; i < p->n; i++) {
        if (perp_operator_diagonal(p->A, i) == 0.0) {
            return true;
        }
    }
    return false;
}

/* Of entries, or what a product reads of its factors. */
static bool is_sparse(const perp_problem *p)
{
    return (double)perp_operator_nonzeros(p->A) <
           sparse_part * (double)p->n * (double)p->n;
}

static void choose_bounds(const perp_problem *p, perp_chain *c)
{
    if (perp_operator_is_symmetric(p->A) && p->n > SMALL_LCP && is_sparse(p)) {
        choose(c, "many bounds and free rows, A symmetric and sparse", "bpp", "dantzig",
               "prox:dantzig", "fb");
        add(c, "lemke");
    } else if (perp_operator_is_symmetric(p->A)) {
        choose(c, "bounds and free rows, A symmetric", "dantzig", "prox:dantzig", "bpp",
               "fb");
        add(c, "lemke");
    } else {
        choose(c, "bounds and free rows, A asymmetric", "fb", "minmap", "bpp", "ipm");
        add(c, "lemke");
    }
}

static void choose_lcp(const perp_problem *p, perp_chain *c)
{
    if (p->n <= SMALL_LCP) {
        choose(c, "an LCP of at most 64 rows", "lemke", "fb", "keller",
               p->n <= TINY_LCP ? "enumerate" : "ipm");
    } else if (has_zero_diagonal(p)) {
        choose(c, "an LCP with a zero diagonal", "keller", "prox:bpp", "lemke", "fb");
    } else if (!perp_operator_is_symmetric(p->A)) {
        choose(c, "an LCP, A asymmetric", "lemke", "bpp", "fb", "ipm");
    } else if (is_sparse(p) || p->n > DENSE_ROWS) {
        choose(c, "an LCP, A symmetric and sparse or large", "bpp", "ipm", "psor",
               "mpgp");
    } else {
        choose(c, "an LCP, A symmetric", "bpp", "dantzig", "prox:bpp", "lemke");
    }
}

static void auto_chain(const perp_problem *p, perp_chain *c)
{
    unsigned kinds = perp_set_kinds(p->set);

    if (kinds & PERP_SET_ROLLING) {
        choose(c, "rolling contacts", "nsgs+newton", "admm-ncp", "nsgs", "ds:spg");
    } else if (kinds & PERP_SET_CONE) {
        choose_contacts(p, c);
    } else if (kinds & PERP_SET_DISK) {
        choose(c, "disks", "mpgp", "admm", "nsgs", NULL);
    } else if (kinds & PERP_SET_FRICTION) {
        choose(c, "box friction", "tresca:dantzig", "prox-newton",
               "pgs max-iterations=3000", "friction-path max-iterations=500");
        add(c, "prox-newton");
        add(c, "prox:friction-path epsilon=1e-3");
        add(c, "lemke");
    } else if (!p->A) {
        choose(c, "a global problem without contacts", "fb", "lemke", NULL, NULL);
    } else if (kinds & (PERP_SET_BOX | PERP_SET_FREE)) {
        choose_bounds(p, c);
    } else {
        choose_lcp(p, c);
    }
}

static const perp_option auto_options[] = {PERP_OPTION_END};

const perp_solver_type perp_solver_auto = {
    .name = "auto",
    .family = "chain",
    .summary = "chooses by what the problem is, and falls back",
    .reference = "cottle-pang-stone-2009",
    .sets = PERP_SETS(FREE, NONNEG, BOX, FRICTION, CONE, ROLLING, DISK),
    .laws = PERP_LAWS(COULOMB, ASSOCIATED),
    .storages = PERP_STORAGES(DENSE, CSR, BSR, FACTORED),
    .flags = PERP_FLAGS(USES_START),
    .certificates = PERP_CERTIFICATES(INFEASIBLE, RAY, SINGULAR, CYCLE),
    .options = auto_options,
    .chain = auto_chain,
};
