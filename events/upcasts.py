"""Old wire shapes to the next newer ones: one pure function a step, chained when read.

A step takes the plain data of an old kind and returns the next kind and its plain data.
Stored rows are never rewritten.
"""

from collections.abc import Callable
from typing import Any

Upcast = Callable[[dict[str, Any]], tuple[str, dict[str, Any]]]

UPCASTS: dict[str, Upcast] = {}
"""Old kind → its step. Empty while every kind is in its first shape."""
