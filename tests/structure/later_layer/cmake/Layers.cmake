# A table that the check of the layers must find: core names what stands behind it.
set(CRAFT_LAYERS core text)
set(CRAFT_DEPS_core text)
set(CRAFT_DEPS_text core)
set(CRAFT_TORCH_LAYERS)
