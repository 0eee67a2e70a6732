# SPDX-License-Identifier: Apache-2.0
check_PROGRAMS += \
    %D%/operator \
    %D%/options \
    %D%/problem \
    %D%/residual \
    %D%/solve
