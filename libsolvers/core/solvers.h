/* SPDX-License-Identifier: Apache-2.0
 * core/solvers.h: what solver files include: the public headers, and those of this folder. */
#ifndef PERP_CORE_SOLVERS_H
#define PERP_CORE_SOLVERS_H

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <perp/extend.h>

#include "base/base.h"
#include "core/message.h"
#include "core/operator.h"
#include "core/options.h"
#include "core/problem.h"
#include "core/result.h"
#include "core/run.h"
#include "core/set.h"
#include "core/vectors.h"
#include "core/workspace.h"

#endif
