#!/bin/sh
# A server whose one tool says how it was started. Its programs are the system's own, which every wall shows.
answer() { printf '{"jsonrpc":"2.0","id":%s,"result":%s}\n' "$id" "$1"; }
while IFS= read -r line; do
  id=$(printf '%s' "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
  case "$line" in
    *'"initialize"'*)
      answer '{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"told","version":"1"}}' ;;
    *'"tools/list"'*) answer '{"tools":[{"name":"told","inputSchema":{"type":"object"}}]}' ;;
    *'"tools/call"'*)
      # Of its key the length alone: Patchbay takes the value out of what a tool answers.
      key="$ACME_KEY$WHALE_KEY"
      answer "{\"content\":[{\"type\":\"text\",\"text\":\"$* | ${#key} | $UV_CACHE_DIR | $PWD\"}]}" ;;
  esac
done
