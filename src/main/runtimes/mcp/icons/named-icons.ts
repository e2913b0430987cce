import { z } from "zod";

const iconSchema = z.object({
  src: z.string().min(1),
  mimeType: z.string().optional().catch(undefined),
  sizes: z
    .union([z.string(), z.array(z.string())])
    .optional()
    .catch(undefined),
  theme: z.string().optional().catch(undefined),
});
type NamedIcon = z.infer<typeof iconSchema>;

/** Pixels of the largest place where an icon is drawn, on a screen of double density. */
const WANTED = 112;
/** Most icons of one thing that are looked at. */
const MOST = 3;
const shownTypes = /^image\/(?:png|jpe?g|webp)$/i;

/** Addresses of icons, best first: of a kind that may be shown, for a light screen, and large enough. Anything else is left out. */
export function namedIcons(raw: unknown): string[] {
  if (!Array.isArray(raw)) return [];
  const icons = raw.slice(0, 20).flatMap((one) => {
    const icon = iconSchema.safeParse(one);
    return icon.success && (icon.data.mimeType === undefined || shownTypes.test(icon.data.mimeType))
      ? [icon.data]
      : [];
  });
  return icons
    .sort((left, right) => rankOf(left) - rankOf(right))
    .slice(0, MOST)
    .map(({ src }) => src);
}

/** The less the better. */
function rankOf({ sizes, theme }: NamedIcon): number {
  const sides = [sizes ?? []].flat().flatMap((size) => Number(/^(\d+)x\d+$/.exec(size)?.[1] ?? []));
  const lacks = sides.length === 0 ? 1 : Math.min(...sides.map((side) => Math.abs(side - WANTED)));
  return lacks + (theme === "dark" ? 10_000 : 0);
}
