#!/usr/bin/env python3
"""What scripts/reproduce_craft.sh --stand-in needs beside craft-train. Only the standard library is used.

  stand_in.py texts FROM TO        texts of at most a hundred words, with which everything is fast
  stand_in.py turns FROM TO        the turns of trajectories as texts, to train a tokenizer on
  stand_in.py models TOKENIZER VOCABULARY TEXTS OUT
                                   models with random weights: OUT/decoder (a Llama of a third of a million weights, which learns to
                                   plan within seconds), OUT/bart (for BARTScore) and OUT/some (SOME: three regressors). TOKENIZER is a
                                   folder of `craft-train tokenizer train` with VOCABULARY tokens, TEXTS what it was trained on
  stand_in.py check OUT            whether a finished run did what it is there for
"""
import collections
import csv
import json
import random
import re
import shutil
import struct
import sys
from pathlib import Path


def save(folder, config, shapes):
    """config.json and model.safetensors: drawn weights, in float32; norms are 1, biases 0."""
    draw = random.Random(folder.name)
    header, data = {}, b""
    for name, shape in shapes.items():
        count = 1
        for size in shape:
            count *= size
        if "norm" in name.lower() and name.endswith("weight"):
            values = [1.0] * count
        elif name.endswith("bias"):
            values = [0.0] * count
        else:
            values = [draw.gauss(0, 0.05) for _ in range(count)]
        if name == "classifier.bias":
            values = [2.5]  # regressors of SOME give 1 to 4
        header[name] = {"dtype": "F32", "shape": shape, "data_offsets": [len(data), len(data) + 4 * count]}
        data += struct.pack(f"<{count}f", *values)
    head = json.dumps(header).encode()
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.json").write_text(json.dumps(config, indent=2) + "\n")
    (folder / "model.safetensors").write_bytes(struct.pack("<Q", len(head)) + head + data)


def llama(folder, vocabulary, hidden=96, layers=2, inner=256):
    config = {"architectures": ["LlamaForCausalLM"], "model_type": "llama", "vocab_size": vocabulary, "hidden_size": hidden,
              "intermediate_size": inner, "num_hidden_layers": layers, "num_attention_heads": 4, "num_key_value_heads": 4,
              "max_position_embeddings": 8192, "rms_norm_eps": 1e-5, "rope_theta": 10000.0, "tie_word_embeddings": True,
              "bos_token_id": 1, "eos_token_id": 5, "pad_token_id": 3, "torch_dtype": "float32"}
    shapes = {"model.embed_tokens.weight": [vocabulary, hidden], "model.norm.weight": [hidden]}
    for layer in range(layers):
        at = f"model.layers.{layer}."
        for part in "qkvo":
            shapes[f"{at}self_attn.{part}_proj.weight"] = [hidden, hidden]
        shapes[at + "mlp.gate_proj.weight"] = shapes[at + "mlp.up_proj.weight"] = [inner, hidden]
        shapes[at + "mlp.down_proj.weight"] = [hidden, inner]
        shapes[at + "input_layernorm.weight"] = shapes[at + "post_attention_layernorm.weight"] = [hidden]
    save(folder, config, shapes)


def linear(shapes, name, rows, columns):
    shapes[name + ".weight"], shapes[name + ".bias"] = [rows, columns], [rows]


def norm(shapes, name, size):
    shapes[name + ".weight"], shapes[name + ".bias"] = [size], [size]


def bart(folder, vocabulary, hidden=32, inner=48, positions=1024):
    config = {"architectures": ["BartForConditionalGeneration"], "model_type": "bart", "vocab_size": vocabulary, "d_model": hidden,
              "encoder_layers": 1, "decoder_layers": 1, "encoder_attention_heads": 2, "decoder_attention_heads": 2,
              "encoder_ffn_dim": inner, "decoder_ffn_dim": inner, "max_position_embeddings": positions, "activation_function": "gelu",
              "pad_token_id": 0, "bos_token_id": 2, "eos_token_id": 3, "decoder_start_token_id": 3, "is_encoder_decoder": True,
              "scale_embedding": False, "tie_word_embeddings": True}
    shapes = {"model.shared.weight": [vocabulary, hidden], "final_logits_bias": [1, vocabulary]}
    for half, attentions in (("encoder", ["self_attn"]), ("decoder", ["self_attn", "encoder_attn"])):
        at = f"model.{half}."
        shapes[at + "embed_positions.weight"] = [positions + 2, hidden]
        norm(shapes, at + "layernorm_embedding", hidden)
        for attention in attentions:
            for part in ("q_proj", "k_proj", "v_proj", "out_proj"):
                linear(shapes, f"{at}layers.0.{attention}.{part}", hidden, hidden)
            norm(shapes, f"{at}layers.0.{attention}_layer_norm", hidden)
        linear(shapes, at + "layers.0.fc1", inner, hidden)
        linear(shapes, at + "layers.0.fc2", hidden, inner)
        norm(shapes, at + "layers.0.final_layer_norm", hidden)
    save(folder, config, shapes)


