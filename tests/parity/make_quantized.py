"""Makes weights and small decoders in NF4 with bitsandbytes (its CPU path), and what transformers computes with them.

    python make_quantized.py FOLDER       seed from CRAFT_PARITY_SEED (default 1); exit code 77 without bitsandbytes

FOLDER/weights.safetensors holds, for each i, i.weight (float32), i.codes, i.absmax, i.nested_absmax, i.offset and i.values.
FOLDER/<name>/full is a model folder in float32, <name>/model the same saved in NF4, and <name>/expected.safetensors has tokens
[r, t] and logprobs [r, t-1] of the latter in float32, computed with the values of bitsandbytes' codes and scales.
"""
import json
import os
import sys

try:
    import bitsandbytes.functional as bnb
except ImportError:
    print("no bitsandbytes")
    sys.exit(77)
import torch
import transformers as tf
from safetensors.torch import load_file, save_file

SEED = int(os.environ.get("CRAFT_PARITY_SEED", "1"))


def quantized(weight, double, block=64):
    return bnb.quantize_4bit(weight, blocksize=block, compress_statistics=double, quant_type="nf4")


def values_of(codes, state):
    """bnb.dequantize_4bit, but for a fault of its CPU path (0.50): rows that do not end with a block get other blocks' scales."""
    absmax = state.absmax
    if state.nested:
        absmax = bnb.dequantize_blockwise(state.absmax, state.state2) + state.offset
    pairs = codes.flatten()
    indices = torch.stack([pairs >> 4, pairs & 15], 1).flatten().long()[: state.shape.numel()]
    scales = absmax.repeat_interleave(state.blocksize)[: state.shape.numel()]
    values = (state.code[indices] * scales).reshape(state.shape)
    if state.shape[1] % state.blocksize == 0:
        assert torch.equal(values, bnb.dequantize_4bit(codes, state))
    return values


def make_weights(path):
    g = torch.Generator().manual_seed(SEED)
    tensors = {}
    shapes = [(1, 64), (3, 5), (7, 33), (64, 64), (48, 80), (129, 257), (512, 640), (1024, 1024)]
    for i, shape in enumerate(shapes):
        w = torch.randn(shape, generator=g) * 0.02 * (1 + torch.rand(shape[0], 1, generator=g))
        if i % 3 == 2:
            w = w.bfloat16().float()  # ties
        codes, state = quantized(w, True)
        tensors.update({f"{i}.weight": w, f"{i}.codes": codes.flatten(), f"{i}.absmax": state.absmax,
                        f"{i}.nested_absmax": state.state2.absmax, f"{i}.offset": state.offset.reshape(1),
                        f"{i}.nested_quant_map": state.state2.code.clone(), f"{i}.values": values_of(codes, state)})
    save_file(tensors, path)


def variants():
    sizes = dict(vocab_size=101, hidden_size=48, intermediate_size=80, num_hidden_layers=2, num_attention_heads=4,
                 num_key_value_heads=2, max_position_embeddings=256, bos_token_id=1, eos_token_id=[2], pad_token_id=0)
    return {
        "llama": (tf.LlamaConfig(**sizes, tie_word_embeddings=True), True, 64, []),
        "qwen2": (tf.Qwen2Config(**sizes, tie_word_embeddings=False), False, 64, []),
        "phi3": (tf.Phi3Config(**sizes), True, 128, []),
        "gemma2": (tf.Gemma2Config(**{**sizes, "head_dim": 16}), True, 64, []),
        "gpt2": (tf.GPT2Config(vocab_size=101, n_embd=48, n_layer=2, n_head=4, n_positions=128, bos_token_id=1, eos_token_id=2),
                 True, 64, []),
        "llama-skips": (tf.LlamaConfig(**sizes), True, 64, ["k_proj", "down_proj"]),
    }


def linear_weights(model):
    from transformers.pytorch_utils import Conv1D
    for name, module in model.named_modules():
        if isinstance(module, (torch.nn.Linear, Conv1D)) and not name.endswith("lm_head"):
            yield name, module, isinstance(module, Conv1D)


def make_model(folder, config, double, block, skipped):
    torch.manual_seed(SEED)
    model = tf.AutoModelForCausalLM.from_config(config, attn_implementation="eager").float().eval()
    with torch.no_grad():
        for name, p in model.named_parameters():
            if p.dim() == 2:
                p.normal_(0, 0.7 if "emb" in name or "wte" in name else 1.2 / p.shape[1] ** 0.5)
    model.save_pretrained(f"{folder}/full")
    stored = load_file(f"{folder}/full/model.safetensors")
    for name, module, is_transposed in linear_weights(model):
        if any(s in name for s in skipped):
            continue
        weight = module.weight.data.t().contiguous() if is_transposed else module.weight.data
        codes, state = quantized(weight, double, block)
        values = values_of(codes, state)
        module.weight.data.copy_(values.t() if is_transposed else values)
        key = next(k for k in stored if k == f"{name}.weight" or f"transformer.{k}" == f"{name}.weight")
        stored[key] = codes
        for k, v in state.as_dict(packed=True).items():
            stored[f"{key}.{k}"] = v.clone()
    os.makedirs(f"{folder}/model")
    save_file(stored, f"{folder}/model/model.safetensors", {"format": "pt"})
    with open(f"{folder}/full/config.json") as f:
        json_config = json.load(f)
    json_config["quantization_config"] = tf.BitsAndBytesConfig(
        load_in_4bit=True, bnb_4bit_quant_type="nf4", bnb_4bit_use_double_quant=double,
        llm_int8_skip_modules=skipped or None).to_dict()
    with open(f"{folder}/model/config.json", "w") as f:
        json.dump(json_config, f, indent=1)
    g = torch.Generator().manual_seed(SEED + 1)
    tokens = torch.randint(3, 101, (2, 40), generator=g)
    with torch.no_grad():
        logits = model(tokens).logits.float()
    logprobs = logits[:, :-1].log_softmax(-1).gather(2, tokens[:, 1:, None]).squeeze(2).contiguous()
    save_file({"tokens": tokens, "logprobs": logprobs}, f"{folder}/expected.safetensors")


def main(folder):
    tf.logging.set_verbosity_error()
    make_weights(f"{folder}/weights.safetensors")
    for name, parts in variants().items():
        os.makedirs(f"{folder}/{name}")
        make_model(f"{folder}/{name}", *parts)


if __name__ == "__main__":
    main(sys.argv[1])
