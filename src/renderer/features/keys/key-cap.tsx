import { useKeyLabel } from "./key-words.ts";

/** A key, drawn as one. */
export function KeyCap({ keys }: { keys: string }) {
  const label = useKeyLabel();
  return (
    <kbd className="figure inline-flex h-6 items-center rounded-sm border border-b-2 border-line-strong bg-sunk px-1.5 text-xs font-semibold whitespace-nowrap text-ink">
      {label(keys)}
    </kbd>
  );
}
