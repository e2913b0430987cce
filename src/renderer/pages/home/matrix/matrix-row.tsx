import { memo } from "react";
import { useTranslation } from "react-i18next";
import { useShallow } from "zustand/react/shallow";
import { useMirror } from "../../../store/mirror.ts";
import { MatrixCell } from "./matrix-cell.tsx";
import { PluginHead } from "./matrix-heads.tsx";
import type { Spot } from "./use-roving.ts";

interface MatrixRowProps {
  pluginKey: string;
  row: number;
  /** In pixels, as everything here. */
  top: number;
  height: number;
  width: number;
  headWidth: number;
  columnWidth: number;
  agents: readonly string[];
  /** The agent whose column is marked. */
  current: string;
  /** Indexes of the agents whose cells are in the page. */
  columns: readonly number[];
  /**
   * The column of this row that has the keyboard's position; 0 is the plugin itself; null when the position is in
   * another row.
   */
  spotColumn: number | null;
  onFocus(spot: Spot): void;
}

/** One plugin with all its agents; drawn again only when something of its own changes, not at every step of a scroll. */
export const MatrixRow = memo(function MatrixRow(props: MatrixRowProps) {
  const { pluginKey, row, top, height, width, headWidth, columnWidth } = props;
  const { agents, current, columns, spotColumn, onFocus } = props;
  const { t } = useTranslation();
  const names = useMirror(useShallow((state) => agents.map((id) => state.agents.get(id)?.name ?? id)));
  return (
    <div
      role="row"
      aria-rowindex={row + 2}
      className="absolute left-0 border-b border-line"
      style={{ top, width, height }}
    >
      <PluginHead
        agentId={current}
        pluginKey={pluginKey}
        row={row}
        tabStop={spotColumn === 0}
        onFocus={onFocus}
        width={headWidth}
      />
      {columns.map((index) => {
        const id = agents[index] ?? "";
        return (
          <MatrixCell
            key={id}
            t={t}
            agentId={id}
            agentName={names[index] ?? id}
            pluginKey={pluginKey}
            row={row}
            column={index + 1}
            tabStop={spotColumn === index + 1}
            current={id === current}
            onFocus={onFocus}
            left={headWidth + index * columnWidth}
            width={columnWidth}
          />
        );
      })}
    </div>
  );
});
