import type { Command } from "commander";
import type { FoundPlugin, FoundStatus } from "../../contract/index.ts";
import { type Perform, withClient } from "../command.ts";
import type { Paint } from "../terminal/output.ts";

/** `patchbay plugin found`: what other programs on this computer have. */
export function addFoundCommand(plugin: Command, perform: Perform): void {
  plugin
    .command("found")
    .description("plugins that other programs on this computer have, and whether they are loaded there")
    .action(() =>
      perform(
        withClient(async ({ output }, client) => {
          const found = await client.plugins.found();
          output.result(found, () => {
            const problems = found.looked.flatMap(({ problem }) => problem ?? []);
            const places = found.looked.flatMap((one) => one.places);
            const nothing = [
              "No other program on this computer has plugins that Patchbay knows.",
              ...places.map((place) => `  looked in ${place}`),
            ];
            return [
              ...(found.plugins.length === 0
                ? nothing
                : found.plugins.flatMap((one) => foundLines(one, output.paint))),
              ...problems.map((problem) => output.paint.warn(`▲ ${problem}`)),
            ].join("\n");
          });
        }),
      ),
    );
}

/** One found plugin in two or three lines. */
export function foundLines(plugin: FoundPlugin, paint: Paint): string[] {
  const { name, version, runtime, place, status, reason, lostTo, dir, spec, installed } = plugin;
  const [shape, word, colour] = states[status];
  const head = [paint.bold(name), version, runtime, placeWords[place]].filter(Boolean).join("  ");
  const why = status === "overridden" && lostTo !== undefined ? `loaded in its place: ${lostTo}` : reason;
  return [
    `${head}  ${paint[colour](`${shape} ${word}`)}${installed === null ? "" : `  installed as ${installed}`}`,
    ...(why === null ? [] : [`  ${why}`]),
    `  ${dir ?? spec}`,
  ];
}

const placeWords: Record<FoundPlugin["place"], string> = {
  bundled: "comes with it",
  user: "your own",
  project: "of this project",
};

const states: Record<FoundStatus, [shape: string, word: string, colour: keyof Paint]> = {
  enabled: ["●", "switched on there", "good"],
  disabled: ["○", "switched off there", "dim"],
  available: ["◇", "not switched on there", "dim"],
  error: ["✗", "broken", "bad"],
  unsupported: ["▲", "of a kind that is not supported", "warn"],
  overridden: ["↩", "replaced by another", "dim"],
};
