"""Viper's pointers: they take any buffer, which the stubs' own classes do not say."""

from typing import Any, TypeAlias

ptr8: TypeAlias = Any
ptr16: TypeAlias = Any
