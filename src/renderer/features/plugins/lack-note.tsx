import { Plus } from "lucide-react";
import { type SyntheticEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { withValueAt } from "../../../contract/shown/host-setting.ts";
import type { Lack } from "../../../contract/shown/of-use.ts";
import { rpc } from "../../base/client/rpc.ts";
import { sayOf } from "../../base/i18n/plugin-words.ts";
import { useOpenPlugin } from "../../base/routes.ts";
import { lackIn } from "../../model/health.ts";
import type { Row } from "../../model/rows.ts";
import { putRow } from "../../store/mirror.ts";
import { useAction } from "../../ui/action.ts";
import { Button } from "../../ui/controls/button.tsx";
import { ProblemNote } from "../../ui/problem-note.tsx";

async function add(row: Row, { path }: Lack, entry: string): Promise<boolean> {
  const { agentId, key, view } = row;
  const config = withValueAt(view?.config ?? {}, path, [entry]) as Record<string, unknown>;
  putRow(await rpc.agentPlugins.set({ agentId, key, config, revision: view?.revision }));
  return true;
}

/** That a plugin can do nothing yet, and the way to change that in place. */
export function LackNote({ row }: { row: Row }) {
  const { t } = useTranslation();
  const open = useOpenPlugin();
  const [entry, setEntry] = useState("");
  const adding = useAction(add);
  const lack = lackIn(row);
  if (!lack) return null;
  const say = sayOf(row.plugin?.declaration.words);
  const submit = async (event: SyntheticEvent) => {
    event.preventDefault();
    if (entry.trim() !== "" && (await adding.act(row, lack, entry.trim()))) setEntry("");
  };
  return (
    <section className="rounded-lg border border-warn/35 bg-warn-wash px-4 py-3 text-sm">
      <p className="font-medium">{say(lack.text)}</p>
      {lack.isList ? (
        <form onSubmit={submit} className="mt-2 flex flex-wrap gap-2">
          <input
            className="field h-8 min-w-40 flex-1"
            aria-label={say(lack.title)}
            placeholder={say(lack.title)}
            autoComplete="off"
            spellCheck={false}
            value={entry}
            onChange={(event) => setEntry(event.target.value)}
          />
          <Button
            type="submit"
            look="accent"
            busy={adding.busy}
            disabled={entry.trim() === ""}
            icon={<Plus className="size-4" aria-hidden="true" />}
          >
            {t("lack.add")}
          </Button>
        </form>
      ) : (
        <Button size="sm" className="mt-2" onClick={() => open(row.agentId, row.key, "settings")}>
          {t("step.settings")}
        </Button>
      )}
      {adding.problem && <ProblemNote className="mt-3" problem={adding.problem} />}
    </section>
  );
}
