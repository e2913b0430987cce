import { type SyntheticEvent, useState } from "react";
import { useTranslation } from "react-i18next";
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

interface StepProps {
  agentId: string;
  agentName: string;
  onDone(): void;
}

async function saveModel(agentId: string, draft: ModelDraft): Promise<boolean> {
  if (draft.key) await rpc.secrets.set({ name: secretNameOf(draft.kind), value: draft.key, agentId: null });
  const saved = await rpc.agents.update({ agentId, model: configOf(draft) });
  useMirror.setState((state) => ({ agents: new Map(state.agents).set(saved.id, saved) }));
  return true;
}

export function ModelStep({ agentId, agentName, onDone }: StepProps) {
  const { t } = useTranslation();
  const [draft, setDraft] = useState(() =>
    draftOf(useMirror.getState().agents.get(agentId)?.model ?? { kind: "none" }),
  );
  const [tried, setTried] = useState(false);
  const save = useAction(saveModel);
  const chosen = draft.kind !== "none";

  const submit = async (event: SyntheticEvent) => {
    event.preventDefault();
    setTried(true);
    if (missingFields(draft).length === 0 && (await save.act(agentId, draft))) onDone();
  };

  return (
    <form noValidate onSubmit={submit} className="flex flex-1 flex-col">
      <h2 className="title mt-1">{t("welcome.modelTitle", { agent: agentName })}</h2>
      <p className="mt-1 mb-5 text-mute">{t("welcome.modelText")}</p>
      <ModelFields draft={draft} missing={tried ? missingFields(draft) : []} onChange={setDraft} />
      {save.problem && <ProblemNote className="mt-4" problem={save.problem} />}
      <footer className="mt-auto flex justify-end gap-2 pt-6">
        <Button look={chosen ? "quiet" : "accent"} onClick={onDone}>
          {t("welcome.modelSkip")}
        </Button>
        {chosen && (
          <Button look="accent" type="submit" busy={save.busy}>
            {t("welcome.modelUse")}
          </Button>
        )}
      </footer>
    </form>
  );
}
