import { type SyntheticEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Problem } from "../../../../contract/errors.ts";
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
import { useMirror } from "../../../store/mirror.ts";
import { useAction } from "../../../ui/action.ts";
import { Button } from "../../../ui/controls/button.tsx";
import { ProblemNote } from "../../../ui/problem-note.tsx";
import { Spinner } from "../../../ui/spinner.tsx";

interface StepProps {
  agentId: string;
  agentName: string;
  onDone(): void;
  /** The model answered, after so many milliseconds. */
  onTested(ms: number): void;
}

/** Tries the model, and saves it when it answers. Resolves with what the test saw. */
async function tryAndSave(agentId: string, draft: ModelDraft): Promise<Seen> {
  const tested = await rpc.models.test({
    agentId,
    model: configOf(draft),
    ...(draft.key && { key: draft.key }),
  });
  if (!tested.ok) return { ok: false, problem: tested.problem };
  await saveModel(agentId, draft);
  return { ok: true, ms: tested.ms };
}

type Seen = { ok: true; ms: number } | { ok: false; problem: Problem };

async function saveModel(agentId: string, draft: ModelDraft): Promise<boolean> {
  if (draft.key) await rpc.secrets.set({ name: secretNameOf(draft.kind), value: draft.key, agentId: null });
  const saved = await rpc.agents.update({ agentId, model: configOf(draft) });
  useMirror.setState((state) => ({ agents: new Map(state.agents).set(saved.id, saved) }));
  return true;
}

export function ModelStep({ agentId, agentName, onDone, onTested }: StepProps) {
  const { t } = useTranslation();
  const [draft, setDraft] = useState(() =>
    draftOf(useMirror.getState().agents.get(agentId)?.model ?? { kind: "none" }),
  );
  const [tried, setTried] = useState(false);
  const [refusal, setRefusal] = useState<Problem | null>(null);
  const test = useAction(tryAndSave);
  const save = useAction(saveModel);
  const chosen = draft.kind !== "none";

  const submit = async (event: SyntheticEvent) => {
    event.preventDefault();
    setTried(true);
    setRefusal(null);
    if (missingFields(draft).length > 0) return;
    const seen = await test.act(agentId, draft);
    if (seen?.ok) onTested(seen.ms);
    else if (seen) setRefusal(seen.problem);
  };

  return (
    <form noValidate onSubmit={submit} className="flex flex-1 flex-col">
      <h2 className="title mt-1">{t("welcome.modelTitle", { agent: agentName })}</h2>
      <p className="mt-1 mb-5 text-mute">{t("welcome.modelText")}</p>
      <ModelFields draft={draft} missing={tried ? missingFields(draft) : []} onChange={setDraft} />
      {test.busy && (
        <p role="status" className="mt-4 flex items-center gap-2 text-sm text-mute">
          <Spinner />
          {t("welcome.modelTesting")}
        </p>
      )}
      {(test.problem ?? save.problem) && (
        <ProblemNote className="mt-4" problem={(test.problem ?? save.problem) as ShownProblem} />
      )}
      {refusal && (
        <ProblemNote
          className="mt-4"
          problem={refusal}
          action={
            <Button
              size="sm"
              busy={save.busy}
              onClick={async () => (await save.act(agentId, draft)) && onDone()}
            >
              {t("welcome.modelAnyway")}
            </Button>
          }
        />
      )}
      <footer className="mt-auto flex justify-end gap-2 pt-6">
        <Button look={chosen ? "quiet" : "accent"} onClick={onDone}>
          {t("welcome.modelSkip")}
        </Button>
        {chosen && (
          <Button look="accent" type="submit" busy={test.busy}>
            {t("welcome.modelUse")}
          </Button>
        )}
      </footer>
    </form>
  );
}
