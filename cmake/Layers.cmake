# The layers: each room (a folder at the root) or a sub-folder with a line of its own, then those that it may include from. The build
# links by this table and a test (tests/structure) reads it to check every #include. A room's layers stand together, so that
# rooms have an order, too. docs/structure.md says in words what each one is for.
set(CRAFT_LAYERS
  core core/database core/process
  text text/jinja
  english english/dictionary
  metrics/statistics metrics metrics/edits
  tools tools/craft tools/grammar
  data data/constraints
  losses
  model/files model/tokenizer model/chat model/spec model/kernels model/weights model/decoder model/encoder model/steps model/generate
  systems systems/hosted systems/recorded systems/local systems/open
  train/parallel train
  judge/fidelity judge/verdicts judge/verdicts/principles judge/scorers judge/run judge
  rollout/rules rollout/tree rollout
  eval/annotation eval/editeval eval/results eval
  gec/learner gec gec/retrieval gec/rules gec/run
  simplify simplify/run
  align
  view
  cli)
set(CRAFT_DEPS_core)
set(CRAFT_DEPS_core/database core)
set(CRAFT_DEPS_core/process core)
set(CRAFT_DEPS_text core)
set(CRAFT_DEPS_text/jinja core text)
set(CRAFT_DEPS_english core text)
set(CRAFT_DEPS_english/dictionary core text english)
set(CRAFT_DEPS_metrics/statistics core)
set(CRAFT_DEPS_metrics core core/process text metrics/statistics)
set(CRAFT_DEPS_metrics/edits core text metrics/statistics)
set(CRAFT_DEPS_tools core text)
set(CRAFT_DEPS_tools/craft core text tools)
set(CRAFT_DEPS_tools/grammar core core/process text english english/dictionary tools)
set(CRAFT_DEPS_data core text metrics/edits tools tools/craft)
set(CRAFT_DEPS_data/constraints core text tools tools/craft data)
set(CRAFT_DEPS_losses core)
set(CRAFT_DEPS_model/files core)
set(CRAFT_DEPS_model/tokenizer core text model/files)
set(CRAFT_DEPS_model/chat core text/jinja data model/files model/tokenizer)
set(CRAFT_DEPS_model/spec core model/files)
set(CRAFT_DEPS_model/kernels core model/files model/spec)
set(CRAFT_DEPS_model/weights core model/files model/kernels)
set(CRAFT_DEPS_model/decoder core model/files model/spec model/kernels model/weights)
set(CRAFT_DEPS_model/encoder core model/spec model/kernels model/weights)
set(CRAFT_DEPS_model/steps core model/kernels model/weights model/decoder)
set(CRAFT_DEPS_model/generate core tools model/tokenizer model/kernels model/decoder model/steps)
set(CRAFT_DEPS_systems core text data)
set(CRAFT_DEPS_systems/hosted core text data systems)
set(CRAFT_DEPS_systems/recorded core core/database text data systems)
set(CRAFT_DEPS_systems/local core data model/tokenizer model/chat model/generate systems)
set(CRAFT_DEPS_systems/open core data model/tokenizer model/chat model/kernels model/decoder model/generate systems
  systems/hosted systems/recorded systems/local)
set(CRAFT_DEPS_train/parallel core)
set(CRAFT_DEPS_train core data losses model/tokenizer model/chat model/spec model/kernels model/weights model/decoder
  train/parallel)
set(CRAFT_DEPS_judge/fidelity core core/process text data)
set(CRAFT_DEPS_judge/verdicts core text metrics/statistics data systems judge/fidelity)
set(CRAFT_DEPS_judge/verdicts/principles core text english data judge/verdicts)
set(CRAFT_DEPS_judge/scorers core core/process text metrics data model/tokenizer model/spec model/kernels model/decoder
  model/encoder judge/fidelity)
set(CRAFT_DEPS_judge/run core core/process text english english/dictionary metrics data model/tokenizer model/kernels
  model/decoder systems systems/open judge/fidelity judge/verdicts judge/verdicts/principles judge/scorers)
set(CRAFT_DEPS_judge core text tools tools/craft data data/constraints judge/scorers)
set(CRAFT_DEPS_rollout/rules core text english tools tools/craft data)
set(CRAFT_DEPS_rollout/tree core)
set(CRAFT_DEPS_rollout core text tools tools/craft data data/constraints model/tokenizer model/chat model/kernels model/decoder
  systems systems/open judge/fidelity judge/scorers judge rollout/rules rollout/tree)
set(CRAFT_DEPS_eval/annotation core english metrics/edits judge/fidelity)
set(CRAFT_DEPS_eval/editeval core text metrics data model/tokenizer systems)
set(CRAFT_DEPS_eval/results core text metrics/statistics metrics metrics/edits data)
set(CRAFT_DEPS_eval core text metrics/statistics metrics tools tools/craft data data/constraints systems judge rollout)
set(CRAFT_DEPS_gec/learner core text english english/dictionary data)
set(CRAFT_DEPS_gec core text metrics metrics/edits tools data systems)
set(CRAFT_DEPS_gec/retrieval core core/database text metrics/edits tools data systems systems/hosted gec)
set(CRAFT_DEPS_gec/rules core text english english/dictionary tools data systems gec)
set(CRAFT_DEPS_gec/run core text english metrics metrics/edits tools tools/grammar data model/tokenizer model/kernels
  model/decoder model/encoder systems systems/open judge/scorers eval/annotation gec gec/retrieval gec/rules)
set(CRAFT_DEPS_simplify core text english english/dictionary metrics/statistics data systems judge/verdicts)
set(CRAFT_DEPS_simplify/run core text english metrics data losses model/tokenizer model/chat model/kernels model/decoder
  model/generate systems systems/open train judge/verdicts judge/verdicts/principles judge/run eval/editeval simplify)
set(CRAFT_DEPS_align core text metrics/statistics tools tools/craft data data/constraints losses model/tokenizer model/chat
  model/kernels model/decoder model/steps model/generate systems systems/open train/parallel train judge/verdicts judge/scorers judge/run judge
  rollout/rules rollout eval)
set(CRAFT_DEPS_view core text metrics tools tools/craft data systems systems/recorded)
set(CRAFT_DEPS_cli core core/process text english english/dictionary metrics/statistics metrics metrics/edits tools
  tools/craft tools/grammar data data/constraints losses model/files model/tokenizer model/chat model/spec model/kernels
  model/decoder model/encoder model/generate systems systems/hosted systems/recorded systems/open train/parallel train
  judge/fidelity judge/verdicts judge/verdicts/principles judge/scorers judge/run judge rollout/rules rollout/tree rollout
  eval/annotation eval/editeval eval/results eval gec/learner gec gec/retrieval gec/rules gec/run simplify simplify/run align view)
# Layers that ask, read and write, and compute nothing that takes time: they are optimised less, which compiles in two thirds of it.
set(CRAFT_ASKING_LAYERS core/database core/process model/chat model/spec systems systems/hosted systems/recorded
  systems/local systems/open train/parallel train judge/verdicts judge/verdicts/principles judge/run judge rollout eval/editeval
  eval/results eval gec gec/run simplify simplify/run align view cli)
# Layers that see LibTorch.
set(CRAFT_TORCH_LAYERS losses model/kernels model/weights model/decoder model/encoder model/steps model/generate
  systems/local systems/open train/parallel train judge/scorers judge/run judge rollout eval gec/run simplify/run align cli)
