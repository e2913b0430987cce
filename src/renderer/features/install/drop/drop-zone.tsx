import type { TFunction } from "i18next";
import { PackagePlus } from "lucide-react";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { droppedPath } from "../../../base/client/dropped-paths.ts";
import { problemOf, type ShownProblem } from "../../../base/client/problem.ts";
import { panels } from "../../../store/panels.ts";
import { Button } from "../../../ui/controls/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { ProblemNote } from "../../../ui/problem-note.tsx";
import { Spinner } from "../../../ui/spinner.tsx";
import { ChooseButton } from "../../places/public.ts";
import { installFile, startInstall } from "../start-install.ts";
import { type Dropped, type RefusedDrop, readDrop } from "./read-drop.ts";

type Stage =
  | { kind: "none" }
  | { kind: "over" }
  | { kind: "sending"; name: string }
  | { kind: "refused"; problem: ShownProblem; why: RefusedDrop | null };

/** Whatever is dropped on the window is something to install; what cannot be is answered in words. */
export function DropZone() {
  const { t } = useTranslation();
  const [stage, setStage] = useState<Stage>({ kind: "none" });

  useEffect(() => {
    const life = new AbortController();
    const take = (dropped: Dropped) => void receive(dropped, setStage, t);
    followDrags(life.signal, (over) => setStage(over ? { kind: "over" } : { kind: "none" }), take);
    return () => life.abort();
  }, [t]);

  const close = () => setStage({ kind: "none" });
  switch (stage.kind) {
    case "none":
      return null;
    case "over":
      return (
        <div className="pointer-events-none fixed inset-0 z-[60] grid place-items-center bg-scrim p-6 backdrop-blur-[2px]">
          <div className="grid justify-items-center gap-1 rounded-xl border-2 border-dashed border-accent bg-surface px-16 py-10 text-center shadow-high animate-appear">
            <PackagePlus className="mb-2 size-8 text-accent" aria-hidden="true" />
            <p className="title">{t("drop.title")}</p>
            <p className="text-mute">{t("drop.text")}</p>
          </div>
        </div>
      );
    case "sending":
      return (
        <div
          role="status"
          className="fixed inset-x-0 bottom-6 z-[60] mx-auto flex w-fit max-w-[80vw] items-center gap-3 rounded-lg border border-line bg-raised px-4 py-3 text-sm shadow-high animate-appear"
        >
          <Spinner className="text-accent" />
          <span className="truncate">{t("drop.sending", { name: stage.name })}</span>
        </div>
      );
    case "refused":
      return (
        <Dialog
          open
          onClose={close}
          title={t("drop.refused")}
          footer={
            <>
              <Button onClick={close}>{t("common.close")}</Button>
              {(stage.why === "folder" || stage.why === "tooLarge") && (
                <ChooseButton
                  kind={stage.why === "folder" ? "folder" : "file"}
                  onChosen={(path) => {
                    close();
                    panels.openInstall(path);
                  }}
                />
              )}
              <Button
                look="accent"
                onClick={() => {
                  close();
                  panels.openInstall();
                }}
              >
                {t("drop.typePath")}
              </Button>
            </>
          }
        >
          <ProblemNote tone="warn" problem={stage.problem} />
        </Dialog>
      );
  }
}

type Translate = TFunction;

async function receive(dropped: Dropped, show: (stage: Stage) => void, t: Translate): Promise<void> {
  switch (dropped.kind) {
    case "link":
      show({ kind: "none" });
      return panels.openInstall(dropped.spec);
    case "file":
      return hand(dropped.file.name, () => installFile(dropped.file), show);
    case "refused": {
      const inPlace = dropped.why === "folder" || dropped.why === "tooLarge";
      const path = inPlace ? await droppedPath() : null;
      if (path !== null) return hand(dropped.name, () => startInstall(path), show);
      const named = { name: dropped.name, count: dropped.count };
      show({
        kind: "refused",
        why: dropped.why,
        problem: {
          code: "SPEC_UNSUPPORTED",
          message: t(`drop.${dropped.why}`, named),
          help: t(`drop.${dropped.why}Help`),
        },
      });
    }
  }
}

async function hand(name: string, install: () => Promise<void>, show: (stage: Stage) => void): Promise<void> {
  show({ kind: "sending", name });
  try {
    await install();
    show({ kind: "none" });
  } catch (error) {
    show({ kind: "refused", why: null, problem: problemOf(error) });
  }
}

/** Follows what is dragged over the window until `signal` aborts. A drag that began on the page itself is ignored. */
function followDrags(
  signal: AbortSignal,
  onOver: (over: boolean) => void,
  onDrop: (dropped: Dropped) => void,
): void {
  let ownDrag = false;
  let depth = 0;
  const listen = (
    type: "dragstart" | "dragend" | "dragenter" | "dragover" | "dragleave" | "drop",
    run: (event: DragEvent) => void,
  ) => window.addEventListener(type, run, { signal });
  const leave = () => {
    depth = 0;
    onOver(false);
  };
  listen("dragstart", () => {
    ownDrag = true;
  });
  listen("dragend", () => {
    ownDrag = false;
  });
  listen("dragenter", (event) => {
    if (ownDrag) return;
    event.preventDefault();
    depth += 1;
    if (depth === 1) onOver(true);
  });
  listen("dragover", (event) => {
    if (ownDrag) return;
    event.preventDefault();
    if (event.dataTransfer) event.dataTransfer.dropEffect = "copy";
  });
  listen("dragleave", () => {
    if (ownDrag || depth === 0) return;
    depth -= 1;
    if (depth === 0) onOver(false);
  });
  listen("drop", (event) => {
    if (ownDrag || !event.dataTransfer) return;
    // Otherwise the browser would open the file or link in place of this page.
    event.preventDefault();
    leave();
    onDrop(readDrop(event.dataTransfer));
  });
}
