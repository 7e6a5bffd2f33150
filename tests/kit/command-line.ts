import { jest } from '@jest/globals';
import { commands } from '../../cli/commands.js';

export interface Printed {
  readonly code: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command as the command line does, and returns what it printed. */
export function lastro(name: string, ...args: string[]): Promise<Printed> {
  return printedBy(async () => (await commands.find((listed) => listed.name === name)?.load())?.run(args));
}

/** Runs something that ends with an exit code, and returns what it printed. */
async function printedBy(run: () => Promise<number | undefined>): Promise<Printed> {
  const printed = { stdout: '', stderr: '' };
  const spies = (['stdout', 'stderr'] as const).map((stream) =>
    jest.spyOn(process[stream], 'write').mockImplementation((text) => {
      printed[stream] += String(text);
      return true;
    }),
  );
  try {
    return { code: await run(), ...printed };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}