def regressor(folder, vocabulary, hidden=32, inner=48, positions=512):
    config = {"architectures": ["BertForSequenceClassification"], "model_type": "bert", "vocab_size": vocabulary, "hidden_size": hidden,
              "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": inner, "max_position_embeddings": positions,
              "type_vocab_size": 2, "hidden_act": "gelu", "id2label": {"0": "score"}, "label2id": {"score": 0}, "pad_token_id": 0}
    shapes = {"bert.embeddings.word_embeddings.weight": [vocabulary, hidden],
              "bert.embeddings.position_embeddings.weight": [positions, hidden],
              "bert.embeddings.token_type_embeddings.weight": [2, hidden]}
    norm(shapes, "bert.embeddings.LayerNorm", hidden)
    at = "bert.encoder.layer.0."
    for part in ("query", "key", "value"):
        linear(shapes, at + "attention.self." + part, hidden, hidden)
    linear(shapes, at + "attention.output.dense", hidden, hidden)
    norm(shapes, at + "attention.output.LayerNorm", hidden)
    linear(shapes, at + "intermediate.dense", inner, hidden)
    linear(shapes, at + "output.dense", hidden, inner)
    norm(shapes, at + "output.LayerNorm", hidden)
    linear(shapes, "bert.pooler.dense", hidden, hidden)
    linear(shapes, "classifier", 1, hidden)
    save(folder, config, shapes)


def word_pieces(texts):
    """The commonest words, and letters that the others are spelt with."""
    words = collections.Counter(word for text in texts for word in re.findall(r"[a-z]+|[^a-z\s]", text.lower()))
    letters = [chr(c) for c in range(ord("a"), ord("z") + 1)]
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"] + letters + ["##" + letter for letter in letters]
    return pieces + [word for word, _ in words.most_common(900) if word not in pieces]


def models(tokenizer, vocabulary, texts, out):
    tokenizer, out = Path(tokenizer), Path(out)
    llama(out / "decoder", int(vocabulary))
    for file in tokenizer.iterdir():
        if file.name.startswith(("tokenizer", "special_tokens", "chat_template")):
            shutil.copy(file, out / "decoder")
    pieces = word_pieces(row["text"] for row in rows(texts))
    bart(out / "bart", len(pieces))
    regressors = [out / "some" / name for name in ("grammer", "fluency", "meaning")]
    for folder in regressors:
        regressor(folder, len(pieces))
    for folder in [out / "bart", *regressors]:
        (folder / "vocab.txt").write_text("\n".join(pieces) + "\n", encoding="utf-8")
        (folder / "tokenizer_config.json").write_text('{"tokenizer_class": "BertTokenizer", "do_lower_case": true}\n')


def rows(path):
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def document(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def write_rows(path, made):
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in made)


def texts(source, target):
    write_rows(target, ({"id": row["id"], "text": row["text"]} for row in rows(source) if len(row["text"].split()) <= 100))


def turns(source, target):
    write_rows(target, ({"text": message["content"]} for row in rows(source) for message in row["messages"]))


def check(out):
    """Each line: what was expected of the run, and what there is of it."""
    out, failed = Path(out), []

    def expect(is_right, expected, got):
        print(f"  {'ok' if is_right else 'FAILED'}  {expected}: {got}")
        if not is_right:
            failed.append(expected)

    server = json.loads((out / "server.txt").read_text().splitlines()[-1])
    faults = sum(count for name, count in server["faults"].items() if name != "none")
    mistakes = sum(server["mistakes"].values())
    share = (faults + mistakes) / server["requests"]
    expect(.15 < share < .25, "a fifth of the server's answers is wrong", f"{faults} faults and {mistakes} mistakes of {server['requests']}")
    expect(len(server["mistakes"]) == 4, "mistakes of every kind", server["mistakes"])

    for name in ("instructions", "items"):
        made = rows(out / f"{name}.jsonl")
        reworded = sum(row.get("wording") == "model" for row in made)
        expect(reworded > 0, f"{name} in the server's words", f"{reworded} of {len(made)}")

    said = {row["text"] for row in rows(out / "answers.jsonl")}
    trajectories = rows(out / "trajectories.jsonl")
    planned = collections.Counter(row["domain"] for row in trajectories
                                  if all(message["content"] in said for message in row["messages"] if message["role"] == "assistant"))
    expect(set(planned) == {"c0", "c1", "c2", "c3"}, "trajectories of the server's plans are kept in every domain",
           f"{dict(sorted(planned.items()))} of {len(trajectories)}")
    revisions = [step["revision"] for row in trajectories for step in row["steps"]]
    of_server = sum(any(text.endswith(revision) for text in (said if revision not in said else [revision])) for revision in revisions)
    expect(of_server > .8 * len(revisions) > 0, "the server's revisions are in the trajectories", f"{of_server} of {len(revisions)}")

    stages = {f"{run} {stage['name']}": stage for run in ("rounds", "judged") for stage in document(out / run / "summary.json")["stages"]
              if stage["name"].startswith("round-")}
    expect(list(stages) == ["rounds round-1", "rounds round-2", "judged round-1"], "two rounds and one", list(stages))
    for name, stage in stages.items():
        expect(set(stage["pairs_by_step"]) == set("12345"), f"pairs of every step in {name}", stage["pairs_by_step"])
    judged = [row["verdict"] for row in rows(out / "judged/round-1/pairs/responses.jsonl") if "best" in row.get("verdict", {})]
    expect(len(judged) > 0, "a round is judged by the server", f"{len(judged)} verdicts, by {document(out / 'judged/manifest.json')['notes']['judge']}")

    for name in ("t3", "t5", "t6", "t7", "t11", "f3"):
        with open(out / f"tables/{name}.csv", encoding="utf-8", newline="") as file:
            cells = [cell for row in list(csv.reader(file))[1:] for cell in row]
        empty = sum(cell in ("", "-") for cell in cells)
        expect(cells and empty == 0, f"no empty cell in {name}", f"{empty} of {len(cells)}")
    expect((out / "tables/f3.svg").read_text().count("<polyline") >= 4, "four curves in Figure 3", "f3.svg")
    if failed:
        sys.exit(f"reproduce_craft: {len(failed)} of the above failed")


COMMANDS = {"texts": texts, "turns": turns, "models": models, "check": check}

if __name__ == "__main__":
    COMMANDS[sys.argv[1]](*sys.argv[2:])
