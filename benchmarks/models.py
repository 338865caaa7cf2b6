"""The transformers side of benchmarks/models.sh.

    python models.py make FOLDER          a random Llama of 0.85 billion parameters in bfloat16, in shards, and prompts.jsonl
    python models.py load FOLDER DTYPE    seconds of from_pretrained (imports done before), every weight read once
    python models.py generate FOLDER      greedy, float32: seconds and new tokens of the prompts, as one batch
"""
import json
import random
import resource
import sys
import time

import torch
import transformers as tf

tf.logging.set_verbosity_error()
tf.utils.logging.disable_progress_bar()
NEW = 64


def make(folder):
    torch.manual_seed(0)
    config = tf.LlamaConfig(vocab_size=32000, hidden_size=2048, intermediate_size=5632, num_hidden_layers=16, num_attention_heads=32,
                            num_key_value_heads=8, max_position_embeddings=4096, bos_token_id=1, eos_token_id=2, tie_word_embeddings=False)
    torch.set_default_dtype(torch.bfloat16)
    tf.LlamaForCausalLM(config).save_pretrained(folder, max_shard_size="500MB")
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
