import { Check, ChevronRight, FileText, Image, Plus } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { FoundResources } from "../../../../contract/conversation/offered.ts";
import { formatBytes } from "../../../base/i18n/time.ts";
import { useDisplayName } from "../../../model/rows.ts";
import { Badge } from "../../../ui/badge.tsx";
import { cx } from "../../../ui/class-names.ts";
import { Button } from "../../../ui/controls/button.tsx";
import { SearchField } from "../../../ui/controls/search-field.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { ProblemNote } from "../../../ui/problem-note.tsx";
import { Spinner } from "../../../ui/spinner.tsx";
import { attachResource, detach, useAttachedFiles } from "../files/attached-files.ts";
import { TemplateForm } from "./template-form.tsx";
import { useFoundResources } from "./use-found-resources.ts";

interface ResourcePickerProps {
  agentId: string;
  /** Whom the message is for. */
  place: string;
  /** Changes with what the plugins offer. */
  version: string;
  onClose(): void;
}

/** What the agent's plugins can read for a message, by plugin. */
export function ResourcePicker({ agentId, place, version, onClose }: ResourcePickerProps) {
  const { t } = useTranslation();
  const [words, setWords] = useState("");
  const { found, problem } = useFoundResources(agentId, words.trim(), version);
  const { resources, refused } = useAttachedFiles(place);
  const owners = [
    ...new Set([...(found?.resources ?? []), ...(found?.templates ?? [])].map((one) => one.owner)),
  ];
  const left = (found?.total ?? 0) - (found?.resources.length ?? 0);
  return (
    <Dialog
      open
      onClose={onClose}
      title={t("attachable.title")}
      description={t("attachable.text")}
      footer={
        <>
          <p role="status" className="mr-auto text-xs text-mute">
            {refused.length > 0
              ? t("conversation.tooManyFiles")
              : t("attachable.chosen", { count: resources.length })}
          </p>
          <Button onClick={onClose}>{t("attachable.done")}</Button>
        </>
      }
    >
      <SearchField value={words} onChange={setWords} label={t("attachable.search")} />
      {problem && <ProblemNote className="mt-3" problem={problem} />}
      {!found && !problem && <Spinner className="m-4 text-mute" />}
      {found && owners.length === 0 && (
        <p className="py-6 text-center text-sm text-mute">
          {t(words === "" ? "attachable.none" : "attachable.noMatch")}
        </p>
      )}
      {found &&
        owners.map((owner) => (
          <OwnedResources key={owner} agentId={agentId} place={place} owner={owner} found={found} />
        ))}
      {left > 0 && <p className="mt-3 text-xs text-mute">{t("attachable.more", { count: left })}</p>}
      {found?.silent.map(({ owner }) => (
        <Silent key={owner} owner={owner} />
      ))}
    </Dialog>
  );
}

function Silent({ owner }: { owner: string }) {
  const { t } = useTranslation();
  const plugin = useDisplayName(owner) ?? owner;
  return <p className="mt-3 text-xs font-medium text-bad">{t("attachable.silent", { plugin })}</p>;
}

interface OwnedProps {
  agentId: string;
  place: string;
  owner: string;
  found: FoundResources;
}

function OwnedResources({ agentId, place, owner, found }: OwnedProps) {
  const plugin = useDisplayName(owner) ?? owner;
  const [open, setOpen] = useState<string | null>(null);
  return (
    <section aria-label={plugin} className="mt-4">
      <h3 className="mb-1.5 text-xs font-medium text-hint">{plugin}</h3>
      <ul className="divide-y divide-line rounded-lg border border-line">
        {found.templates
          .filter((one) => one.owner === owner)
          .map((template) => (
            <li key={template.uriTemplate}>
              <button
                type="button"
                aria-expanded={open === template.uriTemplate}
                onClick={() => setOpen(open === template.uriTemplate ? null : template.uriTemplate)}
                className="flex w-full items-center gap-3 px-3 py-2 text-left"
              >
                <ChevronRight
                  className={cx(
                    "size-4 shrink-0 text-mute transition-transform",
                    open === template.uriTemplate && "rotate-90",
                  )}
                  aria-hidden="true"
                />
                <Named name={template.name} uri={template.uriTemplate} text={template.description} />
              </button>
              {open === template.uriTemplate && (
                <TemplateForm
                  agentId={agentId}
                  template={template}
                  onAttach={(resource) => {
                    attachResource(place, resource);
                    setOpen(null);
                  }}
                />
              )}
            </li>
          ))}
        {found.resources
          .filter((one) => one.owner === owner)
          .map((resource) => (
            <ResourceRow key={resource.uri} place={place} resource={resource} />
          ))}
      </ul>
    </section>
  );
}

function ResourceRow({ place, resource }: { place: string; resource: FoundResources["resources"][number] }) {
  const { t } = useTranslation();
  const { owner, uri, name, description, mimeType, bytes, audience } = resource;
  const { resources } = useAttachedFiles(place);
  const chosen = resources.find((one) => one.owner === owner && one.uri === uri);
  const Mark = mimeType?.startsWith("image/") ? Image : FileText;
  const facts = [mimeType, bytes === undefined ? undefined : formatBytes(bytes)].filter(Boolean).join(" · ");
  return (
    <li>
      <button
        type="button"
        aria-pressed={chosen !== undefined}
        onClick={() => (chosen ? detach(place, chosen.id) : attachResource(place, { owner, uri, name }))}
        className="flex w-full items-center gap-3 px-3 py-2 text-left hover:bg-sunk"
      >
        <Mark className="size-4 shrink-0 text-mute" aria-hidden="true" />
        <Named name={name} uri={uri} text={description} />
        {audience?.length === 1 && audience[0] === "user" && <Badge>{t("attachable.forPerson")}</Badge>}
        {facts !== "" && <span className="shrink-0 text-xs text-hint">{facts}</span>}
        {chosen ? (
          <Check className="size-4 shrink-0 text-accent" aria-hidden="true" />
        ) : (
          <Plus className="size-4 shrink-0 text-hint" aria-hidden="true" />
        )}
      </button>
    </li>
  );
}

function Named({ name, uri, text }: { name: string; uri: string; text: string }) {
  return (
    <span className="min-w-0 flex-1">
      <span className="block truncate text-sm font-medium">{name}</span>
      <code className="figure block truncate text-xs text-mute">{uri}</code>
      {text !== "" && <span className="line-clamp-2 text-xs text-pretty text-mute">{text}</span>}
    </span>
  );
}
