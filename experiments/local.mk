# SPDX-License-Identifier: Apache-2.0
include experiments/families/local.mk
