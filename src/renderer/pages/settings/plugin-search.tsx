import { Search } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useShallow } from "zustand/react/shallow";
import type { PluginSearch } from "../../../contract/holds.ts";
import { rpc } from "../../base/client/rpc.ts";
import { useAgentId, useOpenPlugin } from "../../base/routes.ts";
import { useDisplayName } from "../../model/rows.ts";
import { useMirror } from "../../store/mirror.ts";
import { useAction } from "../../ui/action.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/controls/button.tsx";
import { ProblemNote } from "../../ui/problem-note.tsx";
import { Block } from "../../ui/well.tsx";

async function show(call: Promise<unknown>): Promise<void> {
  await call;
  useMirror.setState({ holds: await rpc.holds.get() });
}

const begin = (agentId: string) => show(rpc.holds.beginSearch({ agentId }));
const answer = ({ agentId, step }: PluginSearch, stillThere: boolean) =>
  show(rpc.holds.answerSearch({ agentId, step, stillThere }));
const end = (agentId: string) => show(rpc.holds.endSearch({ agentId }));

/** "Find the plugin that causes a problem": the questions of the search, one at a time. */
export function PluginSearchBlock() {
  const { t } = useTranslation();
  const search = useMirror((state) => state.holds?.searches[0]);
  return (
    <Block title={t("safety.search")}>
      {search ? (
        search.status === "asking" ? (
          <Question key={search.step} search={search} />
        ) : (
          <Result search={search} />
        )
      ) : (
        <Begin />
      )}
    </Block>
  );
}

function Begin() {
  const { t } = useTranslation();
  const current = useAgentId();
  const [agentId, setAgentId] = useState(current);
  const agents = useMirror(useShallow((state) => [...state.agents.values()]));
  const safe = useMirror((state) => (state.holds?.safeMode ?? null) !== null);
  const starting = useAction(begin);
  const agent = agents.find((each) => each.id === agentId);
  const count = agent?.pluginsOn ?? 0;
  const name = agent?.name ?? agentId;
  return (
    <>
      <p className="max-w-[88ch] text-pretty text-sm text-mute">{t("safety.searchText")}</p>
      <div className="mt-3.5 flex flex-wrap items-center gap-3">
        <select
          aria-label={t("safety.agent")}
          className="field h-8 w-auto py-0"
          value={agentId}
          onChange={(event) => setAgentId(event.target.value)}
        >
          {agents.map((each) => (
            <option key={each.id} value={each.id}>
              {each.name}
            </option>
          ))}
        </select>
        <p className="min-w-0 flex-1 text-sm text-mute">
          {safe
            ? t("safety.beginSafe")
            : count === 0
              ? t("safety.beginNone", { agent: name })
              : t("safety.beginCount", { count, agent: name })}
        </p>
        <Button
          look="accent"
          icon={<Search className="size-4" aria-hidden="true" />}
          disabled={safe || count === 0}
          busy={starting.busy}
          onClick={() => void starting.act(agentId)}
        >
          {t("safety.begin")}
        </Button>
      </div>
      {starting.problem && <ProblemNote className="mt-3" problem={starting.problem} />}
    </>
  );
}

function Question({ search }: { search: PluginSearch }) {
  const { t } = useTranslation();
  const agent = useMirror((state) => state.agents.get(search.agentId)?.name ?? search.agentId);
  const off = useMirror(
    useShallow((state) => search.off.map((key) => state.plugins.get(key)?.displayName ?? key)),
  );
  const answering = useAction(answer);
  const ending = useAction(end);
  const busy = answering.busy || ending.busy;
  const problem = answering.problem ?? ending.problem;
  return (
    <section aria-label={t("safety.question")}>
      <p className="text-xs font-medium text-mute">
        {t("safety.step", { step: search.step })} · {t("safety.stepsLeft", { count: search.stepsLeft })}
      </p>
      <p className="mt-1.5 text-sm">{t(search.step === 1 ? "safety.allOff" : "safety.someOff", { agent })}</p>
      <ul className="mt-2 flex flex-wrap gap-1.5">
        {off.map((name) => (
          <li key={name}>
            <Badge>{name}</Badge>
          </li>
        ))}
      </ul>
      <p className="mt-4 font-semibold">{t("safety.question")}</p>
      <div className="mt-2 flex flex-wrap gap-2">
        <Button disabled={busy} onClick={() => void answering.act(search, true)}>
          {t("safety.still")}
        </Button>
        <Button disabled={busy} onClick={() => void answering.act(search, false)}>
          {t("safety.gone")}
        </Button>
        <Button
          look="quiet"
          className="ml-auto"
          disabled={busy}
          onClick={() => void ending.act(search.agentId)}
        >
          {t("safety.stop")}
        </Button>
      </div>
      {problem && <ProblemNote className="mt-3" problem={problem} />}
    </section>
  );
}

const switchOff = ({ agentId, found }: PluginSearch) =>
  found === null
    ? Promise.resolve()
    : show(
        rpc.agentPlugins
          .set({ agentId, key: found, enabled: false })
          .then(() => rpc.holds.endSearch({ agentId })),
      );

function Result({ search }: { search: PluginSearch }) {
  const { t } = useTranslation();
  const open = useOpenPlugin();
  const plugin = useDisplayName(search.found) ?? "";
  const ending = useAction(end);
  const off = useAction(switchOff);
  const [title, text] =
    search.status === "found"
      ? [t("safety.found", { plugin }), t("safety.foundText")]
      : search.status === "not_a_plugin"
        ? [t("safety.notPlugin"), t("safety.notPluginText")]
        : [t("safety.lost"), t("safety.lostText")];
  const problem = ending.problem ?? off.problem;
  return (
    <div role="status">
      <p className="text-lg font-semibold">{title}</p>
      <p className="mt-0.5 text-sm text-mute">{text}</p>
      <div className="mt-3.5 flex flex-wrap gap-2">
        {search.found !== null && (
          <>
            <Button look="accent" busy={off.busy} onClick={() => void off.act(search)}>
              {t("safety.switchOff", { plugin })}
            </Button>
            <Button onClick={() => open(search.agentId, search.found ?? "", "activity")}>
              {t("safety.open", { plugin })}
            </Button>
          </>
        )}
        <Button busy={ending.busy} onClick={() => void ending.act(search.agentId)}>
          {t("safety.finish")}
        </Button>
      </div>
      {problem && <ProblemNote className="mt-3" problem={problem} />}
    </div>
  );
}
