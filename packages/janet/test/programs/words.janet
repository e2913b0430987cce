# Counts words: tables, strings, sorting, destructuring.
(def text "the quick brown fox jumps over the lazy dog the end")
(def counts @{})
(each word (string/split " " text)
  (update counts word |(inc (or $ 0))))
(loop [[word n] :in (sort-by (fn [[w n]] [(- n) w]) (pairs counts)) :when (> n 1)]
  (printf "%-6s %d" word n))
(get counts "the")
