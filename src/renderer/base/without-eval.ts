/**
 * Tells zod not to make functions from texts. The page's policy forbids that, and zod's question whether it may is refused and
 * reported like an attempt. zod (4, `globalConfig`) takes what stands here when the first screen loads it.
 */
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });

export {};
