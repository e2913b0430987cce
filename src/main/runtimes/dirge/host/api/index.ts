import { bindAbsent } from "./absent.ts";
import type { Binder } from "./api.ts";
import { bindDialogs } from "./dialogs.ts";
import { bindExtras } from "./extras.ts";
import { bindGetIn } from "./get-in.ts";
import { bindLsp } from "./lsp.ts";
import { bindPrompt } from "./prompt.ts";
import { bindRegistering } from "./registering.ts";
import { bindRun } from "./run.ts";
import { bindSession } from "./session.ts";
import { bindTranscript } from "./transcript.ts";

/** Binds every name that a plugin of dirge may use beside Janet's own. */
export function bindAll(api: Binder): void {
  bindPrompt(api);
  bindRun(api);
  bindTranscript(api);
  bindRegistering(api);
  bindDialogs(api);
  bindSession(api);
  bindLsp(api);
  bindExtras(api);
  bindAbsent(api);
  bindGetIn(api);
}
