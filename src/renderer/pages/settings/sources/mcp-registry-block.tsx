import { useTranslation } from "react-i18next";
import { officialMcpRegistry } from "../../../../contract/found/mcp-list.ts";
import { formatAgo, useNow } from "../../../base/i18n/time.ts";
import { useMirror } from "../../../store/mirror.ts";
import { Button } from "../../../ui/controls/button.tsx";
import { AddressForm, useAddress } from "./address-form.tsx";

/** Which MCP Registry Discover lists servers of. */
export function McpRegistryBlock({ registry }: { registry: string | null }) {
  const { t } = useTranslation();
  const list = useMirror((state) => state.mcpList);
  const now = useNow(60_000);
  const edited = useAddress({
    id: "mcp registry",
    stored: registry,
    isRight: (typed) => /^https?:\/\/\S+$/.test(typed),
    patch: (mcpRegistry) => ({ mcpRegistry }),
  });
  return (
    <AddressForm
      title={t("sources.mcp")}
      label={t("sources.mcpAddress")}
      help={t("sources.mcpHelp")}
      fault={t("sources.notUrl")}
      placeholder={officialMcpRegistry}
      edited={edited}
      {...(registry === null && {
        unchanged: (
          <Button busy={edited.busy} onClick={() => void edited.save(officialMcpRegistry)}>
            {t("sources.mcpOfficial")}
          </Button>
        ),
      })}
    >
      {registry !== null && list && list.listedAt !== null && (
        <p role="status" className="mt-2 text-sm text-mute">
          {t("servers.asked", { ago: formatAgo(list.listedAt, now) })}
        </p>
      )}
    </AddressForm>
  );
}
