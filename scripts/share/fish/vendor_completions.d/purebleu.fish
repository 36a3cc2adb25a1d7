# fish completion of purebleu, which it asks for the next words; FILE stands for names of files.

function __purebleu_words
  set -l line (commandline -opc)
  set -l begun (commandline -ct)
  set -l found ($line[1] help --words $line[2..-1] "$begun" 2> /dev/null)
  string match -v FILE -- $found
  contains FILE $found; and __fish_complete_path "$begun"
end
complete -c purebleu -f -a '(__purebleu_words)'
