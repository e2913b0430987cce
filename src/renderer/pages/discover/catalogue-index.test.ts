import { describe, expect, it } from "vitest";
import type { CatalogEntry } from "../../../contract/job.ts";
import { buildIndex, noDiscoverFilter, searchIndex } from "../../features/catalogue/catalogue-index.ts";

const entry = (displayName: string, more: Partial<CatalogEntry> = {}): CatalogEntry => ({
  spec: displayName.toLowerCase(),
  source: "Team",
  packageName: `@team/${displayName.toLowerCase().replaceAll(" ", "-")}`,
  displayName,
  description: "",
  trust: "unverified",
  installedVersion: null,
  ...more,
});

const mail = entry("Mail", { description: "Reads letters", capabilities: { channel: { hasSetup: true } } });
const mailArchive = entry("Mail archive", { runtime: "fledge" });
const voicemail = entry("Voicemail", { runtime: "native", publisher: "Ada" });
const letters = entry("Letters", { description: "Sends MAIL", source: "Built in", trust: "built-in" });
const index = buildIndex([voicemail, letters, mailArchive, mail]);

const find = (query: string, filter = {}, installed: CatalogEntry[] = []) =>
  searchIndex(index, query, { ...noDiscoverFilter, ...filter }, (each) => installed.includes(each)).map(
    (each) => each.displayName,
  );

describe("the index of the catalogue", () => {
  it("ranks the name itself, then its beginning, its inside, and last the description", () => {
    expect(find("mail")).toEqual(["Mail", "Mail archive", "Voicemail", "Letters"]);
  });

  it("wants every word, in any order and in either case", () => {
    expect(find("ARCHIVE mail")).toEqual(["Mail archive"]);
    expect(find("mail nothing")).toEqual([]);
  });

  it("finds a package by its exact name and a plugin by its publisher", () => {
    expect(find("@team/voicemail")).toEqual(["Voicemail"]);
    expect(find("ada")).toEqual(["Voicemail"]);
  });

  it("shows what comes with Patchbay first when nothing is searched", () => {
    expect(find("")).toEqual(["Letters", "Mail", "Mail archive", "Voicemail"]);
  });

  it("narrows by source, runtime, capability and by what is installed", () => {
    expect(find("", { source: "Built in" })).toEqual(["Letters"]);
    expect(find("mail", { runtime: "fledge" })).toEqual(["Mail archive"]);
    expect(find("", { capability: "channel" })).toEqual(["Mail"]);
    expect(find("mail", { installed: true }, [voicemail])).toEqual(["Voicemail"]);
    expect(find("mail", { installed: false }, [voicemail])).toEqual(["Mail", "Mail archive", "Letters"]);
  });

  it("knows which sources, runtimes and capabilities occur", () => {
    expect(index.sources).toEqual([
      { name: "Team", count: 3 },
      { name: "Built in", count: 1 },
    ]);
    expect(index.runtimes.toSorted()).toEqual(["fledge", "native"]);
    expect(index.capabilities).toEqual(["channel"]);
  });
});
