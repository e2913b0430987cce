import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { ServerCommand } from "../../../../contract/programs/programs.ts";
import { Segments } from "../../../ui/controls/segments.tsx";
import { ProblemNote } from "../../../ui/problem-note.tsx";
import { Block } from "../../../ui/well.tsx";
import { OverHttp } from "./over-http.tsx";
import { Snippet } from "./snippet.tsx";
import { type ProgramKind, programKinds, startSnippet } from "./snippets.ts";
import { usePrograms } from "./use-programs.ts";

/** How other programs use the agent's tools: ready texts for their settings, and who was let in over HTTP. */
export function ProgramsPart({ agentId }: { agentId: string }) {
  const { t } = useTranslation();
  const { access, problem, look } = usePrograms(agentId);
  return (
    <div className="space-y-4">
      <p className="max-w-[72ch] text-sm text-mute">{t("programs.intro")}</p>
      {problem && <ProblemNote problem={problem} />}
      {!problem && !access && <p className="text-sm text-mute">{t("programs.loading")}</p>}
      {access && <Started agentId={agentId} start={access.start} />}
      {access && <OverHttp agentId={agentId} access={access} onChange={look} />}
    </div>
  );
}

function Started({ agentId, start }: { agentId: string; start: ServerCommand }) {
  const { t } = useTranslation();
  const [kind, setKind] = useState<ProgramKind>("claude-desktop");
  return (
    <Block title={t("programs.started")}>
      <fieldset>
        <legend className="sr-only">{t("programs.which")}</legend>
        <Segments<ProgramKind>
          value={kind}
          options={programKinds.map((value) => ({ value, label: t(`programs.kind.${value}`) }))}
          onChange={setKind}
        />
      </fieldset>
      <p className="my-3 max-w-[72ch] text-sm text-mute">{t(`programs.where.${kind}`)}</p>
      <Snippet
        label={t("programs.settingsOf", { program: t(`programs.kind.${kind}`) })}
        text={startSnippet(kind, agentId, start)}
      />
      <p className="mt-3 max-w-[72ch] text-xs text-mute">{t("programs.asking")}</p>
    </Block>
  );
}
