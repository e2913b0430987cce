import { memo, useState } from "react";
import { healthOf } from "../../model/health.ts";
import { useRow } from "../../model/rows.ts";
import { Cable, type CableRoute } from "./cable.tsx";

interface RowCableProps extends CableRoute {
  agentId: string;
  pluginKey: string;
  /** Another cable is looked at. */
  dimmed: boolean;
}

/** The cable of one row; follows that row alone. */
export const RowCable = memo(function RowCable({ agentId, pluginKey, dimmed, ...route }: RowCableProps) {
  const row = useRow(agentId, pluginKey);
  const calls = row.view?.instance.calls.count ?? 0;
  const [callsAtFirst] = useState(calls);
  return (
    <g data-cable-of={pluginKey} opacity={dimmed ? 0.22 : 1} className="transition-opacity">
      <Cable
        {...route}
        health={healthOf(row)}
        runtime={row.plugin?.runtime ?? "native"}
        pulse={calls === callsAtFirst ? null : calls}
      />
    </g>
  );
});
