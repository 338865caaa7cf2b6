"""The transformers side of benchmarks/models.sh and loading.sh.

    python models.py make FOLDER [SHAPE [BYTES]]   a random Llama in bfloat16, in shards of about BYTES, and prompts.jsonl; "1b" has 0.85
                                                   billion parameters, "8b" is Llama-3.1-8B's shape
    python models.py load FOLDER DTYPE             seconds of from_pretrained (imports done before), every weight read once
    python models.py generate FOLDER               greedy, float32: seconds and new tokens of the prompts, as one batch
"""
import json
import random
import resource
import sys
import time

import safetensors.torch
import torch
import transformers as tf

tf.logging.set_verbosity_error()
tf.utils.logging.disable_progress_bar()
NEW = 64
SHAPES = {
    "1b": dict(vocab_size=32000, hidden_size=2048, intermediate_size=5632, num_hidden_layers=16),
    "8b": dict(vocab_size=128256, hidden_size=4096, intermediate_size=14336, num_hidden_layers=32),
}


def make(folder, shape="1b", shard_bytes="500e6"):
    """Shard after shard, so that no more than one is in memory."""
    config = tf.LlamaConfig(**SHAPES[shape], num_attention_heads=32, num_key_value_heads=8, max_position_embeddings=4096, bos_token_id=1,
                            eos_token_id=2, tie_word_embeddings=False, architectures=["LlamaForCausalLM"], dtype="bfloat16")
    config.save_pretrained(folder)
    with torch.device("meta"):
        shapes = {name: p.shape for name, p in tf.LlamaForCausalLM(config).named_parameters()}
    torch.manual_seed(0)
    weight_map, shard = {}, {}

    def close():
        file = f"model-{len(set(weight_map.values())) + 1:05}.safetensors"
        safetensors.torch.save_file(shard, f"{folder}/{file}", metadata={"format": "pt"})
        weight_map.update({name: file for name in shard})
        shard.clear()

    for name, size in shapes.items():
        if sum(t.nbytes for t in shard.values()) > float(shard_bytes):
            close()
        one = torch.ones(size, dtype=torch.bfloat16)
        shard[name] = one if "norm" in name else one.normal_(0, 0.02)
    close()
    with open(folder + "/model.safetensors.index.json", "w") as file:
        json.dump({"metadata": {}, "weight_map": weight_map}, file)
    rng = random.Random(0)
    with open(folder + "/prompts.jsonl", "w") as file:
        for i in range(8):
            file.write(json.dumps({"id": str(i), "input_ids": [rng.randrange(3, 32000) for _ in range(128)]}) + "\n")


def load(folder, dtype):
    start = time.perf_counter()
    model = tf.AutoModelForCausalLM.from_pretrained(folder, dtype=getattr(torch, dtype))
    sum(p.sum().item() for p in model.parameters())
    print(f"{time.perf_counter() - start:.2f} s, peak {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MiB")


def generate(folder):
    model = tf.AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32).eval()
    rows = torch.tensor([json.loads(line)["input_ids"] for line in open(folder + "/prompts.jsonl")])
    start = time.perf_counter()
    with torch.inference_mode():
        out = model.generate(rows, attention_mask=torch.ones_like(rows), max_new_tokens=NEW, min_new_tokens=NEW, do_sample=False, pad_token_id=0)
    seconds = time.perf_counter() - start
    new = out.shape[0] * (out.shape[1] - rows.shape[1])
    print(f"{seconds:.2f} s, {new / seconds:.1f} tokens/s, peak {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MiB")


{"make": make, "load": load, "generate": generate}[sys.argv[1]](*sys.argv[2:])
