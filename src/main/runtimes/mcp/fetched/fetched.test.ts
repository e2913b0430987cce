import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Part, type ServerFile, serverFileSchema } from "../server/server-file.ts";
import { ExactVersions } from "./exact-version.ts";
import { fetchedBy } from "./fetched.ts";

const digest = `sha256:${"0123456789abcdef".repeat(4)}`;
const fileOf = (command: string, args: readonly Part[]): ServerFile =>
  serverFileSchema.parse({
    schema: 1,
    name: "x",
    origin: { kind: "import" },
    server: { type: "program", command, args },
  });
const words = (line: string) => {
  const [command = "", ...args] = line.split(" ");
  return fileOf(command, args);
};

test.each([
  ["docker run -i --rm -e KEY mcp/fetch --region eu", "mcp/fetch", false],
  [
    "docker run -it --rm --name=x -v /a:/b --network host ghcr.example/a/b:1.4.0",
    "ghcr.example/a/b:1.4.0",
    true,
  ],
  ["docker run -i localhost:5000/mcp/fetch", "localhost:5000/mcp/fetch", false],
  ["docker run -i mcp/fetch:latest", "mcp/fetch:latest", false],
  [`/usr/bin/podman run mcp/fetch@${digest}`, `mcp/fetch@${digest}`, true],
  ["uvx mcp-files --root /srv", "mcp-files", false],
  ["uvx --python 3.12 mcp-files@1.4.0", "mcp-files@1.4.0", true],
  ["uvx mcp-files@latest", "mcp-files@latest", false],
  ["uvx --from mcp-files==1.4.0 files", "mcp-files==1.4.0", true],
  ["uvx --from mcp-files==1.4.0 --with other files", "mcp-files==1.4.0", false],
  ["uvx --from git+https://git.example/files files", "git+https://git.example/files", false],
  ["pipx run mcp-files", "mcp-files", false],
  ["npx -y --package @acme/x other", "@acme/x", false],
  ["dnx Acme.Dot@1.4.0 --yes", "Acme.Dot@1.4.0", true],
])("%s fetches %s", (line, spec, exact) => {
  expect(fetchedBy(words(line).server)).toMatchObject({ spec, exact });
});

test("what is filled in is not known, and other programs fetch nothing", () => {
  const image = { input: "IMAGE" };
  const filled = fileOf("docker", ["run", { join: ["--env=", { input: "KEY" }] }, image, "x"]);
  expect(fetchedBy(filled.server)).toMatchObject({ spec: null, at: 2, exact: false });
  for (const line of ["docker exec x", "node server.mjs", "pipx list", "uvx"])
    expect(fetchedBy(words(line).server)).toBeNull();
});

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "patchbay-fetchers-"));
  const program = async (name: string, script: string) => {
    await writeFile(join(folder, name), `#!/bin/sh\n${script}\n`);
    await chmod(join(folder, name), 0o755);
  };
  // Programs that know one image here, one image there, and one package.
  await program(
    "docker",
    `case "$*" in
"image inspect --format {{json .RepoDigests}} mcp/here") echo '["other/name@sha256:1","mcp/here@${digest}"]' ;;
"buildx imagetools inspect --format {{json .Manifest}} mcp/there:latest") echo '{"digest":"${digest}"}' ;;
"image inspect --format {{json .RepoDigests}} mcp/liar") echo '["mcp/liar@sha256:1 --privileged"]' ;;
*) exit 1 ;;
esac`,
  );
  await program("podman", `echo '["mcp/here@${digest}"]'`);
  await program(
    "uv",
    `test "$*" = "pip compile --no-deps --no-build --no-header --no-annotate --quiet -" || exit 2
read wanted
case "$wanted" in
"mcp-files"|"mcp-files>=1") echo "mcp-files==1.5.0" ;;
"mcp-files[all]") echo "mcp-files[all]==1.5.0" ;;
"odd") echo "odd==1.0 --with evil" ;;
*) exit 1 ;;
esac`,
  );
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test.each([
  ["docker run -i mcp/here --x", `docker run -i mcp/here@${digest} --x`],
  ["docker run mcp/there:latest", `docker run mcp/there:latest@${digest}`],
  ["podman run mcp/here:2", `podman run mcp/here@${digest}`],
  ["uvx mcp-files --root /srv", "uvx mcp-files@1.5.0 --root /srv"],
  ["uvx mcp-files@latest", "uvx mcp-files@1.5.0"],
  ["uvx --from mcp-files>=1 files -v", "uvx --from mcp-files==1.5.0 files -v"],
  ["uvx mcp-files[all]", "uvx --from mcp-files[all]==1.5.0 mcp-files"],
])("%s becomes %s", async (line, becomes) => {
  const versions = new ExactVersions({ get: async () => folder });
  const file = await versions.of(words(line), new AbortController().signal);
  expect(file).toEqual(words(becomes));
  expect(fetchedBy(file.server)).toMatchObject({ exact: true });
});

test.each([
  ["an image that nobody has", "docker run mcp/nowhere"],
  ["a package that nobody has", "uvx nothing"],
  ["an answer that is more than a digest", "docker run mcp/liar"],
  ["an answer that is more than a version", "uvx odd"],
  ["an option instead of a package", "uvx --from --index=x files"],
  ["what is exact already", "uvx mcp-files@1.4.0"],
])("%s stays as it is", async (_what, line) => {
  const versions = new ExactVersions({ get: async () => folder });
  expect(await versions.of(words(line), new AbortController().signal)).toEqual(words(line));
});
