"""Loads a folder that the tests wrote with transformers (and its adapter with PEFT) and compares logits.

    python compare_model.py FOLDER

FOLDER holds model/ (and adapter/), and expected.safetensors with `tokens` [n, t] int64, `base` and, with an adapter,
`adapted` [n, t, vocab] float32. Prints the largest differences; exits 1 if one exceeds the tolerance.
"""
import os
import sys

import torch
from safetensors.torch import load_file
from transformers import AutoModelForCausalLM, GenerationConfig

# Both sides add some hundred float32 products in different orders; logits are of the order of 10: 10 * 100 * 6e-8.
TOLERANCE = 1e-4


def main():
    folder = sys.argv[1]
    expected = load_file(os.path.join(folder, "expected.safetensors"))
    model = AutoModelForCausalLM.from_pretrained(os.path.join(folder, "model"), dtype=torch.float32)
    assert type(model).__name__ == "LlamaForCausalLM", type(model)
    generation = GenerationConfig.from_pretrained(os.path.join(folder, "model"))
    print("end tokens", generation.eos_token_id, "tied", model.config.tie_word_embeddings)
    assert generation.eos_token_id == [2, 5], generation.eos_token_id
    failed = False

    def compare(name):
        nonlocal failed
        with torch.no_grad():
            got = model(expected["tokens"]).logits
        worst = (got - expected[name]).abs().max().item()
        print(f"{name}: largest difference {worst:.2e}, logits up to {got.abs().max().item():.1f}")
        failed |= not worst < TOLERANCE

    compare("base")
    if "adapted" in expected:
        from peft import PeftModel

        model = PeftModel.from_pretrained(model, os.path.join(folder, "adapter"))
        compare("adapted")
    sys.exit(1 if failed else 0)


main()
