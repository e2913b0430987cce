import { type SyntheticEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { officialMcpRegistry } from "../../../../contract/found/mcp-list.ts";
import { formatAgo, useNow } from "../../../base/i18n/time.ts";
import { useMirror } from "../../../store/mirror.ts";
import { saveSettings } from "../../../store/save-settings.ts";
import { useAction } from "../../../ui/action.ts";
import { Button } from "../../../ui/controls/button.tsx";
import { Field } from "../../../ui/controls/field.tsx";
import { ProblemNote } from "../../../ui/problem-note.tsx";
import { Block } from "../../../ui/well.tsx";

/** Which MCP Registry Discover lists servers of. */
export function McpRegistryBlock({ registry }: { registry: string | null }) {
  const { t } = useTranslation();
  const [value, setValue] = useState(registry ?? "");
  const save = useAction(saveSettings);
  const list = useMirror((state) => state.mcpList);
  const now = useNow(60_000);
  const address = value.trim();
  const bad = address !== "" && !/^https?:\/\/\S+$/.test(address);
  const changed = address !== (registry ?? "");
  const submit = async (event: SyntheticEvent) => {
    event.preventDefault();
    if (!bad) await save.act({ mcpRegistry: address === "" ? null : address });
  };
  return (
    <Block title={t("sources.mcp")}>
      <form onSubmit={submit} noValidate>
        <Field
          label={t("sources.mcpAddress")}
          help={t("sources.mcpHelp")}
          error={bad ? t("sources.notUrl") : undefined}
        >
          {(props) => (
            <div className="flex gap-2">
              <input
                {...props}
                type="url"
                className="field h-8 min-w-0 flex-1 font-mono text-sm"
                placeholder={officialMcpRegistry}
                value={value}
                onChange={(event) => setValue(event.target.value)}
              />
              {address === "" && registry === null ? (
                <Button busy={save.busy} onClick={() => void save.act({ mcpRegistry: officialMcpRegistry })}>
                  {t("sources.mcpOfficial")}
                </Button>
              ) : (
                <Button type="submit" disabled={!changed || bad} busy={save.busy}>
                  {t("prefs.save")}
                </Button>
              )}
            </div>
          )}
        </Field>
        {registry !== null && list && list.listedAt !== null && (
          <p role="status" className="mt-2 text-sm text-mute">
            {t("servers.asked", { ago: formatAgo(list.listedAt, now) })}
          </p>
        )}
        {save.problem && <ProblemNote className="mt-2" problem={save.problem} />}
      </form>
    </Block>
  );
}
