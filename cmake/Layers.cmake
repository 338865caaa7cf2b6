# The floors of the house: each folder (or sub-folder with a line of its own), then those that it may include from. The build
# links by this table and a test (tests/structure) reads it to check every #include. docs/structure.md says in words what each
# one is for.
set(CRAFT_LAYERS core database statistics external text english dictionary metrics metrics/edits jinja tools tools/craft tools/grammar data gec/learner fidelity annotation constraints
  rules model/files tokenizer chat model/spec model/kernels model/weights model/decoder model/encoder model/steps generate systems editeval
  verdicts verdicts/principles systems/hosted systems/recorded systems/local systems/open judge/scorers judge losses rollout/tree rollout parallel train
  results eval align simplify simplify/run gec gec/retrieval gec/rules cli)
set(CRAFT_DEPS_core)
set(CRAFT_DEPS_database core)
set(CRAFT_DEPS_statistics core)
set(CRAFT_DEPS_external core)
set(CRAFT_DEPS_text core)
set(CRAFT_DEPS_english core text)
set(CRAFT_DEPS_dictionary core text english)
set(CRAFT_DEPS_metrics core statistics external text)
set(CRAFT_DEPS_metrics/edits core statistics text)
set(CRAFT_DEPS_jinja core text)
set(CRAFT_DEPS_tools core text)
set(CRAFT_DEPS_tools/craft core text tools)
set(CRAFT_DEPS_data core text metrics/edits tools tools/craft)
set(CRAFT_DEPS_gec/learner core text english dictionary data)
set(CRAFT_DEPS_tools/grammar core external text english dictionary tools)
set(CRAFT_DEPS_fidelity core external text data)
set(CRAFT_DEPS_annotation core english metrics/edits fidelity)
set(CRAFT_DEPS_constraints core text tools tools/craft data)
set(CRAFT_DEPS_rules core text english tools tools/craft data)
set(CRAFT_DEPS_model/files core)
set(CRAFT_DEPS_tokenizer core text model/files)
set(CRAFT_DEPS_chat core jinja data model/files tokenizer)
set(CRAFT_DEPS_model/spec core model/files)
set(CRAFT_DEPS_model/kernels core model/files model/spec)
set(CRAFT_DEPS_model/weights core model/files model/kernels)
set(CRAFT_DEPS_model/decoder core model/files model/spec model/kernels model/weights)
set(CRAFT_DEPS_model/encoder core model/spec model/kernels model/weights)
set(CRAFT_DEPS_model/steps core model/kernels model/weights model/decoder)
set(CRAFT_DEPS_generate core tools tokenizer model/kernels model/decoder model/steps)
set(CRAFT_DEPS_systems core text data)
set(CRAFT_DEPS_editeval core text metrics data tokenizer systems)
set(CRAFT_DEPS_verdicts core statistics text data fidelity systems)
set(CRAFT_DEPS_verdicts/principles core text english data verdicts)
set(CRAFT_DEPS_systems/hosted core text data systems)
set(CRAFT_DEPS_systems/recorded core database text data systems)
set(CRAFT_DEPS_systems/local core data tokenizer chat generate systems)
set(CRAFT_DEPS_systems/open core tokenizer chat model/decoder generate systems systems/hosted systems/local)
set(CRAFT_DEPS_judge/scorers core external text metrics data fidelity tokenizer model/kernels model/decoder model/encoder)
set(CRAFT_DEPS_judge core text tools tools/craft data constraints judge/scorers)
set(CRAFT_DEPS_losses core)
set(CRAFT_DEPS_rollout/tree core)
set(CRAFT_DEPS_rollout core text tools tools/craft data fidelity constraints rules systems judge rollout/tree)
set(CRAFT_DEPS_parallel core)
set(CRAFT_DEPS_train core data tokenizer chat model/spec model/kernels model/weights model/decoder losses parallel)
set(CRAFT_DEPS_results core statistics metrics metrics/edits)
set(CRAFT_DEPS_eval core statistics text tools tools/craft data constraints systems judge rollout)
set(CRAFT_DEPS_align core statistics text tools tools/craft data constraints rules tokenizer chat model/decoder model/steps losses generate systems
  systems/open verdicts judge/scorers judge rollout parallel train eval)
set(CRAFT_DEPS_simplify core statistics text english dictionary data systems verdicts)
set(CRAFT_DEPS_simplify/run core text english metrics data tokenizer chat model/decoder losses generate systems systems/open editeval
  verdicts verdicts/principles train simplify)
set(CRAFT_DEPS_gec core text metrics metrics/edits tools data systems)
set(CRAFT_DEPS_gec/rules core text english dictionary tools data systems gec)
set(CRAFT_DEPS_gec/retrieval core database text metrics/edits tools data systems systems/hosted gec)
set(CRAFT_DEPS_cli core statistics external text english dictionary metrics metrics/edits tools tools/craft tools/grammar data gec/learner fidelity annotation constraints
  rules model/files tokenizer chat model/spec model/kernels model/decoder model/encoder generate systems systems/hosted systems/recorded
  systems/open losses judge/scorers judge rollout/tree rollout parallel train results eval align simplify simplify/run gec gec/retrieval gec/rules editeval verdicts verdicts/principles)
# Layers that ask, read and write, and compute nothing that takes time: they are optimised less, which compiles in two thirds of it.
set(CRAFT_ASKING_LAYERS external database chat model/spec parallel train systems editeval verdicts verdicts/principles systems/hosted systems/recorded systems/local systems/open judge
  rollout results eval align simplify simplify/run gec cli)
# Layers that see LibTorch.
set(CRAFT_TORCH_LAYERS model/kernels model/weights model/decoder model/encoder model/steps generate systems/local systems/open
  judge/scorers judge losses rollout parallel train eval align simplify/run cli)
