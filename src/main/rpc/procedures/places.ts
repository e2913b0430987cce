import { homedir } from "node:os";
import { PatchbayError } from "../../../contract/index.ts";
import type { Platform } from "../../platform/platform.ts";
import { procedures } from "../implementer.ts";
import { listPlaces } from "../list-places.ts";

export interface PlaceNeeds {
  platform: Pick<Platform, "choosePlace">;
}

export function placeProcedures({ platform }: PlaceNeeds) {
  const { places } = procedures;
  return {
    choose: places.choose.handler(async ({ input }) => {
      if (!platform.choosePlace)
        throw new PatchbayError("BAD_INPUT", "This Patchbay runs without a desktop to show a dialog on.", {
          help: "Choose from the list of folders, or type the path.",
        });
      return { path: await platform.choosePlace(input.kind) };
    }),
    list: places.list.handler(({ input }) => listPlaces(homedir(), input.path)),
  };
}
