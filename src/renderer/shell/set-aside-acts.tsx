import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Notice } from "../../contract/agent.ts";
import type { SetAsideDetails } from "../../contract/diagnostics.ts";
import { rpc } from "../base/client/rpc.ts";
import { useDisplayName } from "../model/rows.ts";
import { useMirror } from "../store/mirror.ts";
import { useAction } from "../ui/action.ts";
import { Confirm } from "../ui/confirm.tsx";
import { Button } from "../ui/controls/button.tsx";
import { ProblemNote } from "../ui/problem-note.tsx";

/** The row that a notice says was set aside; null when it says something else. */
export function setAsideOf({ problem }: Notice): SetAsideDetails | null {
  if (problem.code !== "STATE_TAMPERED") return null;
  // The core gives all of these details or none; checking them here would put the schema library into home's files.
  const details = problem.details as Partial<SetAsideDetails> | undefined;
  return details?.id !== undefined && details.collection !== undefined ? (details as SetAsideDetails) : null;
}

/** What was done to the row, and what holds instead. */
export function SetAsideWords({ row }: { row: SetAsideDetails }) {
  const { t } = useTranslation();
  const { collection, agentId, rowId, found, older, restored } = row;
  const ofAgent = collection === "agents" ? rowId : (agentId ?? "");
  const agent = useMirror((state) => state.agents.get(ofAgent)?.name ?? ofAgent);
  const plugin = useDisplayName(rowId) ?? rowId;
  const did = found ? (older ? "older" : "changed") : "removed";
  return (
    <>
      <span className="font-medium">
        {t(`setAside.${did}`, { what: t(`setAside.of.${collection}`, { agent, plugin }) })}
      </span>{" "}
      <span className="text-mute">
        {t(restored ? "setAside.restored" : "setAside.leftOut")}{" "}
        {collection !== "agents" && t("setAside.off")}
      </span>
    </>
  );
}

interface SetAsideActsProps {
  notice: Notice;
  row: SetAsideDetails;
}

/** What the person may do about state that somebody else changed: use it after all, or leave it out for good. */
export function SetAsideActs({ notice, row }: SetAsideActsProps) {
  const { t } = useTranslation();
  const [asking, setAsking] = useState(false);
  const leave = useAction(async () => {
    await rpc.diagnostics.dismissSetAside({ id: row.id });
    await rpc.app.dismissNotice({ id: notice.id });
  });
  const accept = async () => {
    await rpc.diagnostics.acceptSetAside({ id: row.id });
    await rpc.app.dismissNotice({ id: notice.id });
  };
  return (
    <>
      <div className="flex shrink-0 flex-wrap justify-end gap-2">
        <Button look="quiet" size="sm" busy={leave.busy} onClick={() => void leave.act()}>
          {t("setAside.leave")}
        </Button>
        {row.found && (
          <Button size="sm" onClick={() => setAsking(true)}>
            {t("setAside.use")}
          </Button>
        )}
      </div>
      {leave.problem && <ProblemNote className="order-last basis-full" problem={leave.problem} />}
      <Confirm
        open={asking}
        onClose={() => setAsking(false)}
        title={t("setAside.title")}
        consequences={[t("setAside.yours"), t("setAside.takes"), t("setAside.look")]}
        verb={t("setAside.use")}
        danger
        run={accept}
      />
    </>
  );
}
