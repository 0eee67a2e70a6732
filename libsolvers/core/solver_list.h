/* SPDX-License-Identifier: Apache-2.0
 * core/solver_list.h: the list of the built-in solvers. Private. Only the registry includes it, so
 * that a line more compiles one file again. */
#ifndef PERP_CORE_SOLVER_LIST_H
#define PERP_CORE_SOLVER_LIST_H

#include <perp/solver_type.h>

/** The built-in solvers, in the order in which they are listed: X(name) for the constant
 *  perp_solver_name at the end of its own file. */
#define PERP_SOLVER_LIST(X)                                                              \
    X(lemke)                                                                             \
    X(dantzig)                                                                           \
    X(friction_path)                                                                     \
    X(keller)                                                                            \
    X(murty)                                                                             \
    X(bard)                                                                              \
    X(bpp)                                                                               \
    X(enumerate)                                                                         \
    X(jacobi)                                                                            \
    X(pgs)                                                                               \
    X(psor)                                                                              \
    X(spgs)                                                                              \
    X(nsgs)                                                                              \
    X(nncg)                                                                              \
    X(anderson)                                                                          \
    X(mpgp)                                                                              \
    X(kprgp)                                                                             \
    X(spg)                                                                               \
    X(spg_inline)                                                                        \
    X(apgd)                                                                              \
    X(apgd_inline)                                                                       \
    X(admm)                                                                              \
    X(admm_ncp)                                                                          \
    X(fb)                                                                                \
    X(minmap)                                                                            \
    X(ac)                                                                                \
    X(prox_newton)                                                                       \
    X(nsgs_newton)                                                                       \
    X(ipm)                                                                               \
    X(ipm_coulomb)                                                                       \
    X(ipm_socp)                                                                          \
    X(prox)                                                                              \
    X(ds)                                                                                \
    X(tresca)                                                                            \
    X(panagiotopoulos)                                                                   \
    X(staggered)                                                                         \
    X(auto)

#define PERP_SOLVER_DECLARE(name) extern const perp_solver_type perp_solver_##name;
PERP_SOLVER_LIST(PERP_SOLVER_DECLARE)
#undef PERP_SOLVER_DECLARE

#endif
