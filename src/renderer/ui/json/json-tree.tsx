import { ChevronRight } from "lucide-react";
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { cx } from "../class-names.ts";
import { CopyButton } from "../controls/copy-button.tsx";
import { firstOpen, type TreeRow, treeRows } from "./tree-rows.ts";

interface JsonTreeProps {
  value: unknown;
  /** Read out: what the value is. */
  label: string;
  className?: string;
}

/**
 * A JSON value that can be opened and closed, by mouse and by the keys of a tree. Below it stands where the chosen line
 * lies, to be copied, and its value.
 */
export function JsonTree({ value, label, className }: JsonTreeProps) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(() => firstOpen(value));
  const [chosen, setChosen] = useState("$");
  const [isTouched, setTouched] = useState(false);
  const list = useRef<HTMLDivElement>(null);
  const rows = useMemo(() => treeRows(value, open), [value, open]);
  const at = Math.max(
    0,
    rows.findIndex(({ path }) => path === chosen),
  );
  const row = rows[at] as TreeRow;

  // Only after a key: what was merely drawn takes the focus from nobody.
  useEffect(() => {
    if (isTouched) list.current?.children[at]?.scrollIntoView({ block: "nearest" });
  }, [at, isTouched]);

  const set = (path: string, isOpen: boolean) =>
    setOpen((before) => {
      const after = new Set(before);
      if (isOpen) after.add(path);
      else after.delete(path);
      return after;
    });
  const go = (index: number) => {
    const next = rows[Math.min(Math.max(index, 0), rows.length - 1)];
    if (!next) return;
    setTouched(true);
    setChosen(next.path);
  };
  const parentOf = () => rows.findLastIndex(({ level }, index) => index < at && level < row.level);
  const press = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    switch (event.key) {
      case "ArrowDown":
        go(at + 1);
        break;
      case "ArrowUp":
        go(at - 1);
        break;
      case "Home":
        go(0);
        break;
      case "End":
        go(rows.length - 1);
        break;
      case "ArrowRight":
        if (row.isOpen === false) set(row.path, true);
        else if (row.isOpen) go(at + 1);
        break;
      case "ArrowLeft":
        if (row.isOpen) set(row.path, false);
        else go(parentOf());
        break;
      case "Enter":
      case " ":
        if (row.isOpen !== null) set(row.path, !row.isOpen);
        break;
      default:
        return;
    }
    event.preventDefault();
  };

  return (
    <div className={cx("overflow-hidden rounded-md bg-sunk", className)}>
      <div
        ref={list}
        role="tree"
        aria-label={label}
        tabIndex={0}
        aria-activedescendant={idOf(label, at)}
        onKeyDown={press}
        className="figure max-h-96 overflow-auto py-1.5 focus-visible:-outline-offset-2"
      >
        {rows.map((one, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the tree around it has the keys
          <div
            key={one.path}
            id={idOf(label, index)}
            role="treeitem"
            // The tree itself has the focus.
            tabIndex={-1}
            aria-level={one.level}
            aria-posinset={one.place}
            aria-setsize={one.of}
            aria-selected={index === at}
            {...(one.isOpen !== null && { "aria-expanded": one.isOpen })}
            onClick={() => {
              setChosen(one.path);
              if (one.isOpen !== null) set(one.path, !one.isOpen);
            }}
            style={{ paddingLeft: `${one.level * 0.875 - 0.25}rem` }}
            className={cx(
              "flex cursor-default items-start gap-1 py-px pr-3",
              index === at ? "bg-raised" : "hover:bg-raised/60",
            )}
          >
            <ChevronRight
              aria-hidden="true"
              className={cx(
                "mt-[3px] size-3 shrink-0 text-mute transition-transform",
                one.isOpen === null && "invisible",
                one.isOpen && "rotate-90",
              )}
            />
            <span className="min-w-0 wrap-anywhere whitespace-pre-wrap">
              {one.name !== null && <span className="text-mute">{one.name}: </span>}
              <Shown row={one} />
            </span>
          </div>
        ))}
      </div>
      <div className="flex items-center gap-1 border-t border-line py-0.5 pr-1 pl-3">
        <code className="figure min-w-0 flex-1 truncate text-mute" title={row.path}>
          {row.path}
        </code>
        <CopyButton label={t("json.copyPath")} text={() => row.path} />
        <CopyButton label={t("json.copyValue")} text={() => textOf(row.value)} />
      </div>
    </div>
  );
}

function Shown({ row }: { row: TreeRow }) {
  const { t } = useTranslation();
  if (row.kind === "more")
    return <span className="font-sans text-mute">{t("json.more", { count: Number(row.value) })}</span>;
  if (row.isOpen && row.kind !== "text") {
    const count = Object.keys(row.value as object).length;
    return (
      <span className="text-mute">
        {row.kind === "list" ? "[" : "{"}
        <span className="font-sans"> {t("json.inside", { count })} </span>
        {row.kind === "list" ? "]" : "}"}
      </span>
    );
  }
  return <span className={tones[row.kind]}>{row.text}</span>;
}

const tones = {
  object: "text-mute",
  list: "text-mute",
  text: "text-[var(--fledge-text)]",
  plain: "text-[var(--flowly-text)]",
  more: "text-mute",
} as const;

function idOf(label: string, index: number): string {
  return `json-${label.replace(/\W+/g, "-")}-${index}`;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value, null, 2) ?? "");
}
