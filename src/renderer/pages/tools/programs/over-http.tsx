import { type SyntheticEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import type { LetInProgram, ProgramAccess } from "../../../../contract/programs/programs.ts";
import { rpc } from "../../../base/client/rpc.ts";
import { formatAgo, formatMoment, useNow } from "../../../base/i18n/time.ts";
import { useAction } from "../../../ui/action.ts";
import { Button } from "../../../ui/controls/button.tsx";
import { CopyButton } from "../../../ui/controls/copy-button.tsx";
import { Field } from "../../../ui/controls/field.tsx";
import { ProblemNote } from "../../../ui/problem-note.tsx";
import { Block } from "../../../ui/well.tsx";
import { Snippet } from "./snippet.tsx";
import { connectSnippet } from "./snippets.ts";

interface OverHttpProps {
  agentId: string;
  access: ProgramAccess;
  onChange(): void;
}

const letIn = (agentId: string, name: string) => rpc.access.letIn({ agentId, name });
const end = (id: string) => rpc.access.endProgram({ id });

/** The address, and the programs that were let in there. A token is shown once, to whoever has just made it. */
export function OverHttp({ agentId, access: { url, programs }, onChange }: OverHttpProps) {
  const { t } = useTranslation();
  const [name, setName] = useState("");
  const [made, setMade] = useState<{ program: LetInProgram; token: string } | null>(null);
  const adding = useAction(letIn);
  const ending = useAction(end);
  const problem = adding.problem ?? ending.problem;
  if (url === null) return null;
  const add = async (event: SyntheticEvent) => {
    event.preventDefault();
    const added = await adding.act(agentId, name.trim());
    if (!added) return;
    setMade(added);
    setName("");
    onChange();
  };
  const remove = async (id: string) => {
    await ending.act(id);
    if (made?.program.id === id) setMade(null);
    onChange();
  };
  return (
    <Block title={t("programs.http")}>
      <p className="max-w-[72ch] text-sm text-mute">{t("programs.httpText")}</p>
      <p className="mt-2 flex flex-wrap items-center gap-2 text-sm">
        <code className="figure min-w-0 break-all">{url}</code>
        <CopyButton bare text={() => url} label={t("programs.copyAddress")} />
      </p>
      {programs.length > 0 && (
        <ul aria-label={t("programs.letIn")} className="mt-3 divide-y divide-line border-t border-line">
          {programs.map((program) => (
            <ProgramLine
              key={program.id}
              program={program}
              busy={ending.busy}
              onEnd={() => void remove(program.id)}
            />
          ))}
        </ul>
      )}
      <form className="mt-3 flex flex-wrap items-end gap-2" onSubmit={(event) => void add(event)}>
        <Field label={t("programs.name")} className="w-64 max-w-full">
          {(props) => (
            <input
              {...props}
              className="field h-8 w-full text-sm"
              value={name}
              maxLength={80}
              placeholder={t("programs.namePlaceholder")}
              onChange={({ target }) => setName(target.value)}
            />
          )}
        </Field>
        <Button type="submit" size="sm" busy={adding.busy} disabled={name.trim() === ""}>
          {t("programs.add")}
        </Button>
      </form>
      {made && (
        <div role="status" className="mt-3 space-y-2">
          <p className="text-sm font-medium">{t("programs.made", { program: made.program.name })}</p>
          <Snippet
            label={t("programs.settingsOf", { program: made.program.name })}
            text={connectSnippet(agentId, url, made.token)}
          />
        </div>
      )}
      {problem && <ProblemNote className="mt-3" problem={problem} />}
    </Block>
  );
}

function ProgramLine({ program, busy, onEnd }: { program: LetInProgram; busy: boolean; onEnd(): void }) {
  const { t } = useTranslation();
  const now = useNow(60_000);
  const { name, usedAt, createdAt } = program;
  return (
    <li className="flex items-center gap-3 py-2 text-sm">
      <span className="min-w-0 flex-1">
        <span className="font-medium break-words">{name}</span>
        <span className="block text-xs text-mute" title={formatMoment(usedAt ?? createdAt)}>
          {usedAt === null
            ? t("programs.unused", { ago: formatAgo(createdAt, now) })
            : t("programs.used", { ago: formatAgo(usedAt, now) })}
        </span>
      </span>
      <Button size="sm" busy={busy} onClick={onEnd} aria-label={t("programs.endOf", { program: name })}>
        {t("programs.end")}
      </Button>
    </li>
  );
}
