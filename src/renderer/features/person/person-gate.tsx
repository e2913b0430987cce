import { lazy, Suspense, useEffect, useState } from "react";
import type { ConfirmationAsked } from "../../../contract/access.ts";
import { askPersonBy } from "../../base/client/confirmation.ts";

const Dialog = lazy(async () => ({ default: (await import("./person-dialog.tsx")).PersonDialog }));

interface Question {
  asked: ConfirmationAsked;
  answer(confirmed: boolean): void;
}

/** Shows the question whether it is the person who wants what they pressed, whenever the core asks for that. */
export function PersonGate() {
  const [question, setQuestion] = useState<Question | null>(null);
  useEffect(() => {
    askPersonBy(
      (asked) =>
        new Promise((resolve) => {
          const answer = (confirmed: boolean) => {
            setQuestion(null);
            resolve(confirmed);
          };
          setQuestion({ asked, answer });
        }),
    );
    return () => askPersonBy(null);
  }, []);
  if (!question) return null;
  return (
    <Suspense>
      <Dialog asked={question.asked} onAnswer={question.answer} />
    </Suspense>
  );
}
