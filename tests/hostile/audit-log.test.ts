import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openTarget, full, type Target } from './kit.js';

/** Entries that one actor and source writes one by one in a minute, for one action; the rest is counted. */
const oneByOne = 10;
const requests = full ? 20_000 : 2_000;

let target: Target;

beforeAll(async () => {
  target = await openTarget({ env: { RATE_LIMIT_PUBLIC: '10000000', RATE_LIMIT_GRAPHQL: '1000000000' } });
});
afterAll(() => target.close());

/** @returns how many of the requests were refused for what they are, and not for the load that they are to a slow machine */
async function flood(headers: Record<string, string>, query: string): Promise<number> {
  let refused = 0;
  for (let sent = 0; sent < requests; sent += 50) {
    await Promise.all(
      Array.from({ length: 50 }, async () => {
        const response = await fetch(`${target.url}/graphql`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...headers },
          body: JSON.stringify({ query }),
        });
        await response.arrayBuffer();
        if (response.status !== 503) refused += 1;
      }),
    );
  }
  return refused;
}

const rows = async () => {
  const [row] = await target.database.dataSource.query<[{ rows: number; occurrences: number }]>(
    `SELECT count(*)::integer AS rows, sum(occurrences)::integer AS occurrences FROM shared.audit_log
     WHERE actor_kind = 'ANONYMOUS' AND outcome = 'REFUSED'`,
  );
  return row;
};

test('a flood of refused acts and keys writes a few entries a minute, and none of them is lost in the count', async () => {
  const begun = Date.now();
  const acts = await flood({}, 'mutation { writeOffAsset(assetId: "x") { id } }');
  const keys = await flood({ 'x-api-key': 'svc_op_nonsense' }, '{ originators { id } }');
  expect(Math.min(acts, keys)).toBeGreaterThan(requests / 2);
  const minutes = Math.ceil((Date.now() - begun) / 60_000) + 1;
  expect((await rows()).rows).toBeLessThanOrEqual(2 * minutes * (oneByOne + 1));
  // The counts of a minute are written when the program ends, at the latest.
  target.program.child.kill('SIGTERM');
  expect(await target.program.ended).toMatchObject({ code: 0 });
  expect((await rows()).occurrences).toBe(acts + keys);
  expect(target.errors()).toEqual([]);
});
