import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { problemOf, type ShownProblem } from "../base/client/problem.ts";
import { Button } from "./controls/button.tsx";
import { Dialog } from "./dialog.tsx";
import { ProblemNote } from "./problem-note.tsx";

interface ConfirmProps {
  open: boolean;
  onClose(): void;
  title: string;
  /** What will happen, named. */
  consequences: ReactNode[];
  verb: string;
  /** What the other button says; else "Cancel". */
  keep?: string;
  danger?: boolean;
  run(): Promise<unknown>;
}

/** Asks before something that cannot be taken back by the same button, and stays open with the reason when it fails. */
export function Confirm({ open, onClose, title, consequences, verb, keep, danger, run }: ConfirmProps) {
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<ShownProblem | null>(null);

  const close = () => {
    setProblem(null);
    onClose();
  };
  const confirm = async () => {
    setBusy(true);
    setProblem(null);
    try {
      await run();
      close();
    } catch (error) {
      setProblem(problemOf(error));
    } finally {
      setBusy(false);
    }
  };

  return (
    <Dialog
      open={open}
      onClose={close}
      title={title}
      width="sm"
      footer={
        <>
          <Button look="plain" onClick={close}>
            {keep ?? t("common.cancel")}
          </Button>
          <Button look={danger ? "danger" : "accent"} busy={busy} onClick={confirm}>
            {verb}
          </Button>
        </>
      }
    >
      <ul className="space-y-2 text-sm text-mute">
        {consequences.map((line, index) => (
          <li key={typeof line === "string" ? line : index} className="flex gap-2.5">
            <span className="mt-2 size-1.5 shrink-0 rounded-full bg-line-strong" aria-hidden="true" />
            <span>{line}</span>
          </li>
        ))}
      </ul>
      {problem && <ProblemNote className="mt-4" problem={problem} />}
    </Dialog>
  );
}
