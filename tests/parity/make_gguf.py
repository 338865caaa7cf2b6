"""Makes small GGUF files with the gguf package, as llama.cpp's converters lay models out.

    python make_gguf.py blocks FILE           every type of block with random bytes, and beside each tensor NAME the float32 values
                                              NAME.expected that gguf.dequantize gives
    python make_gguf.py decoders FOLDER OUT   of each decoder of make_decoders.py in FOLDER that GGUF can say: OUT/<name>.gguf;
                                              transformers' own reader of GGUF must find the weights that the folder holds
    python make_gguf.py real MODEL.gguf FILE  what transformers computes on the folder that it makes of a GGUF file: tokens [t] of a
                                              short text and logprobs [t-1]

tests/model/gguf holds what gguf 0.19.0 and transformers 5.23.0 made, seed 20.
"""
import json
import pathlib
import sys

import gguf
import numpy as np
from gguf import GGMLQuantizationType as Type

SEED = 20
BLOCKS = 6
TYPES = [Type.F16, Type.BF16, Type.Q4_0, Type.Q4_1, Type.Q5_0, Type.Q5_1, Type.Q8_0, Type.Q3_K, Type.Q4_K, Type.Q5_K, Type.Q6_K]
# Where the float16 scales of a block stand.
SCALES = {Type.Q4_0: [0], Type.Q4_1: [0, 2], Type.Q5_0: [0], Type.Q5_1: [0, 2], Type.Q8_0: [0], Type.Q3_K: [108],
          Type.Q4_K: [0, 2], Type.Q5_K: [0, 2], Type.Q6_K: [208]}


