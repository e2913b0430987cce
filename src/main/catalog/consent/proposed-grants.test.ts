import { expect, test } from "vitest";
import { asksOf, grantsOf } from "../../../contract/index.ts";
import { proposedGrants } from "./proposed-grants.ts";

const before = asksOf({ network: ["a.example", "b.example"], files: "workspace", subprocess: true });

test("a first installation is proposed what it asks for", () => {
  expect(proposedGrants(before, undefined)).toEqual(grantsOf(before));
});

test("what the person did not grant to the old version is not proposed with the new one", () => {
  const granted = grantsOf(before);
  granted.network.hosts = ["a.example"];
  granted.files.workspace = "none";
  granted.programs.reach = "none";
  const after = asksOf({
    network: ["a.example", "b.example", "c.example"],
    files: "workspace",
    subprocess: true,
  });
  expect(proposedGrants(after, { consent: before, granted })).toEqual({
    network: { reach: "hosts", hosts: ["a.example", "c.example"], refused: [] },
    files: { workspace: "none", folders: [] },
    programs: { reach: "none", names: [] },
  });
});

test("what is newly asked for is proposed", () => {
  const granted = grantsOf(asksOf({ network: [], files: "none", subprocess: false }));
  const proposed = proposedGrants(before, {
    consent: asksOf({ network: [], files: "none", subprocess: false }),
    granted,
  });
  expect(proposed).toEqual(grantsOf(before));
});
