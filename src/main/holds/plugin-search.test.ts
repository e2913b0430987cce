import fc from "fast-check";
import { expect, test } from "vitest";
import { answerSearch, beginSearch } from "./plugin-search.ts";

const plugins = fc.uniqueArray(fc.stringMatching(/^[a-z]{1,8}$/), { minLength: 1, maxLength: 40 });

test("whichever plugin is the cause, it is found in as many steps as were announced", () => {
  fc.assert(
    fc.property(plugins, fc.nat(), (keys, choice) => {
      const culprit = keys[choice % keys.length] ?? "";
      let search = beginSearch("helper", keys);
      const announced = search.stepsLeft;
      let answers = 0;
      while (search.status === "asking") {
        search = answerSearch(search, !search.off.includes(culprit), new Set(keys));
        answers += 1;
      }
      expect(search).toMatchObject({ status: "found", found: culprit, off: [] });
      expect(answers).toBeLessThanOrEqual(announced);
    }),
  );
});

test("a problem that stays while everything is off is no plugin's", () => {
  const search = answerSearch(beginSearch("helper", ["a", "b"]), true, new Set(["a", "b"]));
  expect(search).toMatchObject({ status: "not_a_plugin", found: null, off: [] });
});

test("a suspect that was uninstalled or switched off in the meantime is no suspect any more", () => {
  const begun = beginSearch("helper", ["a", "b"]);
  expect(answerSearch(begun, false, new Set(["b"]))).toMatchObject({ status: "found", found: "b" });
  expect(answerSearch(begun, false, new Set())).toMatchObject({ status: "gone", found: null });
});
