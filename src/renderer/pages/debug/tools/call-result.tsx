import { useTranslation } from "react-i18next";
import { cleanText } from "../../../../contract/shown/clean-text.ts";
import type { ContentPart, ToolTrace } from "../../../../contract/turn.ts";
import { formatBytes } from "../../../base/i18n/time.ts";
import { CopyButton } from "../../../ui/controls/copy-button.tsx";
import { JsonTree } from "../../../ui/json/json-tree.tsx";

/** What came out of a call: text, JSON as a tree, pictures, and what it tells programs beside them. */
export function CallResult({ result }: { result: NonNullable<ToolTrace["result"]> }) {
  const { t } = useTranslation();
  const { content, details } = result;
  return (
    <div className="space-y-2.5">
      {content.map((part, index) => (
        // Parts of one result, which never change their places.
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        <Part key={index} part={part} />
      ))}
      {content.length === 0 && <p className="text-sm text-mute">{t("callTool.nothingCame")}</p>}
      {details !== undefined && details !== null && (
        <div>
          <h4 className="mb-1 text-xs font-medium text-mute">{t("callTool.details")}</h4>
          <JsonTree value={details} label={t("callTool.details")} />
        </div>
      )}
    </div>
  );
}

function Part({ part }: { part: ContentPart }) {
  const { t } = useTranslation();
  if (part.type === "image")
    return (
      <figure className="w-fit">
        <img
          src={`data:${part.mimeType};base64,${part.data}`}
          alt={t("tool.image")}
          className="max-h-72 min-h-12 min-w-12 rounded-md border border-line bg-sunk object-contain [image-rendering:auto]"
        />
        <figcaption className="mt-1 flex items-center gap-2 text-xs text-mute">
          {part.mimeType} · {formatBytes(Math.floor(part.data.length * 0.75))}
          <a
            className="underline decoration-line-strong underline-offset-3 hover:decoration-accent"
            download={`picture.${part.mimeType.split("/")[1] ?? "bin"}`}
            href={`data:${part.mimeType};base64,${part.data}`}
          >
            {t("callTool.save")}
          </a>
        </figcaption>
      </figure>
    );
  const json = jsonIn(part.text);
  if (json !== undefined) return <JsonTree value={json} label={t("callTool.result")} />;
  return (
    <div className="rounded-md bg-sunk">
      <pre
        // What scrolls is reached by the keyboard.
        tabIndex={0}
        className="figure max-h-72 overflow-auto px-3 py-2 wrap-anywhere whitespace-pre-wrap focus-visible:-outline-offset-2"
      >
        {cleanText(part.text)}
      </pre>
      <div className="flex justify-end border-t border-line py-0.5 pr-1">
        <CopyButton text={() => part.text} />
      </div>
    </div>
  );
}

/** The value of a text that is a JSON object or list; undefined for every other text. */
function jsonIn(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
