/* SPDX-License-Identifier: Apache-2.0
 * step/metrics.c: the metrics, in the order of the columns of tables. */
#include <config.h>

#include <string.h>

#include <perp/dynamics/step.h>

/* clang-format off */
/* X(id, name, unit, summary, value of a report r). The parts of the ledger sum to the
 * change of the energy; momenta are those of the dynamic bodies, angular ones about the
 * origin. */
#define METRICS(X)                                                                      \
    X(time, "time", "s", "at the end of the step", r->t)                                \
    X(kinetic, "kinetic", "J", "kinetic energy of the dynamic bodies", r->kinetic)      \
    X(potential, "potential", "J", "potential energy of gravity, 0 at the origin",      \
      r->potential)                                                                     \
    X(stored, "stored", "J", "energy in springs and soft joints", r->stored)            \
    X(energy, "energy", "J", "kinetic, potential and stored energy",                    \
      r->kinetic + r->potential + r->stored)                                            \
    X(integrator, "ledger-integrator", "J",                                             \
      "energy error of the discretised free motion",                                    \
      r->ledger[PERP_LEDGER_INTEGRATOR])                                                \
    X(forces, "ledger-forces", "J", "work of dampers, drag and loads",                  \
      r->ledger[PERP_LEDGER_FORCES])                                                    \
    X(joints, "ledger-joints", "J", "work of joints, limits, motors, axis springs",     \
      r->ledger[PERP_LEDGER_JOINTS])                                                    \
    X(normal, "ledger-normal", "J", "work of normal impulses: inelastic loss",          \
      r->ledger[PERP_LEDGER_NORMAL])                                                    \
    X(friction, "ledger-friction", "J", "work of friction",                             \
      r->ledger[PERP_LEDGER_FRICTION])                                                  \
    X(restitution, "ledger-restitution", "J", "energy given back by restitution",       \
      r->ledger[PERP_LEDGER_RESTITUTION])                                               \
    X(stabilization, "ledger-stabilization", "J",                                       \
      "work of correcting positions and of closing gaps",                               \
      r->ledger[PERP_LEDGER_STABILIZATION])                                             \
    X(remainder, "ledger-residual", "J",                                                \
      "energy change due to the residual of the solver",                                \
      r->ledger[PERP_LEDGER_RESIDUAL])                                                  \
    X(px, "momentum-x", "kg m/s", "linear momentum along x", r->momentum[0])            \
    X(py, "momentum-y", "kg m/s", "linear momentum along y", r->momentum[1])            \
    X(pz, "momentum-z", "kg m/s", "linear momentum along z", r->momentum[2])            \
    X(lx, "angular-momentum-x", "kg m^2/s", "angular momentum about the x axis",        \
      r->angular_momentum[0])                                                           \
    X(ly, "angular-momentum-y", "kg m^2/s", "angular momentum about the y axis",        \
      r->angular_momentum[1])                                                           \
    X(lz, "angular-momentum-z", "kg m^2/s", "angular momentum about the z axis",        \
      r->angular_momentum[2])                                                           \
    X(contacts, "contacts", "", "contacts in the problem", r->contacts)                 \
    X(rows, "rows", "", "rows of joints, axes and contacts", r->rows)                   \
    X(penetration, "penetration", "m", "deepest contact at the end of the step",        \
      r->penetration)                                                                   \
    X(pairs, "pairs", "", "pairs of shapes tested at the end of the step", r->pairs)    \
    X(unresolved, "unresolved", "", "pairs whose search did not converge",              \
      r->unresolved)                                                                    \
    X(drift_length, "drift-length", "m", "largest position error of a joint",           \
      r->drift_length)                                                                  \
    X(drift_angle, "drift-angle", "rad", "largest angular error of a joint",            \
      r->drift_angle)                                                                   \
    X(speed, "speed", "m/s", "fastest centre of mass", r->speed)                        \
    X(outcome, "solved", "", "1 when the solver solved every problem of the step",      \
      r->outcome == PERP_SOLVED)                                                        \
    X(residual, "residual", "", "the largest residual of the problems of the step",     \
      r->residual)                                                                      \
    X(iterations, "iterations", "", "iterations of the solver", r->iterations)          \
    X(products, "products", "", "products with A", r->work.products)                    \
    X(factorizations, "factorizations", "", "factorizations", r->work.factorizations)   \
    X(flops, "flops-factor", "", "floating point operations in factorizations",         \
      r->work.flops_factor)                                                             \
    X(pivots, "pivots", "", "pivots", r->work.pivots)                                   \
    X(projections, "projections", "", "projections of one block", r->work.projections)  \
    X(rounds, "rounds", "", "rounds of an outer loop", r->work.rounds)                  \
    X(seconds, "seconds", "s", "time spent solving", r->seconds)                        \
    X(warm, "warm", "", "blocks that started from the last step's impulses", r->warm)
/* clang-format on */

#define METRIC_VALUE(id, text, of, line, expression)                                     \
    static double id##_value(const perp_report *r)                                       \
    {                                                                                    \
        return (double)(expression);                                                     \
    }
METRICS(METRIC_VALUE)

#define METRIC_STRUCT(id, text, of, line, expression)                                    \
    {.name = (text), .unit = (of), .summary = (line), .value = id##_value},
static const perp_metric metrics[] = {METRICS(METRIC_STRUCT)};

#define METRIC_PLACE(id, text, of, line, expression) id##_place,
enum { METRICS(METRIC_PLACE) METRIC_COUNT };

#define METRIC_ENTRY(id, text, of, line, expression) &metrics[id##_place],
static const perp_metric *const registry[] = {METRICS(METRIC_ENTRY) NULL};

const perp_metric *const *perp_metrics(size_t *count)
{
    if (count) {
        *count = METRIC_COUNT;
    }
    return registry;
}

const perp_metric *perp_metric_find(const char *name)
{
    for (size_t k = 0; k < METRIC_COUNT; k++) {
        if (strcmp(metrics[k].name, name) == 0) {
            return &metrics[k];
        }
    }
    return NULL;
}
