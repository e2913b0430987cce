import { CopyButton } from "../../../ui/controls/copy-button.tsx";

/** A text to be copied into another program's settings. */
export function Snippet({ label, text }: { label: string; text: string }) {
  return (
    <figure className="overflow-hidden rounded-md border border-line bg-sunk">
      <figcaption className="flex min-h-9 items-center justify-between gap-3 border-b border-line px-3 text-xs text-mute">
        <span className="min-w-0 break-words">{label}</span>
        <CopyButton text={() => text} />
      </figcaption>
      <pre
        tabIndex={0}
        className="figure px-3 py-2 break-words whitespace-pre-wrap focus-visible:-outline-offset-2"
      >
        {text}
      </pre>
    </figure>
  );
}
