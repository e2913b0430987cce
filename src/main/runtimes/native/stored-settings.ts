import type { Plugin } from "../../../contract/index.ts";
import type { SetupPlugin, SetupPluginState } from "../runtime.ts";
import { refusalOf } from "./manifest/refused-settings.ts";
import { wrapFromSetup } from "./manifest/wrap-settings.ts";

/** The same setup with its settings and its refused fields turned into the stored form, the wrapper. */
export function givingStored(setup: SetupPlugin, { declaration, capabilities }: Plugin): SetupPlugin {
  const stored = (state: SetupPluginState): SetupPluginState =>
    state.kind === "done"
      ? { ...state, config: wrapFromSetup(declaration, capabilities, state.config) }
      : state;
  return {
    get pid() {
      return setup.pid;
    },
    exited: setup.exited,
    begin: async (input, signal) => {
      const { sessionId, state } = await setup.begin(input, signal);
      return { sessionId, state: stored(state) };
    },
    poll: async (sessionId, signal) => stored(await setup.poll(sessionId, signal)),
    submit: async (sessionId, input, signal) => stored(await setup.submit(sessionId, input, signal)),
    cancel: (sessionId, signal) => setup.cancel(sessionId, signal),
    check: (config, signal) =>
      setup.check(config, signal).catch((error: unknown) => {
        throw refusalOf(error, declaration);
      }),
    close: () => setup.close(),
  };
}
