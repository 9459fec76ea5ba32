"""Features as column programs: written once as expressions, run by numpy or by the compiled core.

An expression over columns is recorded when a program is made, once per process. Running the program
executes the recorded operations one after the other, each over whole columns. Both engines know the
same operations, so that a feature is one line of one function and has one meaning.
"""

from pagelet.models.columns.expressions import (
    FeatureColumn,
    Kind,
    Trace,
    either,
    maximum,
    minimum,
    stack,
)
from pagelet.models.columns.numpy_engine import hash_numbers, number_values
from pagelet.models.columns.program import Program, trace_program

__all__ = [
    "FeatureColumn",
    "Kind",
    "Program",
    "Trace",
    "either",
    "hash_numbers",
    "maximum",
    "minimum",
    "number_values",
    "stack",
    "trace_program",
]
