/**
 * Takes pictures of every screen and state from the real app into the ignored folder `pictures`: `npm run screens`, or one
 * part of them, `npm run screens -- channels`. With `PATCHBAY_RENEW_DOCS=1` the few that README and docs show are renewed
 * in docs/screens, too. Needs a build and a Chromium; the channels need ngircd and prosody as well.
 */
const parts: Record<string, () => Promise<unknown>> = {
  app: () => import("./take.ts"),
  channels: () => import("./channels.ts"),
  walls: () => import("./walls.ts"),
  walled: () => import("./walled-states.ts"),
  person: () => import("./person.ts"),
  cards: () => import("./cards.ts"),
  welcome: () => import("./welcome-film.ts"),
  fields: () => import("./fields.ts"),
};

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in parts));
if (unknown.length > 0)
  throw new Error(`There is no part ${unknown.join(", ")}; there are ${Object.keys(parts).join(", ")}.`);
for (const [name, take] of Object.entries(parts))
  if (wanted.length === 0 || wanted.includes(name)) await take();

export {};
