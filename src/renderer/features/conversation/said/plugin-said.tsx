import { useTranslation } from "react-i18next";
import type { PluginSaid as Said } from "../../../../contract/effects/effects.ts";
import { isObject } from "../../../../contract/is-object.ts";
import { useDisplayName } from "../../../model/rows.ts";
import { cx } from "../../../ui/class-names.ts";
import { ArgumentList } from "../../approvals/public.ts";
import { FoldedText } from "../messages/folded-text.tsx";
import { DrawnLines } from "./drawn-lines.tsx";
import { lineOf } from "./said-words.ts";

const tones = { quiet: "text-mute", warn: "text-warn", bad: "text-bad" };

/** What a plugin left in the conversation: a line, or a block with its name. The model is not sent it. */
export function PluginSaid({ owner, said }: { owner: string; said: Said }) {
  const { t } = useTranslation();
  const plugin = useDisplayName(owner) ?? owner;
  const line = lineOf(said, t);
  if (line) {
    return (
      <p data-tone={line.tone} className="flex items-baseline gap-2 px-1 text-sm">
        <span className="shrink-0 text-xs text-mute">[{plugin}]</span>
        <span className={cx("min-w-0 wrap-anywhere whitespace-pre-wrap", tones[line.tone])}>
          <FoldedText text={line.text} />
        </span>
      </p>
    );
  }
  if (said.kind !== "entry" && said.kind !== "customMessage") return null;
  return (
    <article
      aria-label={t("said.label", { plugin })}
      className="mr-8 rounded-lg rounded-bl-sm border border-line px-3.5 py-2.5"
    >
      <p className="mb-1 flex flex-wrap gap-x-2 text-xs text-mute">
        <span>[{plugin}]</span>
        {said.type !== undefined && <span>{said.type}</span>}
      </p>
      <Content said={said} />
    </article>
  );
}

function Content({ said }: { said: Extract<Said, { kind: "entry" | "customMessage" }> }) {
  if (said.lines && said.lines.length > 0) return <DrawnLines lines={said.lines} />;
  const text = said.kind === "customMessage" ? said.content : plain(said.data);
  if (text !== null) {
    return (
      <div className="wrap-anywhere whitespace-pre-wrap">
        <FoldedText text={text} />
      </div>
    );
  }
  return <ArgumentList value={fieldsOf(said.kind === "entry" ? said.data : null)} />;
}

/** Data that are a text by themselves; null for what has parts. */
function plain(data: unknown): string | null {
  if (typeof data === "string") return data;
  return typeof data === "number" || typeof data === "boolean" ? String(data) : null;
}

function fieldsOf(data: unknown): Record<string, unknown> {
  if (Array.isArray(data)) return Object.fromEntries(data.map((item, index) => [`${index + 1}`, item]));
  return isObject(data) ? data : {};
}
