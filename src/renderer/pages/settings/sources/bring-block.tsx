import { useTranslation } from "react-i18next";
import { useAgentId } from "../../../base/routes.ts";
import { BringList } from "../../../features/bring/bring-list.tsx";
import { useHere, useLookHere } from "../../../features/catalogue/here-store.ts";
import { Spinner } from "../../../ui/spinner.tsx";
import { Block } from "../../../ui/well.tsx";

/** The MCP servers of other programs on this computer, which can come along at any time. */
export function BringBlock() {
  const { t } = useTranslation();
  const agentId = useAgentId();
  useLookHere();
  const found = useHere((state) => state.found);
  const servers = found?.plugins.filter(({ server }) => server !== undefined) ?? [];
  const problem = found?.looked.find(({ runtime }) => runtime === "mcp")?.problem;
  return (
    <Block title={t("bring.title")}>
      <p className="mb-3 max-w-[80ch] text-sm text-mute">{t("bring.text")}</p>
      {problem && (
        <p lang="en" className="mb-3 text-sm break-words text-warn">
          {problem}
        </p>
      )}
      {found === null && <Spinner />}
      {found !== null && servers.length === 0 && <p className="text-sm text-mute">{t("bring.nothing")}</p>}
      {servers.length > 0 && <BringList servers={servers} agentId={agentId} />}
    </Block>
  );
}
