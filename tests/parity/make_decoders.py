"""Makes small random decoders of every architecture and variant, with what transformers and PEFT compute on them.

    python make_decoders.py FOLDER [NAME...]   all variants, or those named; seed from CRAFT_PARITY_SEED (default 1)

The variants of variants() keep their shapes: tests/model/decoders holds them, made with seed 20 by transformers 5.23.0 and peft
0.21.2, and tests/model/encoder_decoders those of answering_variants(). random-0 and on have shapes, options and storage types drawn from the seed.

FOLDER/<name>/model is a model folder, <name>/adapter (of some) a PEFT adapter, and <name>/expected.safetensors holds, with r rows
of t tokens: tokens [r, t], logprobs [r, t-1] of token t given those before it, greedy [r, n] what follows tokens[:, :prompt] by
arg-max, prompt [1]; with an adapter adapted and adapted_greedy likewise. All float32, eager attention (which has the caps).
Of an encoder-decoder (T5) it holds, of each row R, R.source and R.target with R.logprobs of all the target's tokens, and R.greedy
what answers the source; with an adapter R.adapted and R.adapted_greedy.
"""
import json
import os
import random
import sys

import torch
import transformers as tf
from safetensors.torch import load_file, save_file

SEED = int(os.environ.get("CRAFT_PARITY_SEED", "1"))
ROWS, NEW, RANDOM = 2, 16, 12


def common(**more):
    sizes = dict(vocab_size=41, hidden_size=16, intermediate_size=24, num_hidden_layers=2, num_attention_heads=4,
                 num_key_value_heads=2, max_position_embeddings=256, bos_token_id=1, eos_token_id=[2], pad_token_id=0)
    sizes.update(more)
    return sizes


def rope(kind, **more):
    return {"rope_type": kind, "rope_theta": 10000.0, **more}


YARN = rope("yarn", factor=4.0, original_max_position_embeddings=32)
LLAMA3 = rope("llama3", factor=8.0, low_freq_factor=1.0, high_freq_factor=4.0, original_max_position_embeddings=32)


def longrope(pairs, **more):
    r = random.Random(SEED)
    factors = lambda most: [round(1 + (most - 1) * r.random(), 3) for _ in range(pairs)]
    return rope("longrope", short_factor=factors(1.5), long_factor=factors(20), **more)


# name -> (class of the config, its values, tokens of a row, prompt that generation starts from, LoRA targets or None)
def variants():
    attention = ["q_proj", "v_proj"]
    fused = dict(num_key_value_heads=2, pad_token_id=0)
    return {
        "llama": (tf.LlamaConfig, common(tie_word_embeddings=True), 60, 20, attention),
        "llama-biases": (tf.LlamaConfig, common(attention_bias=True, mlp_bias=True, head_dim=16), 60, 20, "all-linear"),
        "llama-linear": (tf.LlamaConfig, common(rope_parameters=rope("linear", factor=4.0)), 60, 20, None),
        "llama-dynamic": (tf.LlamaConfig, common(max_position_embeddings=40, rope_parameters=rope("dynamic", factor=3.0)), 70, 32, None),
        "llama3": (tf.LlamaConfig, common(rope_parameters=LLAMA3, head_dim=16), 90, 20, attention),
        "llama-yarn": (tf.LlamaConfig, common(head_dim=16, max_position_embeddings=32, rope_parameters=YARN), 90, 20, None),
        "qwen2-yarn": (tf.Qwen2Config, common(hidden_size=32, max_position_embeddings=128, rope_parameters={**YARN, "beta_fast": 8.0, "beta_slow": 2.0}),
                       90, 20, None),
        "mistral": (tf.MistralConfig, common(sliding_window=13), 70, 9, attention),
        "mistral-whole": (tf.MistralConfig, common(sliding_window=None), 50, 20, None),
        "qwen2": (tf.Qwen2Config, common(tie_word_embeddings=True, use_sliding_window=False, sliding_window=7), 60, 20, attention),
        "qwen2-window": (tf.Qwen2Config, common(use_sliding_window=True, sliding_window=11, max_window_layers=1), 60, 20, None),
        "qwen3": (tf.Qwen3Config, common(head_dim=16, tie_word_embeddings=True), 60, 20, ["q_proj", "k_proj", "down_proj"]),
        "qwen3-window": (tf.Qwen3Config, common(head_dim=12, use_sliding_window=True, sliding_window=11,
                                                layer_types=["sliding_attention", "full_attention"]), 60, 20, None),
        "phi3": (tf.Phi3Config, common(sliding_window=17, **fused), 60, 10, ["qkv_proj", "down_proj"]),
        "phi3-longrope": (tf.Phi3Config, common(original_max_position_embeddings=40, rope_parameters=longrope(2), **fused), 70, 34, None),
        "phi3-partial": (tf.Phi3Config, common(original_max_position_embeddings=64, hidden_size=32,
                                               rope_parameters={**longrope(3), "partial_rotary_factor": 0.75}, **fused), 60, 20, "all-linear"),
        "gpt2": (tf.GPT2Config, dict(vocab_size=41, n_embd=16, n_layer=2, n_head=4, n_positions=128, bos_token_id=1, eos_token_id=2),
                 60, 20, ["c_attn", "c_proj"]),
        "gpt2-wide": (tf.GPT2Config, dict(vocab_size=41, n_embd=32, n_layer=2, n_head=4, n_positions=128, n_inner=50,
                                          bos_token_id=1, eos_token_id=2, tie_word_embeddings=False), 60, 20, None),
        "gemma2": (tf.Gemma2Config, common(head_dim=16, sliding_window=9, query_pre_attn_scalar=24, attn_logit_softcapping=2.0,
                                           final_logit_softcapping=3.0), 60, 20, attention),
        "opt": (tf.OPTConfig, opt(), 60, 20, ["q_proj", "out_proj", "fc1"]),
        "opt-untied": (tf.OPTConfig, opt(hidden_size=32, ffn_dim=50, activation_function="gelu", tie_word_embeddings=False), 60, 20, None),
        "gemma2-uncapped": (tf.Gemma2Config, common(head_dim=12, sliding_window=20, attn_logit_softcapping=None,
                                                    final_logit_softcapping=None), 60, 20, None),
    }


