import { PatchbayError } from "../../../../contract/index.ts";
import type { PythonsView } from "../../../../contract/procedures/app.ts";
import type { SettingsStore } from "../../../registry/index.ts";
import { installPython } from "../../../runtimes/flowly/python/how-to-install.ts";
import type { Pythons } from "../../../runtimes/flowly/python/pythons.ts";
import { procedures } from "../../implementer.ts";

export interface PythonNeeds {
  found: Pick<Pythons, "list" | "used">;
  settings: Pick<SettingsStore, "update">;
}

export function pythonProcedures({ found, settings }: PythonNeeds) {
  const { pythons } = procedures;
  const view = async (anew = false): Promise<PythonsView> => {
    const all = await found.list(anew);
    const used = await found.used();
    return { all, used: used?.usable ? used.path : null, install: installPython() };
  };
  return {
    list: pythons.list.handler(() => view()),
    look: pythons.look.handler(() => view(true)),
    choose: pythons.choose.handler(async ({ input: { path } }) => {
      const isFound = path === null || (await found.list()).some((each) => each.path === path && each.usable);
      if (!isFound)
        throw new PatchbayError("BAD_INPUT", `${path} is none of the Pythons that were found here.`);
      await settings.update({ python: path });
      return view();
    }),
  };
}
