# SPDX-License-Identifier: Apache-2.0
"""The version of the package, which must be that of the libraries."""

__version__ = "0.1.0"
