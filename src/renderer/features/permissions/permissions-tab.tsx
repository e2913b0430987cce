import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Grants } from "../../../contract/grants.ts";
import { comparedGrants, type GrantStep } from "../../../contract/permissions/compared.ts";
import type { PluginPermissions } from "../../../contract/permissions/view.ts";
import { useNow } from "../../base/i18n/time.ts";
import type { Row } from "../../model/rows.ts";
import { Button } from "../../ui/controls/button.tsx";
import { ProblemNote } from "../../ui/problem-note.tsx";
import { Spinner } from "../../ui/spinner.tsx";
import { allowHost, withStep } from "./grant-edits.ts";
import { FilesPart } from "./kinds/files-part.tsx";
import { type Kind, KindBlock, type Lamp } from "./kinds/kind-block.tsx";
import { ModelPart } from "./kinds/model-part.tsx";
import { NetworkPart } from "./kinds/network-part.tsx";
import { ProgramsPart } from "./kinds/programs-part.tsx";
import { PutInSecrets } from "./put-in-secrets.tsx";
import { SeenPart } from "./seen-part.tsx";
import { stepWords } from "./step-words.ts";
import { usePermissions } from "./use-permissions.ts";
import { WallStatus } from "./wall-status.tsx";

/** How long a lamp stays lit, in milliseconds. */
const litMs = 8_000;

/** What the plugin may reach for this agent, as it is enforced, with what it did. Changes are saved together. */
export function PermissionsTab({ row }: { row: Row }) {
  const { t } = useTranslation();
  const now = useNow(2_000);
  const { permissions, problem, grant, saving } = usePermissions(row);
  const [draft, setDraft] = useState<Grants | null>(null);
  const saved = permissions?.grants;

  // A draft that has become what is saved is none any more.
  useEffect(() => {
    if (draft && saved && JSON.stringify(draft) === JSON.stringify(saved)) setDraft(null);
  }, [draft, saved]);

  if (!row.plugin) return <p className="page-x py-6 text-mute">{t("permissions.gone")}</p>;
  if (problem) return <ProblemNote className="m-7" problem={problem} />;
  if (!permissions) return <Spinner className="m-8 text-mute" />;
  const shown = draft ?? permissions.grants;
  const change = comparedGrants(permissions.grants, shown);
  const lacking = comparedGrants(shown, permissions.asked).grew;
  const atOnce = (edit: (grants: Grants) => Grants) => {
    if (draft) setDraft(edit(draft));
    void grant(edit(permissions.grants));
  };
  const isDefault = JSON.stringify(shown) === JSON.stringify(permissions.asked);
  const block = (kind: Kind) => ({
    kind,
    lamp: lampOf(permissions, kind, now),
    counts: <Counts permissions={permissions} kind={kind} />,
    lacking: offered(lacking.filter((step) => kindOf(step) === kind)),
    onAllow: (step: GrantStep) => atOnce((grants) => withStep(grants, step)),
  });

  return (
    <div className="flex min-h-full flex-col">
      <div className="grid flex-1 content-start items-start gap-4 page-x py-5 @4xl/page:grid-cols-[minmax(0,1fr)_minmax(300px,400px)]">
        <WallStatus className="@4xl/page:col-span-2" />
        {saving.problem && <ProblemNote className="@4xl/page:col-span-2" problem={saving.problem} />}
        <div className="min-w-0 space-y-4">
          <KindBlock {...block("network")}>
            <NetworkPart grants={shown} onChange={setDraft} />
          </KindBlock>
          <PutInSecrets secrets={permissions.putIn} />
          <KindBlock {...block("files")}>
            <FilesPart grants={shown} asksAboutCode={row.plugin.runtime === "dirge"} onChange={setDraft} />
          </KindBlock>
          <KindBlock {...block("programs")}>
            <ProgramsPart grants={shown} onChange={setDraft} />
          </KindBlock>
          {/* Servers alone have a way to ask. */}
          {(row.plugin.runtime === "mcp" || shown.model) && (
            <KindBlock {...block("model")}>
              <ModelPart grants={shown} onChange={setDraft} />
            </KindBlock>
          )}
          {row.plugin.consent.sandboxed && (
            <p className="text-sm text-mute">
              {t(row.plugin.consent.programs ? "permissions.sandboxRuns" : "permissions.sandbox")}
            </p>
          )}
          {!row.plugin.consent.declared && <p className="text-sm text-mute">{t("permissions.undeclared")}</p>}
          {!isDefault && (
            <Button size="sm" onClick={() => setDraft(permissions.asked)}>
              {t("permissions.reset")}
            </Button>
          )}
        </div>
        <SeenPart
          seen={permissions.seen}
          now={now}
          busy={saving.busy}
          onAllow={(host) => atOnce((grants) => allowHost(grants, host))}
        />
      </div>
      {draft && (
        <SaveBar
          change={change}
          restarts={restarts(permissions.grants, shown, row)}
          busy={saving.busy}
          onSave={() => void grant(shown)}
          onDiscard={() => setDraft(null)}
        />
      )}
    </div>
  );
}

