# SPDX-License-Identifier: Apache-2.0
check_PROGRAMS += \
    %D%/local_cone \
    %D%/nsgs \
    %D%/pgs \
    %D%/variants
