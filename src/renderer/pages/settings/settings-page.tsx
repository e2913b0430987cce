import {
  Box,
  Braces,
  Cpu,
  FileCode2,
  Info,
  Keyboard,
  KeyRound,
  LifeBuoy,
  Palette,
  Stethoscope,
  Timer,
  Trash2,
} from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Navigate, NavLink, useParams } from "react-router";
import { removedForDays } from "../../../contract/removed/removed-for.ts";
import { type SettingsSection, settingsPath, settingsSections, useAgentId } from "../../base/routes.ts";
import { cx } from "../../ui/class-names.ts";
import { AboutSection } from "./about-section.tsx";
import { AppearanceSection } from "./appearance-section.tsx";
import { CodeSection } from "./code/code-section.tsx";
import { DiagnosticsSection } from "./diagnostics-section.tsx";
import { KeysSection } from "./keys/keys-section.tsx";
import { LimitsSection } from "./limits-section.tsx";
import { ModelsSection } from "./models-section.tsx";
import { PythonSection } from "./python/python-section.tsx";
import { RemovedSection } from "./removed/removed-section.tsx";
import { SafetySection } from "./safety-section.tsx";
import { SecretsSection } from "./secrets/secrets-section.tsx";
import { SourcesSection } from "./sources/sources-section.tsx";

const icons: Record<SettingsSection, typeof Box> = {
  models: Cpu,
  secrets: KeyRound,
  sources: Box,
  python: FileCode2,
  code: Braces,
  limits: Timer,
  appearance: Palette,
  keys: Keyboard,
  safety: LifeBuoy,
  removed: Trash2,
  diagnostics: Stethoscope,
  about: Info,
};

const bodies: Record<SettingsSection, () => ReactNode> = {
  models: ModelsSection,
  secrets: SecretsSection,
  sources: SourcesSection,
  python: PythonSection,
  code: CodeSection,
  limits: LimitsSection,
  appearance: AppearanceSection,
  keys: KeysSection,
  safety: SafetySection,
  removed: RemovedSection,
  diagnostics: DiagnosticsSection,
  about: AboutSection,
};

/** What applies to Patchbay as a whole, in sections. */
export function SettingsPage() {
  const { t } = useTranslation();
  const agentId = useAgentId();
  const { section: wanted } = useParams();
  const section = settingsSections.find((known) => known === wanted);
  if (!section)
    return wanted === undefined ? (
      <Navigate to={settingsPath(agentId)} replace />
    ) : (
      <Navigate to={`/unknown/${encodeURIComponent(`settings/${wanted}`)}`} replace />
    );
  const Body = bodies[section];
  return (
    <div className="flex h-full min-w-0 flex-col animate-appear">
      <header className="page-x pt-5 pb-4">
        <h1 className="title">{t("prefs.title")}</h1>
      </header>
      <div className="flex min-h-0 flex-1 @max-3xl/page:flex-col @max-3xl/page:pl-0 pl-[max(0px,calc((100%-84rem)/2-1.75rem))]">
        <nav
          aria-label={t("prefs.sections")}
          className="w-62 shrink-0 overflow-y-auto pt-0.5 pb-6 pl-7 @max-3xl/page:w-auto @max-3xl/page:page-x @max-3xl/page:pb-3"
        >
          <ul className="flex gap-0.5 @3xl/page:flex-col @max-3xl/page:flex-wrap">
            {settingsSections.map((each) => (
              <li key={each}>
                <SectionLink agentId={agentId} section={each} />
              </li>
            ))}
          </ul>
        </nav>
        <section
          aria-labelledby="settings-section"
          className="min-h-0 min-w-0 flex-1 overflow-y-auto px-7 pt-0.5 pb-10 @max-3xl/page:page-x"
        >
          <div className="@container max-w-[1096px]">
            <h2 id="settings-section" className="text-lg font-semibold">
              {t(`prefs.section.${section}`)}
            </h2>
            <p className="mb-5 max-w-[88ch] text-pretty text-mute">
              {t(`prefs.help.${section}`, { count: removedForDays })}
            </p>
            <Body key={section} />
          </div>
        </section>
      </div>
    </div>
  );
}

function SectionLink({ agentId, section }: { agentId: string; section: SettingsSection }) {
  const { t } = useTranslation();
  const Icon = icons[section];
  return (
    <NavLink
      to={settingsPath(agentId, section)}
      className={({ isActive }) =>
        cx(
          "flex min-h-9 items-center gap-2.5 rounded-md border px-2.5 py-1.5 text-sm font-medium transition-colors",
          isActive
            ? "border-line bg-surface text-ink"
            : "border-transparent text-mute hover:bg-surface/60 hover:text-ink",
        )
      }
    >
      <Icon className="size-4 shrink-0" aria-hidden="true" />
      {t(`prefs.section.${section}`)}
    </NavLink>
  );
}
