import { type SyntheticEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import type { ShownProblem } from "../../../base/client/problem.ts";
import { rpc } from "../../../base/client/rpc.ts";
import {
  configOf,
  draftOf,
  type ModelDraft,
  missingFields,
  secretNameOf,
} from "../../../features/models/model-draft.ts";
import { ModelFields } from "../../../features/models/model-fields.tsx";
import { useLocalModels } from "../../../features/models/use-local-models.ts";
import { useModelList } from "../../../features/models/use-model-list.ts";
import { useMirror } from "../../../store/mirror.ts";
import { useAction } from "../../../ui/action.ts";
import { Button } from "../../../ui/controls/button.tsx";
import { ProblemNote } from "../../../ui/problem-note.tsx";
import { LocalModels } from "./local-models.tsx";

export interface Answered {
  model: string;
  ms: number;
}

interface StepProps {
  agentId: string;
  agentName: string;
  onSkip(): void;
  /** Called when the model has answered and is stored. */
  onAnswered(answered: Answered): void;
}

/** Asks the model before it is stored: one that does not answer changes nothing. */
async function tryAndSave(agentId: string, draft: ModelDraft) {
  const outcome = await rpc.models.test({
    agentId,
    model: configOf(draft),
    ...(draft.key && { key: draft.key }),
  });
  if (!outcome.ok) return outcome;
  if (draft.key) await rpc.secrets.set({ name: secretNameOf(draft), value: draft.key, agentId: null });
  const saved = await rpc.agents.update({ agentId, model: configOf(draft) });
  useMirror.setState((state) => ({ agents: new Map(state.agents).set(saved.id, saved) }));
  return outcome;
}

export function ModelStep({ agentId, agentName, onSkip, onAnswered }: StepProps) {
  const { t } = useTranslation();
  const [draft, setDraft] = useState(() =>
    draftOf(useMirror.getState().agents.get(agentId)?.model ?? { kind: "none" }),
  );
  const [tried, setTried] = useState(false);
  const [refused, setRefused] = useState<ShownProblem | null>(null);
  const use = useAction(tryAndSave);
  const problem = use.problem ?? refused;
  const chosen = draft.kind !== "none";
  const check = useModelList(agentId, draft, setDraft);
  const local = useLocalModels();
  const [asked, setAsked] = useState<string | null>(null);

  const change = (next: ModelDraft) => {
    setDraft(next);
    setRefused(null);
    use.dismiss();
  };
  const submit = async (event: SyntheticEvent) => {
    event.preventDefault();
    setTried(true);
    setRefused(null);
    if (missingFields(draft).length > 0) return;
    await ask(draft);
  };
  const ask = async (wanted: ModelDraft) => {
    setRefused(null);
    const outcome = await use.act(agentId, wanted);
    if (outcome?.ok) onAnswered(outcome);
    else if (outcome) setRefused(outcome.problem);
  };
  const takeLocal = async ({ model, baseUrl }: { model: string; baseUrl: string }) => {
    setAsked(model);
    await ask({ ...draftOf({ kind: "openai-compatible", model, baseUrl }) });
    setAsked(null);
  };

  return (
    <form noValidate onSubmit={submit} className="flex flex-1 flex-col">
      <h2 className="title mt-1">{t("welcome.modelTitle", { agent: agentName })}</h2>
      <p className="mt-1 mb-5 text-mute">{t("welcome.modelText")}</p>
      {local.length > 0 && <LocalModels models={local} asked={asked} onUse={(one) => void takeLocal(one)} />}
      <ModelFields
        agentId={agentId}
        draft={draft}
        missing={tried ? missingFields(draft) : []}
        check={check}
        onChange={change}
      />
      <p role="status" className={use.busy ? "mt-4 text-sm text-mute" : "sr-only"}>
        {use.busy && t("models.testing")}
      </p>
      {problem && <ProblemNote className="mt-4" problem={problem} />}
      <footer className="mt-auto flex justify-end gap-2 pt-6">
        <Button look={chosen || local.length > 0 ? "quiet" : "accent"} onClick={onSkip}>
          {t("welcome.modelSkip")}
        </Button>
        {chosen && (
          <Button look="accent" ahead type="submit" busy={use.busy}>
            {t(problem ? "welcome.modelAgain" : "welcome.modelUse")}
          </Button>
        )}
      </footer>
    </form>
  );
}
