import { Fragment } from "react";

/** Text of a model: fenced blocks, inline code and bold; everything else as it stands. */
export function RichText({ text }: { text: string }) {
  const parts = text.split(/```[\w-]*\n?/);
  return parts.map((part, index) =>
    index % 2 === 1 ? (
      <pre key={keyOf(part, index)} className="figure my-2 overflow-x-auto rounded-md bg-surface px-3 py-2">
        {part.trimEnd()}
      </pre>
    ) : (
      <span key={keyOf(part, index)} className="whitespace-pre-wrap">
        <Inline text={part} />
      </span>
    ),
  );
}

function Inline({ text }: { text: string }) {
  return text.split(/(`[^`\n]+`|\*\*[^*\n]+\*\*)/).map((part, index) => {
    if (part.length > 2 && part.startsWith("`"))
      return (
        <code key={keyOf(part, index)} className="rounded-sm bg-surface px-1 py-px font-mono text-xs">
          {part.slice(1, -1)}
        </code>
      );
    if (part.length > 4 && part.startsWith("**"))
      return <strong key={keyOf(part, index)}>{part.slice(2, -2)}</strong>;
    return <Fragment key={keyOf(part, index)}>{part}</Fragment>;
  });
}

/** A stream only grows at its end, so places do not change. */
function keyOf(part: string, index: number): string {
  return `${index}:${part.length === 0}`;
}
