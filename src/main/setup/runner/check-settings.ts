import { toProblem } from "../../../contract/index.ts";
import type { SetupPlugin } from "../../runtimes/runtime.ts";

/**
 * Asks the `parseConfig` of a plugin in a process of its own, which is gone when this settles. A plugin that cannot be
 * opened, or whose process ends, cannot judge its settings: they are then accepted, and the start of the plugin will
 * show the failure.
 *
 * @throws PatchbayError CONFIG_REFUSED, and the signal's reason
 */
export async function checkSettings(
  open: (signal: AbortSignal) => Promise<SetupPlugin>,
  config: Record<string, unknown>,
  signal: AbortSignal,
): Promise<void> {
  let plugin: SetupPlugin;
  try {
    plugin = await open(signal);
  } catch {
    return signal.throwIfAborted();
  }
  try {
    await plugin.check(config, signal);
  } catch (error) {
    if (toProblem(error).code !== "HOST_CRASHED") throw error;
  } finally {
    await plugin.close();
  }
}
