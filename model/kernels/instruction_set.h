// What lies between CRAFT_INSTRUCTIONS("avx2,fma") and CRAFT_INSTRUCTIONS_END is compiled for these instruction sets too, by
// GCC and by clang. Programs for older machines must not meet newer instructions: nothing else is compiled for them.
// CRAFT_UNROLL stands before a loop over a few registers that GCC would leave as a loop, with the registers in memory;
// CRAFT_UNROLL_4 before one whose own instructions a processor that issues four a cycle has no room for beside the work.
#pragma once

#ifdef __x86_64__
#ifndef __clang__  // GCC 12 is wrong about its own header (bug 105593).
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <immintrin.h>
#endif

#define CRAFT_PRAGMA(text) _Pragma(#text)
#ifdef __clang__
#define CRAFT_INSTRUCTIONS(sets) CRAFT_PRAGMA(clang attribute push(__attribute__((target(sets))), apply_to = function))
#define CRAFT_INSTRUCTIONS_END CRAFT_PRAGMA(clang attribute pop)
#define CRAFT_UNROLL CRAFT_PRAGMA(unroll)
#define CRAFT_UNROLL_4 CRAFT_PRAGMA(unroll 4)
#else
#define CRAFT_INSTRUCTIONS(sets) CRAFT_PRAGMA(GCC push_options) CRAFT_PRAGMA(GCC target(sets))
#define CRAFT_INSTRUCTIONS_END CRAFT_PRAGMA(GCC pop_options)
#define CRAFT_UNROLL CRAFT_PRAGMA(GCC unroll 16)
#define CRAFT_UNROLL_4 CRAFT_PRAGMA(GCC unroll 4)
#endif
