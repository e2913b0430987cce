import { ChevronRight, Search } from "lucide-react";
import { Dialog as RadixDialog } from "radix-ui";
import { type SyntheticEvent, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { sourceWord } from "../../model/runtimes.ts";
import { useMirror } from "../../store/mirror.ts";
import { type InstallFrom, panels } from "../../store/panels.ts";
import { useAction } from "../../ui/action.ts";
import { cx } from "../../ui/class-names.ts";
import { Button } from "../../ui/controls/button.tsx";
import { ProblemNote } from "../../ui/problem-note.tsx";
import { GivenView, useGiven } from "../bring/public.ts";
import { useCatalogue } from "../catalogue/public.ts";
import { ChooseButton } from "../places/public.ts";
import { CatalogueList } from "./catalogue-list.tsx";
import { kindOfSpec } from "./spec-kind.ts";
import { startInstall } from "./start-install.ts";

/** What to install: a name, a file, a folder, a git address, or a find from the catalogue. */
export function ChooseStep({ initial, agentId }: { initial: InstallFrom; agentId: string }) {
  const { t } = useTranslation();
  const id = useId();
  const [spec, setSpec] = useState(initial.spec);
  const [link, setLink] = useState(initial.link ?? false);
  const [registry, setRegistry] = useState(initial.registry ?? "");
  const install = useAction(startInstall);
  const kind = kindOfSpec(spec);
  const isGiven = kind === "mcp-import";
  const given = useGiven(isGiven ? spec : null);
  const searched = kind === null || kind === "npm" ? spec.trim() : "";
  const catalogue = useCatalogue(searched);
  const canInstall = isGiven ? given?.servers.length === 1 : spec.trim() !== "";
  // The name of a plugin that comes with Patchbay means that one, never a package of somebody else that is called so.
  const own = catalogue.entries.find(
    (entry) =>
      entry.trust === "built-in" &&
      [entry.manifestKey, entry.displayName.toLowerCase()].includes(searched.toLowerCase()),
  );
  const meant = isGiven ? (given?.servers[0]?.spec ?? spec) : (own?.spec ?? spec);
  const isKnown = kind !== "npm" || catalogue.entries.some((entry) => entry.spec === meant.trim());

  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (canInstall) void install.act(meant, { link: link && kind === "folder", registry });
  };

  return (
    <form onSubmit={submit} className="flex min-h-0 flex-1 flex-col">
      <div className="px-7 pt-6">
        <RadixDialog.Title className="title pr-8">{t("install.title")}</RadixDialog.Title>
        <p className="text-sm text-mute">{t("install.text")}</p>
        <div className="relative mt-4">
          <Search
            className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-hint"
            aria-hidden="true"
          />
          <SpecField id={id} spec={spec} onSpec={setSpec} />
          <span
            id={`${id}-kind`}
            aria-live="polite"
            className={cx(
              "pointer-events-none absolute top-1/2 right-2 -translate-y-1/2 rounded-sm px-2 py-0.5 text-xs font-medium",
              kind ? "bg-sunk text-ink" : "text-hint",
            )}
          >
            {spec.trim() === ""
              ? ""
              : kind
                ? t(sourceWord({ kind, spec: spec.trim() }))
                : t("install.unknownKind")}
          </span>
        </div>
        <div className="mt-2.5 flex flex-wrap gap-2">
          <ChooseButton kind="folder" onChosen={setSpec} />
          <ChooseButton kind="file" onChosen={setSpec} />
        </div>
        <Options
          isFolder={kind === "folder"}
          isNpm={kind === "npm"}
          link={link}
          onLink={setLink}
          registry={registry}
          onRegistry={setRegistry}
        />
        {install.problem && <ProblemNote className="mt-3" problem={install.problem} />}
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto px-7 py-4">
        {isGiven ? (
          given && <GivenView given={given} agentId={agentId} />
        ) : (
          <CatalogueList
            answer={catalogue}
            query={searched}
            onChoose={(choice) => setSpec(choice)}
            chosen={meant}
          />
        )}
      </div>
      <footer className="flex items-center justify-end gap-2 border-t border-line px-7 py-3">
        <Button onClick={panels.closeInstall}>{t("common.cancel")}</Button>
        <Button look={isKnown ? "accent" : "plain"} type="submit" busy={install.busy} disabled={!canInstall}>
          {t("install.continue")}
          <ChevronRight className="size-4" aria-hidden="true" />
        </Button>
      </footer>
    </form>
  );
}

interface SpecFieldProps {
  id: string;
  spec: string;
  onSpec(spec: string): void;
}

/** One line, or several where a text with several was pasted: a comment in it would otherwise take the rest along. */
function SpecField({ id, spec, onSpec }: SpecFieldProps) {
  const { t } = useTranslation();
  const shared = {
    id: `${id}-spec`,
    "aria-label": t("install.spec"),
    "aria-describedby": `${id}-kind`,
    autoComplete: "off",
    spellCheck: false,
    value: spec,
  };
  if (spec.includes("\n"))
    return (
      <textarea
        {...shared}
        // biome-ignore lint/a11y/noAutofocus: it takes the place of the field in which the person pasted.
        autoFocus
        rows={6}
        className="field pr-32 pl-9 font-mono text-xs"
        onChange={(event) => onSpec(event.target.value)}
      />
    );
  return (
    <input
      {...shared}
      className="field h-10 pr-32 pl-9"
      placeholder={t("install.placeholder")}
      onChange={(event) => onSpec(event.target.value)}
      onPaste={(event) => {
        const text = event.clipboardData.getData("text");
        if (!text.trim().includes("\n")) return;
        event.preventDefault();
        onSpec(text);
      }}
    />
  );
}

interface OptionsProps {
  isFolder: boolean;
  isNpm: boolean;
  link: boolean;
  onLink(link: boolean): void;
  registry: string;
  onRegistry(registry: string): void;
}

function Options({ isFolder, isNpm, link, onLink, registry, onRegistry }: OptionsProps) {
  const { t } = useTranslation();
  const defaultRegistry = useMirror((state) => state.info?.defaultRegistry ?? "");
  if (isFolder)
    return (
      <label className="mt-3 flex items-start gap-2.5 text-sm">
        <input
          type="checkbox"
          className="mt-0.5 size-4 accent-[var(--accent)]"
          checked={link}
          onChange={(event) => onLink(event.target.checked)}
        />
        <span>
          {t("install.link")} <span className="text-mute">{t("install.linkHelp")}</span>
        </span>
      </label>
    );
  if (!isNpm) return null;
  return (
    <details className="mt-2.5 text-sm">
      <summary className="w-fit rounded-sm text-xs text-mute hover:text-ink">{t("install.registry")}</summary>
      <input
        type="url"
        className="field mt-2 font-mono text-xs"
        value={registry}
        onChange={(event) => onRegistry(event.target.value)}
        placeholder={defaultRegistry}
        aria-label={t("install.registry")}
        spellCheck={false}
      />
    </details>
  );
}
