import { z } from "zod";
import type { Capabilities } from "../../../contract/index.ts";
import { patchbayKeyOf } from "../hosted/foreign/keys.ts";
import type { ListedPlugin } from "../runtime.ts";
import { eventsOf } from "./hooks/event-map.ts";

const text = (most: number) => z.string().max(most).catch("");
const names = z.array(z.string().min(1).max(200)).max(500).catch([]);
const systems = ["macos", "linux", "windows"] as const;

const rowSchema = z.object({
  slug: z.string().regex(/^[\w.-]{1,100}$/),
  name: z.string().min(1).max(200),
  tagline: text(300),
  description: text(2_000),
  category: z.string().min(1),
  version: text(60),
  repo: z.url({ protocol: /^https$/ }),
  subpath: z.string().max(300).optional(),
  emoji: text(20),
  requires: z.object({ platforms: z.array(z.enum(systems)).catch([]) }).catch({ platforms: [] }),
  provides: z.object({ tools: names, hooks: names, commands: names, skills: names }).partial().catch({}),
});
type Row = z.infer<typeof rowSchema>;

/** A row of the list that Flowly's marketplace publishes as `registry.json`. */
export function listedByFlowly(row: unknown): ListedPlugin | null {
  const read = rowSchema.safeParse(row);
  if (!read.success) return null;
  const { slug, name, tagline, description, version, repo, emoji, requires } = read.data;
  const capabilities = capabilitiesOf(read.data);
  const { platforms } = requires;
  const here = { darwin: "macos", linux: "linux", win32: "windows" }[process.platform as string];
  return {
    spec: specOf(read.data),
    packageName: slug,
    ...(version !== "" && { packageVersion: version }),
    displayName: name,
    description: [...new Set([tagline, description])].filter((part) => part !== "").join(" — "),
    homepage: repo,
    ...(capabilities && { capabilities }),
    ...(iconOf(emoji) && { icon: iconOf(emoji) }),
    ...(platforms.length > 0 && !platforms.some((one) => one === here) && { madeFor: platforms }),
  };
}

/** A folder of a repository of GitHub is written short; elsewhere the folder stands behind the address. */
function specOf({ repo, subpath = "" }: Row): string {
  const folder = subpath.replace(/^\.?\/+|\/+$/g, "");
  if (folder === "" || folder === ".") return repo;
  const [, owner, name] = /^https:\/\/github\.com\/([^/?#]+)\/([^/?#]+?)(?:\.git)?\/?$/.exec(repo) ?? [];
  return owner === undefined ? `${repo.replace(/\/$/, "")}#:${folder}` : `${owner}/${name}/${folder}`;
}

function capabilitiesOf({ slug, provides }: Row): Capabilities | null {
  const { tools = [], hooks = [], commands = [], skills = [] } = provides;
  const events = eventsOf(hooks);
  const all: Capabilities = {
    ...(tools.length > 0 && {
      tools: { namespace: patchbayKeyOf(slug), count: tools.length, names: tools },
    }),
    ...(events.length > 0 && { hooks: { events } }),
    ...(commands.length > 0 && { commands: { names: commands.map((name) => name.replace(/^\//, "")) } }),
    ...(skills.length > 0 && { skills: { names: skills } }),
  };
  return Object.keys(all).length === 0 ? null : all;
}

/** The emoji as a picture; undefined where the text is none. */
function iconOf(emoji: string): string | undefined {
  if (
    !/^\p{Extended_Pictographic}(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\u200d|\ufe0f)*$/u.test(emoji)
  )
    return undefined;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><text x="20" y="29" font-size="24" text-anchor="middle">${emoji}</text></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}
