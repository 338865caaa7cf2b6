"""Makes small random decoders with PEFT adapters of every kind on them, and what PEFT computes.

    python make_adapters.py FOLDER [ARCHITECTURE|ARCHITECTURE-KIND...]      seed from CRAFT_PARITY_SEED (default 1)

FOLDER/<architecture>/model is a model folder; <architecture>-<kind>/adapter an adapter on it, with expected.safetensors:
tokens [r, t] and logprobs [r, t-1] of token t given those before it (float32, eager attention). The
test finds the model by the part of the name before the first dash. "plain" are those of the model alone.
"""
import copy
import json
import os
import sys

import torch
import transformers as tf
from safetensors.torch import load_file, save_file

import make_decoders as decoders

SEED = decoders.SEED
BASES = ["llama", "mistral", "qwen2", "qwen3", "phi3", "gpt2", "gemma2"]


def names(base):
    if base == "gpt2":
        return dict(q="c_attn", o="attn.c_proj", up="c_fc", down="mlp.c_proj", layers="h", embedding="wte", norm="ln_f")
    if base == "phi3":
        return dict(q="qkv_proj", o="o_proj", up="gate_up_proj", down="down_proj", layers="layers", embedding="embed_tokens", norm="model.norm")
    return dict(q="q_proj", o="o_proj", up="up_proj", down="down_proj", layers="layers", embedding="embed_tokens", norm="model.norm")


def kinds(base, tied):
    n = names(base)
    qo = [n["q"], n["o"]]
    some = {
        "plain": dict(target_modules=qo),
        "rslora": dict(target_modules=qo, use_rslora=True, init_lora_weights="gaussian"),
        "all": dict(target_modules="all-linear", lora_alpha=3),
        "expression": dict(target_modules=r".*\.(0|2)\..*(" + n["o"].replace(".", r"\.") + "|" + n["down"].replace(".", r"\.") + ")"),
        "alternatives": dict(target_modules=r"(?:.*\.)?" + n["layers"] + r"\.\d{,2}\..*?" + n["up"] + "|.*" + n["q"]),
        "layers": dict(target_modules=qo, layers_to_transform=[0, 2], layers_pattern=["x", n["layers"]]),
        "layer": dict(target_modules=[n["down"], "nothing_of_that_name"], layers_to_transform=1),
        "layer-and-head": dict(target_modules=[n["q"], "lm_head"], layers_to_transform=[1]),
        "excluded": dict(target_modules="all-linear", exclude_modules=[n["down"], n["layers"] + ".1." + ("attn.c_attn" if base == "gpt2" else "self_attn." + n["q"])]),
        "excluded-expression": dict(target_modules=qo, exclude_modules=r".*\.1\..*"),
        "ranks": dict(target_modules=qo + [n["down"]], rank_pattern=dict(sorted({n["layers"] + r"\.0\..*": 2, n["o"]: 7}.items())),  # PEFT sorts when it saves
                      alpha_pattern={"^" + ("transformer" if base == "gpt2" else "model") + r"\..*" + n["down"]: 11, n["q"]: 3.5}),
        "ranks-rslora": dict(target_modules=qo, rank_pattern={n["q"]: 3}, alpha_pattern={n["o"]: 2}, use_rslora=True),
        "saved-head": dict(target_modules=qo, modules_to_save=["lm_head", n["norm"]]),
        "saved-embedding": dict(target_modules=qo, modules_to_save=[n["embedding"]]),
        "saved-both": dict(target_modules=qo, modules_to_save=[n["embedding"], "lm_head"]),
        "saved-twice": dict(target_modules=qo, modules_to_save=["lm_head"]),
        "saved-both-twice": dict(target_modules=qo, modules_to_save=[n["embedding"], "lm_head"]),
        "saved-down": dict(target_modules=[n["q"]], modules_to_save=[n["down"].split(".")[-1] if base != "gpt2" else "mlp"]),
        "on-embedding": dict(target_modules=[n["q"], n["embedding"]]),
        "on-head": dict(target_modules=[n["q"], "lm_head"]),
        "on-both": dict(target_modules=r".*" + n["q"] + "|lm_head|.*" + n["embedding"]),
        "bfloat16": dict(target_modules=qo),
        "float16": dict(target_modules=qo),
        "bare": dict(target_modules=qo, modules_to_save=["lm_head"]),
    }
    if tied:
        some["saved-tied"] = dict(target_modules=qo, modules_to_save=[n["embedding"]], ensure_weight_tying=True)
    return some


