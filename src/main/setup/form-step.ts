import type { SetupPluginState } from "../runtimes/runtime.ts";

type Form = Extract<SetupPluginState, { kind: "awaiting_user_input" }>;

/** The page for what a plugin asks. */
export function formStep({ fields, problem, page, copy }: Form) {
  return {
    kind: "form" as const,
    fields,
    ...(problem && { problem }),
    ...(page && { page }),
    ...(copy && { copy }),
  };
}
