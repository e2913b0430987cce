export {
  createTestContext,
  type TestContext,
  type TestContextOptions,
  type TestQuestion,
} from "./context.ts";
export { fire, type StartedHooks, type StartedTools, startHooks, startTools } from "./start.ts";
