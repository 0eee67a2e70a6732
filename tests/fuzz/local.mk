# SPDX-License-Identifier: Apache-2.0
# libFuzzer targets, one a reader; built by `make fuzz` in a folder of its own.
fuzz_names = fclib siconos matrix_market golden npz suite
EXTRA_DIST += %D%/run.sh
