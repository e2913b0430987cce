import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Job } from "../../../contract/job.ts";
import { pluginKeyPattern } from "../../../contract/names.ts";
import { rpc } from "../../base/client/rpc.ts";
import { panels } from "../../store/panels.ts";
import { useAction } from "../../ui/action.ts";
import { Button } from "../../ui/controls/button.tsx";
import { Field } from "../../ui/controls/field.tsx";
import { ProblemNote } from "../../ui/problem-note.tsx";

/** Whether an installation failed because another plugin has a name that this one claims. */
export function claimsTaken({ kind, problem }: Job): boolean {
  return kind === "install" && (problem?.code === "KEY_TAKEN" || problem?.code === "NAMESPACE_TAKEN");
}

async function installAs(id: string, key: string): Promise<void> {
  const job = await rpc.jobs.retry({ id, key });
  panels.showJob(job.id);
}

/** Asks for another key, so that a plugin can be installed beside one that has its own. */
export function OtherKey({ job }: { job: Job }) {
  const { t } = useTranslation();
  const [key, setKey] = useState(job.pluginKey === null ? "" : `${job.pluginKey}-2`);
  const installing = useAction(installAs);
  const isKey = pluginKeyPattern.test(key);
  return (
    <form
      className="mb-4 space-y-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (isKey) void installing.act(job.id, key);
      }}
    >
      {installing.problem && <ProblemNote problem={installing.problem} />}
      <Field
        label={t("otherKey.label")}
        help={t("otherKey.help")}
        error={key === "" || isKey ? undefined : t("otherKey.form")}
      >
        {(control) => (
          <div className="flex gap-2">
            <input
              {...control}
              className="field h-8 min-w-0 flex-1"
              autoComplete="off"
              spellCheck={false}
              value={key}
              onChange={(event) => setKey(event.target.value)}
            />
            <Button type="submit" busy={installing.busy} disabled={!isKey}>
              {t("otherKey.install")}
            </Button>
          </div>
        )}
      </Field>
    </form>
  );
}