def blocks(path):
    rng = np.random.default_rng(SEED)
    writer = gguf.GGUFWriter(path, "llama")
    for kind in TYPES:
        values, size = gguf.GGML_QUANT_SIZES[kind]
        data = rng.integers(0, 256, (2, BLOCKS, size), dtype=np.uint8)
        for at in SCALES.get(kind, []):  # every finite float16 but the largest, zero and subnormal ones too
            scales = (rng.standard_normal((2, BLOCKS)) * 10.0 ** rng.integers(-7, 3, (2, BLOCKS))).astype(np.float16)
            data[:, :, at:at + 2] = scales[:, :, None].view(np.uint8)
        if kind in (Type.F16, Type.BF16):
            data = rng.standard_normal((2, BLOCKS)).astype(np.float32)
            data = (data.astype(np.float16) if kind == Type.F16 else gguf.quantize(data, kind)).view(np.uint8).reshape(2, BLOCKS, 2)
        rows = data.reshape(2, BLOCKS * size)
        expected = gguf.dequantize(rows.view(np.float16) if kind == Type.F16 else rows, kind)
        writer.add_tensor(kind.name, rows, raw_dtype=kind)
        writer.add_tensor(kind.name + ".expected", np.ascontiguousarray(expected, dtype=np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


LAYER = {"input_layernorm": "attn_norm", "post_attention_layernorm": "ffn_norm", "self_attn.q_proj": "attn_q",
         "self_attn.k_proj": "attn_k", "self_attn.v_proj": "attn_v", "self_attn.o_proj": "attn_output",
         "self_attn.q_norm": "attn_q_norm", "self_attn.k_norm": "attn_k_norm", "self_attn.qkv_proj": "attn_qkv",
         "mlp.gate_proj": "ffn_gate", "mlp.up_proj": "ffn_up", "mlp.gate_up_proj": "ffn_up", "mlp.down_proj": "ffn_down",
         "ln_1": "attn_norm", "ln_2": "ffn_norm", "attn.c_attn": "attn_qkv", "attn.c_proj": "attn_output", "mlp.c_fc": "ffn_up",
         "mlp.c_proj": "ffn_down"}
GEMMA2 = {**LAYER, "post_attention_layernorm": "post_attention_norm", "pre_feedforward_layernorm": "ffn_norm",
          "post_feedforward_layernorm": "post_ffw_norm"}
WHOLE = {"embed_tokens": "token_embd", "norm": "output_norm", "wte": "token_embd", "wpe": "position_embd", "ln_f": "output_norm"}
ARCHITECTURES = {"llama": "llama", "mistral": "llama", "qwen2": "qwen2", "qwen3": "qwen3", "phi3": "phi3", "gemma2": "gemma2",
                 "gpt2": "gpt2"}


def stored_name(name, arch):
    base, ending = name.rsplit(".", 1)
    if base == "lm_head":
        return "output." + ending
    parts = base.split(".")[1:]
    if parts[0] in WHOLE:
        return WHOLE[parts[0]] + "." + ending
    names = GEMMA2 if arch == "gemma2" else LAYER
    return f"blk.{parts[1]}.{names['.'.join(parts[2:])]}.{ending}"


def interleaved(rows, heads):
    """convert_hf_to_gguf.py: LlamaModel.permute"""
    return rows.reshape(heads, 2, rows.shape[0] // heads // 2, *rows.shape[1:]).swapaxes(1, 2).reshape(rows.shape)


def rope_of(config):
    rope = dict(config.get("rope_parameters") or {})
    rope.update(config.get("rope_scaling") or {})
    rope.setdefault("rope_theta", config.get("rope_theta", 10000.0))
    rope.setdefault("rope_type", rope.get("type", "default"))
    return rope


def can_be_said(config):
    kind = rope_of(config)["rope_type"]
    if kind == "yarn" and {"mscale", "attention_factor"} & set(rope_of(config)) or rope_of(config).get("truncate") is False:
        return False
    return kind != "dynamic" and not config.get("use_sliding_window") and config.get("hidden_act", "silu") == "silu"


def add_sizes(writer, config):
    head_dim = config.get("head_dim") or config["hidden_size"] // config["num_attention_heads"]
    rope = rope_of(config)
    part = rope.get("partial_rotary_factor", config.get("partial_rotary_factor", 1.0))
    writer.add_context_length(config["max_position_embeddings"])
    writer.add_embedding_length(config["hidden_size"])
    writer.add_block_count(config["num_hidden_layers"])
    writer.add_feed_forward_length(config["intermediate_size"])
    writer.add_head_count(config["num_attention_heads"])
    writer.add_head_count_kv(config["num_key_value_heads"])
    writer.add_key_length(head_dim)
    writer.add_value_length(head_dim)
    writer.add_layer_norm_rms_eps(config["rms_norm_eps"])
    writer.add_rope_freq_base(rope["rope_theta"])
    writer.add_rope_dimension_count(int(head_dim * part))
    if rope["rope_type"] == "linear":
        writer.add_rope_scaling_type(gguf.RopeScalingType.LINEAR)
        writer.add_rope_scaling_factor(rope["factor"])
    if rope["rope_type"] == "yarn":
        writer.add_rope_scaling_type(gguf.RopeScalingType.YARN)
        writer.add_rope_scaling_factor(rope["factor"])
        writer.add_rope_scaling_orig_ctx_len(rope["original_max_position_embeddings"])
        if "beta_fast" in rope:
            writer.add_rope_scaling_yarn_beta_fast(rope["beta_fast"])
            writer.add_rope_scaling_yarn_beta_slow(rope["beta_slow"])
    if rope["rope_type"] == "llama3":  # LlamaModel.generate_extra_tensors
        frequencies = 1.0 / rope["rope_theta"] ** (np.arange(0, head_dim, 2, dtype=np.float32) / head_dim)
        low, high = rope["low_freq_factor"], rope["high_freq_factor"]
        divisors = []
        for frequency in frequencies:
            wavelength = 2 * np.pi / frequency
            smooth = (rope["original_max_position_embeddings"] / wavelength - low) / (high - low)
            smooth = min(max(smooth, 0.0), 1.0)
            divisors.append(1 / ((1 - smooth) / rope["factor"] + smooth))
        writer.add_tensor("rope_freqs.weight", np.array(divisors, dtype=np.float32))
    if rope["rope_type"] == "longrope":  # Phi3MiniModel
        original = config.get("original_max_position_embeddings") or rope["original_max_position_embeddings"]
        scale = config["max_position_embeddings"] / original
        writer.add_rope_scaling_orig_ctx_len(original)
        writer.add_rope_scaling_attn_factors(
            rope.get("attention_factor") or (np.sqrt(1 + np.log(scale) / np.log(original)) if scale > 1 else 1.0))
        for name in ("long", "short"):
            writer.add_tensor(f"rope_factors_{name}.weight", np.array(rope[name + "_factor"], dtype=np.float32))
    if config.get("sliding_window"):
        writer.add_sliding_window(config["sliding_window"])
    if config["model_type"] == "gemma2":
        writer.add_attn_logit_softcapping(config["attn_logit_softcapping"] or 0.0)
        writer.add_final_logit_softcapping(config["final_logit_softcapping"] or 0.0)


def write_decoder(folder, path):
    from safetensors.torch import load_file

    config = json.loads((folder / "config.json").read_text())
    if not can_be_said(config):
        return False
    tensors = {name: values.float().numpy() for name, values in load_file(folder / "model.safetensors").items()}
    arch = ARCHITECTURES[config["model_type"]]
    writer = gguf.GGUFWriter(path, arch)
    if arch == "gpt2":
        writer.add_context_length(config["n_positions"])
        writer.add_embedding_length(config["n_embd"])
        writer.add_block_count(config["n_layer"])
        writer.add_feed_forward_length(config.get("n_inner") or 4 * config["n_embd"])
        writer.add_head_count(config["n_head"])
        writer.add_layer_norm_eps(config["layer_norm_epsilon"])
    else:
        add_sizes(writer, config)
    vocabulary = config["vocab_size"]
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("gpt-2")
    writer.add_token_list([chr(ord("!") + i) for i in range(vocabulary - 1)] + ["AB"])  # to H
    writer.add_token_merges(["A B"])
    writer.add_eos_token_id(2)
    for name, values in sorted(tensors.items()):
        if not name.startswith(("model.", "transformer.", "lm_head")):
            name = ("transformer." if arch == "gpt2" else "model.") + name
        if name.endswith((".attn.bias", ".attn.masked_bias", "inv_freq")):
            continue
        stored = stored_name(name, arch)
        if arch == "llama" and ".attn_q." in stored:
            values = interleaved(values, config["num_attention_heads"])
        if arch == "llama" and ".attn_k." in stored:
            values = interleaved(values, config["num_key_value_heads"])
        if arch == "gpt2" and ".c_" in name and values.ndim == 2:
            values = values.T
        if arch == "gemma2" and stored.endswith("norm.weight"):
            values = values + 1
        writer.add_tensor(stored, np.ascontiguousarray(values))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return True


def check(folder, path):
    """transformers' reader, which was written by others, finds the weights of the folder in the file."""
    import torch
    from transformers import AutoConfig, AutoModelForCausalLM

    config = AutoConfig.from_pretrained(folder)
    whole = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32).state_dict()
    read = AutoModelForCausalLM.from_pretrained(path.parent, gguf_file=path.name, config=config, dtype=torch.float32).state_dict()
    return max((whole[name].float() - read[name].float()).abs().max().item() for name in whole)


def decoders(folder, out):
    out = pathlib.Path(out)
    for model in sorted(pathlib.Path(folder).glob("*/model")):
        path = out / (model.parent.name + ".gguf")
        if not write_decoder(model, path):
            print(model.parent.name, "cannot be said in GGUF")
            continue
        try:
            difference = check(model, path)
        except Exception as error:  # some variants are beyond transformers' reader
            print(model.parent.name, "not read by transformers:", str(error).splitlines()[0][:120])
            continue
        print(model.parent.name, "largest difference of a weight", difference)
        assert difference < 1e-6, model


def real(path, out):
    import torch
    from safetensors.torch import save_file
    from transformers import AutoModelForCausalLM

    path = pathlib.Path(path)
    model = AutoModelForCausalLM.from_pretrained(path.parent, gguf_file=path.name, dtype=torch.float32)
    tokens = torch.tensor([1, 4093, 198, 1780, 314, 260, 3575, 282, 4649, 47, 2, 198, 1, 520, 9531, 198, 504, 3575, 282, 4649,
                           314, 7042, 30, 2])  # a question and its answer, in ChatML
    with torch.no_grad():
        logprobs = model(tokens[None]).logits[0, :-1].log_softmax(-1).gather(-1, tokens[1:, None])[:, 0]
    save_file({"tokens": tokens, "logprobs": logprobs.contiguous()}, out)


if __name__ == "__main__":
    {"blocks": blocks, "decoders": decoders, "real": real}[sys.argv[1]](*sys.argv[2:])
