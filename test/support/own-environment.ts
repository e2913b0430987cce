/** What each test file finds, and leaves behind: most share a process with others. */
import { afterAll, vi } from "vitest";

// `npm test` sets it for this process. Patchbay would leave it out, start once more, and say so.
delete process.env.NODE_COMPILE_CACHE;

const environment = { ...process.env };
const folder = process.cwd();

afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name];
  Object.assign(process.env, environment);
  process.chdir(folder);
});