def opt(**more):
    sizes = dict(vocab_size=41, hidden_size=16, ffn_dim=24, num_hidden_layers=2, num_attention_heads=4, max_position_embeddings=128,
                 bos_token_id=1, eos_token_id=2, pad_token_id=0)
    sizes.update(more)
    return {**sizes, "word_embed_proj_dim": sizes["hidden_size"]}


def t5(**more):
    sizes = dict(vocab_size=41, d_model=16, d_kv=6, d_ff=24, num_layers=2, num_heads=4, relative_attention_num_buckets=8,
                 relative_attention_max_distance=20, pad_token_id=0, eos_token_id=2, decoder_start_token_id=0)
    sizes.update(more)
    return sizes


# name -> (its config's values, whether the head is a matrix of its own, tokens of the longest source, LoRA targets or None)
def answering_variants():
    return {
        "t5": (t5(), False, 50, ["q", "v"]),
        "t5-deep": (t5(num_decoder_layers=3, d_model=24, relative_attention_num_buckets=32, relative_attention_max_distance=128),
                    False, 160, None),
        "t5-gated": (t5(feed_forward_proj="gated-gelu", tie_word_embeddings=False), True, 50, ["q", "k", "v", "o", "wi_0", "wi_1", "wo"]),
        "t5-unscaled": (t5(feed_forward_proj="gated-silu", tie_word_embeddings=False, decoder_start_token_id=3), False, 50, None),
        "t5-old": (t5(feed_forward_proj="gelu"), False, 50, None),
    }


def random_answering_variant(number):
    r = random.Random(SEED * 100019 + number)
    buckets = r.choice([4, 8, 32])
    values = t5(vocab_size=r.randint(41, 300), d_model=r.choice([8, 20, 48]), d_kv=r.choice([4, 10, 16]), d_ff=r.randint(9, 150),
                num_layers=r.randint(1, 4), num_decoder_layers=r.randint(1, 4), num_heads=r.choice([1, 3, 4]),
                relative_attention_num_buckets=buckets, relative_attention_max_distance=r.choice([buckets, 64, 128]),
                feed_forward_proj=r.choice(["relu", "gated-gelu", "gated-silu", "gelu"]), tie_word_embeddings=r.random() < 0.5)
    return values, r.random() < 0.5, r.choice([20, 90]), r.choice([None, ["q", "v"], ["o", "wo"]])


