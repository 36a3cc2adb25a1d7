# Evaluates the lines of a file one by one, and prints the results of calls of sacRebleu's functions.
arguments <- commandArgs(trailingOnly = TRUE)
if (arguments[2] != "") .libPaths(c(arguments[2], .libPaths()))
suppressMessages(library(sacRebleu))
cat("sacRebleu", as.character(packageVersion("sacRebleu")), "under R", as.character(getRversion()), fill = TRUE)
for (line in readLines(arguments[1])) {
  value <- suppressWarnings(tryCatch(eval(parse(text = line), globalenv()), error = function(error) NULL))
  if (startsWith(line, "bleu_")) cat(if (is.null(value)) "error" else sprintf("%a", value), fill = TRUE)
}
