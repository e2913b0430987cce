import { Download, Eye } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { RemovedThing } from "../../../../contract/removed/removed.ts";
import { download } from "../../../base/client/download.ts";
import { type Rpc, rpc } from "../../../base/client/rpc.ts";
import { useMirror } from "../../../store/mirror.ts";
import { useAction } from "../../../ui/action.ts";
import { Button } from "../../../ui/controls/button.tsx";
import { CopyButton } from "../../../ui/controls/copy-button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { ProblemNote } from "../../../ui/problem-note.tsx";
import { fileNameOf } from "./removed-words.ts";

type Text = Awaited<ReturnType<Rpc["removed"]["text"]>>;
const read = (id: string) => rpc.removed.text({ id });

/** Shows the text of a file that was set aside, to be copied or saved. */
export function ShowFile({ thing }: { thing: RemovedThing }) {
  const { t } = useTranslation();
  const [shown, setShown] = useState<Text | null>(null);
  const folder = useMirror((state) => state.info?.folder ?? "");
  // In the desktop's window the file is opened where it lies.
  const isDesktop = useMirror((state) => state.info?.shell === "desktop");
  const reading = useAction(read);
  const name = fileNameOf(thing);
  const open = async () => setShown((await reading.act(thing.id)) ?? null);
  return (
    <>
      <Button
        size="sm"
        busy={reading.busy}
        aria-label={t("removed.showName", { name })}
        icon={<Eye className="size-3.5" aria-hidden="true" />}
        onClick={() => void open()}
      >
        {t("removed.show")}
      </Button>
      {reading.problem && <ProblemNote className="basis-full" problem={reading.problem} />}
      <Dialog
        open={shown !== null}
        onClose={() => setShown(null)}
        title={name}
        description={t("removed.liesIn", { path: `${folder}/${thing.name}` })}
        width="lg"
        footer={
          shown && (
            <>
              <CopyButton label={t("removed.copyText")} text={() => shown.text} />
              {!isDesktop && (
                <Button
                  icon={<Download className="size-4" aria-hidden="true" />}
                  onClick={() =>
                    download(new Blob([shown.text], { type: "application/json" }), shown.fileName)
                  }
                >
                  {t("removed.saveCopy")}
                </Button>
              )}
            </>
          )
        }
      >
        <pre
          tabIndex={0}
          className="figure max-h-[50vh] overflow-auto rounded-md border border-line bg-sunk px-4 py-3 text-xs leading-relaxed break-words whitespace-pre-wrap"
        >
          {shown?.text}
        </pre>
      </Dialog>
    </>
  );
}
