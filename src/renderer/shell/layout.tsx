import { lazy, Suspense, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Navigate, Outlet, useParams } from "react-router";
import { homePath } from "../base/routes.ts";
import { AgentDialogs } from "../features/agents/agent-dialogs.tsx";
import { DropZone } from "../features/install/drop/drop-zone.tsx";
import { InstallOutlet } from "../features/install/install-outlet.tsx";
import { KeyListener } from "../features/keys/key-listener.tsx";
import { Palette } from "../features/palette/palette.tsx";
import { useFollowPauses } from "../features/pauses/public.ts";
import { WallBanner } from "../features/permissions/wall-status.tsx";
import { PersonGate } from "../features/person/person-gate.tsx";
import { PackagesOutlet } from "../features/plugins/missing-packages.tsx";
import { HoldBanner } from "../features/safety/hold-banner.tsx";
import { WizardOutlet } from "../features/setup/wizard-outlet.tsx";
import { type Mirror, useMirror } from "../store/mirror.ts";
import { panels } from "../store/panels.ts";
import { Announcer } from "../ui/announce.tsx";
import { cx } from "../ui/class-names.ts";
import { ConnectionNote } from "../ui/connection-note.tsx";
import { Button } from "../ui/controls/button.tsx";
import { EmptyState } from "../ui/empty/empty-state.tsx";
import { Notices } from "./notices.tsx";
import { Rail } from "./rail.tsx";
import { UnknownAgent } from "./unknown-link.tsx";
import { useFrame } from "./use-frame.ts";
import { VaultBanner, VaultGate } from "./vault-gate.tsx";

const Conversation = lazy(async () => ({
  default: (await import("../features/conversation/conversation-panel.tsx")).ConversationPanel,
}));

const lastAgent = "patchbay.agent";

/** The frame of every screen: rail, page, and the conversation beside it. */
export function Layout() {
  const { agentId = "" } = useParams();
  const known = useMirror((state) => state.agents.has(agentId));

  const [shown, setShown] = useState<string>();

  useEffect(() => {
    if (!known) return;
    localStorage.setItem(lastAgent, agentId);
    setShown(agentId);
  }, [known, agentId]);

  // The agent was removed while it was shown, here or elsewhere: show another agent without an explanation.
  if (!known && shown === agentId) return <Navigate to="/" replace />;
  if (!known) return <UnknownAgent agentId={agentId} />;
  return (
    <VaultGate>
      <Frame agentId={agentId} />
    </VaultGate>
  );
}

function Frame({ agentId }: { agentId: string }) {
  const stale = useMirror((state) => state.connection !== "live");
  const { conversation, narrowRail } = useFrame();
  useFollowPauses();
  return (
    <div className="flex h-full">
      <Rail agentId={agentId} narrow={narrowRail} />
      <div className="flex min-w-0 flex-1 flex-col">
        <ConnectionNote />
        <VaultBanner />
        <HoldBanner agentId={agentId} />
        <WallBanner />
        <Notices />
        <div className="flex min-h-0 flex-1">
          <main
            aria-busy={stale}
            className={cx(
              "@container/page min-w-0 flex-1 transition-[filter] duration-150",
              conversation === "instead" && "hidden",
              // Removes the colours and keeps the contrast: what may be out of date can still be read.
              stale && "grayscale",
            )}
          >
            <Outlet />
          </main>
          {conversation !== "closed" && (
            <Suspense fallback={<div className="w-[400px] border-l border-line bg-surface" />}>
              <Conversation key={agentId} agentId={agentId} alone={conversation === "instead"} />
            </Suspense>
          )}
        </div>
      </div>
      <InstallOutlet agentId={agentId} />
      <PackagesOutlet />
      <AgentDialogs />
      <WizardOutlet />
      <Palette agentId={agentId} />
      <KeyListener agentId={agentId} />
      <DropZone />
      <PersonGate />
      <Announcer />
    </div>
  );
}

/** The agent that was shown last, else the first one. */
function someAgent({ agents }: Mirror): string | undefined {
  const last = localStorage.getItem(lastAgent);
  return last !== null && agents.has(last) ? last : [...agents.keys()][0];
}

/**
 * Changes an address without an agent into one with an agent before anything is drawn, which saves one drawing at the
 * start.
 */
export function beginAtSomeAgent(): void {
  const target = someAgent(useMirror.getState());
  if (target !== undefined && /^#?\/?$/.test(location.hash))
    history.replaceState(null, "", `#${homePath(target)}`);
}

/** Leads to some agent's home; without any, the way to make one. */
export function ToSomeAgent() {
  const { t } = useTranslation();
  const target = useMirror(someAgent);
  if (target !== undefined) return <Navigate to={homePath(target)} replace />;
  return (
    <main className="grid h-full content-center px-8">
      <EmptyState
        size="page"
        as="h1"
        title={t("agents.noneTitle")}
        text={t("agents.noneText")}
        action={
          <Button look="accent" onClick={() => panels.createAgent(true)}>
            {t("agents.create")}
          </Button>
        }
      />
      <AgentDialogs />
    </main>
  );
}
