import { Plus } from "lucide-react";
import { type SyntheticEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Settings } from "../../../../contract/settings.ts";
import { useKept } from "../../../store/kept.ts";
import { useMirror } from "../../../store/mirror.ts";
import { saveSettings } from "../../../store/save-settings.ts";
import { useAction } from "../../../ui/action.ts";
import { Button } from "../../../ui/controls/button.tsx";
import { Field } from "../../../ui/controls/field.tsx";
import { ProblemNote } from "../../../ui/problem-note.tsx";
import { Block } from "../../../ui/well.tsx";
import { AddressForm, useAddress } from "./address-form.tsx";
import { BringBlock } from "./bring-block.tsx";
import { ClientDocumentBlock } from "./client-document-block.tsx";
import { McpRegistryBlock } from "./mcp-registry-block.tsx";
import { useSourceCheck } from "./source-check.tsx";

/** The npm registry and the catalogues that the person added. */
export function SourcesSection() {
  const settings = useMirror((state) => state.settings);
  if (!settings) return null;
  return (
    <div className="space-y-4">
      <Registry key={`registry ${settings.registry}`} settings={settings} />
      <McpRegistryBlock registry={settings.mcpRegistry} />
      <ClientDocumentBlock address={settings.clientMetadataUrl} />
      <Catalogues settings={settings} />
      <BringBlock />
    </div>
  );
}

function Registry({ settings }: { settings: Settings }) {
  const { t } = useTranslation();
  const usual = useMirror((state) => state.info?.machineRegistry ?? "");
  const edited = useAddress({
    id: "registry",
    stored: settings.registry,
    isRight: isWebAddress,
    patch: (registry) => ({ registry }),
  });
  const check = useSourceCheck("registry", edited.isBad ? "" : edited.address || usual);
  return (
    <AddressForm
      title={t("sources.registry")}
      label={t("model.baseUrl")}
      help={t("sources.registryHelp", { registry: usual })}
      fault={t("sources.notUrl")}
      placeholder={usual}
      edited={edited}
      beside={check.button}
    >
      {check.result}
    </AddressForm>
  );
}

function Catalogues({ settings }: { settings: Settings }) {
  const { t } = useTranslation();
  const { catalogUrls } = settings;
  const [value, setValue, forget] = useKept("catalogue", () => "");
  const [tried, setTried] = useState(false);
  const save = useAction(saveSettings);
  const url = value.trim();
  const error = !isWebAddress(url)
    ? t("sources.notUrl")
    : catalogUrls.includes(url)
      ? t("sources.known")
      : undefined;
  const add = async (event: SyntheticEvent) => {
    event.preventDefault();
    setTried(true);
    if (error) return;
    if (await save.act({ catalogUrls: [...catalogUrls, url] })) {
      forget();
      setTried(false);
    }
  };
  return (
    <Block title={t("sources.catalogues")}>
      {catalogUrls.length === 0 ? (
        <p className="text-sm text-mute">{t("sources.noCatalogue")}</p>
      ) : (
        <ul className="space-y-2.5">
          {catalogUrls.map((known) => (
            <li key={known}>
              <Catalogue
                url={known}
                onRemove={() =>
                  void save.act({ catalogUrls: catalogUrls.filter((other) => other !== known) })
                }
              />
            </li>
          ))}
        </ul>
      )}
      <form onSubmit={add} noValidate className="mt-4 border-t border-line pt-3.5">
        <Field label={t("sources.catalogue")} error={tried ? error : undefined}>
          {(props) => (
            <div className="flex gap-2">
              <input
                {...props}
                type="url"
                className="field h-8 min-w-0 flex-1 font-mono text-sm"
                value={value}
                onChange={(event) => setValue(event.target.value)}
              />
              <Button type="submit" busy={save.busy} icon={<Plus className="size-4" aria-hidden="true" />}>
                {t("sources.add")}
              </Button>
            </div>
          )}
        </Field>
        {save.problem && <ProblemNote className="mt-2" problem={save.problem} />}
      </form>
    </Block>
  );
}

function Catalogue({ url, onRemove }: { url: string; onRemove(): void }) {
  const { t } = useTranslation();
  const check = useSourceCheck("catalogue", url);
  return (
    <>
      <div className="flex items-center gap-2">
        <span className="min-w-0 flex-1 truncate font-mono text-sm" title={url}>
          {url}
        </span>
        {check.button}
        <Button look="danger" aria-label={t("sources.removeName", { url })} onClick={onRemove}>
          {t("sources.remove")}
        </Button>
      </div>
      {check.result}
    </>
  );
}

function isWebAddress(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && (url.protocol === "https:" || url.protocol === "http:");
}
