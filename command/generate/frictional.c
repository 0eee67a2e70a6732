/* SPDX-License-Identifier: Apache-2.0
 * families/frictional.c: piles of bodies with friction around a solution whose contacts
 * stick, slide, are open or degenerate in given shares: b := w - W z. With more contacts than
 * half the unknowns of the bodies W is singular, as it is in a pile.
 *
 *     contacts        cones with Coulomb's law, W in blocks or in factors
 *     friction-cloud  NONNEG normals and two FRICTION rows each, as in game engines
 *     pyramid         contacts through the pyramid of Stewart and Trinkle: an LCP
 *
 * Sliding contacts of all three slide along a direction of the pyramid, so that one point
 * solves the cone and the pyramid. */
#include <config.h>

#include <perp/reform.h>

#include "base/base.h"
#include "command/cli/take.h"
#include "scene.h"

enum { FORM_MATRIX, FORM_FACTORS };
enum { STICK, SLIDE, GRAZE, OPEN, ROLES }; /* GRAZE: closed without force, degenerate */

/* What was decided for a contact. */
typedef struct contact_role {
    unsigned char role;
    size_t direction; /* of the friction impulse, among eta */
    double reach;     /* |z_T|/(mu z_N): below 1 where it sticks */
} contact_role;

typedef struct pile {
    scene s;
    family_draft d;
    contact_role *roles;
    size_t eta;
    perp_random g;
} pile;

static void pile_drop(pile *x)
{
    scene_free(&x->s);
    family_drop(&x->d);
    free(x->roles);
    memset(x, 0, sizeof *x);
}

/* Direction k of eta, exact on the axes and opposite half a turn later. */
static void direction(size_t eta, size_t k, double *t)
{
    const double turn = 6.28318530717958647693;
    double sign = k < eta / 2 ? 1.0 : -1.0;
    size_t half = k % (eta / 2);
    double angle = turn * (double)half / (double)eta;

    t[0] = 4 * half == eta ? 0.0 : sign * cos(angle);
    t[1] = 4 * half == eta ? sign : sign * sin(angle);
}

/* Impulses and velocities of a contact with its role; `box`: along the axes one by one. */
static void pile_answer(pile *x, size_t k)
{
    contact_role *c = &x->roles[k];
    double *z = x->d.z + 3 * k;
    double *w = x->d.w + 3 * k;
    double mu = x->s.contacts[k].mu;
    double force = perp_random_uniform(&x->g, 0.5, 1.5);
    double speed = perp_random_uniform(&x->g, 0.5, 1.5);
    double t[2];

    c->direction = (size_t)(perp_random_next(&x->g) % x->eta);
    c->reach = c->role == SLIDE ? 1.0 : 0.5 * perp_random_unit(&x->g);
    direction(x->eta, c->direction, t);
    if (c->role == STICK || c->role == SLIDE) {
        z[0] = force;
        z[1] = c->reach * mu * force * t[0];
        z[2] = c->reach * mu * force * t[1];
    }
    if (c->role == SLIDE) {
        w[1] = -speed * t[0];
        w[2] = -speed * t[1];
    }
    if (c->role == OPEN) {
        w[0] = speed;
    }
}

static void pile_new(pile *x, const perp_options *opt, size_t eta)
{
    size_t nc = (size_t)perp_options_integer(opt, "contacts");
    double density = perp_options_real(opt, "density");
    size_t nb = (size_t)ceil((double)nc / density);
    uint64_t seed = (uint64_t)perp_options_integer(opt, "seed");
    const size_t count[ROLES] = {
        (size_t)(perp_options_real(opt, "stick") * (double)nc + 0.5),
        (size_t)(perp_options_real(opt, "slide") * (double)nc + 0.5),
        (size_t)(perp_options_real(opt, "degenerate") * (double)nc + 0.5), 0};
    unsigned char *role = NULL;

    memset(x, 0, sizeof *x);
    x->eta = eta;
    x->g.state = ~seed; /* another stream than that of the scene */
    scene_cloud(&x->s, nc, nb < 2 ? 2 : nb, seed, perp_options_real(opt, "mu-low"),
                perp_options_real(opt, "mu-high"));
    scene_draft(&x->s, SCENE_CONES, &x->d);
    role = take(nc + 1, 1);
    x->roles = take(nc + 1, sizeof *x->roles);
    family_roles(role, nc, count, ROLES, &x->g);
    for (size_t k = 0; k < nc; k++) {
        x->roles[k].role = role[k];
        pile_answer(x, k);
    }
    free(role);
}

/* The cone problem of a pile, its draft used up. */
static perp_status pile_cones(pile *x, perp_problem **p, perp_error *err)
{
    perp_status status = scene_cones(&x->s, &x->d, err);

    return status == PERP_OK ? scene_finish(&x->d, FAMILY_ANSWER_MAKES_B, p, err)
                             : status;
}

/* The same with W in factors. */
static perp_status pile_factors(pile *x, perp_problem **p, perp_error *err)
{
    perp_status status = scene_cones(&x->s, &x->d, err);

    *p = NULL;
    if (status == PERP_OK) {
        status = scene_factors(&x->s, &x->d.A, err);
    }
    return status == PERP_OK ? family_finish(&x->d, FAMILY_ANSWER_MAKES_B, p, err)
                             : status;
}

static perp_status contacts_make(const perp_options *opt, perp_problem **p,
                                 perp_error *err)
{
    pile x;
    perp_status status = PERP_OK;

    pile_new(&x, opt, 16); /* many directions, so any */
    if (perp_options_choice(opt, "form") == FORM_FACTORS) {
        status = pile_factors(&x, p, err);
    } else {
        status = pile_cones(&x, p, err);
    }
    pile_drop(&x);
    return status;
}

