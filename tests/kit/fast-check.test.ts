import { afterEach, expect, test } from '@jest/globals';
import fc from 'fast-check';

const given = process.env['FC_SEED'];
let loads = 0;

/** What tests get for `fast-check` with this FC_SEED: the module configures the library when it is loaded. */
async function load(seed: string | undefined): Promise<typeof fc> {
  if (seed === undefined) delete process.env['FC_SEED'];
  else process.env['FC_SEED'] = seed;
  const loaded = (await import(`./fast-check.mjs?load=${++loads}`)) as { readonly default: typeof fc };
  return loaded.default;
}

afterEach(() => load(given));

/** How a property fails that is wrong from a thousand on. */
function failure(library: typeof fc): string {
  const wrong = library.property(library.array(library.nat()), (numbers) => numbers.every((one) => one < 1000));
  try {
    library.assert(wrong);
  } catch (error) {
    return String(error);
  }
  return 'nothing failed';
}

test('a property that fails prints its seed and the command that runs it again, and FC_SEED repeats the failure', async () => {
  const first = failure(fc);
  const [, seed] = /Run it again: FC_SEED=(-?\d+) npm test -- tests\/kit\/fast-check\.test\.ts$/.exec(first) ?? [];
  expect(seed).toBeDefined();
  expect(failure(await load(seed))).toBe(first);
});

test('the failure of a property that throws, and of an asynchronous one, has its cause', async () => {
  const cause = new Error('the numbers do not add up');
  const thrown = fc.asyncProperty(fc.nat(), () => Promise.reject(cause));
  await expect(fc.assert(thrown)).rejects.toMatchObject({
    message: expect.stringMatching(/seed: -?\d+[^]*Run it again: FC_SEED=/),
    cause,
  });
});

test('a seed that is no whole number is refused', async () => {
  await expect(load('x')).rejects.toThrow('FC_SEED is "x": give the whole number that a failure printed.');
});
