import { kw, sym } from "../../values/names.ts";
import type { Value } from "../../values/value.ts";
import type { Registrar } from "../registrar.ts";
import { body, brackets, type CoreValue, def, fresh, lambda, list, S } from "./forms.ts";

const any = Number.POSITIVE_INFINITY;

/** The macros of the event loop. */
export function installEvents(core: Registrar, value: CoreValue): void {
  const task = (name: string, forms: readonly Value[]) => lambda(name, [S.rest], forms);
  core.macro(
    "ev/spawn",
    0,
    any,
    "(ev/spawn & body)",
    "Runs the body in a new task and gives its fiber at once.",
    (forms) => list(value("ev/go"), task("spawn", forms)),
  );
  core.macro(
    "ev/do-thread",
    0,
    any,
    "(ev/do-thread & body)",
    "Runs the body as `ev/thread` does and waits for it.",
    (forms) => list(value("ev/thread"), task("do-thread", forms)),
  );
  core.macro(
    "ev/spawn-thread",
    0,
    any,
    "(ev/spawn-thread & body)",
    "Runs the body as `ev/thread` does and does not wait for it.",
    (forms) => list(value("ev/thread"), task("spawn-thread", forms), null, kw("n")),
  );
  core.macro(
    "ev/with-deadline",
    1,
    any,
    "(ev/with-deadline sec & body)",
    "Runs the body and cancels it with an error when it takes longer than so many seconds.",
    ([seconds = null, ...forms]) => {
      const fiber = fresh();
      return body(
        def(fiber, list(value("fiber/new"), lambda("with-deadline", [], forms), kw("i"))),
        list(value("ev/deadline"), seconds, null, fiber),
        list(value("resume"), fiber),
      );
    },
  );
  core.macro(
    "ev/gather",
    0,
    any,
    "(ev/gather & bodies)",
    "Runs each form in a task of its own and gives an array of their values; when one fails, cancels the others and raises its error.",
    (forms) => list(value("ev/go-gather"), brackets(...forms.map((form) => lambda("ev/gather", [], [form])))),
  );
  const locked = (name: string, take: string, give: string, words: string) =>
    core.macro(name, 1, any, `(${name} lock & body)`, words, ([lock = null, ...forms]) => {
      const held = fresh();
      return body(
        def(held, lock),
        list(value(take), held),
        list(sym("defer"), list(value(give), held), ...forms),
      );
    });
  locked("ev/with-lock", "ev/acquire-lock", "ev/release-lock", "Evaluates the body while holding a lock.");
  locked(
    "ev/with-rlock",
    "ev/acquire-rlock",
    "ev/release-rlock",
    "Evaluates the body while holding a lock for reading.",
  );
  locked(
    "ev/with-wlock",
    "ev/acquire-wlock",
    "ev/release-wlock",
    "Evaluates the body while holding a lock for writing.",
  );
}
