/* SPDX-License-Identifier: Apache-2.0
 * newton/fischer.c: the penalised Fischer-Burmeister function and its derivatives.
 *
 * The penalty keeps level sets bounded where a b is large, which the plain function
 * does not [chen-chen-kanzow-2000]. A row with two bounds nests the function into itself: at
 * z < hi the inner one stands for w, near hi for hi - z [billups-1995]. */
#include <config.h>

#include "fischer.h"

newton_fischer perp_newton_fischer_pair(double lambda, double a, double b)
{
    double h = hypot(a, b);
    double cosine = h > 0.0 ? a / h : sqrt(0.5);
    double sine = h > 0.0 ? b / h : sqrt(0.5);
    double penalty = a > 0.0 && b > 0.0 ? 1.0 - lambda : 0.0;
    double sum = a + b - h;

    /* for a, b > 0 without cancellation: (a + b)^2 - h^2 = 2 a b */
    if (a > 0.0 && b > 0.0) {
        sum = 2.0 * a * (b / (a + b + h));
    }
    return (newton_fischer){
        .phi = lambda * sum + penalty * a * b,
        .a = lambda * (1.0 - cosine) + penalty * b,
        .b = lambda * (1.0 - sine) + penalty * a,
    };
}

newton_fischer perp_newton_fischer_row(double lambda, const perp_block *block, double z,
                                       double w)
{
    newton_fischer inner = {w, 0.0, 1.0};
    newton_fischer outer;

    if (isfinite(block->hi)) { /* -phi(hi - z, -w) in the place of w */
        inner = perp_newton_fischer_pair(lambda, block->hi - z, -w);
        inner.phi = -inner.phi;
    }
    if (!isfinite(block->lo)) {
        return inner;
    }
    outer = perp_newton_fischer_pair(lambda, z - block->lo, inner.phi);
    return (newton_fischer){
        .phi = outer.phi,
        .a = outer.a + outer.b * inner.a,
        .b = outer.b * inner.b,
    };
}
