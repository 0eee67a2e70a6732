/* SPDX-License-Identifier: Apache-2.0
 * report/page_data.h: stored runs as the data of report.html.
 *
 * Two blocks of JSON. "report" is what the page starts with; indices count from 0, and a number
 * that is not known or not finite is null:
 *
 *   format       "perp-report/1"
 *   title, suite, folders: [names], date (of the newest run, ISO 8601), version, commit
 *   machine      {property: value}
 *   noise        [sentences about the machine that a reader of times should know]
 *   tolerances   [numbers, ascending accuracy]
 *   sets         [{name, title}]
 *   solvers      [{label, solver, summary, colour, dash, marker}]: the looks of the printed
 *                figures: "#0072B2", and the dt and pt of gnuplot
 *   parameters   [{name, unit}]: what the suite varies, options included
 *   measures     [{key, label, unit, scale: "log" | "linear", better: "less" | "more" | "", help}]
 *   endings      [{name, class: "solved" | "approximate" | "refused" | "failed", help}]
 *   instances    [{name, problem, kind, law, n, contacts, nonzeros, file, hash, values: {parameter:
 *                value}, those in which all of its runs agree, rank, condition, spectrum: [singular
 *                values, largest first, at most 64 of them, spread evenly], pattern: {size, cells:
 *                [counts of nonzeros, row by row]}, note}]: the note is "" or says why the
 *                spectrum is null
 *   runs         {set, instance, solver, tolerance, ending, folder: [indices]; each measure:
 *                [numbers]; values: {parameter: [values]}}: one entry per run in each list
 *   ranking      [{set, tolerance, rows: [{solver, problems, taken, solved, refused, approximate,
 *                fastest, mean, mean_low, mean_high, ratio, ratio_low, ratio_high, p, verdict,
 *                iterations, worst_residual, common, shift}], against: for each row as the reference,
 *                for each row [ratio, low, high, p, verdict, common], pairs: for rows a < b [a, b,
 *                common, solved by a, by b, by both, ratio, low, high, p]}]: the numbers of
 *                tables/summary.csv, and of tables/pairs.csv to four digits
 *   against      the label that the rows are compared with, null: the best of each set
 *   tables       [{set, tolerance, name, title, explained, headings: [texts], rows: [[texts]]}]: the
 *                tables of other kinds, such as "warm", "coordinates", "race", "peers", "claims"
 *   changes      null, or {before, after: names of the folders, differences: [sentences], rows:
 *                [{set, instance, solver, tolerance (texts and a number), word, before, after:
 *                {ending, seconds, residual} or null, ratio, ratio_low, ratio_high}], solvers:
 *                [{set, solver, tolerance, ratio, low, high, pairs, word}], counts: {word: runs}};
 *                rows are those that are not "same"
 *   columns      [{table: "ranking" | "changes", name: the member, text}]: what a column means
 *   definition   HTML of the definition of the residual, a constant
 *
 * "details", read when a run is opened, has one entry per run:
 *
 *   key, reason, message, path: [steps], certificate (as in the record), history: [[iteration,
 *   seconds, products, residual]], at most 60 samples with 5 digits, contacts: {worst: [{name,
 *   residual}], quantiles: [least, 25 %, median, 75 %, largest]}, steps: of a sequence
 *   {iterations, seconds, residual, outcome: [per item]}, repeats: [seconds], options: {},
 *   limits: {}, seed, date, command: the line that repeats the run */
#ifndef PERP_REPORT_PAGE_DATA_H
#define PERP_REPORT_PAGE_DATA_H

#include <jansson.h>

#include "against.h"
#include "runs.h"

/** The two values, new references. `changes` may be NULL. suite.json and instances.jsonl of the
 *  folders of the runs are read where they are there. */
perp_status page_data_make(const stored_runs *s, const against *changes, json_t **report,
                           json_t **details, perp_error *err);

#endif
