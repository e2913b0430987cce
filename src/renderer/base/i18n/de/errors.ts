import type { ErrorWords } from "../error-words.ts";
import { callErrors } from "./errors/calls.ts";
import { installingErrors } from "./errors/installing.ts";
import { requestErrors } from "./errors/requests.ts";
import { runningErrors } from "./errors/running.ts";
import { setupErrors } from "./errors/setting-up.ts";
import { stateErrors } from "./errors/state.ts";

/** Why each error happens and what to do next, in German. The sentence with its names comes from the core. */
export const germanErrors: ErrorWords = {
  ...requestErrors,
  ...installingErrors,
  ...runningErrors,
  ...setupErrors,
  ...callErrors,
  ...stateErrors,
};
