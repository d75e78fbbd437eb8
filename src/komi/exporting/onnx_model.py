"""Export of a network of `komi approximate` as an ONNX model (https://onnx.ai).

The file of a network defines its inputs as sums, products, shares and maxima of the fields of a state. These
expressions are parsed and become nodes of the model, with the rules as constants; the two layers follow. The model
computes in double precision, as the policy does.
"""

import ast
from importlib.util import find_spec
from types import FunctionType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from komi.errors import InputError
from komi.rules import source
from komi.teaching.policy_source import PREFERRED
from komi.typing import Rules

LAYERS = ("INNER", "OUTER", "INNER_SCALE", "OUTER_SCALE")
OPERATORS: dict[type[ast.operator], str] = {ast.Add: "Add", ast.Sub: "Sub", ast.Mult: "Mul", ast.Div: "Div"}
OPSET, IR = 17, 8  # versions that runtimes of 2022 support
INT64, DOUBLE = 7, 11  # element types of onnx


def check_onnx() -> None:
    """Check that the package onnx is installed.

    Raises:
        InputError: if not.
    """
    if find_spec("onnx") is None:
        raise InputError("ONNX needs the package onnx: pip install 'komi[onnx]'.")


def model_of(policy: Any, name: str, fields: tuple[str, ...], rules: Rules, about: str) -> bytes:
    """Build the model: from `state`, int64[positions, fields], to `logits`, float64[positions, actions], and `action`.

    Args:
        policy: a function of (rules, state).
        name: its name in error messages.
        fields: the fields of a state, in their order.
        rules: the rules of the game.
        about: the description of the model.

    Raises:
        InputError: if the policy is not such a network.
    """
    from onnx import checker, helper

    names = getattr(policy, "__globals__", {})
    preferred = names.get(PREFERRED)
    if not isinstance(preferred, FunctionType) or not all(layer in names for layer in LAYERS):
        raise InputError(f"only networks of 'komi approximate' can be exported to ONNX: {name} is not one.")
    graph = OnnxGraph(helper, fields, rules)
    inputs = graph.add("Concat", [graph.column(each) for each in _input_expressions(preferred).elts], axis=1)
    inner, outer = (np.array(names[layer], np.float64) for layer in ("INNER", "OUTER"))
    hidden_inputs, hidden = inner.shape[1] - 1, len(inner)
    skip_inputs = outer.shape[1] - hidden - 1
    sums = graph.layer(graph.first(inputs, hidden_inputs), inner)
    units = graph.add("Tanh", [graph.add("Mul", [sums, graph.constant(np.float64(names["INNER_SCALE"]))])])
    outer_inputs = graph.add("Concat", [units, graph.last(inputs, skip_inputs)], axis=1) if skip_inputs else units
    logits = graph.add("Mul", [graph.layer(outer_inputs, outer), graph.constant(np.float64(names["OUTER_SCALE"]))])
    if len(outer) == 1:
        logits = graph.add("Concat", [graph.add("Sub", [logits, logits]), logits], axis=1)
    graph.add("Identity", [logits], "logits")
    graph.add("ArgMax", [logits], "action", axis=1, keepdims=0)
    state = helper.make_tensor_value_info("state", INT64, ["positions", len(fields)])
    outputs = [
        helper.make_tensor_value_info("logits", DOUBLE, ["positions", max(len(outer), 2)]),
        helper.make_tensor_value_info("action", INT64, ["positions"]),
    ]
    onnx_graph = helper.make_graph(graph.nodes, "network", [state], outputs)
    opset = helper.make_opsetid("", OPSET)
    model = helper.make_model(onnx_graph, doc_string=about, producer_name="komi", opset_imports=[opset], ir_version=IR)
    checker.check_model(model, full_check=True)
    return bytes(model.SerializeToString())


def _input_expressions(preferred: FunctionType) -> ast.Tuple:
    """Find the expressions of the network's inputs.

    Raises:
        InputError: if there are none.
    """
    definition = source.definition(preferred)
    for statement in ast.walk(definition) if definition else ():
        if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Tuple):
            return statement.value
    raise InputError(f"the file of the network cannot be read: {PREFERRED} has no tuple of inputs.")


class OnnxGraph:
    """A graph of ONNX nodes, in the order of their creation.

    Args:
        helper: `onnx.helper`.
        fields, rules: as in `model_of`.
    """

    def __init__(self, helper: Any, fields: tuple[str, ...], rules: Rules) -> None:
        self.nodes: list[Any] = []
        self._helper, self._fields, self._rules = helper, fields, rules
        self._state = self.add("Cast", ["state"], to=DOUBLE)

    def add(self, operator: str, inputs: list[str], result: str = "", **attributes: Any) -> str:
        """Append a node; return the name of its output."""
        result = result or f"{operator.lower()}_{len(self.nodes)}"
        self.nodes.append(self._helper.make_node(operator, inputs, [result], **attributes))
        return result

    def constant(self, value: NDArray[Any] | np.generic) -> str:
        """Append a constant node; return the name of its output."""
        array = np.asarray(value)
        kind = INT64 if array.dtype == np.int64 else DOUBLE
        tensor = self._helper.make_tensor("value", kind, array.shape, array.ravel().tolist())
        return self.add("Constant", [], value=tensor)

    def layer(self, inputs: str, weights: NDArray[np.float64]) -> str:
        """Append an affine layer, with the biases in the last column; return the name of its output."""
        product = self.add("MatMul", [inputs, self.constant(weights[:, :-1].T)])
        return self.add("Add", [product, self.constant(weights[:, -1])])

    def first(self, columns: str, count: int) -> str:
        """Append a slice of the first `count` columns; return the name of its output."""
        ends = [self.constant(np.array([end], np.int64)) for end in (0, count, 1)]
        return self.add("Slice", [columns, *ends])

    def last(self, columns: str, count: int) -> str:
        """Append a slice of the last `count` columns; return the name of its output."""
        ends = [self.constant(np.array([end], np.int64)) for end in (-count, np.iinfo(np.int64).max, 1)]
        return self.add("Slice", [columns, *ends])

    def column(self, expression: ast.expr) -> str:
        """Append the nodes of an expression of a state's fields; return the name of the output, float64[positions, 1].

        Raises:
            InputError: if the expression is not supported.
        """
        match expression:
            case ast.BinOp(left, operator, right) if type(operator) in OPERATORS:
                return self.add(OPERATORS[type(operator)], [self.column(left), self.column(right)])
            case ast.UnaryOp(ast.USub(), operand):
                return self.add("Neg", [self.column(operand)])
            case ast.Call(ast.Name("max"), arguments):
                return self.add("Max", [self.column(argument) for argument in arguments])
            case ast.Attribute(ast.Name("state")) | ast.Subscript(ast.Attribute(ast.Name("state"))) if (
                field := ast.unparse(expression).removeprefix("state.")
            ) in self._fields:
                column = self.constant(np.array([self._fields.index(field)], np.int64))
                return self.add("Gather", [self._state, column], axis=1)
            case ast.Attribute(ast.Name("rules"), rule) if hasattr(self._rules, rule):
                return self.constant(np.array([[getattr(self._rules, rule)]], np.float64))
            case ast.Constant(int() | float() as value):
                return self.constant(np.array([[value]], np.float64))
        raise InputError(f"the file of the network cannot be read: {ast.unparse(expression)!r} is not supported.")
