import { create } from "zustand";

const useAnnouncement = create<{ text: string }>()(() => ({ text: "" }));

/** Reads a sentence out to people who use a screen reader. */
export function announce(text: string): void {
  useAnnouncement.setState({ text });
}

export function Announcer() {
  const text = useAnnouncement((state) => state.text);
  return (
    <div aria-live="polite" className="sr-only">
      {text}
    </div>
  );
}
