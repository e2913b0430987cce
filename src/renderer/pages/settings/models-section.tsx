import { CircleCheck } from "lucide-react";
import { type SyntheticEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { useShallow } from "zustand/react/shallow";
import type { AgentView } from "../../../contract/agent.ts";
import { rpc } from "../../base/client/rpc.ts";
import { formatMs } from "../../base/i18n/time.ts";
import {
  configOf,
  draftOf,
  type ModelDraft,
  missingFields,
  secretNameOf,
} from "../../features/models/model-draft.ts";
import { ModelFields } from "../../features/models/model-fields.tsx";
import { providerName } from "../../features/models/provider-select.tsx";
import { useModelList } from "../../features/models/use-model-list.ts";
import { useKept } from "../../store/kept.ts";
import { useMirror } from "../../store/mirror.ts";
import { useAction } from "../../ui/action.ts";
import { Button } from "../../ui/controls/button.tsx";
import { Face } from "../../ui/face.tsx";
import { ProblemNote } from "../../ui/problem-note.tsx";

/** The model of each agent, with a way to try it out. */
export function ModelsSection() {
  const agents = useMirror(useShallow((state) => [...state.agents.values()]));
  return (
    <ul className="space-y-3">
      {agents.map((agent) => (
        <li key={agent.id}>
          <AgentModel agent={agent} />
        </li>
      ))}
    </ul>
  );
}

async function saveModel(agent: AgentView, draft: ModelDraft): Promise<AgentView> {
  if (draft.key) await rpc.secrets.set({ name: secretNameOf(draft), value: draft.key, agentId: null });
  const saved = await rpc.agents.update({
    agentId: agent.id,
    model: configOf(draft),
    revision: agent.revision,
  });
  useMirror.setState((state) => ({ agents: new Map(state.agents).set(saved.id, saved) }));
  return saved;
}

const testModel = (agentId: string, draft: ModelDraft | null) =>
  rpc.models.test({
    agentId,
    ...(draft && { model: configOf(draft), ...(draft.key && { key: draft.key }) }),
  });

function AgentModel({ agent }: { agent: AgentView }) {
  const { t } = useTranslation();
  const [draft, setDraft, forget] = useKept<ModelDraft | null>(`model ${agent.id}`, () => null);
  const [tried, setTried] = useState(false);
  const save = useAction(saveModel);
  const test = useAction(testModel);
  const [outcome, setOutcome] = useState<Awaited<ReturnType<typeof testModel>> | null>(null);
  const check = useModelList(agent.id, draft ?? draftOf({ kind: "none" }), setDraft);
  const missing = draft && tried ? missingFields(draft) : [];

  const runTest = async () => {
    setTried(true);
    if (draft && missingFields(draft).length > 0) return;
    setOutcome(null);
    setOutcome((await test.act(agent.id, draft)) ?? null);
  };
  const submit = async (event: SyntheticEvent) => {
    event.preventDefault();
    setTried(true);
    if (!draft || missingFields(draft).length > 0) return;
    if (!outcome?.ok && !(await check.passes(draft))) return;
    if (await save.act(agent, draft)) close();
  };
  const close = () => {
    forget();
    setTried(false);
    setOutcome(null);
  };

  const testButton = (
    <Button
      aria-label={t("models.testOf", { agent: agent.name })}
      busy={test.busy}
      disabled={(draft?.kind ?? agent.model.kind) === "none"}
      onClick={() => void runTest()}
    >
      {t("models.test")}
    </Button>
  );
  return (
    <section
      aria-label={t("models.of", { agent: agent.name })}
      className="rounded-lg border border-line bg-surface px-4 py-3.5 shadow-card"
    >
      <header className="flex items-center gap-3">
        <Face letters seed={`agent:${agent.id}`} name={agent.name.slice(0, 1).toUpperCase()} />
        <div className="min-w-0 flex-1">
          <h3 className="truncate font-semibold">{agent.name}</h3>
          <p className="truncate text-sm text-mute">
            {agent.model.kind === "none"
              ? t("models.none")
              : `${agent.modelLabel} · ${agent.model.kind === "provider" ? providerName(agent.model) : t(`model.kind.${agent.model.kind}`)}`}
          </p>
        </div>
        {!draft && (
          <>
            {testButton}
            <Button
              aria-label={t("models.changeOf", { agent: agent.name })}
              onClick={() => {
                setOutcome(null);
                setDraft(draftOf(agent.model));
              }}
            >
              {t("models.change")}
            </Button>
          </>
        )}
      </header>
      {draft && (
        <form onSubmit={submit} noValidate className="mt-3.5 space-y-3.5">
          <ModelFields
            agentId={agent.id}
            draft={draft}
            missing={missing}
            check={check}
            onChange={(next) => {
              setDraft(next);
              setOutcome(null);
            }}
          />
          {save.problem && <ProblemNote problem={save.problem} />}
          <div className="flex justify-end gap-2">
            <span className="mr-auto">{testButton}</span>
            <Button onClick={close}>{t("common.cancel")}</Button>
            <Button look="accent" type="submit" busy={save.busy || check.asking}>
              {t(check.heard?.ok === false && !outcome?.ok ? "model.saveAnyway" : "models.save")}
            </Button>
          </div>
        </form>
      )}
      <div role="status">
        {test.busy && <p className="mt-3 text-sm text-mute">{t("models.testing")}</p>}
        {outcome?.ok && (
          <p className="mt-3 flex items-center gap-2 text-sm font-medium text-ok">
            <CircleCheck className="size-4 shrink-0" aria-hidden="true" />
            {t("models.works", { model: outcome.model, time: formatMs(outcome.ms) })}
          </p>
        )}
      </div>
      {outcome && !outcome.ok && <ProblemNote className="mt-3" problem={outcome.problem} />}
      {test.problem && <ProblemNote className="mt-3" problem={test.problem} />}
    </section>
  );
}
