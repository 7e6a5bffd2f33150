import { expect, test } from '@jest/globals';

test('a file finds nothing of the one before it', async () => {
  expect([process.env['LEFT_BEHIND'], process.exitCode]).toEqual([undefined, undefined]);
  const begun = performance.now();
  // Longer than the time limit of the file before.
  await new Promise((resolve) => setTimeout(resolve, 1_200));
  expect(performance.now() - begun).toBeGreaterThan(1_000);
});
