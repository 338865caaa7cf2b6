# The floors of the house: each folder, then the folders that it may include from. The build links by this table and a
# test (tests/structure) reads it to check every #include. docs/structure.md says in words what each one is for.
set(CRAFT_LAYERS core text tools data tokenizer model generate losses judge rollout train eval align cli)
set(CRAFT_DEPS_core)
set(CRAFT_DEPS_text core)
set(CRAFT_DEPS_tools core text)
set(CRAFT_DEPS_data core text tools)
set(CRAFT_DEPS_tokenizer core text data)
set(CRAFT_DEPS_model core)
set(CRAFT_DEPS_generate core tokenizer model)
set(CRAFT_DEPS_losses core)
set(CRAFT_DEPS_judge core text tools data tokenizer model)
set(CRAFT_DEPS_rollout core text tools data tokenizer model generate judge)
set(CRAFT_DEPS_train core data tokenizer model losses)
set(CRAFT_DEPS_eval core text tools data tokenizer model judge rollout)
set(CRAFT_DEPS_align core text tools data tokenizer model losses generate judge rollout train eval)
set(CRAFT_DEPS_cli core text tools data tokenizer model generate losses judge rollout train eval align)
# Folders that see LibTorch.
set(CRAFT_TORCH_LAYERS model generate losses judge rollout train eval align cli)
