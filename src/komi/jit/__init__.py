"""Compilation with numba: specialization, link-time optimization, SIMD lanes and caching. Knows no game.

This package alone, apart from `compiling.explanations` for error messages, uses what numba and llvmlite do not document
as public. `pyproject.toml` has upper bounds of both. The modules marked with * are not used with `KOMI_PLAIN_NUMBA=1`,
which runs all kernels on numba's own compiler (`plain_numba`). The internals, and what komi needs from them:

- `linking` *: `codegen.JITCodeLibrary` and `codegen.RuntimeLinker`: a library of functions that can remain LLVM IR
  until it is linked into another, and the prefix of functions that are called by address. `compiler.CompilerBase`,
  `compiler.DefaultPassBuilder` and `typed_passes.NopythonRewrites`: numba's passes, and the place of ours among them.
  `compiler_machinery.FunctionPass` and `register_pass`: the form of a pass. `llvmlite.binding.Linkage` and
  `parse_assembly`: the linkage of a function in a module.
- `reference_elision` *: the statements and expressions of `core.ir`, which show how a value is made, and
  `targetctx.subtarget(enable_nrt=False)`: code without reference counting.
- `unsigned_indices` *: `core.ir`, `ir_utils.mk_unique_var`, `state.typemap`, `state.calltypes`: the type of an index.
- `intrinsics` and `simd`: `cgutils`, `llvmlite.ir` and `context.make_array`: LLVM instructions in compiled code. With
  plain numba only `fetch_or` is used.
- `constants`: `imputils.lower_constant` and `types.Type`: a type whose values are compile-time constants.
- `rewriting`: `types.NamedTuple.fields` and `instance_class`: the class of a state.
- `kernels`: `Dispatcher._compile_for_args`, which is called for new argument types; `_cache.cache_path`, `stats` and
  `config.CACHE_DIR`: where compiled code is cached, and whether it was found there; the names of the cached files.
"""
