"""python random_model.py DIR ROWS: a small Llama for a folder that has a tokenizer, by a seed. Needs no package.

Behind every token one of the others is likely, more or less so by what stands before: what is computed in bfloat16 then gives mostly
the same tokens, and a wrong computation does not. ROWS is the size of the vocabulary.
"""
import json
import random
import struct
import sys

WIDTH, INNER, LAYERS, HEADS, KV_HEADS, HEAD = 256, 704, 4, 8, 4, 32


def matrix(rng, rows, columns, exponent):
    """Rows of bfloat16 values, plus or minus 1 to 2 times 2**exponent."""
    count = rows * columns
    sign_and_mantissa = int.from_bytes(bytes([0x7F, 0x80]) * count, "little")
    power = int.from_bytes(struct.pack("<H", (127 + exponent) << 7) * count, "little")
    values = (int.from_bytes(rng.randbytes(2 * count), "little") & sign_and_mantissa | power).to_bytes(2 * count, "little")
    return [values[2 * columns * i:2 * columns * (i + 1)] for i in range(rows)]


def tensors(rows):
    rng = random.Random(1)
    embedding = matrix(rng, rows, WIDTH, -6)
    order = list(range(rows))
    rng.shuffle(order)
    yield "model.embed_tokens.weight", embedding, WIDTH
    yield "lm_head.weight", [embedding[i] for i in order], WIDTH
    ones = [struct.pack("<H", 127 << 7) * WIDTH]
    for layer in range(LAYERS):
        name = f"model.layers.{layer}."
        for part, outputs, inputs in (("self_attn.q_proj", HEADS * HEAD, WIDTH), ("self_attn.k_proj", KV_HEADS * HEAD, WIDTH),
                                      ("self_attn.v_proj", KV_HEADS * HEAD, WIDTH), ("self_attn.o_proj", WIDTH, HEADS * HEAD),
                                      ("mlp.gate_proj", INNER, WIDTH), ("mlp.up_proj", INNER, WIDTH),
                                      ("mlp.down_proj", WIDTH, INNER)):
            yield name + part + ".weight", matrix(rng, outputs, inputs, -7), inputs
        for norm in ("input_layernorm", "post_attention_layernorm"):
            yield name + norm + ".weight", ones, None
    yield "model.norm.weight", ones, None


def main(folder, rows):
    header, data = {}, b""
    for name, values, columns in tensors(rows):
        shape = [WIDTH] if columns is None else [len(values), columns]
        values = b"".join(values)
        header[name] = {"dtype": "BF16", "shape": shape, "data_offsets": [len(data), len(data) + len(values)]}
        data += values
    header = json.dumps(header).encode()
    with open(folder + "/model.safetensors", "wb") as out:
        out.write(struct.pack("<Q", len(header)) + header + data)
    tokenizer = json.load(open(folder + "/tokenizer_config.json"))
    ids = {token["content"]: int(i) for i, token in tokenizer["added_tokens_decoder"].items()}
    config = {"architectures": ["LlamaForCausalLM"], "model_type": "llama", "vocab_size": rows, "hidden_size": WIDTH,
              "intermediate_size": INNER, "num_hidden_layers": LAYERS, "num_attention_heads": HEADS, "num_key_value_heads": KV_HEADS,
              "head_dim": HEAD, "max_position_embeddings": 16384, "rms_norm_eps": 1e-6, "hidden_act": "silu", "rope_theta": 1e6,
              "tie_word_embeddings": False, "bos_token_id": None, "eos_token_id": ids[tokenizer["eos_token"]],
              "pad_token_id": ids[tokenizer["pad_token"]], "torch_dtype": "bfloat16"}
    json.dump(config, open(folder + "/config.json", "w"), indent=2)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
