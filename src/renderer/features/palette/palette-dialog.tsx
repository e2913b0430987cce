import { AppWindow, Bot, Compass, Link2, Plug, Search, Zap } from "lucide-react";
import { Dialog } from "radix-ui";
import { type KeyboardEvent, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { problemOf, type ShownProblem } from "../../base/client/problem.ts";
import { cx } from "../../ui/class-names.ts";
import { ConnectionNote } from "../../ui/connection-note.tsx";
import { ProblemNote } from "../../ui/problem-note.tsx";
import { Spinner } from "../../ui/spinner.tsx";
import type { Entry, EntryKind } from "./entry.ts";
import { recentChoices, rememberChoice } from "./recent.ts";
import { rank } from "./score.ts";
import { useEntries } from "./use-entries.ts";

const most = 50;
const icons: Record<EntryKind, typeof Search> = {
  screen: AppWindow,
  plugin: Plug,
  agent: Bot,
  action: Zap,
  found: Compass,
  link: Link2,
};

/**
 * One field that finds everything: type, choose with the arrow keys, press Enter.
 * Written by hand instead of with `cmdk`, which mounts every entry. With our scoring as its filter it took 411 ms for a
 * key press over 10,000 entries (median; ours takes 26 ms) and 2.5 s to open (ours 0.3 s). When it got only our fifty
 * best entries it took 42 ms. Either way home would load 11 KB more.
 */
export function PaletteDialog({ agentId, onClose }: { agentId: string; onClose(): void }) {
  const { t } = useTranslation();
  const listId = useId();
  const [query, setQuery] = useState("");
  const [at, setAt] = useState(0);
  const [busy, setBusy] = useState<Entry | null>(null);
  const [problem, setProblem] = useState<ShownProblem | null>(null);
  const [recent] = useState(recentChoices);
  const list = useRef<HTMLDivElement>(null);
  const found = rank(useEntries(agentId, query), query, recent, most);
  const active = found[Math.min(at, found.length - 1)];

  const choose = async (entry: Entry) => {
    rememberChoice(entry.id);
    setProblem(null);
    const work = entry.run();
    if (!(work instanceof Promise)) return onClose();
    setBusy(entry);
    try {
      await work;
      onClose();
    } catch (error) {
      setProblem(problemOf(error));
    } finally {
      setBusy(null);
    }
  };
  const move = (to: number) => {
    const next = (to + found.length) % Math.max(1, found.length);
    setAt(next);
    list.current?.querySelector(`[data-place="${next}"]`)?.scrollIntoView({ block: "nearest" });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    switch (event.key) {
      case "ArrowDown":
        move(at + 1);
        break;
      case "ArrowUp":
        move(at - 1);
        break;
      case "Home":
        move(0);
        break;
      case "End":
        move(found.length - 1);
        break;
      case "Enter":
        if (active && !busy && !event.nativeEvent.isComposing) void choose(active);
        break;
      default:
        return;
    }
    event.preventDefault();
  };

  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 bg-scrim backdrop-blur-[3px]" />
        <Dialog.Content
          aria-describedby={undefined}
          className="fixed top-[12vh] left-1/2 z-50 flex max-h-[70vh] w-[min(640px,calc(100vw-32px))] -translate-x-1/2 flex-col overflow-hidden rounded-xl border border-line bg-raised shadow-high focus-visible:outline-none"
        >
          <Dialog.Title className="sr-only">{t("palette.title")}</Dialog.Title>
          <ConnectionNote inDialog />
          <div className="flex items-center gap-3 border-b border-line px-4">
            {busy ? (
              <Spinner className="text-mute" />
            ) : (
              <Search className="size-4 shrink-0 text-hint" aria-hidden="true" />
            )}
            <input
              role="combobox"
              aria-expanded="true"
              aria-controls={listId}
              aria-activedescendant={active && `${listId}-${found.indexOf(active)}`}
              aria-label={t("palette.title")}
              placeholder={t("palette.placeholder")}
              autoComplete="off"
              spellCheck={false}
              className="h-13 min-w-0 flex-1 bg-transparent text-lg placeholder:text-hint focus-visible:outline-none"
              value={query}
              onChange={(event) => {
                setQuery(event.target.value);
                setAt(0);
              }}
              onKeyDown={onKeyDown}
            />
          </div>
          {problem && <ProblemNote className="m-3" problem={problem} />}
          <div
            ref={list}
            id={listId}
            role="listbox"
            aria-label={t("palette.results")}
            className="min-h-0 flex-1 overflow-y-auto p-1.5"
          >
            {found.map((entry, place) => (
              <Option
                key={entry.id}
                id={`${listId}-${place}`}
                place={place}
                entry={entry}
                active={entry === active}
                recent={query === "" && recent.includes(entry.id)}
                onPoint={() => setAt(place)}
                onChoose={() => !busy && void choose(entry)}
              />
            ))}
          </div>
          <p role="status" className={cx("px-4 pb-4 text-sm text-mute", found.length > 0 && "sr-only")}>
            {found.length === 0 && t("palette.nothing", { query })}
          </p>
          <p className="border-t border-line bg-sunk px-4 py-2 text-xs text-mute" aria-hidden="true">
            {t("palette.hint")}
          </p>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

interface OptionProps {
  id: string;
  place: number;
  entry: Entry;
  active: boolean;
  recent: boolean;
  onPoint(): void;
  onChoose(): void;
}

function Option({ id, place, entry, active, recent, onPoint, onChoose }: OptionProps) {
  const { t } = useTranslation();
  const Icon = icons[entry.kind];
  return (
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={active}
      data-place={place}
      onPointerMove={onPoint}
      onPointerDown={(event) => event.preventDefault()}
      onClick={onChoose}
      onKeyDown={(event) => event.key === "Enter" && onChoose()}
      className={cx(
        "flex h-9 cursor-default items-center gap-3 rounded-md px-2.5 text-sm",
        active && "bg-sunk shadow-[inset_2px_0_0_var(--accent)]",
      )}
    >
      <Icon className={cx("size-4 shrink-0", active ? "text-accent" : "text-hint")} aria-hidden="true" />
      <span className="min-w-0 flex-1 truncate">{entry.text}</span>
      <span className="shrink-0 text-xs text-mute">
        {recent ? t("palette.recent") : t(`palette.kind.${entry.kind}`)}
      </span>
    </div>
  );
}