interface SaveBarProps {
  change: { grew: GrantStep[]; shrank: GrantStep[] };
  restarts: boolean;
  busy: boolean;
  onSave(): void;
  onDiscard(): void;
}

/** What a draft changes, in words, and whether to keep it. */
function SaveBar({ change: { grew, shrank }, restarts: again, busy, onSave, onDiscard }: SaveBarProps) {
  const { t } = useTranslation();
  const list = (steps: GrantStep[]) => steps.map((step) => stepWords(t, step)).join(", ");
  return (
    <section
      aria-label={t("permissions.changes")}
      className="sticky bottom-0 flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-line-strong bg-raised page-x py-3 text-sm shadow-card"
    >
      <div className="min-w-0 flex-1 basis-60 break-words">
        {grew.length > 0 && (
          <p className="font-medium text-warn">{t("permissions.grows", { what: list(grew) })}</p>
        )}
        {shrank.length > 0 && <p>{t("permissions.shrinks", { what: list(shrank) })}</p>}
        <p className="text-xs text-mute">{t(again ? "permissions.restarts" : "permissions.atOnce")}</p>
      </div>
      <div className="flex gap-2">
        <Button onClick={onDiscard}>{t("permissions.discard")}</Button>
        <Button look="accent" ahead busy={busy} onClick={onSave}>
          {t(grew.length > 0 ? "permissions.saveGrant" : "permissions.save")}
        </Button>
      </div>
    </section>
  );
}

/** Hosts hold at once; files, programs and the model are what the process is told of, so a running one starts again. */
function restarts(before: Grants, after: Grants, row: Row): boolean {
  const view = ({ files, programs, model }: Grants) => JSON.stringify([files, programs, model]);
  return row.view?.instance.pid != null && view(before) !== view(after);
}

/** Who allows a named host or program allows to reach or start named ones: that needs no button of its own. */
function offered(steps: GrantStep[]): GrantStep[] {
  const named = new Set(steps.map(({ of }) => of));
  return steps.filter(
    (step) =>
      !(step.of === "reach" && step.reach === "hosts" && named.has("host")) &&
      !(step.of === "programs" && step.reach === "named" && named.has("program")),
  );
}

function kindOf(step: GrantStep): Kind {
  switch (step.of) {
    case "host":
    case "reach":
    case "refusal":
      return "network";
    case "workspace":
    case "folder":
      return "files";
    case "program":
    case "programs":
      return "programs";
    case "model":
      return "model";
  }
}

function lampOf({ seen }: PluginPermissions, kind: Kind, now: number): Lamp {
  const isLit = ({ at }: { at: string }) => now - Date.parse(at) < litMs;
  if (seen.refused.some((tally) => tally.wall === kind && isLit(tally))) return "refused";
  return kind === "network" && seen.reached.some(isLit) ? "reached" : "idle";
}

/** How often something of this kind was reached and refused. */
function Counts({ permissions: { seen }, kind }: { permissions: PluginPermissions; kind: Kind }) {
  const { t } = useTranslation();
  const sum = (tallies: { count: number }[]) => tallies.reduce((all, { count }) => all + count, 0);
  const reached = kind === "network" ? sum(seen.reached) : 0;
  const refused = sum(seen.refused.filter(({ wall }) => wall === kind));
  const words = [
    ...(reached > 0
      ? [`${t("permissions.seen.reached")}: ${t("permissions.seen.times", { count: reached })}`]
      : []),
    ...(refused > 0
      ? [`${t("permissions.seen.refused")}: ${t("permissions.seen.times", { count: refused })}`]
      : []),
  ];
  return words.join(" · ");
}
