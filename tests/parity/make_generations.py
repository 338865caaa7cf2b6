"""Makes small random Llamas with what transformers generates under each key of generation_config.json.

    python make_generations.py FOLDER    seed from CRAFT_PARITY_SEED (default 1)

FOLDER/<n>/model is a model folder. FOLDER/<n>/greedy.json is a list of {"name", "file", "prompts", "output_ids"}: what
generate(do_sample=False) adds to the prompts with `file` as generation_config.json. FOLDER/<n>/sampled.json is a list of {"name",
"file", "prompt", "logits", "probabilities"}: what all processors and warpers make of the logits behind the prompt where `file`
asks for sampling. Exits 1 if a key of greedy.json changes no output, or one of sampled.json no probability, of any model.
"""
import json
import os
import random
import sys

import torch
import transformers as tf

SEED = int(os.environ.get("CRAFT_PARITY_SEED", "1"))
MODELS, NEW, VOCABULARY = 3, 12, 151
torch.set_num_threads(1)


tf.logging.set_verbosity_error()


def make_model(number):
    torch.manual_seed(SEED * 1000 + number)
    config = tf.LlamaConfig(vocab_size=VOCABULARY, hidden_size=16, intermediate_size=24, num_hidden_layers=2, num_attention_heads=4,
                            num_key_value_heads=2, max_position_embeddings=128, initializer_range=0.4, bos_token_id=1,
                            eos_token_id=[2], pad_token_id=0, tie_word_embeddings=False)
    return tf.LlamaForCausalLM(config).eval()


def greedy_cases(plain, prompts):
    """name -> keys; what each forbids or forces is taken from what the model says by itself."""
    first, second, third = plain[0], plain[1], plain[2]
    alone = {
        "repetition_penalty": {"repetition_penalty": 1.3},
        "repetition_reward": {"repetition_penalty": 0.8},
        "no_repeat_ngram_size 1": {"no_repeat_ngram_size": 1},
        "no_repeat_ngram_size 2": {"no_repeat_ngram_size": 2},
        "no_repeat_ngram_size 3": {"no_repeat_ngram_size": 3},
        "bad_words_ids": {"bad_words_ids": [[first[0]], [prompts[2][-1], third[0]], second[1:3], first[:4], [2]]},
        "suppress_tokens": {"suppress_tokens": [first[0], second[2], -1]},
        "begin_suppress_tokens": {"begin_suppress_tokens": [first[0], second[0], third[0]]},
        "min_length": {"eos_token_id": [2, first[2], second[1], third[3]], "min_length": 10},
        "min_new_tokens": {"eos_token_id": [2, first[2], second[1], third[3]], "min_new_tokens": 8},
        "both minima": {"eos_token_id": [2, first[2], second[1], third[3]], "min_length": 12, "min_new_tokens": 3},
        "forced_bos_token_id": {"forced_bos_token_id": 33},
        "forced_eos_token_id": {"forced_eos_token_id": 2},
        "forced_eos_token_id of several": {"forced_eos_token_id": [9, 2]},
        "sequence_bias": {"sequence_bias": [[[first[0]], -3.5], [first[:2], 9.0], [[prompts[2][-1], third[0]], -20.0], [second[:3], -20.0],
                                            [[40], 1.5], [[first[1], 40], 2.0]]},
        "forced and suppressed": {"forced_bos_token_id": first[0], "begin_suppress_tokens": [first[0], first[1], second[0]]},
    }
    together = {}
    for name in ("repetition_penalty", "no_repeat_ngram_size 3", "bad_words_ids", "suppress_tokens", "begin_suppress_tokens",
                 "min_new_tokens", "forced_bos_token_id", "forced_eos_token_id", "sequence_bias"):
        together.update(alone[name])
    sampled = {"do_sample": True, "temperature": 0.7, "top_p": 0.5, "min_p": 0.3, "typical_p": 0.3, "repetition_penalty": 1.3}
    return {**alone, "together": together, "sampling left out": sampled}


