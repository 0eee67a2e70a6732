# SPDX-License-Identifier: Apache-2.0
test_files += \
    %D%/rotation.c \
    %D%/twists.c
