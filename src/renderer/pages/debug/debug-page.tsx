import { Tabs } from "radix-ui";
import { Suspense, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate, useParams } from "react-router";
import { debugPath, useAgentId } from "../../base/routes.ts";
import { ConversationView } from "../../features/conversation/conversation-view.tsx";
import { BreakpointButton, PauseBar } from "../../features/pauses/public.ts";
import { useChosenSession } from "../../store/chosen-session.ts";
import { useMirror } from "../../store/mirror.ts";
import { Button } from "../../ui/controls/button.tsx";
import { Spinner } from "../../ui/spinner.tsx";
import { debugTabs } from "./debug-tabs.ts";

/** The conversation with the agent, and beside it what happened in it. */
export function DebugPage() {
  const { t } = useTranslation();
  const agentId = useAgentId();
  const navigate = useNavigate();
  const { tab } = useParams();
  const name = useMirror((state) => state.agents.get(agentId)?.name ?? agentId);
  const current = debugTabs.find(({ id }) => id === tab) ?? debugTabs[0];
  const { Panel } = current;
  const sessionId = useChosenSession(agentId);
  const tabs = useRef<HTMLDivElement>(null);
  // In a narrow window the row of tabs is longer than its place: the chosen one is seen whole.
  useEffect(() => {
    tabs.current
      ?.querySelector(`[data-tab="${current.id}"]`)
      ?.scrollIntoView({ block: "nearest", inline: "center" });
  }, [current.id]);
  const toReplay = (
    <Button size="sm" onClick={() => void navigate(debugPath(agentId, "replay"), { replace: true })}>
      {t("replay.open")}
    </Button>
  );
  return (
    <div className="@container h-full animate-appear">
      <div className="flex h-full min-w-0">
        <section
          aria-label={t("conversation.title", { agent: name })}
          className="hidden w-[clamp(340px,42%,560px)] shrink-0 flex-col border-r border-line bg-surface @3xl:flex"
        >
          <ConversationView
            key={agentId}
            agentId={agentId}
            titleIs="h2"
            actions={toReplay}
            hasPauseBar={false}
          />
        </section>
        <Tabs.Root
          value={current.id}
          onValueChange={(next) => void navigate(debugPath(agentId, next), { replace: true })}
          className="flex min-h-0 min-w-0 flex-1 flex-col"
        >
          <h1 className="sr-only">{t("debug.title")}</h1>
          <div className="flex shrink-0 items-start pr-6">
            <Tabs.List
              ref={tabs}
              aria-label={t("debug.tabs")}
              className="flex min-w-0 flex-1 gap-1.5 overflow-x-auto px-6 pt-4.5 pb-3 [mask-image:linear-gradient(to_right,transparent,black_24px,black_calc(100%-24px),transparent)] [scrollbar-width:none]"
            >
              {debugTabs.map((one) => (
                <Tabs.Trigger
                  key={one.id}
                  value={one.id}
                  data-tab={one.id}
                  className="h-7 shrink-0 rounded-full border border-line px-3 text-sm text-mute transition-colors hover:text-ink data-[state=active]:border-ink data-[state=active]:bg-ink data-[state=active]:text-bg"
                >
                  {t(`debug.tab.${one.id}`)}
                  {"useCount" in one && <TabCount agentId={agentId} useCount={one.useCount} />}
                </Tabs.Trigger>
              ))}
            </Tabs.List>
            <div className="pt-4.5">
              <BreakpointButton agentId={agentId} />
            </div>
          </div>
          <PauseBar agentId={agentId} sessionId={sessionId} />
          <Tabs.Content
            key={current.id}
            value={current.id}
            className="flex min-h-0 flex-1 flex-col focus-visible:-outline-offset-2"
          >
            <Suspense fallback={<Spinner className="m-6 text-mute" />}>
              <Panel key={agentId} agentId={agentId} />
            </Suspense>
          </Tabs.Content>
        </Tabs.Root>
      </div>
    </div>
  );
}

/** How many there are of what a tab shows. */
function TabCount({ agentId, useCount }: { agentId: string; useCount(agentId: string): number | null }) {
  const count = useCount(agentId);
  return count === null ? null : <span className="tabular-nums"> {count}</span>;
}
