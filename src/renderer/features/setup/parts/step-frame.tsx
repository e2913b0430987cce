import { Dialog as RadixDialog } from "radix-ui";
import { createContext, type ReactNode, useContext, useEffect, useRef } from "react";
import type { ShownProblem } from "../../../base/client/problem.ts";
import { announce } from "../../../ui/announce.tsx";
import { ProblemNote } from "../../../ui/problem-note.tsx";

interface StepFrameProps {
  title: string;
  text?: string | undefined;
  children?: ReactNode;
  /** Shown at the foot: what is going on. */
  status?: ReactNode;
  buttons: ReactNode;
  /** What was wrong with the last answer. */
  problem?: ShownProblem | null;
}

/** True while a question covers the step: the step then leaves the focus alone. */
export const CoveredContext = createContext(false);

/**
 * One page of the wizard: a heading, what is to be done, and buttons at its foot. A new page puts the focus on its
 * first field, or on its heading when it has none. After a refused answer the focus goes to the field that is wrong.
 */
export function StepFrame({ title, text, children, status, buttons, problem }: StepFrameProps) {
  const page = useRef<HTMLDivElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const covered = useContext(CoveredContext);

  useEffect(() => {
    if (covered) return;
    const field = page.current?.querySelector<HTMLElement>(
      "[data-step-body] :is(input, select, textarea):not(:disabled)",
    );
    (field ?? heading.current)?.focus({ preventScroll: true });
  }, [covered]);

  useEffect(() => {
    if (covered || !problem) return;
    page.current?.querySelector<HTMLElement>("[data-step-body] [aria-invalid=true]")?.focus();
  }, [covered, problem]);

  useEffect(() => announce(title), [title]);

  return (
    <div ref={page} className="flex min-h-0 flex-1 flex-col">
      <div className="px-8 pt-6 pr-14">
        <RadixDialog.Title
          ref={heading}
          tabIndex={-1}
          className="title break-words focus-visible:outline-none"
        >
          {title}
        </RadixDialog.Title>
        {text && <p className="mt-0.5 break-words whitespace-pre-line text-pretty text-mute">{text}</p>}
      </div>
      <div data-step-body className="min-h-0 flex-1 overflow-y-auto px-8 pt-5 pb-6">
        {problem && (
          <ProblemNote
            className="mb-5"
            problem={problem}
            tone={problem.code === "SETUP_STALE" ? "warn" : "bad"}
          />
        )}
        {children}
      </div>
      <footer className="flex min-h-14 items-center justify-end gap-2 border-t border-line px-8 py-3">
        <div className="mr-auto flex min-w-0 items-center gap-2 text-sm text-mute">{status}</div>
        {buttons}
      </footer>
    </div>
  );
}
