import { existsSync } from "node:fs";
import { registerHooks } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** What plugins may import of the SDK, and the bundle of it that lies beside this process's own. */
const bundles: Readonly<Record<string, string>> = {
  "@patchbay/plugin-sdk": "index.js",
  "@patchbay/plugin-sdk/channel": "channel.js",
  "@patchbay/plugin-sdk/channel/settings": "channel-settings.js",
  "@patchbay/plugin-sdk/describe": "describe.js",
};

/**
 * Gives plugin code the SDK of this Patchbay, whether or not the plugin's package brings one: what a package brings is
 * TypeScript, which Node does not read in a folder of modules.
 *
 * @param folder of the SDK's bundles
 */
export function giveSdk(folder: string): void {
  registerHooks({
    resolve(specifier, context, next) {
      const name = Object.hasOwn(bundles, specifier) ? bundles[specifier] : undefined;
      const file = name === undefined ? undefined : join(folder, name);
      if (file === undefined || !existsSync(file)) return next(specifier, context);
      return { url: pathToFileURL(file).href, format: "module", shortCircuit: true };
    },
  });
}