def random_rope(r):
    kind = r.choice(["default", "default", "linear", "dynamic", "llama3", "yarn"])
    more = {"linear": dict(factor=r.choice([2.0, 3.5])), "dynamic": dict(factor=r.choice([2.0, 4.0])),
            "llama3": dict(factor=r.choice([8.0, 32.0]), low_freq_factor=1.0, high_freq_factor=4.0, original_max_position_embeddings=r.choice([16, 64])),
            "yarn": dict(factor=r.choice([2.0, 4.0]), original_max_position_embeddings=r.choice([16, 64]), truncate=r.random() < 0.5,
                         **r.choice([{}, dict(beta_fast=8.0, beta_slow=0.5), dict(attention_factor=1.3), dict(mscale=0.7, mscale_all_dim=1.2)]))}
    return {**rope(kind, **more.get(kind, {})), "rope_theta": r.choice([10000.0, 500000.0, 123.4])}


def random_variant(number):
    """Shapes and options drawn from the seed: odd sizes, one key head or as many as queries, storage types, tied or not."""
    r = random.Random(SEED * 100003 + number)
    layers, kv, group, dim = r.randint(1, 4), r.choice([1, 2, 3]), r.choice([1, 2, 3]), r.choice([8, 10, 16, 20, 32, 64])
    kind = r.choice(["llama", "mistral", "qwen2", "qwen3", "phi3", "gpt2", "gemma2"])
    values = common(vocab_size=r.randint(41, 300), hidden_size=kv * group * r.choice([6, 10, 16]), intermediate_size=r.randint(9, 150),
                    num_hidden_layers=layers, num_attention_heads=kv * group, num_key_value_heads=kv,
                    max_position_embeddings=r.choice([48, 64, 200]), tie_word_embeddings=r.random() < 0.5, rms_norm_eps=r.choice([1e-5, 1e-6]))
    windows = dict(use_sliding_window=r.random() < 0.5, sliding_window=r.choice([4, 9, 33]), max_window_layers=r.randint(0, layers))
    if kind in ("qwen2", "phi3"):  # head_dim is what they make it
        values["hidden_size"] = kv * group * dim
    if kind not in ("gpt2", "gemma2"):
        values["hidden_act"] = r.choice(["silu", "gelu", "gelu_pytorch_tanh", "relu"])
    if kind == "llama":
        config = tf.LlamaConfig, dict(values, head_dim=dim, attention_bias=r.random() < 0.5, mlp_bias=r.random() < 0.5, rope_parameters=random_rope(r))
    elif kind == "mistral":
        config = tf.MistralConfig, dict(values, head_dim=dim, sliding_window=r.choice([None, 5, 16, 100]), rope_parameters=random_rope(r))
    elif kind == "qwen2":
        config = tf.Qwen2Config, dict(values, **windows, rope_parameters=random_rope(r))
    elif kind == "qwen3":
        config = tf.Qwen3Config, dict(values, **windows, head_dim=dim, attention_bias=r.random() < 0.5, rope_parameters=random_rope(r))
    elif kind == "phi3":
        part = r.choice([1.0, 0.5]) if dim % 4 == 0 else 1.0
        parameters = longrope(int(dim * part) // 2) if r.random() < 0.6 else rope("default")
        if part != 1:
            parameters["partial_rotary_factor"] = part
        config = tf.Phi3Config, dict(values, sliding_window=r.choice([None, 7, 30]), rope_parameters=parameters,
                                     original_max_position_embeddings=r.choice([16, 32, 48]))
    elif kind == "gpt2":
        config = tf.GPT2Config, dict(vocab_size=values["vocab_size"], n_embd=kv * group * dim, n_layer=layers, n_head=kv * group, n_positions=100,
                                     n_inner=r.choice([None, 50]), activation_function=r.choice(["gelu_new", "gelu", "relu"]), bos_token_id=1,
                                     eos_token_id=2, tie_word_embeddings=r.random() < 0.5, layer_norm_epsilon=r.choice([1e-5, 1e-3]))
    else:
        config = tf.Gemma2Config, dict(values, head_dim=dim, sliding_window=r.choice([5, 40]), query_pre_attn_scalar=r.choice([16, 64, 200]),
                                       attn_logit_softcapping=r.choice([None, 1.5, 50.0]), final_logit_softcapping=r.choice([None, 2.0, 30.0]))
    length = r.randint(30, min(values["max_position_embeddings"], 90))
    targets = r.choice([None, ["c_attn"] if kind == "gpt2" else ["qkv_proj", "o_proj"] if kind == "phi3" else ["q_proj", "v_proj", "down_proj"]])
    return *config, length, r.randint(1, length - NEW), targets, r.choice([torch.float32, torch.bfloat16, torch.float16])


def liven(model):
    """Weights large enough that attention, gates, caps and biases matter."""
    for name, p in model.named_parameters():
        with torch.no_grad():
            if p.dim() >= 2:
                fan = p.shape[0] if "c_" in name else p.shape[1]
                p.normal_(0, 1.0 if "embed" in name or "wte" in name else 1.6 / fan**0.5)
            elif "norm" in name or "ln_" in name:
                p.add_(torch.randn_like(p) * 0.3)
            else:
                p.normal_(0, 0.3)


def calm(model):
    """Logits as published models have them: among ones of 150 float32 itself is 6e-5 from float64, and the tolerance is 1e-4."""
    with torch.no_grad():
        tokens = torch.randint(3, 41, (2, 32), generator=torch.Generator().manual_seed(SEED))
        top = model(tokens).logits.abs().max().item()
        if top > 40:
            model.get_output_embeddings().weight.mul_(40 / top)


def logprobs(model, tokens):
    with torch.no_grad():
        rows = [model(row[None]).logits[0].float() for row in tokens]
    return torch.stack([torch.log_softmax(l[:-1], -1).gather(1, row[1:, None]).squeeze(1) for l, row in zip(rows, tokens)])


def greedy(model, tokens, prompt):
    rows = []
    for row in tokens:
        out = model.generate(row[None, :prompt], max_new_tokens=NEW, min_new_tokens=NEW, do_sample=False, pad_token_id=0,
                             eos_token_id=None)
        rows.append(out[0, prompt:])
    return torch.stack(rows)


def shorten(folder, name, model):
    """What published folders do otherwise: old key names, files without a prefix, an older way of naming the scaling."""
    path = os.path.join(folder, "config.json")
    config = json.load(open(path))
    if name in ("llama3", "phi3-longrope", "llama-linear"):
        parameters = config.pop("rope_parameters")
        config["rope_theta"] = parameters.pop("rope_theta")
        parameters.pop("partial_rotary_factor", None)
        if name != "llama3":
            parameters["type"] = parameters.pop("rope_type")
        if name == "phi3-longrope":
            parameters.pop("original_max_position_embeddings", None)
        config["rope_scaling"] = parameters
        config["torch_dtype"] = config.pop("dtype")
    json.dump(config, open(path, "w"))
    if name == "gpt2":
        file = os.path.join(folder, "model.safetensors")
        tensors = {k.removeprefix("transformer."): v for k, v in load_file(file).items()}
        tensors["h.0.attn.bias"] = torch.ones(1, 1, 8, 8)
        save_file(tensors, file, {"format": "pt"})


def make(root, name, config_class, values, length, prompt, targets, stored_dtype=None):
    torch.manual_seed(SEED * 1000 + sum(map(ord, name)))
    model = tf.AutoModelForCausalLM.from_config(config_class(**values), attn_implementation="eager").float().eval()
    liven(model)
    if name.startswith("random"):
        calm(model)
    model = model.to(stored_dtype or {"llama": torch.float32, "gpt2": torch.float16}.get(name, torch.bfloat16))
    folder = os.path.join(root, name)
    if name in ("mistral", "gemma2"):
        model.save_pretrained(os.path.join(folder, "model"), max_shard_size="40KB")
    else:
        model.save_pretrained(os.path.join(folder, "model"))
    shorten(os.path.join(folder, "model"), name, model)
    model = tf.AutoModelForCausalLM.from_pretrained(os.path.join(folder, "model"), attn_implementation="eager", dtype=torch.float32).eval()
    tokens = torch.randint(3, 41, (ROWS, length))
    expected = {"tokens": tokens, "logprobs": logprobs(model, tokens), "greedy": greedy(model, tokens, prompt),
                "prompt": torch.tensor([prompt])}
    if targets is not None:
        import peft

        model = peft.get_peft_model(model, peft.LoraConfig(r=4, lora_alpha=8, target_modules=targets, task_type="CAUSAL_LM"))
        with torch.no_grad():
            for n, p in model.named_parameters():
                if "lora_B" in n:
                    p.normal_(0, 0.2)
        model.save_pretrained(os.path.join(folder, "adapter"))
        model.eval()
        expected["adapted"] = logprobs(model, tokens)
        expected["adapted_greedy"] = greedy(model, tokens, prompt)
    save_file({k: v.contiguous() for k, v in expected.items()}, os.path.join(folder, "expected.safetensors"))


def answer_logprobs(model, source, target):
    with torch.no_grad():
        logits = model(input_ids=source[None], labels=target[None]).logits[0].float()
    return torch.log_softmax(logits, -1).gather(1, target[:, None]).squeeze(1)


def answer(model, source):
    # transformers' cache has as many layers as the encoder.
    out = model.generate(source[None], max_new_tokens=NEW, min_new_tokens=NEW, do_sample=False, pad_token_id=0, eos_token_id=None,
                         use_cache=False)
    return out[0, 1:]  # without the start token


def write_old(folder):
    """What the first folders have: no shared matrix but its copies, and a table that nobody reads."""
    path = os.path.join(folder, "config.json")
    config = json.load(open(path))
    config["architectures"] = ["T5WithLMHeadModel"]
    for key in ("scale_decoder_outputs", "tie_word_embeddings"):
        config.pop(key, None)
    json.dump(config, open(path, "w"))
    file = os.path.join(folder, "model.safetensors")
    tensors = load_file(file)
    words = tensors.pop("shared.weight")
    tensors["encoder.embed_tokens.weight"], tensors["decoder.embed_tokens.weight"] = words, words.clone()
    tensors["decoder.block.0.layer.1.EncDecAttention.relative_attention_bias.weight"] = torch.ones(8, 4)
    save_file(tensors, file, {"format": "pt"})


def make_answering(root, name, values, own_head, longest, targets):
    torch.manual_seed(SEED * 1000 + sum(map(ord, name)))
    model = tf.T5ForConditionalGeneration(tf.T5Config(**values)).float().eval()
    liven(model)
    with torch.no_grad():
        for parameter_name, parameter in model.named_parameters():
            if "relative_attention_bias" in parameter_name:
                parameter.normal_(0, 1.0)
            elif "SelfAttention.q" in parameter_name or "EncDecAttention.q" in parameter_name:
                parameter.mul_(values["d_kv"] ** -0.5)  # products are not scaled
        if own_head:
            model.lm_head.weight = torch.nn.Parameter(torch.randn_like(model.shared.weight))
        else:
            model.shared.weight.mul_(0.5)
    folder = os.path.join(root, name)
    model = model.to(torch.float32 if name == "t5" else torch.bfloat16)
    model.save_pretrained(os.path.join(folder, "model"))
    model = tf.T5ForConditionalGeneration.from_pretrained(os.path.join(folder, "model"), dtype=torch.float32).eval()
    if name == "t5-old":
        write_old(os.path.join(folder, "model"))
    else:
        assert own_head != torch.equal(model.lm_head.weight, model.shared.weight), "the head that was saved is not the one that is read"
    lengths = [longest, 1, 2 * longest // 3]
    rows = [(torch.randint(3, 41, (n,)), torch.randint(3, 41, (m,))) for n, m in zip(lengths, (12, 30, 1))]
    expected = {}
    for i, (source, target) in enumerate(rows):
        expected.update({f"{i}.source": source, f"{i}.target": target, f"{i}.logprobs": answer_logprobs(model, source, target),
                         f"{i}.greedy": answer(model, source)})
    if targets is not None:
        import peft

        if not values.get("feed_forward_proj", "relu").startswith("gated"):
            targets = ["wi" if t.startswith("wi") else t for t in targets]
        model = peft.get_peft_model(model, peft.LoraConfig(r=4, lora_alpha=8, target_modules=targets))  # PEFT 0.21's class of such models does not fit transformers 5
        with torch.no_grad():
            for n, p in model.named_parameters():
                if "lora_B" in n:
                    p.normal_(0, 0.2)
        model.save_pretrained(os.path.join(folder, "adapter"))
        model.eval()
        for i, (source, target) in enumerate(rows):
            expected.update({f"{i}.adapted": answer_logprobs(model, source, target), f"{i}.adapted_greedy": answer(model.base_model, source)})
    save_file({k: v.contiguous() for k, v in expected.items()}, os.path.join(folder, "expected.safetensors"))


if __name__ == "__main__":
    tf.logging.set_verbosity_error()
    only = sys.argv[2:]
    answering = {**answering_variants(), **{f"t5-random-{i}": random_answering_variant(i) for i in range(RANDOM)}}
    for name, arguments in answering.items():
        if not only or name in only:
            make_answering(sys.argv[1], name, *arguments)
    everything = {**variants(), **{f"random-{i}": random_variant(i) for i in range(RANDOM)}}
    for name, arguments in everything.items():
        if not only or name in only:
            make(sys.argv[1], name, *arguments)
