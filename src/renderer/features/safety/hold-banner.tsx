import { LifeBuoy } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { rpc } from "../../base/client/rpc.ts";
import { problemLine } from "../../base/i18n/problem-words.ts";
import { settingsPath } from "../../base/routes.ts";
import { useMirror } from "../../store/mirror.ts";
import { useAction } from "../../ui/action.ts";
import { Button } from "../../ui/controls/button.tsx";

export async function leaveSafeMode(): Promise<void> {
  useMirror.setState({ holds: await rpc.holds.leaveSafeMode() });
}

/** Says on every screen that plugins are held off, and why. */
export function HoldBanner({ agentId }: { agentId: string }) {
  const { t } = useTranslation();
  const safeMode = useMirror((state) => state.holds?.safeMode);
  const search = useMirror((state) => state.holds?.searches.find((each) => each.status === "asking"));
  const agentOfSearch = search?.agentId ?? "";
  const searched = useMirror((state) => state.agents.get(agentOfSearch)?.name ?? agentOfSearch);
  const leave = useAction(leaveSafeMode);
  if (!safeMode && !search) return null;
  return (
    <div
      role="status"
      className="flex items-center gap-3 border-b border-warn/40 bg-warn-wash page-x py-2 text-sm"
    >
      <LifeBuoy className="size-4 shrink-0 text-warn" aria-hidden="true" />
      {safeMode ? (
        <>
          <p className="min-w-0 flex-1">
            <span className="font-medium">{t(`safety.on.${safeMode.reason}`)}</span>{" "}
            <span className="text-mute">
              {leave.problem ? problemLine(leave.problem) : t("safety.onText")}
            </span>
          </p>
          <Button size="sm" busy={leave.busy} onClick={() => void leave.act()}>
            {t("safety.leave")}
          </Button>
        </>
      ) : (
        <>
          <p className="min-w-0 flex-1 font-medium">{t("safety.running", { agent: searched })}</p>
          <Link
            to={settingsPath(agentId, "safety")}
            className="font-semibold underline decoration-line-strong underline-offset-3 hover:decoration-accent"
          >
            {t("safety.show")}
          </Link>
        </>
      )}
    </div>
  );
}
