import { describe, expect, it } from "vitest";
import { makeCore } from "../src/core/core.ts";
import { kw, sym } from "../src/values/names.ts";
import { Table } from "../src/values/tables.ts";
import { coreNames, leftOut } from "./core-names.ts";

const core = makeCore();
const isLeftOut = (name: string) => Object.keys(leftOut).some((begin) => name.startsWith(begin));

describe("the core environment", () => {
  it("binds every name of Janet's core that is not left out on purpose", () => {
    const missing = coreNames.filter((name) => !isLeftOut(name) && core.rawGet(sym(name)) === null);
    expect(missing).toEqual([]);
  });

  it("documents every function and macro", () => {
    const silent = coreNames.filter((name) => {
      const binding = core.rawGet(sym(name));
      return binding instanceof Table && typeof binding.rawGet(kw("doc")) !== "string";
    });
    expect(silent).toEqual([]);
  });
});
