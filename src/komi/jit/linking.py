"""Link-time optimization: a kernel and all its callees are optimized and compiled to machine code once, together.

By default numba compiles every callee of a kernel to machine code, and its callees in turn, though Python calls none
of them: a function at call depth six is optimized six times. Here such functions are deferred modules
(`DeferredModule`): they remain LLVM IR until they are linked into a kernel (`LinkedKernel`).
"""

from collections.abc import Iterator, Sequence
from typing import Any, cast

import llvmlite.binding as llvm
from numba.core.codegen import JITCodeLibrary, RuntimeLinker
from numba.core.compiler import CompilerBase, CompileResult, DefaultPassBuilder, StateDict
from numba.core.compiler_machinery import FunctionPass, PassManager, register_pass
from numba.core.runtime import rtsys  # type: ignore[attr-defined]
from numba.core.typed_passes import NopythonRewrites

from komi.jit.reference_elision import ReferenceElision

ENVIRONMENT_PREFIX = "_ZN08NumbaEnv"
"""Prefix of the variables that point compiled code to the environment of its Python module."""


class UnoptimizedLibrary(JITCodeLibrary):
    """A library whose functions are not optimized individually: the linked kernel is optimized as a whole."""

    def _optimize_functions(self, module: llvm.ModuleRef) -> None:
        module.data_layout = self._codegen._data_layout

    def _optimize_final_module(self) -> None:
        """Optimize the module, and keep the functions that it calls by their addresses."""
        called = _called(self._final_module)
        for function in self._final_module.functions if called else ():
            if function.name in called:
                function.linkage = "weak_odr"
        super()._optimize_final_module()  # type: ignore[no-untyped-call]


class DeferredModule(UnoptimizedLibrary):
    """A deferred module: a function that only compiled code calls.

    Attributes:
        has_machine_code: True if it has machine code of its own after all, because it is recursive, directly or
            mutually: such functions are called by address.
    """

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)  # type: ignore[no-untyped-call]
        self.has_machine_code = False

    def finalize(self) -> None:
        """Keep the function as LLVM IR, to be linked later, unless it is recursive."""
        self.has_machine_code = bool(_called(self._final_module)) or any(
            isinstance(each, DeferredModule) and each.has_machine_code for each in self._linking_libraries
        )
        if self.has_machine_code:
            super().finalize()  # type: ignore[no-untyped-call]
        else:
            self._define_environments()
            self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """Return the address of a function; 0 if it has no machine code."""
        self._ensure_finalized()  # type: ignore[no-untyped-call]
        return super().get_pointer_to_function(name) if self.has_machine_code else 0  # type: ignore[no-untyped-call]

    def module_without_callees(self) -> llvm.ModuleRef:
        """Return a copy of the function's module without its callees."""
        module = self._final_module.clone()
        for function in module.functions:
            if not function.is_declaration and function.linkage == llvm.Linkage.external:
                function.linkage = "linkonce_odr"
        return module

    def _get_module_for_linking(self) -> llvm.ModuleRef:
        """Return the module of the function with all its callees, for a library of numba's own."""
        if self.has_machine_code or self._shared_module is not None:
            return super()._get_module_for_linking()  # type: ignore[no-untyped-call]
        self._shared_module = self.module_without_callees()
        _link(self._shared_module, self)
        return self._shared_module

    def _define_environments(self) -> None:
        """Define the environment variables that numba sets later."""
        for variable in self._final_module.global_variables:
            if variable.name.startswith(ENVIRONMENT_PREFIX):
                empty = str(self._codegen._create_empty_module(variable.name))
                module = llvm.parse_assembly(f'{empty}\n@"{variable.name}" = common global ptr null')
                self._codegen._add_module(module)
        self._codegen._engine.finalize_object()


class LinkedKernel(UnoptimizedLibrary):
    """A linked kernel: a function that Python calls, with all its deferred modules linked in."""

    def finalize(self) -> None:
        """Link all callees, optimize the result as a whole, and compile it to machine code."""
        _link(self._final_module, self)
        self._linking_libraries = []
        super().finalize()  # type: ignore[no-untyped-call]


def load(target_context: Any, content: Sequence[Any]) -> Any:
    """Load a kernel from what numba keeps of it.

    A function that calls itself does so by its address, which numba does not set again.

    Returns:
        the compile result; None if the kernel contains a call by address, and not the function.
    """
    rtsys.initialize(target_context)  # all of numba that compiled code needs
    _name, _kind, (_machine_code, bitcode) = content[0]
    if RuntimeLinker.PREFIX.encode() not in bitcode:
        return cast(Any, CompileResult)._rebuild(target_context, *content)
    module, codegen = llvm.parse_bitcode(bitcode), target_context.codegen()
    if not {function.name for function in module.functions if not function.is_declaration}.issuperset(_called(module)):
        return None
    codegen._rtlinker.scan_unresolved_symbols(module, codegen._engine)
    result = cast(Any, CompileResult)._rebuild(target_context, *content)
    codegen._scan_and_fix_unresolved_refs(module)
    return result


def _called(module: llvm.ModuleRef) -> list[str]:
    """List the functions that a module calls by their addresses."""
    prefix = RuntimeLinker.PREFIX
    return [
        variable.name.removeprefix(prefix) for variable in module.global_variables if variable.name.startswith(prefix)
    ]


def _link(module: llvm.ModuleRef, library: JITCodeLibrary) -> None:
    """Link all callees of a library into a module."""
    for each in _callees(library):
        if isinstance(each, DeferredModule) and not each.has_machine_code:
            module.link_in(each.module_without_callees())
        else:
            module.link_in(each._get_module_for_linking(), preserve=True)
        library._reload_init.update(each._reload_init)


def _callees(library: JITCodeLibrary) -> Iterator[JITCodeLibrary]:
    """Yield all direct and indirect callees of a library once; a library with machine code includes its callees."""
    stack = list(library._linking_libraries)
    seen = set()
    while stack:
        each = stack.pop()
        if each not in seen:
            seen.add(each)
            yield each
            if isinstance(each, DeferredModule) and not each.has_machine_code:
                stack += each._linking_libraries


@register_pass(mutates_CFG=False, analysis_only=True)
class LibraryChoice(FunctionPass):
    """Compiler pass that makes a function a linked kernel if Python calls it, otherwise a deferred module."""

    _name = "komi_library_choice"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: StateDict) -> bool:
        """Choose the library of the function; return False, because the function itself is not changed."""
        kind = DeferredModule if state.flags.no_cpython_wrapper else LinkedKernel
        state.library = kind(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        return False


class RulesCompiler(CompilerBase):
    """Numba's compiler with link-time optimization of kernels."""

    def define_pipelines(self) -> list[PassManager]:
        """Return numba's own passes and ours as one pipeline."""
        passes = self.passes()
        passes.finalize()
        return [passes]

    def passes(self) -> PassManager:
        """Return all passes, not finalized, so that subclasses can add more."""
        passes: PassManager = DefaultPassBuilder.define_nopython_pipeline(self.state)
        passes.add_pass_after(LibraryChoice, NopythonRewrites)
        passes.add_pass_after(ReferenceElision, LibraryChoice)
        return passes
