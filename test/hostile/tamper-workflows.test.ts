import { readdir, readFile } from "node:fs/promises";
import { expect, test } from "vitest";

interface Locked {
  link?: boolean;
  integrity?: string;
  optional?: boolean;
  dev?: boolean;
  os?: string[];
  cpu?: string[];
}

const folder = ".github/workflows";

test("an action whose tag is moved to other code changes nothing: each is named by the hash of its commit", async () => {
  const files = (await readdir(folder)).filter((name) => /\.ya?ml$/.test(name));
  const loose: string[] = [];
  let pinned = 0;
  for (const name of files) {
    for (const line of (await readFile(`${folder}/${name}`, "utf8")).split("\n")) {
      const used = /^\s*(?:- )?uses:\s*(\S+)(.*)$/.exec(line);
      if (!used) continue;
      // The version stands beside the hash, so that a person sees what it is.
      const isPinned = /@[0-9a-f]{40}$/.test(used[1] ?? "") && /# v\d/.test(used[2] ?? "");
      if (isPinned) pinned += 1;
      else loose.push(`${name}: ${line.trim()}`);
    }
  }
  expect(loose).toEqual([]);
  expect(pinned).toBeGreaterThan(0);
});

test("a package of the lock file that is exchanged at the registry does not fit its checksum", async () => {
  const lock = JSON.parse(await readFile("package-lock.json", "utf8")) as {
    packages: Record<string, Locked>;
  };
  const fetched = Object.entries(lock.packages).filter(
    ([path, { link }]) => /(^|[/])node_modules[/]/.test(path) && !link,
  );
  expect(fetched.length).toBeGreaterThan(1_000);
  const without = fetched.filter(([, { integrity }]) => !/^sha512-/.test(integrity ?? ""));
  // Builds of the tools for other systems, which the registry that the file was written with does not have.
  const isForeignTool = ({ optional, dev, os, cpu }: Locked) => optional && dev && (os ?? cpu) !== undefined;
  expect(without.filter(([, entry]) => !isForeignTool(entry)).map(([path]) => path)).toEqual([]);
  const tools = new Set(without.map(([path]) => /node_modules[/](@[^/]+)[/][^/]+$/.exec(path)?.[1]));
  expect([...tools].sort()).toEqual(["@biomejs", "@oxc-parser", "@swc", "@tailwindcss"]);
  // Where they are installed, signatures are looked at before anything of them is used.
  const [workflow = ""] = await readdir(folder);
  expect(await readFile(`${folder}/${workflow}`, "utf8")).toMatch(
    /- run: npm ci\n(\s+#.*\n)*\s+- run: npm audit signatures\n/,
  );
});
