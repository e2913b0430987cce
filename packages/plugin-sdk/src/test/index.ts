export {
  createTestContext,
  type TestContext,
  type TestContextOptions,
  type TestQuestion,
} from "./context.ts";
export { checkSetup, runSetup, type SetupRun, type SetupScript } from "./setup.ts";
export { fire, type StartedHooks, type StartedTools, startHooks, startTools } from "./start.ts";
