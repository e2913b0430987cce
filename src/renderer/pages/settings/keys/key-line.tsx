import { Trash2, Undo2 } from "lucide-react";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { areaOf } from "../../../../contract/keys/commands.ts";
import type { BoundKey, KeyPlan } from "../../../../contract/keys/key-plan.ts";
import { KeyCap, useKeyLabel, useTargetWords } from "../../../features/keys/public.ts";
import { useDisplayName } from "../../../model/rows.ts";
import { useAction } from "../../../ui/action.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Button, IconButton } from "../../../ui/controls/button.tsx";
import { ProblemNote } from "../../../ui/problem-note.tsx";
import { KeyRecorder } from "./key-recorder.tsx";
import type { KeyRow } from "./key-rows.ts";
import { chooseKey, putKeyBack } from "./own-keys.ts";

interface KeyLineProps {
  row: KeyRow;
  plan: KeyPlan;
  recording: boolean;
  onRecord(on: boolean): void;
}

/** What can be done at a key: its keys, where they come from, and the ways to change that. */
export function KeyLine({ row, plan, recording, onRecord }: KeyLineProps) {
  const { t } = useTranslation();
  const words = useTargetWords();
  const plugin = useDisplayName(row.target.kind === "shortcut" ? row.target.plugin : null);
  const change = useRef<HTMLSpanElement>(null);
  const choose = useAction(chooseKey);
  const back = useAction(putKeyBack);
  const what = words(row.target);
  const problem = choose.problem ?? back.problem;
  const latest = useRef(recording);
  latest.current = recording;
  const close = () => {
    // Meanwhile the person may choose another key.
    if (!latest.current) return;
    onRecord(false);
    change.current?.querySelector("button")?.focus();
  };
  return (
    <li className="py-2 first:pt-0 last:pb-0">
      <div className="flex min-h-8 flex-wrap items-center gap-x-3 gap-y-1.5">
        <div className="min-w-0 flex-1 basis-56">
          <span className="text-sm break-words">{what}</span>
          {plugin && <span className="ml-2 text-xs text-mute">{plugin}</span>}
        </div>
        <div className="flex flex-wrap items-center gap-1.5">
          {row.keys.length === 0 && <span className="text-sm text-hint">{t("keys.none")}</span>}
          {row.keys.map((bound) => (
            <Cap key={`${bound.by} ${bound.keys}`} bound={bound} />
          ))}
          {row.isOwn && <Badge>{t("keys.own")}</Badge>}
        </div>
        <div className="flex items-center gap-0.5">
          <span ref={change}>
            <Button size="sm" aria-label={t("keys.changeOf", { what })} onClick={() => onRecord(!recording)}>
              {t("keys.change")}
            </Button>
          </span>
          <IconButton
            label={t("keys.remove", { what })}
            disabled={!row.keys.some(({ keys }) => keys !== "esc") || choose.busy}
            onClick={() => void choose.act(row.id, null)}
          >
            <Trash2 className="size-4" aria-hidden="true" />
          </IconButton>
          <IconButton
            label={t("keys.putBack", { what })}
            disabled={!row.isOwn || back.busy}
            onClick={() => void back.act(row.id)}
          >
            <Undo2 className="size-4" aria-hidden="true" />
          </IconButton>
        </div>
      </div>
      {row.taken.map(({ keys, by }) => (
        <Taken key={keys} keys={keys} by={by} />
      ))}
      {recording && (
        <KeyRecorder
          what={what}
          inComposer={row.target.kind === "command" && areaOf(row.target.command) === "composer"}
          plan={plan}
          present={row.keys.map(({ keys }) => keys)}
          busy={choose.busy}
          onChoose={(keys) => void choose.act(row.id, keys).then((saved) => saved && close())}
          onCancel={close}
        />
      )}
      {problem && <ProblemNote className="mt-2" problem={problem} />}
    </li>
  );
}

function Cap({ bound: { keys, by, plugin, target } }: { bound: BoundKey }) {
  const { t } = useTranslation();
  const name = useDisplayName(plugin ?? null) ?? "";
  const isBrought = by === "plugin" && target.kind === "command";
  return (
    <>
      <KeyCap keys={keys} />
      {isBrought && <Badge>{t("keys.byPlugin", { plugin: name })}</Badge>}
    </>
  );
}

/** Says where a usual key went. */
function Taken({ keys, by: { target, plugin } }: { keys: string; by: BoundKey }) {
  const { t } = useTranslation();
  const label = useKeyLabel();
  const words = useTargetWords();
  const name = useDisplayName(plugin ?? null) ?? "";
  return (
    <p className="mt-1 text-sm text-mute">
      {target.kind === "nothing"
        ? t("keys.takenBy", { plugin: name, keys: label(keys) })
        : t("keys.taken", { keys: label(keys), what: words(target) })}
    </p>
  );
}
