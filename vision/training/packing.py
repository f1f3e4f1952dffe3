"""Networks as they ship: ONNX with rounded weights, packed. `nardi_vision.network` loads them."""

import io
import lzma
import warnings
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import onnx
import onnx.numpy_helper
import torch
from networks import Slots
from numpy.typing import NDArray
from torch import nn

PRECISION = 7
"""Significant bits of a weight that ships."""
FEW = 64
"""Tensors of fewer numbers are left as they are: shapes and scales."""


def rounded(values: NDArray[np.float32]) -> NDArray[np.float32]:
    """With no more than PRECISION significant bits: they pack into half the room, and read as well."""
    mantissa, exponent = np.frexp(values)
    return np.ldexp(np.round(mantissa * 2**PRECISION) / 2**PRECISION, exponent).astype(np.float32)


def packed(graph: onnx.ModelProto, path: Path) -> int:
    """Writes a network; the same weights give the same bytes. Returns the file's size in bytes."""
    for tensor in _weights(graph):
        values = rounded(onnx.numpy_helper.to_array(tensor))
        tensor.CopyFrom(onnx.numpy_helper.from_array(values, tensor.name))
    path.write_bytes(lzma.compress(graph.SerializeToString(), preset=9 | lzma.PRESET_EXTREME))
    return path.stat().st_size


def exported(model: nn.Module, shape: tuple[int, ...], path: Path, outputs: list[str]) -> int:
    """Packs a network for inputs of a fixed shape. Returns the file's size in bytes."""
    model.eval()
    for part in model.modules():
        if isinstance(part, Slots):
            part.fix()
    buffer = io.BytesIO()
    with warnings.catch_warnings():
        # PyTorch warns of its older exporter, the one whose files OpenCV reads.
        warnings.simplefilter("ignore")
        torch.onnx.export(
            model,
            (torch.zeros(shape),),
            buffer,
            opset_version=12,
            dynamo=False,
            input_names=["picture"],
            output_names=outputs,
        )
    return packed(onnx.load_from_string(buffer.getvalue()), path)


def _weights(graph: onnx.ModelProto) -> Iterator[onnx.TensorProto]:
    tensors = [*graph.graph.initializer, *(a.t for node in graph.graph.node for a in node.attribute if a.HasField("t"))]
    for tensor in tensors:
        if tensor.data_type == onnx.TensorProto.FLOAT and int(np.prod(tensor.dims)) >= FEW:
            yield tensor
