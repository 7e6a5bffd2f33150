import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { nextRuns } from './next-run.js';

/** Calls: for how many turns of the event loop's queue the work of each lasts, and how many pass until the next one. */
const calls = fc.array(fc.record({ lasts: fc.nat(5), pause: fc.nat(3) }), { minLength: 1, maxLength: 40 });

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await Promise.resolve();
}

test('every caller gets a value that was read after it asked, from as few runs as that takes', async () => {
  await fc.assert(
    fc.asyncProperty(calls, async (given) => {
      let version = 0;
      let runs = 0;
      let atOnce = 0;
      const load = nextRuns<number>();
      const read = (lasts: number) => async () => {
        runs += 1;
        atOnce += 1;
        expect(atOnce).toBe(1);
        const seen = version;
        await turns(lasts);
        atOnce -= 1;
        return seen;
      };
      const answers: Promise<void>[] = [];
      for (const { lasts, pause } of given) {
        version += 1;
        const asked = version;
        answers.push(
          load('one', read(lasts)).then((seen) => {
            expect(seen).toBeGreaterThanOrEqual(asked);
          }),
        );
        await turns(pause);
      }
      await Promise.all(answers);
      expect(runs).toBeLessThanOrEqual(given.length);
    }),
  );
});

test('callers that come while a run is under way share one', async () => {
  const load = nextRuns<number>();
  let runs = 0;
  const read = async () => {
    runs += 1;
    await new Promise((resolve) => setTimeout(resolve, 10));
    return runs;
  };
  const answers = await Promise.all(Array.from({ length: 20 }, () => load('one', read)));
  expect(answers).toEqual([1, ...Array.from({ length: 19 }, () => 2)]);
  expect(await load('one', read)).toBe(3);
});

test('a failure is that of one caller: the others read for themselves', async () => {
  const load = nextRuns<string>();
  const works = (name: string, fails: boolean) => async () => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    if (fails) throw new Error(name);
    return name;
  };
  const answers = await Promise.allSettled([
    load('one', works('first', false)),
    load('one', works('second', true)),
    load('one', works('third', false)),
    load('two', works('fourth', false)),
  ]);
  expect(answers.map((each) => (each.status === 'fulfilled' ? each.value : String(each.reason)))).toEqual([
    'first',
    'Error: second',
    'third',
    'fourth',
  ]);
});

test('a run that never ends holds up nobody for long', async () => {
  const load = nextRuns<string>();
  void load('one', () => new Promise(() => undefined));
  expect(await load('one', () => Promise.resolve('read'))).toBe('read');
});
