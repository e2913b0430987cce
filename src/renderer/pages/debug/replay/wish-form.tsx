import { FileCheck2, RotateCcw } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { RecordedTurn } from "../../../../contract/procedures/debug/traces.ts";
import { cleanLine } from "../../../../contract/shown/clean-text.ts";
import type { ReplayWish } from "../../../../contract/trace/replay.ts";
import { formatClock } from "../../../base/i18n/time.ts";
import { Confirm } from "../../../ui/confirm.tsx";
import { Button } from "../../../ui/controls/button.tsx";
import { Segments } from "../../../ui/controls/segments.tsx";
import { ChangedPlugins } from "./changed-plugins.tsx";
import type { Parts } from "./use-turns.ts";

interface WishFormProps {
  turns: readonly RecordedTurn[];
  turnId: string;
  parts: Parts;
  busy: boolean;
  nameOf(key: string): string;
  /** The versions of a plugin that are kept beside the installed one, newest first. */
  versionsOf(key: string): readonly string[];
  onTurn(turnId: string): void;
  onRun(wish: ReplayWish): Promise<unknown>;
  onStop(): void;
  onKeep(): void;
}

type Source = "recorded" | "live";
type ModelChoice = "recorded" | "own" | "named";

/** Which turn is run again, and what of it is from the record. */
export function WishForm(props: WishFormProps) {
  const { turns, turnId, parts, busy, nameOf, versionsOf, onTurn, onRun, onStop, onKeep } = props;
  const { t } = useTranslation();
  const [plugins, setPlugins] = useState<Source>("recorded");
  const [tools, setTools] = useState<Source>("recorded");
  const [model, setModel] = useState<ModelChoice>("recorded");
  const [name, setName] = useState("");
  /** The chosen plugins: null is left out, otherwise the version that is asked. */
  const [changed, setChanged] = useState<ReadonlyMap<string, string | null>>(new Map());
  const [asking, setAsking] = useState(false);
  const without = parts.owners.filter((key) => changed.get(key) === null);
  const versions = Object.fromEntries(
    parts.owners.flatMap((key) => {
      const version = changed.get(key);
      return version ? [[key, version]] : [];
    }),
  );
  const isChanged = parts.owners.some((key) => changed.has(key));
  // What is to be another than it was needs the plugins to be asked.
  const isLive = plugins === "live" || tools === "live" || model !== "recorded" || isChanged;
  const wish: ReplayWish = {
    plugins: isLive ? "live" : "recorded",
    tools,
    without,
    versions,
    model: model === "named" ? name.trim() : model,
  };
  const isReady = model !== "named" || name.trim() !== "";
  const reallyDoes = tools === "live" || model !== "recorded";
  return (
    <form
      aria-label={t("replay.run")}
      className="shrink-0 rounded-lg border border-line bg-surface px-4 py-3 shadow-card"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isReady || busy) return;
        if (reallyDoes) setAsking(true);
        else void onRun(wish);
      }}
    >
      <div className="flex flex-wrap items-end gap-x-5 gap-y-3">
        <label className="min-w-44 flex-1 text-xs font-medium text-mute">
          {t("timeline.turn")}
          <select
            className="field mt-1 h-8 w-full py-0 text-sm font-normal text-ink"
            value={turnId}
            onChange={({ target }) => onTurn(target.value)}
          >
            {turns.map((turn) => (
              <option key={turn.turnId} value={turn.turnId}>
                {t("timeline.turnAt", {
                  time: formatClock(turn.at),
                  text: cleanLine(turn.text).slice(0, 80),
                })}
              </option>
            ))}
          </select>
        </label>
        <Choice name={t("replay.plugins")}>
          <Segments<Source>
            size="sm"
            value={isLive ? "live" : "recorded"}
            options={[
              { value: "recorded", label: t("replay.recorded") },
              { value: "live", label: t("replay.asked") },
            ]}
            onChange={(next) => {
              setPlugins(next);
              if (next === "live") return;
              setTools("recorded");
              setModel("recorded");
              setChanged(new Map());
            }}
          />
        </Choice>
        <Choice name={t("replay.tools")}>
          <Segments<Source>
            size="sm"
            value={tools}
            options={[
              { value: "recorded", label: t("replay.recorded") },
              { value: "live", label: t("replay.reallyRun") },
            ]}
            onChange={setTools}
          />
        </Choice>
        <Choice name={t("replay.model")}>
          <Segments<ModelChoice>
            size="sm"
            value={model}
            options={[
              { value: "recorded", label: t("replay.recorded") },
              { value: "own", label: t("replay.ownModel") },
              { value: "named", label: t("replay.otherModel") },
            ]}
            onChange={setModel}
          />
        </Choice>
        {model === "named" && (
          <label className="block text-xs font-medium text-mute">
            {t("replay.modelName")}
            <input
              className="field mt-1 block h-8 w-40 py-0 text-sm font-normal text-ink"
              value={name}
              onChange={({ target }) => setName(target.value)}
            />
          </label>
        )}
      </div>
      {parts.owners.length > 0 && (
        <ChangedPlugins
          owners={parts.owners}
          changed={changed}
          nameOf={nameOf}
          versionsOf={versionsOf}
          onChange={setChanged}
        />
      )}
      <div className="mt-3 flex flex-wrap items-center gap-2">
        <Button
          type="submit"
          look="accent"
          busy={busy}
          disabled={!isReady}
          icon={<RotateCcw className="size-3.5" aria-hidden="true" />}
        >
          {t("replay.again")}
        </Button>
        {busy && (
          <Button look="quiet" onClick={onStop}>
            {t("replay.stop")}
          </Button>
        )}
        <span className="min-w-0 flex-1 text-xs text-pretty text-mute">
          {t(`replay.about.${aboutOf(wish)}`)}
        </span>
        <Button
          look="quiet"
          size="sm"
          icon={<FileCheck2 className="size-3.5" aria-hidden="true" />}
          onClick={onKeep}
        >
          {t("replay.keep")}
        </Button>
      </div>
      <Confirm
        open={asking}
        onClose={() => setAsking(false)}
        title={t(tools === "live" ? "replay.reallyRunTitle" : "replay.reallyAskTitle")}
        consequences={consequences()}
        verb={t("replay.again")}
        run={async () => {
          // It may take as long as the turn did; the question goes at once.
          void onRun(wish);
        }}
      />
    </form>
  );

  function consequences(): string[] {
    const tool = parts.ran.map(({ tool: one, count }) => (count > 1 ? `${one} (${count})` : one)).join(", ");
    return [
      ...(tools === "live"
        ? [
            tool === "" ? t("replay.runsNone") : t("replay.runsTools", { tools: tool }),
            t("replay.runsMore"),
            t("replay.asksAsAlways"),
          ]
        : []),
      ...(model === "recorded" ? [] : [t("replay.costs")]),
    ];
  }
}

function aboutOf({ plugins, tools, model }: ReplayWish): "recorded" | "asked" | "run" | "model" {
  if (tools === "live") return "run";
  if (model !== "recorded") return "model";
  return plugins === "live" ? "asked" : "recorded";
}

function Choice({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <fieldset>
      <legend className="mb-1 text-xs font-medium text-mute">{name}</legend>
      {children}
    </fieldset>
  );
}
