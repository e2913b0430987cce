import { cx } from "./class-names.ts";
import { markColours, markOf } from "./marks/mark.tsx";

/** Dark enough for white letters in both themes. */
const faceColours = [
  "#1d6fa5",
  "#0b7f74",
  "#9a5b00",
  "#6741d9",
  "#4a154b",
  "#b3214f",
  "#2b6b3d",
  "#a63a12",
  "#3b5bbf",
  "#6b4a2b",
  "#00698c",
  "#8a2b8f",
];

function colourOf(key: string): string {
  let hash = 0;
  for (const letter of key) hash = (hash * 31 + (letter.codePointAt(0) ?? 0)) >>> 0;
  return faceColours[hash % faceColours.length] ?? "#0b7f74";
}

interface FaceProps {
  /** The colour is computed from this text; use one that stays the same when the name changes. */
  seed: string;
  name: string;
  icon?: string | undefined;
  /** Whether it is a plugin that comes with Patchbay; no other one gets a mark that is drawn for one of ours. */
  ours?: boolean | undefined;
  /** Agents have letters. */
  letters?: boolean;
  size?: "sm" | "md" | "lg";
  faded?: boolean;
}

const sizes = {
  sm: "size-7 rounded-sm text-[11px]",
  md: "size-10 rounded-md text-sm",
  lg: "size-14 rounded-lg text-lg",
};

/** The picture of a plugin: its own icon, else a drawn mark. An agent has letters on a colour of its own. */
export function Face({ seed, name, icon, ours = false, letters = false, size = "md", faded }: FaceProps) {
  const look = cx("grid shrink-0 place-items-center overflow-hidden", sizes[size]);
  if (icon?.startsWith("data:image/"))
    return (
      <img
        src={icon}
        alt=""
        className={cx(look, "border border-line bg-sunk object-cover", faded && "opacity-50 grayscale")}
      />
    );
  // Grey, but the drawing and the letters can still be read.
  const grey = faded && "border border-dashed border-line-strong bg-sunk text-mute";
  if (letters)
    return (
      <span
        aria-hidden="true"
        className={cx(look, "font-bold select-none", grey || "text-white")}
        style={faded ? undefined : { backgroundColor: colourOf(seed) }}
      >
        {lettersOf(name)}
      </span>
    );
  const { hue, drawing } = markOf(seed, ours);
  return (
    <span
      aria-hidden="true"
      data-mark={seed}
      className={cx(look, grey || "border")}
      style={faded ? undefined : markColours(hue)}
    >
      <svg
        viewBox="0 0 24 24"
        className="size-[64%]"
        fill="none"
        stroke="currentColor"
        strokeWidth={1.6}
        strokeLinecap="round"
        strokeLinejoin="round"
        aria-hidden="true"
      >
        {drawing}
      </svg>
    </span>
  );
}

function lettersOf(name: string): string {
  return [...name.trim()].slice(0, 2).join("") || "?";
}
