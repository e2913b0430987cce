import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { SetupReason, SetupView } from "../../../../contract/setup.ts";
import { useMirror } from "../../../store/mirror.ts";
import { cx } from "../../../ui/class-names.ts";
import { StepMark } from "../../../ui/controls/step-mark.tsx";
import { Face } from "../../../ui/face.tsx";
import { type NamedSteps, namedSteps, type SideStep, sideSteps } from "./side-steps.ts";

interface SideListProps {
  view: SetupView | null;
  agentId: string;
  pluginKey: string;
  name: string;
}

/** Whose wizard it is, why the person is in it, and how far it has come. */
export function SideList({ view, agentId, pluginKey, name }: SideListProps) {
  const { t } = useTranslation();
  const agent = useMirror((state) => state.agents.get(agentId)?.name ?? agentId);
  const plugin = useMirror((state) => state.plugins.get(pluginKey));
  const named = useNamedSteps(view);
  const nameOf = ({ kind, title }: { kind: string; title?: string | undefined }) =>
    title ?? t(kindName(kind));
  const steps = view ? sideSteps(view, named, nameOf) : [];
  return (
    <aside className="hidden w-[232px] shrink-0 border-r border-line bg-sunk px-5 py-5 min-[720px]:block">
      <div className="flex items-center gap-3">
        <Face
          seed={pluginKey}
          name={name}
          icon={plugin?.declaration.icon}
          ours={plugin?.source.kind === "builtin"}
          size="sm"
        />
        <p className="min-w-0 truncate font-semibold" title={name}>
          {name}
        </p>
      </div>
      <p className="mt-2 mb-5 text-sm text-mute">{t(reasonText(view?.reason ?? "first"), { agent })}</p>
      <ol aria-label={t("setup.steps")} className="space-y-1">
        {steps.map((step, index) => (
          <SideLine key={step.name ?? ""} step={step} place={index + 1} />
        ))}
      </ol>
    </aside>
  );
}

/** The names that the plugin gave its steps. They are kept while a step is shown that does not name them. */
function useNamedSteps(view: SetupView | null): NamedSteps | null {
  const [seen, setSeen] = useState<{ view: SetupView | null; named: NamedSteps | null }>({
    view: null,
    named: null,
  });
  if (view === seen.view) return seen.named;
  const before = view?.id === seen.view?.id ? seen.named : null;
  const next = { view, named: view && namedSteps(view, before) };
  setSeen(next);
  return next.named;
}

function SideLine({ step, place }: { step: SideStep; place: number }) {
  const { t } = useTranslation();
  const { name, status } = step;
  const now = status === "current" || status === "busy" || status === "failed";
  return (
    <li
      data-status={status}
      aria-current={now ? "step" : undefined}
      className={cx("flex min-h-9 items-center gap-3 text-sm", now ? "font-semibold text-ink" : "text-mute")}
    >
      <StepMark look={status} place={place} />
      <span className="min-w-0 break-words">{name ?? t("setup.lastStep")}</span>
      <span className="sr-only">{t(`setup.status.${status}`)}</span>
    </li>
  );
}

const kinds = ["form", "menu", "settings", "external", "oauth", "opening"] as const;

function kindName(kind: string) {
  const known = kinds.find((name) => name === kind) ?? "opening";
  return `setup.side.${known}` as const;
}

function reasonText(reason: SetupReason) {
  return `setup.reason.${reason}` as const;
}
