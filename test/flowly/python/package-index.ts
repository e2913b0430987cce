import { execFileSync } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** Writes a wheel to its output, as any packer would. */
const packer = `
import io, sys, zipfile, json
name, version, module, code, needs = json.loads(sys.argv[1])
info = f"{name}-{version}.dist-info"
metadata = f"Metadata-Version: 2.1\\nName: {name}\\nVersion: {version}\\n" + "".join(f"Requires-Dist: {each}\\n" for each in needs)
files = {
    f"{module}.py": code,
    f"{info}/METADATA": metadata,
    f"{info}/WHEEL": "Wheel-Version: 1.0\\nGenerator: hand\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n",
}
files[f"{info}/RECORD"] = "".join(f"{path},,\\n" for path in [*files, f"{info}/RECORD"])
out = io.BytesIO()
with zipfile.ZipFile(out, "w") as wheel:
    for path, text in files.items():
        wheel.writestr(path, text)
sys.stdout.buffer.write(out.getvalue())
`;

export interface IndexedPackage {
  name: string;
  version: string;
  module: string;
  code: string;
  needs?: string[];
}

/** An index of Python packages on this machine, with these packages and no others. */
export async function packageIndex(packages: readonly IndexedPackage[]) {
  const asked: string[] = [];
  const wheels = new Map(
    packages.map(({ name, version, module, code, needs = [] }) => [
      `${name.replaceAll("-", "_")}-${version}-py3-none-any.whl`,
      {
        project: name.toLowerCase(),
        bytes: execFileSync("python3", [
          "-c",
          packer,
          JSON.stringify([name.replaceAll("-", "_"), version, module, code, needs]),
        ]),
      },
    ]),
  );
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://index");
    asked.push(pathname);
    const file = wheels.get(pathname.replace("/files/", ""));
    if (file) return response.end(file.bytes);
    const project = /^\/simple\/([^/]+)\/$/.exec(pathname)?.[1];
    const own = [...wheels].filter(([, wheel]) => wheel.project === project);
    if (own.length === 0) return response.writeHead(404).end();
    response.setHeader("content-type", "text/html");
    response.end(own.map(([name]) => `<a href="/files/${name}">${name}</a>`).join("\n"));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/simple`;
  return {
    url,
    asked,
    /** Environment of a person whose pip is set to this index. */
    env: { PIP_INDEX_URL: url, PIP_CONFIG_FILE: "/dev/null", PIP_RETRIES: "0" },
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
