// What `@jest/globals` is for tests that Node loads (tests/kit/typescript-loader.mjs leads there): Jest makes new ones for each test file,
// and a module that is loaded once sees those of the file that runs.
export let afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test;

// What opens platforms, and the template with the demo for all of them, may take minutes on a machine that is busy with other things.
const openingMs = 300_000;

export function use(globals) {
  ({ afterAll, afterEach, beforeEach, describe, expect, jest, test } = globals);
  beforeAll = (open, timeoutMs = openingMs) => globals.beforeAll(open, timeoutMs);
}
