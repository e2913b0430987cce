import { isObject } from "../../../../../contract/is-object.ts";
import { cleanText } from "../../../../../contract/shown/clean-text.ts";
import { ArgumentList } from "../../../../features/approvals/public.ts";
import { JsonTree } from "../../../../ui/json/json-tree.tsx";

/** Arguments as a list, a text as a text, anything else as a tree. */
export function Value({ label, value }: { label: string; value: unknown }) {
  return (
    <div>
      <h3 className="mb-1 text-xs text-mute">{label}</h3>
      {typeof value === "string" ? (
        <pre
          tabIndex={0}
          className="figure max-h-60 overflow-auto rounded-md bg-sunk px-3 py-2 wrap-anywhere whitespace-pre-wrap"
        >
          {cleanText(value)}
        </pre>
      ) : isFlat(value) ? (
        <ArgumentList value={value} />
      ) : (
        <JsonTree value={value} label={label} />
      )}
    </div>
  );
}

function isFlat(value: unknown): value is Record<string, unknown> {
  return (
    isObject(value) &&
    Object.keys(value).length <= 12 &&
    Object.values(value).every((each) => typeof each !== "object" || each === null)
  );
}
