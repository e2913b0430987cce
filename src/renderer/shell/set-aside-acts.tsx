import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Notice } from "../../contract/agent.ts";
import { rpc } from "../base/client/rpc.ts";
import { useAction } from "../ui/action.ts";
import { Confirm } from "../ui/confirm.tsx";
import { Button } from "../ui/controls/button.tsx";
import { ProblemNote } from "../ui/problem-note.tsx";

/** The row that a notice says was set aside; null when it says something else. */
export function setAsideOf({ problem }: Notice): { id: string; found: boolean } | null {
  const { id, found } = problem.details ?? {};
  if (problem.code !== "STATE_TAMPERED" || typeof id !== "string") return null;
  return { id, found: found !== false };
}

interface SetAsideActsProps {
  notice: Notice;
  row: { id: string; found: boolean };
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
      {leave.problem && <ProblemNote problem={leave.problem} />}
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