/* Along the axes both tangents are rows of their own: one slides, the other sticks at 0. */
static perp_status friction_cloud_make(const perp_options *opt, perp_problem **p,
                                       perp_error *err)
{
    pile x;
    perp_status status = PERP_OK;

    pile_new(&x, opt, 4);
    status = perp_set_new(&x.d.set, 3 * x.s.contact_count, err);
    for (size_t k = 0; status == PERP_OK && k < x.s.contact_count; k++) {
        perp_set_add_nonneg(x.d.set);
        perp_set_add_friction(x.d.set, x.s.contacts[k].mu, 3 * k);
        perp_set_add_friction(x.d.set, x.s.contacts[k].mu, 3 * k);
    }
    if (status == PERP_OK) {
        status = family_finish(&x.d, FAMILY_ANSWER_MAKES_B, p, err);
    }
    pile_drop(&x);
    return status;
}

/* The point of the pyramid: beta along the direction of friction, lambda = the speed. */
static void pyramid_point(const pile *x, const perp_problem *cones, double *zz)
{
    for (size_t k = 0, row = 0; k < x->s.contact_count; k++) {
        const double *z = cones->solution->z + 3 * k;
        const double *w = cones->solution->w + 3 * k;
        const contact_role *c = &x->roles[k];
        double mu = x->s.contacts[k].mu;

        zz[row] = z[0];
        if (mu > 0.0) {
            zz[row + 1 + c->direction] = c->reach * mu * z[0];
            zz[row + 1 + x->eta] =
                c->role == SLIDE ? sqrt(w[1] * w[1] + w[2] * w[2]) : 0.0;
        }
        row += mu > 0.0 ? x->eta + 2 : 1;
    }
}

static void pyramid_answer(const pile *x, const perp_problem *cones, perp_problem *p)
{
    p->solution = take(1, sizeof *p->solution);
    p->solution->z = take_reals(p->n);
    p->solution->w = take_reals(p->n);
    pyramid_point(x, cones, p->solution->z);
    perp_operator_apply(p->A, p->solution->z, p->solution->w);
    for (size_t i = 0; i < p->n; i++) {
        p->solution->w[i] += p->b[i];
    }
}

static perp_status pyramid_make(const perp_options *opt, perp_problem **p,
                                perp_error *err)
{
    size_t eta = 2 * (size_t)perp_options_integer(opt, "lines");
    perp_problem *cones = NULL;
    perp_reform *t = NULL;
    pile x;
    perp_status status = PERP_OK;

    pile_new(&x, opt, eta);
    *p = NULL;
    status = pile_cones(&x, &cones, err);
    if (status == PERP_OK) {
        status = perp_reform_pyramid(&t, cones, eta, err);
    }
    if (status == PERP_OK) {
        status = perp_problem_copy(p, t->to, err);
    }
    if (status == PERP_OK) {
        pyramid_answer(&x, cones, *p);
    }
    if (status != PERP_OK) {
        perp_problem_free(*p);
        *p = NULL;
    }
    perp_reform_free(t);
    perp_problem_free(cones);
    pile_drop(&x);
    return status;
}

#define PILE                                                                             \
    PERP_INTEGER("contacts", 40, 1, 1e6, "contacts"),                                    \
        PERP_INTEGER("seed", 1, 0, 9e15, "first state of the random stream"),            \
        PERP_REAL_CLOSED("density", 4.0, 0.1, 1e6,                                       \
                         "contacts per body; above 2 W is singular"),                    \
        PERP_REAL_CLOSED("stick", 0.4, 0.0, 1.0, "share of contacts that stick"),        \
        PERP_REAL_CLOSED("slide", 0.3, 0.0, 1.0, "share that slides"),                   \
        PERP_REAL_CLOSED("degenerate", 0.1, 0.0, 1.0,                                    \
                         "share that is closed without force"),                          \
        PERP_REAL_CLOSED("mu-low", 0.1, 0.0, 10.0, "least friction"),                    \
        PERP_REAL_CLOSED("mu-high", 0.9, 0.0, 10.0, "most friction")

static const perp_option pile_parameters[] = {PILE, PERP_OPTION_END};

static const perp_option contacts_parameters[] = {
    PILE,
    PERP_CHOICE("form", FORM_MATRIX, "matrix|factors",
                "W in blocks, or J M^-1 J^T that is not multiplied out"),
    PERP_OPTION_END,
};

static const perp_option pyramid_parameters[] = {
    PILE,
    PERP_INTEGER("lines", 4, 2, 32, "lines of friction, two directions each"),
    PERP_OPTION_END,
};

const perp_family perp_family_contacts = {
    .name = "contacts",
    .summary = "a pile with Coulomb friction: contacts stick, slide, open, graze",
    .reference = "",
    .parameters = contacts_parameters,
    .make = contacts_make,
};

const perp_family perp_family_friction_cloud = {
    .name = "friction-cloud",
    .summary = "the same with box friction: normals and coupled FRICTION rows",
    .reference = "",
    .parameters = pile_parameters,
    .make = friction_cloud_make,
};

const perp_family perp_family_pyramid = {
    .name = "pyramid",
    .summary = "the same as the LCP of Stewart and Trinkle",
    .reference = "stewart-trinkle-1996",
    .parameters = pyramid_parameters,
    .make = pyramid_make,
};