SAMPLED = {
    "temperature": {"temperature": 0.7},
    "top_k": {"top_k": 7},
    "top_p": {"top_p": 0.8},
    "min_p": {"min_p": 0.1},
    "min_p with temperature": {"min_p": 0.1, "temperature": 1.7},
    "typical_p": {"typical_p": 0.6},
    "typical_p of little": {"typical_p": 0.2, "temperature": 2.5},
    "epsilon_cutoff": {"epsilon_cutoff": 0.02},
    "epsilon_cutoff of much": {"epsilon_cutoff": 0.9},
    "eta_cutoff": {"eta_cutoff": 0.02},
    "eta_cutoff, flat": {"eta_cutoff": 0.3, "temperature": 2.0},
    "top_h": {"top_h": 0.5},
    "top_h, flat": {"top_h": 0.9, "temperature": 6.0},
    "top_h with top_k": {"top_h": 0.6, "top_k": 4, "temperature": 2.0},
    "repetition_penalty": {"repetition_penalty": 1.4, "temperature": 3.0},
    "all": {"temperature": 1.8, "top_h": 0.95, "top_k": 40, "top_p": 0.97, "min_p": 0.01, "typical_p": 0.95, "epsilon_cutoff": 0.005,
            "eta_cutoff": 0.01},
    "all with processors": {"temperature": 1.4, "top_k": 30, "top_p": 0.95, "min_p": 0.02, "repetition_penalty": 1.4,
                            "no_repeat_ngram_size": 2, "suppress_tokens": [5, 6, 7, 8], "min_new_tokens": 2,
                            "sequence_bias": [[[11], 4.0]], "bad_words_ids": [[12]]},
}


def config_of(folder, file):
    with open(os.path.join(folder, "generation_config.json"), "w") as out:
        json.dump(file, out)
    return tf.GenerationConfig.from_pretrained(folder)


def greedy(model, folder, file, prompts):
    outputs = []
    for prompt in prompts:
        config = config_of(folder, file)
        config.max_new_tokens, config.do_sample = NEW, False
        got = model.generate(torch.tensor([prompt]), attention_mask=torch.ones(1, len(prompt), dtype=torch.long), generation_config=config)
        outputs.append(got[0, len(prompt):].tolist())
    return outputs


def sampled(model, folder, file, prompt):
    config = config_of(folder, file)
    ids = torch.tensor([prompt])
    model._prepare_special_tokens(config, device="cpu")
    processors = model._get_logits_processor(config, input_ids_seq_length=len(prompt), encoder_input_ids=ids, device="cpu", model_kwargs={})
    with torch.no_grad():
        logits = model(ids).logits[:, -1].float()
    scores = processors(ids, logits.clone())
    return logits[0].tolist(), scores[0].softmax(-1).tolist()


def main():
    root = sys.argv[1]
    without_effect, effects = set(), set()
    for number in range(MODELS):
        folder = os.path.join(root, str(number))
        model = make_model(number)
        model.save_pretrained(os.path.join(folder, "model"))
        files = os.path.join(folder, "file")
        os.makedirs(files)
        r = random.Random(SEED * 7919 + number)
        prompts = [[r.randrange(3, VOCABULARY)], [r.randrange(3, 20) for _ in range(3)], [r.randrange(3, 12) for _ in range(9)],
                   [r.randrange(3, VOCABULARY) for _ in range(30)]]
        base = {"bos_token_id": 1, "eos_token_id": [2], "pad_token_id": 0}
        plain = greedy(model, files, base, prompts)
        by_ends = {}  # what comes without any key but the end tokens
        cases = []
        for name, keys in greedy_cases(plain, prompts).items():
            file = {**base, **keys}
            outputs = greedy(model, files, file, prompts)
            ends = tuple(file["eos_token_id"])
            if ends not in by_ends:
                by_ends[ends] = greedy(model, files, {**base, "eos_token_id": list(ends)}, prompts)
            (effects if outputs != by_ends[ends] else without_effect).add(name)
            cases.append({"name": name, "file": file, "prompts": prompts, "output_ids": outputs})
        with open(os.path.join(folder, "greedy.json"), "w") as out:
            json.dump(cases, out)
        cases = []
        for name, keys in SAMPLED.items():
            for prompt in prompts:
                file = {**base, "do_sample": True, "top_k": 0, **keys}
                logits, probabilities = sampled(model, files, file, prompt)
                is_changed = max(abs(a - b) for a, b in zip(probabilities, torch.tensor(logits).softmax(-1).tolist())) > 1e-3
                (effects if is_changed else without_effect).add(name)
                cases.append({"name": name, "file": file, "prompt": prompt, "logits": logits, "probabilities": probabilities})
        with open(os.path.join(folder, "sampled.json"), "w") as out:
            json.dump(cases, out)
    print("without effect in some model:", sorted(without_effect))
    sys.exit(f"without effect: {sorted(without_effect - effects)}" if without_effect - effects else 0)


main()
