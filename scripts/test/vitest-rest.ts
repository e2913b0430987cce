/**
 * A reporter for vitest that writes what its JSON report does not name: failures of hooks, files that do not load or do
 * not end, and errors that nobody caught. The file is named by PATCHBAY_TEST_REST.
 */
import { writeFileSync } from "node:fs";
import type { Reporter, SerializedError, TestModule, TestSuite } from "vitest/node";
import { here, type Rest } from "./reports.ts";

export default class implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], uncaught: readonly SerializedError[]): void {
    const rest = [
      ...modules.flatMap(ofModule),
      ...uncaught.map((error) => failure("", "caught by no test", error)),
    ];
    writeFileSync(process.env.PATCHBAY_TEST_REST ?? "rest.json", JSON.stringify(rest));
  }
}

function ofModule(module: TestModule): Rest[] {
  const file = here(module.moduleId);
  const ended = module.state() !== "pending" && module.state() !== "queued";
  return [
    ...(ended ? [] : [{ file, title: "", error: "The file did not come to its end." }]),
    ...module.errors().map((error) => failure(file, "outside of its tests", error)),
    ...[...module.children.allSuites()].flatMap((suite: TestSuite) =>
      suite.errors().map((error) => failure(file, suite.fullName, error)),
    ),
  ];
}

function failure(file: string, title: string, error: SerializedError): Rest {
  return { file, title, error: `${error.name ?? "Error"}: ${error.message}` };
}
