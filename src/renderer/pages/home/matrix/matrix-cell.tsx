import type { TFunction } from "i18next";
import { memo } from "react";
import type { RuntimeId } from "../../../../contract/plugin.ts";
import { usePluginSwitch } from "../../../features/plugins/use-plugin-actions.ts";
import { type Health, healthOf, tones } from "../../../model/health.ts";
import { displayName, useRow } from "../../../model/rows.ts";
import { cx } from "../../../ui/class-names.ts";
import { Switch } from "../../../ui/controls/switch.tsx";
import { PatchDrawing } from "../../../ui/patch/patch-drawing.tsx";
import { StateShape } from "../../../ui/state-mark.tsx";
import type { Spot } from "./use-roving.ts";

interface MatrixCellProps {
  /** Passed down as a property: scrolling makes many cells, and each hook in them costs time. */
  t: TFunction;
  agentId: string;
  agentName: string;
  pluginKey: string;
  row: number;
  column: number;
  tabStop: boolean;
  current: boolean;
  onFocus(spot: Spot): void;
  left: number;
  width: number;
}

const toneColours = { warn: "text-warn", bad: "text-bad" } as const;

/** One plugin for one agent: how it stands, in one glyph, and the switch. Follows its own row alone. */
export const MatrixCell = memo(function MatrixCell(props: MatrixCellProps) {
  const { t, agentId, agentName: agent, pluginKey, row: at, column, tabStop, current, onFocus } = props;
  const { left, width } = props;
  const row = useRow(agentId, pluginKey);
  const { pending, problem, setEnabled } = usePluginSwitch(agentId, pluginKey);
  const health = healthOf(row);
  const name = displayName(row);
  const on = row.view?.enabled ?? false;
  const word = t(`state.${health}`);
  return (
    <div
      role="gridcell"
      aria-colindex={column + 1}
      data-state={health}
      title={problem?.message ?? `${t("matrix.cell", { name, agent })}: ${word}`}
      className={cx(
        "absolute inset-y-0 flex items-center justify-between gap-2 pr-4 pl-1",
        current && "bg-[color-mix(in_oklab,var(--accent)_5%,transparent)]",
        problem && "bg-bad-wash",
      )}
      style={{ left, width }}
      onFocus={() => onFocus({ row: at, column })}
    >
      <StateGlyph health={health} runtime={row.plugin?.runtime ?? "native"} />
      <Switch
        checked={on}
        pending={pending === "switch"}
        onChange={(enabled) => void setEnabled(enabled)}
        tabIndex={tabStop ? 0 : -1}
        spot={`${at}:${column}`}
        label={`${t(on ? "matrix.switchOff" : "matrix.switchOn", { name, agent })} (${word})`}
      />
    </div>
  );
});

/** The cable, which is there while it runs; nothing while it is off; the shape of its state where something is wrong. */
function StateGlyph({ health, runtime }: { health: Health; runtime: RuntimeId }) {
  const tone = tones[health];
  if (tone === "off") return <span />;
  if (tone === "ok" || tone === "busy")
    return <PatchDrawing layout="cell" health={health} runtime={runtime} />;
  return (
    <span className={cx("flex w-16 justify-end pr-1.5", toneColours[tone])}>
      <StateShape health={health} />
    </span>
  );
}
