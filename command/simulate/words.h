/* SPDX-License-Identifier: Apache-2.0
 * simulate/words.h: the texts of a run, the reason of the first failure and the last solution path,
 * as numbers, which a checkpoint keeps behind the state. */
#ifndef PERP_SIMULATE_WORDS_H
#define PERP_SIMULATE_WORDS_H

#include "command/simulate/summary.h"

/** Numbers that the texts take. */
size_t sim_words_size(const sim_end *end);
/** Write them. */
void sim_words_save(const sim_end *end, double *numbers);
/** Read `size` numbers; 0: there are no texts. PERP_ERR_FORMAT: these are none. */
perp_status sim_words_load(sim_end *end, const double *numbers, size_t size,
                           perp_error *err);

#endif
