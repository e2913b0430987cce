import { FolderOpen } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import type { PlaceKind } from "../../../contract/place.ts";
import { rpc } from "../../base/client/rpc.ts";
import { useAction } from "../../ui/action.ts";
import { Button } from "../../ui/controls/button.tsx";
import { ProblemNote } from "../../ui/problem-note.tsx";

const PlacesDialog = lazy(async () => ({ default: (await import("./places-dialog.tsx")).PlacesDialog }));

interface ChooseButtonProps {
  kind: PlaceKind;
  /** Called with the whole path. */
  onChosen(path: string): void;
  disabled?: boolean;
}

const chooseInDesktop = (kind: PlaceKind) => rpc.places.choose({ kind });

/** Points at a file or folder of this computer: in the dialog of the desktop, else in a list of folders. */
export function ChooseButton({ kind, onChosen, disabled }: ChooseButtonProps) {
  const { t } = useTranslation();
  const [listed, setListed] = useState(false);
  const desktop = useAction(chooseInDesktop);
  const choose = async () => {
    if (window.patchbayDesktop !== true) return setListed(true);
    const answer = await desktop.act(kind);
    if (answer?.path) onChosen(answer.path);
  };
  return (
    <>
      <Button
        size="sm"
        className="shrink-0"
        disabled={disabled}
        busy={desktop.busy}
        icon={<FolderOpen className="size-3.5" aria-hidden="true" />}
        onClick={() => void choose()}
      >
        {t(`places.${kind}`)}
      </Button>
      {desktop.problem && <ProblemNote problem={desktop.problem} />}
      {listed && (
        <Suspense>
          <PlacesDialog
            kind={kind}
            onClose={() => setListed(false)}
            onChosen={(path) => {
              setListed(false);
              onChosen(path);
            }}
          />
        </Suspense>
      )}
    </>
  );
}
