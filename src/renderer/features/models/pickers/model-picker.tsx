import { ChevronDown } from "lucide-react";
import { Popover } from "radix-ui";
import { type KeyboardEvent, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import type { AgentView } from "../../../../contract/agent.ts";
import { rpc } from "../../../base/client/rpc.ts";
import { useMirror } from "../../../store/mirror.ts";
import { panels } from "../../../store/panels.ts";
import { useAction } from "../../../ui/action.ts";
import { Button } from "../../../ui/controls/button.tsx";
import { SearchField } from "../../../ui/controls/search-field.tsx";
import { ProblemNote } from "../../../ui/problem-note.tsx";
import { draftOf } from "../model-draft.ts";
import { matching } from "../model-facts.ts";
import { ModelOptions, mostDrawn } from "../model-options.tsx";
import { providerName } from "../provider-select.tsx";
import { useModelList } from "../use-model-list.ts";

/** Which model of its provider the agent has, as a small button: the list is asked for when it is opened. */
export function ModelPicker({ agentId }: { agentId: string }) {
  const { t } = useTranslation();
  const agent = useMirror((state) => state.agents.get(agentId));
  const [open, setOpen] = useState(false);
  if (!agent) return null;
  const kind = agent.model.kind;
  const hasList = kind !== "none" && kind !== "scripted";
  const label = kind === "none" ? t("model.pick.none") : agent.modelLabel;
  const button = (
    <button
      type="button"
      aria-label={kind === "none" ? undefined : t("model.pick", { model: label })}
      onClick={hasList ? undefined : () => panels.editAgent(agentId, "model")}
      className="flex h-7 min-w-0 max-w-56 items-center gap-1 rounded-md px-2 text-xs text-mute transition-colors hover:bg-sunk hover:text-ink"
    >
      <span className="figure truncate">{label}</span>
      <ChevronDown className="size-3 shrink-0" aria-hidden="true" />
    </button>
  );
  if (!hasList) return button;
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger asChild>{button}</Popover.Trigger>
      <Popover.Content
        align="start"
        side="top"
        sideOffset={6}
        collisionPadding={12}
        aria-label={t("model.pick.search")}
        className="z-50 w-96 max-w-[calc(100vw-2rem)] rounded-lg border border-line bg-raised shadow-high animate-appear"
      >
        <Picking agent={agent} onDone={() => setOpen(false)} />
      </Popover.Content>
    </Popover.Root>
  );
}

async function take(agent: AgentView, model: string): Promise<AgentView> {
  const { model: config } = agent;
  if (config.kind === "none" || config.kind === "scripted") return agent;
  const saved = await rpc.agents.update({ agentId: agent.id, model: { ...config, model } });
  useMirror.setState((state) => ({ agents: new Map(state.agents).set(saved.id, saved) }));
  return saved;
}

function Picking({ agent, onDone }: { agent: AgentView; onDone(): void }) {
  const { t } = useTranslation();
  const listId = useId();
  const [typed, setTyped] = useState("");
  const [active, setActive] = useState(0);
  const save = useAction(take);
  const draft = draftOf(agent.model);
  const check = useModelList(agent.id, draft, () => {});
  const [asked, setAsked] = useState(false);
  if (!asked) {
    setAsked(true);
    queueMicrotask(() => check.ask(draft));
  }
  const { heard } = check;
  const models = heard?.ok ? matching(heard.models, typed) : [];
  const name = typed.trim();
  const chosen = "model" in agent.model ? agent.model.model : "";

  const choose = async (model: string) => {
    if (await save.act(agent, model)) onDone();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setActive(Math.max(0, Math.min(Math.min(models.length, mostDrawn) - 1, active + step)));
    }
    const model = models[active];
    if (event.key === "Enter" && model) {
      event.preventDefault();
      void choose(model.id);
    }
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the field in it has the focus; the keys walk through its list.
    <div onKeyDown={onKeyDown}>
      <SearchField
        className="p-1.5"
        label={t("model.pick.search")}
        value={typed}
        onChange={(value) => {
          setTyped(value);
          setActive(0);
        }}
      />
      {models.length > 0 && (
        <ModelOptions
          id={listId}
          label={t("model.list", { name: providerName(draft) })}
          models={models}
          active={active}
          chosen={chosen}
          onChoose={(model) => void choose(model)}
        />
      )}
      <div className="space-y-2 px-3 pb-2 text-xs text-mute" role="status">
        {check.asking && t("model.asking")}
        {heard?.ok && models.length === 0 && t("model.pick.nothing")}
      </div>
      {heard && !heard.ok && <ProblemNote className="mx-2 mb-2" problem={heard.problem} />}
      {save.problem && <ProblemNote className="mx-2 mb-2" problem={save.problem} />}
      <footer className="flex justify-between gap-2 border-t border-line p-1.5">
        <Button size="sm" look="quiet" onClick={() => panels.editAgent(agent.id, "model")}>
          {t("model.pick.other")}
        </Button>
        {name !== "" && models.length === 0 && !check.asking && (
          <Button size="sm" busy={save.busy} onClick={() => void choose(name)}>
            {t("model.pick.use", { model: name })}
          </Button>
        )}
      </footer>
    </div>
  );
}
