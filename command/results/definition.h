/* SPDX-License-Identifier: Apache-2.0
 * command/results/definition.h: the residual, as tables define it. */
#ifndef PERP_REPORT_DEFINITION_H
#define PERP_REPORT_DEFINITION_H

/** For text; see docs/measures.md for the scales and the allowance for rounding. */
#define RESIDUAL_DEFINITION                                                              \
    "residual: max_k s_k |z_k - P_K(z_k - u_k/d_k)| / beta, the scaled natural-map\n"    \
    "residual of the problem as given; beta is the size of the same at z = P_K(0) and "  \
    "of the\nb_k/s_k that act (docs/measures.md)"
/** For LaTeX. */
#define RESIDUAL_DEFINITION_TEX                                                          \
    "Residual: $\\max_k s_k |z_k - P_K(z_k - u_k/d_k)| / \\beta$, where $\\beta$ is "    \
    "the "                                                                               \
    "size of the same at $z = P_K(0)$ and of the $b_k/s_k$ that act."
/** For HTML. */
#define RESIDUAL_DEFINITION_HTML                                                          \
    "<h2 id=\"residual\">Residual</h2>\n<p>The scaled natural-map residual of the "       \
    "problem as given: max<sub>k</sub> s<sub>k</sub> |z<sub>k</sub> − "                 \
    "P<sub>K</sub>(z<sub>k</sub> − u<sub>k</sub>/d<sub>k</sub>)| / β. Here w = A z + " \
    "b; "                                                                                 \
    "u is w, for Coulomb cones with "                                                     \
    "μ|w<sub>T</sub>| added to its normal component; d<sub>k</sub> is the diagonal of "  \
    "A (for a contact the mean over its block) and s<sub>k</sub> = √d<sub>k</sub>; "    \
    "β is the size of the same at z = P<sub>K</sub>(0) and of the "                      \
    "b<sub>k</sub>/s<sub>k</sub> that act, which those of slack rows do not. "            \
    "It is 0 exactly at a solution and does not change with units. The page "             \
    "<code>docs/measures.md</code> (<code>perp info residual</code>) has the "            \
    "details.</p>\n"

#endif
