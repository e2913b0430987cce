import { rolldown } from "rolldown";
import type { Plugin } from "vite";

/**
 * Puts the script of `first` (`src/renderer/first.ts`) into the page itself, so that it calls the core while the
 * browser still fetches the screens' files. The page's policy allows the script by its hash
 * (`src/main/gateway/page-policy.ts`).
 */
export const inlineFirst = (first: string): Plugin => ({
  name: "inline-first",
  transformIndexHtml: {
    order: "post",
    handler: async () => [{ tag: "script", injectTo: "head-prepend", children: await bundled(first) }],
  },
});

async function bundled(input: string): Promise<string> {
  await using bundle = await rolldown({ input, platform: "browser" });
  const { output } = await bundle.generate({ format: "iife", minify: true });
  return output[0].code.trim();
}
