import { useMemo } from "react";
import { partsOf } from "./why-it-fits.ts";

/** A text in which the searched words are marked. */
export function FoundText({ text, query }: { text: string; query: string }) {
  const parts = useMemo(() => partsOf(text, query), [text, query]);
  return parts.map(({ part, found, at }) =>
    found ? (
      <mark
        key={at}
        className="rounded-xs bg-transparent text-inherit underline decoration-accent decoration-2"
      >
        {part}
      </mark>
    ) : (
      part
    ),
  );
}
