// What `@jest/globals` is for tests that Node loads (tests/kit/typescript-loader.mjs leads there): Jest makes new ones for each test file,
// and a module that is loaded once sees those of the file that runs.
export let afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test;

export function use(globals) {
  ({ afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } = globals);
}
