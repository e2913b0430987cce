import { Trash2 } from "lucide-react";
import { type SyntheticEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import type { AgentView, ChatLanguage, ShellNetwork } from "../../../contract/agent.ts";
import { rpc } from "../../base/client/rpc.ts";
import { homePath } from "../../base/routes.ts";
import { useMirror } from "../../store/mirror.ts";
import { usePanels } from "../../store/panels.ts";
import { useAction } from "../../ui/action.ts";
import { Confirm } from "../../ui/confirm.tsx";
import { Button } from "../../ui/controls/button.tsx";
import { Field } from "../../ui/controls/field.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { ProblemNote } from "../../ui/problem-note.tsx";
import {
  configOf,
  draftOf,
  type ModelDraft,
  ModelFields,
  missingFields,
  secretNameOf,
  useModelList,
} from "../models/public.ts";
import { keysOf, type VoiceDraft, VoiceFields, voiceDraftOf, voiceOf, wrongVoice } from "../voice/public.ts";
import { ChatLanguageField } from "./chat-language-field.tsx";
import { ShellNetworkField } from "./shell-network-field.tsx";

interface Draft {
  name: string;
  instructions: string;
  model: ModelDraft;
  /** Null: nothing was changed. */
  shellNetwork: ShellNetwork | null;
  chatLanguage: ChatLanguage;
  voice: VoiceDraft;
}

function draftFrom(agent: AgentView | undefined): Draft {
  return {
    name: agent?.name ?? "",
    instructions: agent?.instructions ?? "",
    model: draftOf(agent?.model ?? { kind: "none" }),
    shellNetwork: null,
    chatLanguage: agent?.chatLanguage ?? "app",
    voice: voiceDraftOf(agent?.voice),
  };
}

/** What holds while nothing was set. */
const usualNetwork: ShellNetwork = { reach: "any", hosts: [], refused: [] };

async function saveAgent(agent: AgentView | undefined, draft: Draft): Promise<AgentView> {
  if (draft.model.key)
    await rpc.secrets.set({ name: secretNameOf(draft.model), value: draft.model.key, agentId: null });
  const common = { name: draft.name.trim(), instructions: draft.instructions, model: configOf(draft.model) };
  if (!agent) return rpc.agents.create(common);
  const { shellNetwork, chatLanguage, voice } = draft;
  for (const key of keysOf(voice)) await rpc.secrets.set({ ...key, agentId: agent.id });
  return rpc.agents.update({
    agentId: agent.id,
    ...common,
    ...(shellNetwork && { shellNetwork }),
    ...(chatLanguage !== (agent.chatLanguage ?? "app") && { chatLanguage }),
    ...(isNewVoice(agent, voice) && { voice: voiceOf(voice) }),
    revision: agent.revision,
  });
}

/** What stays as it is is not sent: it could be a question for the person's word. */
function isNewVoice({ voice }: AgentView, draft: VoiceDraft): boolean {
  return JSON.stringify(voiceOf(draft)) !== JSON.stringify(voiceOf(voiceDraftOf(voice)));
}

/** Makes an agent, or changes one. */
export function AgentDialog({ agent, onClose }: { agent?: AgentView; onClose(): void }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [begun] = useState(() => draftFrom(agent));
  const [draft, setDraft] = useState(begun);
  const [leaving, setLeaving] = useState(false);
  const [tried, setTried] = useState(false);
  const [removing, setRemoving] = useState(false);
  const save = useAction(saveAgent);
  const missing = tried ? missingFields(draft.model) : [];
  const wrong = tried ? wrongVoice(draft.voice) : {};
  const setModel = (model: ModelDraft) => setDraft((now) => ({ ...now, model }));
  const check = useModelList(agent?.id, draft.model, setModel);
  const nameMissing = tried && draft.name.trim() === "";

  const leave = () => (JSON.stringify(draft) === JSON.stringify(begun) ? onClose() : setLeaving(true));

  const submit = async (event: SyntheticEvent) => {
    event.preventDefault();
    setTried(true);
    const isIncomplete =
      missingFields(draft.model).length > 0 || Object.keys(wrongVoice(draft.voice)).length > 0;
    if (draft.name.trim() === "" || isIncomplete) return;
    if (!(await check.passes(draft.model))) return;
    const saved = await save.act(agent, draft);
    if (!saved) return;
    useMirror.setState((state) => ({ agents: new Map(state.agents).set(saved.id, saved) }));
    onClose();
    if (!agent) void navigate(homePath(saved.id));
  };

  return (
    <Dialog
      open
      onClose={leave}
      title={agent ? t("agents.editTitle", { agent: agent.name }) : t("agents.createTitle")}
      description={agent ? undefined : t("agents.createText")}
      notice={save.problem && <ProblemNote problem={save.problem} />}
      footer={
        <>
          {agent && (
            <Button
              look="danger"
              className="mr-auto"
              icon={<Trash2 className="size-4" aria-hidden="true" />}
              onClick={() => setRemoving(true)}
            >
              {t("agents.remove")}
            </Button>
          )}
          <Button onClick={leave}>{t("common.cancel")}</Button>
          <Button look="accent" type="submit" form="agent-form" busy={save.busy || check.asking}>
            {t(check.heard?.ok === false ? "model.saveAnyway" : agent ? "agents.save" : "agents.create")}
          </Button>
        </>
      }
    >
      <form id="agent-form" onSubmit={submit} noValidate className="space-y-4 pt-1">
        <Field label={t("agents.name")} error={nameMissing ? t("field.needed") : undefined}>
          {(props) => (
            <input
              {...props}
              className="field"
              value={draft.name}
              maxLength={80}
              placeholder={t("agents.namePlaceholder")}
              onChange={(event) => setDraft({ ...draft, name: event.target.value })}
            />
          )}
        </Field>
        <ModelFields
          agentId={agent?.id}
          draft={draft.model}
          missing={missing}
          check={check}
          focus={usePanels.getState().editField}
          onChange={setModel}
        />
        <Field label={t("agents.instructions")} help={t("agents.instructionsHelp")}>
          {(props) => (
            <textarea
              {...props}
              className="field min-h-20 resize-y"
              rows={3}
              value={draft.instructions}
              onChange={(event) => setDraft({ ...draft, instructions: event.target.value })}
            />
          )}
        </Field>
        {agent && (
          <ChatLanguageField
            value={draft.chatLanguage}
            onChange={(chatLanguage) => setDraft({ ...draft, chatLanguage })}
          />
        )}
        {agent && (
          <VoiceFields
            draft={draft.voice}
            wrong={wrong}
            onChange={(voice) => setDraft({ ...draft, voice })}
          />
        )}
      </form>
      {agent && (
        <ShellNetworkField
          value={draft.shellNetwork ?? agent.shellNetwork ?? usualNetwork}
          onChange={(shellNetwork) => setDraft({ ...draft, shellNetwork })}
        />
      )}
      <Confirm
        open={leaving}
        onClose={() => setLeaving(false)}
        title={t("agents.leaveTitle")}
        consequences={[t("agents.leaveLoses")]}
        verb={t("agents.leave")}
        keep={t("agents.stay")}
        danger
        run={async () => onClose()}
      />
      {agent && (
        <Confirm
          open={removing}
          onClose={() => setRemoving(false)}
          title={t("agents.removeTitle", { agent: agent.name })}
          consequences={[
            t("agents.removeStops", { count: agent.pluginsOn }),
            t("agents.removeLoses"),
            t("agents.removeKeeps"),
          ]}
          verb={t("agents.remove")}
          danger
          run={async () => {
            await rpc.agents.remove({ agentId: agent.id });
            onClose();
            void navigate("/");
          }}
        />
      )}
    </Dialog>
  );
}
