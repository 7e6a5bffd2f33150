import { afterEach, beforeEach, expect, jest } from '@jest/globals';

/** What was written to the console in the current test. */
export const written: unknown[][] = [];

/** Lets every test of a file fail that writes anything to the console, unless it empties `written` itself. */
export function expectNoConsole(): void {
  beforeEach(() => {
    written.length = 0;
    for (const level of ['log', 'info', 'warn', 'error', 'debug'] as const)
      jest.spyOn(console, level).mockImplementation((...parts: unknown[]) => void written.push([level, ...parts]));
  });
  afterEach(() => {
    jest.restoreAllMocks();
    expect(written).toEqual([]);
  });
}
