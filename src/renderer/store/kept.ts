import { useCallback, useState } from "react";

const kept = new Map<string, unknown>();

/**
 * State of a form that outlives the page it is on, for as long as this window is open: what was typed and not saved is there
 * when the person comes back. `forget` ends that, once it was saved or given up, and gives the first value back.
 */
export function useKept<T>(
  id: string,
  first: () => T,
): [value: T, keep: (value: T) => void, forget: () => void] {
  const [state, setState] = useState(() => ({ id, value: keptOr(id, first) }));
  // Another thing is being edited in the same place.
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
