import { CornerLeftUp, File, Folder } from "lucide-react";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { PlaceKind, PlaceList } from "../../../contract/place.ts";
import { cleanLine } from "../../../contract/shown/clean-text.ts";
import { problemOf, type ShownProblem } from "../../base/client/problem.ts";
import { rpc } from "../../base/client/rpc.ts";
import { cx } from "../../ui/class-names.ts";
import { Button } from "../../ui/controls/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { ProblemNote } from "../../ui/problem-note.tsx";
import { Spinner } from "../../ui/spinner.tsx";

interface PlacesDialogProps {
  kind: PlaceKind;
  onClose(): void;
  onChosen(path: string): void;
}

/** Where the person looked last, for the next time. */
let lastFolder: string | undefined;

/** A list of the person's folders, for where no desktop has a dialog for that. */
export function PlacesDialog({ kind, onClose, onChosen }: PlacesDialogProps) {
  const { t } = useTranslation();
  const [folder, setFolder] = useState(lastFolder);
  const { list, problem } = usePlaces(folder);
  const open = (path: string | undefined) => {
    lastFolder = path;
    setFolder(path);
  };

  return (
    <Dialog
      open
      onClose={onClose}
      title={t(`places.${kind}Title`)}
      description={<span className="figure break-all">{cleanLine(list?.path ?? "")}</span>}
      footer={
        <>
          {list?.cut && <span className="mr-auto text-xs text-mute">{t("places.cut")}</span>}
          <Button onClick={onClose}>{t("common.cancel")}</Button>
          {kind === "folder" && (
            <Button look="accent" disabled={!list} onClick={() => list && onChosen(list.path)}>
              {t("places.take")}
            </Button>
          )}
        </>
      }
    >
      {problem && (
        <ProblemNote
          problem={problem}
          action={
            <Button size="sm" onClick={() => open(undefined)}>
              {t("places.home")}
            </Button>
          }
        />
      )}
      {!list && !problem && <Spinner className="m-4 text-mute" />}
      {list && (
        <ul
          aria-label={t("places.entries")}
          className="h-[46vh] overflow-y-auto rounded-md border border-line"
        >
          {list.parent !== null && (
            <Place
              icon={<CornerLeftUp className="size-4 shrink-0 text-mute" aria-hidden="true" />}
              name={t("places.up")}
              onClick={() => open(list.parent ?? undefined)}
            />
          )}
          {list.entries.map((entry) => (
            <Place
              key={entry.path}
              icon={<PlaceIcon kind={entry.kind} />}
              name={entry.name}
              disabled={entry.kind === "file" && kind === "folder"}
              onClick={() => (entry.kind === "folder" ? open(entry.path) : onChosen(entry.path))}
            />
          ))}
          {list.entries.length === 0 && (
            <li className="px-3 py-2.5 text-sm text-mute">{t("places.empty")}</li>
          )}
        </ul>
      )}
    </Dialog>
  );
}

function usePlaces(folder: string | undefined): { list: PlaceList | null; problem: ShownProblem | null } {
  const [list, setList] = useState<PlaceList | null>(null);
  const [problem, setProblem] = useState<ShownProblem | null>(null);
  useEffect(() => {
    const life = new AbortController();
    rpc.places.list(folder === undefined ? {} : { path: folder }, { signal: life.signal }).then(
      (found) => {
        setList(found);
        setProblem(null);
      },
      (error: unknown) => {
        if (!life.signal.aborted) setProblem(problemOf(error));
      },
    );
    return () => life.abort();
  }, [folder]);
  return { list, problem };
}

interface PlaceProps {
  icon: React.ReactNode;
  name: string;
  disabled?: boolean;
  onClick(): void;
}

function Place({ icon, name, disabled = false, onClick }: PlaceProps) {
  return (
    <li className="border-b border-line last:border-b-0">
      <button
        type="button"
        disabled={disabled}
        onClick={onClick}
        className={cx(
          "flex w-full items-center gap-2.5 px-3 py-2 text-left text-sm focus-visible:-outline-offset-2",
          disabled ? "text-hint" : "hover:bg-sunk",
        )}
      >
        {icon}
        <span className="min-w-0 truncate">{cleanLine(name)}</span>
      </button>
    </li>
  );
}

function PlaceIcon({ kind }: { kind: PlaceKind }) {
  const Icon = kind === "folder" ? Folder : File;
  return <Icon className="size-4 shrink-0 text-mute" aria-hidden="true" />;
}
