"""Makes a small random Llama with a chat template, for `transformers serve` to serve.

    python make_served.py FOLDER    seed from CRAFT_PARITY_SEED (default 1)

Its tokens are pieces of printable ASCII, so that an answer's text says which tokens it was made of; the row of the end token is
longer than others, so that some answers end by themselves.
"""
import os
import string
import sys

import tokenizers as tk
import torch
import transformers as tf
from tokenizers import decoders, models, pre_tokenizers, trainers

SPECIAL = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
TEMPLATE = ("{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\\n' + message['content'] + '<|im_end|>' + '\\n' }}"
            "{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}")
WORDS = ("the mill was built by a river in the town and it closed when the water fell "
         "Revise the text as the request asks Answer with the revised text alone").split()

torch.set_num_threads(1)
tf.logging.set_verbosity_error()


def make_tokenizer():
    inner = tk.Tokenizer(models.BPE())
    inner.pre_tokenizer, inner.decoder = pre_tokenizers.ByteLevel(add_prefix_space=False), decoders.ByteLevel()
    printable = [c for c in string.printable[:95] if c != " "] + ["Ġ", "Ċ"]
    inner.train_from_iterator([" " + word for word in WORDS],
                              trainers.BpeTrainer(vocab_size=200, special_tokens=SPECIAL, initial_alphabet=printable,
                                                  show_progress=False))
    return tf.PreTrainedTokenizerFast(tokenizer_object=inner, bos_token=SPECIAL[0], eos_token=SPECIAL[2], pad_token=SPECIAL[0],
                                      clean_up_tokenization_spaces=False, chat_template=TEMPLATE)


def make_model(vocabulary):
    torch.manual_seed(int(os.environ.get("CRAFT_PARITY_SEED", "1")))
    config = tf.LlamaConfig(vocab_size=vocabulary, hidden_size=48, intermediate_size=96, num_hidden_layers=2, num_attention_heads=4,
                            num_key_value_heads=2, max_position_embeddings=4096, initializer_range=0.2, bos_token_id=0,
                            eos_token_id=2, pad_token_id=0, tie_word_embeddings=False)
    model = tf.LlamaForCausalLM(config).eval()
    with torch.no_grad():
        model.lm_head.weight[2] *= 1.3
    return model


tokenizer = make_tokenizer()
tokenizer.save_pretrained(sys.argv[1])
make_model(len(tokenizer)).save_pretrained(sys.argv[1])
