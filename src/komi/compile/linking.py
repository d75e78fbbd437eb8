"""A kernel and all that it calls are optimised and made into machine code once, together.

Left to itself, numba makes machine code of every function that a kernel calls, and of all that this one calls in turn,
though Python calls none of them: a function six calls deep is optimised six times. Here such functions are *parts*:
they stay in LLVM's own language until they are linked into a kernel.
"""

from collections.abc import Iterator
from typing import Any

import llvmlite.binding as llvm
from numba.core.codegen import JITCodeLibrary, RuntimeLinker
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.core.typed_passes import NopythonRewrites

from komi.compile.references import BorrowedReferences

ENVIRONMENT = "_ZN08NumbaEnv"
"""How the names of those variables begin that tell compiled code of the Python module it is from."""


class Unoptimised(JITCodeLibrary):
    """Functions that are not optimised one by one: all that is in a kernel is, when it is whole."""

    def _optimize_functions(self, module: Any) -> None:
        module.data_layout = self._codegen._data_layout


class Part(Unoptimised):
    """A function that only compiled code calls.

    Attributes:
        is_whole: whether it has machine code of its own after all, because it calls itself, or they each other: such
            functions are called by address.
    """

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)  # type: ignore[no-untyped-call]
        self.is_whole = False

    def finalize(self) -> None:
        """Leave it as it is, to be linked."""
        self.is_whole = any(
            variable.name.startswith(RuntimeLinker.PREFIX) for variable in self._final_module.global_variables
        ) or any(isinstance(each, Part) and each.is_whole for each in self._linking_libraries)
        if self.is_whole:
            super().finalize()  # type: ignore[no-untyped-call]
        else:
            self._define_environments()
            self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """The address of a function; 0 if it has none."""
        self._ensure_finalized()  # type: ignore[no-untyped-call]
        return super().get_pointer_to_function(name) if self.is_whole else 0  # type: ignore[no-untyped-call]

    def own_module(self) -> Any:
        """The function without what it calls."""
        module = self._final_module.clone()
        for function in module.functions:
            if not function.is_declaration and function.linkage == llvm.Linkage.external:
                function.linkage = "linkonce_odr"
        return module

    def _get_module_for_linking(self) -> Any:
        """The function with all that it calls, for a library of numba's own."""
        if self.is_whole or self._shared_module is not None:
            return super()._get_module_for_linking()  # type: ignore[no-untyped-call]
        self._shared_module = self.own_module()
        _link(self._shared_module, self)
        return self._shared_module

    def _define_environments(self) -> None:
        """Define the variables that numba is going to set."""
        for variable in self._final_module.global_variables:
            if variable.name.startswith(ENVIRONMENT):
                empty = str(self._codegen._create_empty_module(variable.name))
                module = llvm.parse_assembly(f'{empty}\n@"{variable.name}" = common global ptr null')
                self._codegen._add_module(module)
        self._codegen._engine.finalize_object()


class Whole(Unoptimised):
    """A kernel, into which all its parts are linked."""

    def finalize(self) -> None:
        """Optimise everything together, and make machine code of it."""
        _link(self._final_module, self)
        self._linking_libraries = []
        super().finalize()  # type: ignore[no-untyped-call]


def _link(module: Any, library: Any) -> None:
    """Put into a module all that a library calls."""
    for each in _below(library):
        if isinstance(each, Part) and not each.is_whole:
            module.link_in(each.own_module())
        else:
            module.link_in(each._get_module_for_linking(), preserve=True)
        library._reload_init.update(each._reload_init)


def _below(library: Any) -> Iterator[Any]:
    """All that a library calls, each once; a library with machine code has what it calls in it."""
    waiting = list(library._linking_libraries)
    seen = set()
    while waiting:
        each = waiting.pop()
        if each not in seen:
            seen.add(each)
            yield each
            if isinstance(each, Part) and not each.is_whole:
                waiting += each._linking_libraries


@register_pass(mutates_CFG=False, analysis_only=True)
class LibraryChoice(FunctionPass):
    """Say what is made of a function: a kernel, if Python is to call it, else a part."""

    _name = "komi_library_choice"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Whether anything has changed."""
        kind = Part if state.flags.no_cpython_wrapper else Whole
        state.library = kind(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        return False


class RulesCompiler(CompilerBase):
    """Numba's compiler, with kernels linked in one go."""

    def define_pipelines(self) -> list[Any]:
        """Numba's own passes, and ours."""
        passes = self.passes()
        passes.finalize()
        return [passes]

    def passes(self) -> Any:
        """All passes, to which more can be added."""
        passes = DefaultPassBuilder.define_nopython_pipeline(self.state)
        passes.add_pass_after(LibraryChoice, NopythonRewrites)
        passes.add_pass_after(BorrowedReferences, LibraryChoice)
        return passes
