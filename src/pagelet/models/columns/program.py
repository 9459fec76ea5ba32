"""A program: the steps that its outputs need, with registers for their values.

A register is used again once its value is no longer needed, so that few columns are in memory at
any time and they stay in the processor's caches.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from sys import intern
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pagelet import core
from pagelet.arrays import Int32s
from pagelet.models.columns.expressions import DTYPES, FeatureColumn, Kind, ProgramStep, Trace
from pagelet.models.columns.numpy_engine import NumpyEngine
from pagelet.models.features import FeatureTable

GIVEN = ("input", "constant")  #: operations whose registers are written once and kept
PART = "part"  #: operation whose value lies in the memory of another one
STORE = "store"  #: operation that writes a column into the table, from a line on

#: Names of outputs: one for a column of one line, several for one of as many lines.
Outputs = Mapping[str | tuple[str, ...], FeatureColumn]


@dataclass(frozen=True, slots=True, eq=False)
class Instruction:
    """A step with the registers that it reads and writes."""

    operation: str
    result: int  #: register of the result; the first line of the table where it is stored
    operands: tuple[int, ...]
    kind: Kind
    lines: int
    number: int


@dataclass(frozen=True, eq=False)
class Program:
    """Instructions that fill a table of features from the columns of a page."""

    inputs: tuple[str, ...]
    kinds: tuple[Kind, ...]  #: of each input
    names: tuple[str, ...]  #: of the features, one line of the table each
    instructions: tuple[Instruction, ...]
    constants: tuple[NDArray[Any], ...]
    registers: int
    #: names of tables, by the names that follow the program's own
    name_tables: dict[tuple[str, ...], tuple[tuple[str, ...], dict[str, int]]] = field(
        default_factory=dict, repr=False
    )

    def run(
        self, values: Sequence[NDArray[Any]], places: int, more: tuple[str, ...] = ()
    ) -> FeatureTable:
        """The table for the inputs, in their order, with so many places a line.

        Lines with `more` names follow, which the caller fills.
        """
        lines = np.empty((len(self.names) + len(more), places), np.float32)
        if places:
            engine = self.compiled if core.compiled else self.numpy
            engine.run(values, lines[: len(self.names)])
        names, line_of = self.name_lines(more)
        return FeatureTable(names, lines, line_of)

    def name_lines(self, more: tuple[str, ...]) -> tuple[tuple[str, ...], dict[str, int]]:
        """All names, and the line of each."""
        if more not in self.name_tables:
            names = tuple(map(intern, (*self.names, *more)))  # quickly compared with a model's
            self.name_tables[more] = (names, {name: at for at, name in enumerate(names)})
        return self.name_tables[more]

    @cached_property
    def numpy(self) -> NumpyEngine:
        """The program as numpy runs it."""
        return NumpyEngine(self)

    @cached_property
    def compiled(self) -> "core.kernels.ColumnProgram":
        """The program as the compiled core runs it."""
        return core.kernels.ColumnProgram(
            encode(self.instructions, core.kernels.COLUMN_OPERATIONS),
            self.constants,
            bytes(map(_kind_of, self.constants)),
            bytes(self.kinds),
            self.registers,
            len(self.names),
        )


MOST_OPERANDS = 8  #: columns that one instruction reads


def encode(instructions: Sequence[Instruction], operations: Sequence[str]) -> Int32s:
    """Instructions as lines of numbers; operations are numbered by their place."""
    number = {operation: at for at, operation in enumerate(operations)}
    lines = [
        (
            number[each.operation],
            each.result,
            each.kind,
            each.lines,
            each.number,
            len(each.operands),
            *each.operands,
            *(0,) * (MOST_OPERANDS - len(each.operands)),
        )
        for each in instructions
    ]
    return np.array(lines, np.int32)


def _kind_of(values: NDArray[Any]) -> Kind:
    return next(kind for kind, dtype in DTYPES.items() if values.dtype == dtype)


def trace_program(
    inputs: Mapping[str, tuple[Kind, int]], write: Callable[[dict[str, FeatureColumn]], Outputs]
) -> Program:
    """The program of a function that is given a column for each input: its kind and lines."""
    trace = Trace()
    given = {
        name: trace.add(ProgramStep("input", (), kind, lines, at))
        for at, (name, (kind, lines)) in enumerate(inputs.items())
    }
    outputs = write(given)
    names: list[str] = []
    stores = []
    for key, column in outputs.items():
        stores.append((column.place, len(names)))
        names += (key,) if isinstance(key, str) else key
    instructions, registers = _allocate(trace.steps, stores)
    kinds = tuple(kind for kind, _ in inputs.values())
    return Program(
        tuple(inputs), kinds, tuple(names), instructions, tuple(trace.constants), registers
    )


def _allocate(
    steps: Sequence[ProgramStep], stores: Sequence[tuple[int, int]]
) -> tuple[tuple[Instruction, ...], int]:
    """Instructions for the steps that are needed, each column stored as soon as it is known."""
    needed = _needed(steps, {place for place, _ in stores})
    last = _last_uses(steps, needed)
    written: dict[int, list[int]] = {}
    for place, line in stores:
        written.setdefault(place, []).append(line)
    instructions: list[Instruction] = []
    given = [at for at in needed if steps[at].operation in GIVEN]
    register, free = {at: place for place, at in enumerate(given)}, list[int]()
    registers = len(given)
    for at in [*given, *(at for at in needed if at not in register)]:
        step = steps[at]
        if at not in register:
            if not free:
                free.append(registers)
                registers += 1
            register[at] = free.pop()
        operands = tuple(register[operand] for operand in step.operands)
        instructions.append(Instruction(step.operation, register[at], operands, *step[2:]))
        for line in written.get(at, ()):
            stored = (register[at],)
            instructions.append(Instruction(STORE, line, stored, step.kind, step.lines, 0))
        free += {register[each] for each in last[at] if steps[each].operation not in GIVEN}
    return tuple(instructions), registers


def _last_uses(steps: Sequence[ProgramStep], needed: list[int]) -> dict[int, list[int]]:
    """For each step, those whose values nobody needs after it; a part lies in what it is of."""
    last = {operand: at for at in needed for operand in (*steps[at].operands, at)}
    for at in reversed(needed):
        if steps[at].operation == PART:
            (whole,) = steps[at].operands
            last[whole] = max(last[whole], last[at])
    uses: dict[int, list[int]] = {at: [] for at in needed}
    for each, at in last.items():
        uses[at].append(each)
    return uses


def _needed(steps: Sequence[ProgramStep], outputs: set[int]) -> list[int]:
    """The places of the steps that outputs depend on, in order."""
    needed, open_places = set(outputs), list(outputs)
    while open_places:
        for operand in steps[open_places.pop()].operands:
            if operand not in needed:
                needed.add(operand)
                open_places.append(operand)
    return sorted(needed)
