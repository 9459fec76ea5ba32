"""Values that are computed on first use."""

from collections.abc import Callable
from functools import cached_property
from typing import Any, Self, TypeVar, overload

from numpy.typing import NDArray

Array = TypeVar("Array", bound=NDArray[Any])
Value = TypeVar("Value")


class lazy_property(cached_property[Value]):  # noqa: N801 - reads like property
    """A cached property without the lock that Python 3.11 takes for each; later ones take none."""

    @overload
    def __get__(self, instance: None, owner: type[Any] | None = None) -> Self: ...
    @overload
    def __get__(self, instance: object, owner: type[Any] | None = None) -> Value: ...
    def __get__(self, instance: Any, owner: type[Any] | None = None) -> Any:
        if instance is None:
            return self
        value = instance.__dict__[self.attrname] = self.func(instance)
        return value


class column(lazy_property[Array]):  # noqa: N801 - reads like property
    """A derived column: computed on first use, then cached, read-only."""

    def __init__(self, compute: Callable[[Any], Array]) -> None:
        super().__init__(lambda page: read_only(compute(page)))
        self.__doc__ = compute.__doc__


def read_only(array: Array) -> Array:
    """The array, which nobody can change from now on."""
    array.flags.writeable = False
    return array


class kept_column(cached_property[Value]):  # noqa: N801 - reads like property
    """A value that is computed on first use and stored in `kept` of its object.

    Objects that methods make of the same page share what they know. It is kept with the page, so
    it must not refer to the page, or the page would be freed late.
    """

    @overload
    def __get__(self, instance: None, owner: type[Any] | None = None) -> Self: ...
    @overload
    def __get__(self, instance: object, owner: type[Any] | None = None) -> Value: ...
    def __get__(self, instance: Any, owner: type[Any] | None = None) -> Any:
        if instance is None:
            return self
        kept, name = instance.kept, self.attrname
        if name not in kept:
            kept[name] = self.func(instance)
        return kept[name]
