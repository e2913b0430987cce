import { useEffect, useRef, useState } from "react";

/** Longer drafts are kept only until the page is closed, in characters. */
const longestKept = 500_000;
const prefix = "patchbay.draft.";

function read(place: string): string {
  return localStorage.getItem(prefix + place) ?? "";
}

function keep(place: string, text: string): void {
  try {
    if (text === "" || text.length > longestKept) localStorage.removeItem(prefix + place);
    else localStorage.setItem(prefix + place, text);
  } catch {
    // The browser's storage is full: the text stays in the field all the same.
  }
}

/** The fields that are on the screen now, by whom their text is for. */
const fields = new Map<string, (text: string) => void>();

/** Puts a text into the field in front of what is typed there, on the screen or for the next time. */
export function restoreDraft(place: string, text: string): void {
  keep(place, [text, read(place)].filter(Boolean).join("\n\n"));
  fields.get(place)?.(text);
}

/** What is typed and not sent yet. It survives a reload and a change of the page. `place`: whom it is for. */
export function useMessageDraft(place: string): [text: string, setText: (text: string) => void] {
  const [text, setText] = useState(() => read(place));
  const [shown, setShown] = useState(place);
  if (shown !== place) {
    keep(shown, text);
    setShown(place);
    setText(read(place));
  }
  const latest = useRef({ place, text });
  latest.current = { place, text };

  useEffect(() => {
    fields.set(place, (restored) => setText((typed) => [restored, typed].filter(Boolean).join("\n\n")));
    return () => void fields.delete(place);
  }, [place]);
  // Not with each letter: a long text is written at once when the person pauses or leaves.
  useEffect(() => {
    const timer = setTimeout(() => keep(place, text), 250);
    return () => clearTimeout(timer);
  }, [place, text]);
  useEffect(() => {
    const leave = () => keep(latest.current.place, latest.current.text);
    addEventListener("pagehide", leave);
    return () => {
      removeEventListener("pagehide", leave);
      leave();
    };
  }, []);
  return [text, setText];
}
