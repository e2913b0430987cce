import { memo, useMemo } from "react";
import { CopyButton } from "../../../ui/controls/copy-button.tsx";
import { type TokenKind, tokensOf } from "./code-tokens.ts";

interface CodeBlockProps {
  text: string;
  language: string | null;
}

const colours: Record<TokenKind, string | undefined> = {
  plain: undefined,
  comment: "text-mute italic",
  string: "text-ok",
  number: "text-drawn-blue",
  word: "text-drawn-magenta",
};

/** A block of code with its language and a way to copy it. It scrolls inside of its own box. */
export const CodeBlock = memo(function CodeBlock({ text, language }: CodeBlockProps) {
  const tokens = useMemo(() => tokensOf(text, language), [text, language]);
  return (
    <div className="overflow-hidden rounded-md border border-line bg-surface">
      <div className="flex items-center justify-between gap-2 border-b border-line py-0.5 pr-1 pl-3">
        <span className="truncate text-xs text-mute">{language}</span>
        <CopyButton text={() => text} />
      </div>
      <pre tabIndex={0} className="figure overflow-x-auto px-3 py-2 focus-visible:-outline-offset-2">
        {tokens
          ? tokens.map(({ kind, text: piece }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a stream only grows at its end
              <span key={index} className={colours[kind]}>
                {piece}
              </span>
            ))
          : text}
      </pre>
    </div>
  );
});
