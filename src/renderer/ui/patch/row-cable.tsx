import { memo, useState } from "react";
import { healthOf } from "../../model/health.ts";
import { useRow } from "../../model/rows.ts";
import { Cable, type CableRoute } from "./cable.tsx";

interface RowCableProps extends CableRoute {
  agentId: string;
  pluginKey: string;
}

/** The cable of one row; follows that row alone. */
export const RowCable = memo(function RowCable({ agentId, pluginKey, ...route }: RowCableProps) {
  const row = useRow(agentId, pluginKey);
  const calls = row.view?.instance.calls.count ?? 0;
  const [callsAtFirst] = useState(calls);
  return (
    <Cable
      {...route}
      health={healthOf(row)}
      runtime={row.plugin?.runtime ?? "native"}
      pulse={calls === callsAtFirst ? null : calls}
    />
  );
});
