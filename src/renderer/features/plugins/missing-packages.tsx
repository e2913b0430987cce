import { useTranslation } from "react-i18next";
import { rpc } from "../../base/client/rpc.ts";
import { currentProblem } from "../../model/health.ts";
import { missingPackages } from "../../model/missing-packages.ts";
import { displayName, useRow } from "../../model/rows.ts";
import { panels, usePanels } from "../../store/panels.ts";
import { Confirm } from "../../ui/confirm.tsx";
import { followJob } from "./follow-job.ts";

/** Asks before packages are installed that a plugin lacks. Shown over whatever page the person is on. */
export function PackagesOutlet() {
  const asked = usePanels((state) => state.packages);
  return asked && <MissingPackages agentId={asked.agentId} pluginKey={asked.key} />;
}

function MissingPackages({ agentId, pluginKey }: { agentId: string; pluginKey: string }) {
  const { t } = useTranslation();
  const row = useRow(agentId, pluginKey);
  const packages = missingPackages(currentProblem(row));
  const name = displayName(row);
  const count = packages.length;
  return (
    <Confirm
      open={packages.length > 0}
      onClose={() => panels.askPackages(null)}
      title={t("packages.title", { count, names: packages[0] ?? "", plugin: name })}
      consequences={[
        <>
          {t("packages.what", { count })}
          <code className="figure mt-1 block break-all text-ink">{`pip install ${packages.join(" ")}`}</code>
        </>,
        t("packages.code"),
        t("packages.where", { count, plugin: name }),
        t("packages.after", { plugin: name }),
      ]}
      verb={t("packages.verb")}
      run={async () => followJob(await rpc.plugins.installPackages({ key: pluginKey, packages }))}
    />
  );
}
