# For the bench: a tool that answers at once, behind a check of its own.

(defn echo [args] (harness/json-extract args "text"))

(defn on-tool-start [ctx]
  (when (= "forbidden" (get-in ctx [:args "text"]))
    (harness/block "forbidden")))

(harness/register-tool "echo" "Says what it is told." "Echo"
  ```{"type": "object", "properties": {"text": {"type": "string"}}}```
  echo)
