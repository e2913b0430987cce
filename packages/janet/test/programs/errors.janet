# Errors through fibers, defer and try.
(def log @[])
(defn risky [n]
  (defer (array/push log [:left n])
    (if (> n 2) (error {:too-much n}) n)))
(def results
  (seq [n :range [0 5]]
    (try (risky n) ([e f] [(e :too-much) (fiber/status f)]))))
(def gen (coro (each x [1 2 3] (yield (* x 10)))))
[results log (seq [x :in gen] x) (fiber/status gen)]
