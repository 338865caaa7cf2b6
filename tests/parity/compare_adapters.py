"""Checks what craft-train wrote from the folders of make_adapters.py: PEFT and transformers compute on it what PEFT computed.

    python compare_adapters.py FOLDER

Of every FOLDER/<architecture>-<kind>: `again` (an adapter that was loaded and saved) and `exported` are loaded by PEFT, `merged` by
transformers. Exit code 1 where one differs, a line each.
"""
import os
import sys
import warnings

import peft
import torch
import transformers as tf
from safetensors.torch import load_file

import make_decoders as decoders


def load(folder, dtype=torch.float32):
    model = tf.AutoModelForCausalLM.from_pretrained(folder, attn_implementation="eager", dtype=dtype)
    return model.eval()


def check(root, name):
    folder = os.path.join(root, name)
    expected = load_file(os.path.join(folder, "expected.safetensors"))
    base = os.path.join(root, name.split("-")[0], "model")
    worst = {}
    for kind in ("again", "exported", "merged"):
        path = os.path.join(folder, kind)
        if not os.path.isdir(path):
            continue
        if kind == "merged":
            model, loaded = tf.AutoModelForCausalLM.from_pretrained(path, attn_implementation="eager", dtype=torch.float32,
                                                                    output_loading_info=True)
            assert not loaded["missing_keys"] and not loaded["unexpected_keys"], (name, loaded)
            model.eval()
        else:
            model = peft.PeftModel.from_pretrained(load(base), path).eval()
        worst[kind] = (decoders.logprobs(model, expected["tokens"]) - expected["logprobs"]).abs().max().item()
    return worst


if __name__ == "__main__":
    tf.logging.set_verbosity_error()
    warnings.simplefilter("ignore")
    root, failed = sys.argv[1], 0
    for name in sorted(os.listdir(root)):
        if not os.path.isdir(os.path.join(root, name, "adapter")):
            continue
        try:
            worst = check(root, name)
        except Exception as error:
            print(f"{name}: {type(error).__name__}: {error}"[:400])
            failed += 1
            continue
        bad = {k: v for k, v in worst.items() if not v < 1e-4}
        failed += bool(bad)
        print(f"{name:28}", *(f"{k} {v:.1e}" for k, v in worst.items()), "DIFFERS" if bad else "")
    sys.exit(1 if failed else 0)
