/**
 * Takes the pictures of docs/screens from the real app: `npm run screens`, or one part of them, `npm run screens --
 * channels`. Needs a build and a Chromium; the channels need ngircd and prosody, too.
 */
const parts: Record<string, () => Promise<unknown>> = {
  app: () => import("./take.ts"),
  channels: () => import("./channels.ts"),
};

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in parts));
if (unknown.length > 0)
  throw new Error(`There is no part ${unknown.join(", ")}; there are ${Object.keys(parts).join(", ")}.`);
for (const [name, take] of Object.entries(parts))
  if (wanted.length === 0 || wanted.includes(name)) await take();

export {};
