import { panic } from "@patchbay/janet";
import type { Binder } from "./api.ts";

/**
 * Names that plugins may use and behind which nothing stands here. They are bound all the same, because one unknown name would keep a
 * whole plugin from loading; each says by its answer that there is nothing.
 */
export function bindAbsent(api: Binder): void {
  const nothing = "Not there in Patchbay: always nil.";
  const never = "Not there in Patchbay: always false.";
  for (const usage of nil) api.bind(usage, nothing, () => null);
  for (const usage of no) api.bind(usage, never, () => false);
  for (const usage of forbidden)
    api.bind(usage, "Raises an error: a plugin may not do that.", () =>
      panic(`${usage.slice(1).split(" ")[0]} is not allowed in a plugin`),
    );
}

const no = ["(harness/tools?)", "(dap/available?)", "(dap/session-active?)", "(vigil/live?)"];

const nil = [
  "(harness/list-tools)",
  "(harness/call-tool name &opt args)",
  "(harness/record-entity kind name &opt extra)",
  "(harness/record-relation from from-kind relation to to-kind)",
  "(harness/computer-use-exec action)",
  "(harness/check-computer-action action)",
  "(harness/set-computer-use-deny-tools & names)",
  "(dap/launch & args)",
  "(dap/launch-module & args)",
  "(dap/attach & args)",
  "(dap/step & args)",
  "(dap/step-in & args)",
  "(dap/step-out & args)",
  "(dap/continue & args)",
  "(dap/bp & args)",
  "(dap/eval & args)",
  "(dap/stack-trace & args)",
  "(dap/threads & args)",
  "(dap/terminate & args)",
  "(dap/sessions & args)",
  "(dap/vars & args)",
  "(vigil/emit & args)",
  "(vigil/list & args)",
  "(vigil/set-state & args)",
  "(vigil/get & args)",
];

const forbidden = ["(os/exit & args)", "(os/proc-kill & args)", "(os/sigaction & args)"];
