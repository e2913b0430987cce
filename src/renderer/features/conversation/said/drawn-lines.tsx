import type { DrawnLine } from "../../../../contract/effects/effects.ts";

type Color = DrawnLine["color"];

/** The theme's own colours, each readable on both grounds: a plugin names a colour and not how it looks. */
const looks: Record<Color, string> = {
  black: "text-ink",
  white: "text-ink",
  grey: "text-mute",
  darkgrey: "text-hint",
  red: "text-bad",
  darkred: "text-bad",
  green: "text-ok",
  darkgreen: "text-ok",
  yellow: "text-warn",
  darkyellow: "text-warn",
  blue: "text-drawn-blue",
  darkblue: "text-drawn-blue",
  magenta: "text-drawn-magenta",
  darkmagenta: "text-drawn-magenta",
  cyan: "text-drawn-cyan",
  darkcyan: "text-drawn-cyan",
};

/** Lines as a plugin's renderer drew them. */
export function DrawnLines({ lines }: { lines: readonly DrawnLine[] }) {
  const keyed = lines.map((line, index) => ({ ...line, key: `${index}` }));
  return (
    <div className="figure wrap-anywhere whitespace-pre-wrap">
      {keyed.map(({ key, color, text }) => (
        <p key={key} data-color={color} className={looks[color]}>
          {text || "\u00a0"}
        </p>
      ))}
    </div>
  );
}
