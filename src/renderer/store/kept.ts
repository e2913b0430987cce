import { useCallback, useState } from "react";

const kept = new Map<string, unknown>();

/**
 * State of a form that outlives its page, as long as this window is open: what was typed and not saved is still there
 * when the person comes back. `forget` drops it, after it was saved or discarded, and returns to the first value.
 */
export function useKept<T>(
  id: string,
  first: () => T,
): [value: T, keep: (value: T) => void, forget: () => void] {
  const [state, setState] = useState(() => ({ id, value: keptOr(id, first) }));
  // The same component now edits another thing.
  const value = state.id === id ? state.value : keptOr(id, first);
  const keep = useCallback(
    (next: T) => {
      kept.set(id, next);
      setState({ id, value: next });
    },
    [id],
  );
  const forget = () => {
    kept.delete(id);
    setState({ id, value: first() });
  };
  return [value, keep, forget];
}

function keptOr<T>(id: string, first: () => T): T {
  return kept.has(id) ? (kept.get(id) as T) : first();
}