def liven(model):
    with torch.no_grad():
        for n, p in model.named_parameters():
            if "lora_B" in n or "lora_embedding_A" in n:
                p.normal_(0, 0.1)
            elif "modules_to_save" in n:
                p.add_(torch.randn_like(p) * 0.2)


def well_conditioned_tokens(model, vocab_size, length):
    """Of which float32 alone keeps the log-probabilities to a fifth of the tests' tolerance: small random models have tokens of
    which the last bits of any step move them by more than all of it."""
    exact = copy.deepcopy(model).double()
    for _ in range(20):
        tokens = torch.randint(3, vocab_size, (2, length))
        if (decoders.logprobs(model, tokens) - decoders.logprobs(exact, tokens)).abs().max() < 2e-5:
            return tokens
    raise SystemExit("no well-conditioned tokens in 20 draws")


def rewrite(folder, kind):
    """Other types and names than PEFT writes here."""
    file = os.path.join(folder, "adapter_model.safetensors")
    tensors = load_file(file)
    if kind in ("bfloat16", "float16"):
        tensors = {k: v.to(getattr(torch, kind)) for k, v in tensors.items()}
    save_file(tensors, file, {"format": "pt"})
    return tensors


def make(root, base, only):
    import peft

    config_class, values, length, _, _ = decoders.variants()[base]
    values = {**values, "n_layer" if base == "gpt2" else "num_hidden_layers": 3}
    torch.manual_seed(SEED * 1000 + sum(map(ord, base)))
    model = tf.AutoModelForCausalLM.from_config(config_class(**values), attn_implementation="eager").float().eval()
    decoders.liven(model)
    if model.config.tie_word_embeddings:  # else log-probabilities reach -25, where float32 alone is 5e-5 off
        with torch.no_grad():
            model.get_input_embeddings().weight.mul_(0.4)
    model_folder = os.path.join(root, base, "model")
    model.save_pretrained(model_folder, **({"max_shard_size": "40KB"} if base in ("mistral", "gemma2") else {}))
    tied = bool(model.config.tie_word_embeddings)
    for kind, arguments in kinds(base, tied).items():
        if only and base not in only and f"{base}-{kind}" not in only:
            continue
        torch.manual_seed(SEED * 1000 + sum(map(ord, base + kind)))
        model = tf.AutoModelForCausalLM.from_pretrained(model_folder, attn_implementation="eager", dtype=torch.float32).eval()
        if base == "gpt2" and kind == "saved-tied":
            arguments["modules_to_save"] = ["wte"]
        adapted = peft.get_peft_model(model, peft.LoraConfig(**{"r": 4, "lora_alpha": 8, "task_type": "CAUSAL_LM", **arguments}))
        liven(adapted)
        folder = os.path.join(root, f"{base}-{kind}")
        adapted.save_pretrained(os.path.join(folder, "adapter"), save_embedding_layers=True if kind.endswith("-twice") else "auto")
        tensors = rewrite(os.path.join(folder, "adapter"), kind)
        # What PEFT itself makes of the folder, not of the model before it was saved.
        model = tf.AutoModelForCausalLM.from_pretrained(model_folder, attn_implementation="eager", dtype=torch.float32).eval()
        adapted = peft.PeftModel.from_pretrained(model, os.path.join(folder, "adapter")).eval()
        tokens = well_conditioned_tokens(adapted, values["vocab_size"], length)
        save_file({"tokens": tokens, "logprobs": decoders.logprobs(adapted, tokens).contiguous(),
                   "plain": decoders.logprobs(tf.AutoModelForCausalLM.from_pretrained(
                       model_folder, attn_implementation="eager", dtype=torch.float32).eval(), tokens).contiguous()},
                  os.path.join(folder, "expected.safetensors"))
        if kind == "bare":
            save_file({k.removeprefix("base_model.model."): v for k, v in tensors.items()},
                      os.path.join(folder, "adapter", "adapter_model.safetensors"), {"format": "pt"})


if __name__ == "__main__":
    tf.logging.set_verbosity_error()
    import warnings

    warnings.simplefilter("ignore")
    for one in BASES:
        if len(sys.argv) < 3 or any(a.split("-")[0] == one for a in sys.argv[2:]):
            make(sys.argv[1], one, sys.argv[2:])
