"""8: a file of any size, as the command line scores it."""

import purebleu

for name, lines in {"out.txt": ["The cat sat on the mat."], "ref.txt": ["The cat sat on a mat."]}.items():
    with open(name, "w", encoding="utf-8") as file:
        file.writelines(f"{line}\n" for line in lines)

scores = purebleu.score_files("out.txt", ["ref.txt"], metrics=["bleu", "chrf"])
print(scores["BLEU"])
print(list(scores))
