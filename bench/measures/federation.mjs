import { deepStrictEqual } from 'node:assert';
import { answerOf, interleave } from '../kit/load.mjs';
import { shopQuery } from '../federation/shop.mjs';
import { withShopSides } from '../sides/shop.mjs';
import { compareProcessor } from './compare.mjs';

/** Ratios of processor time that ours has to reach, by the kind of the other side; the distance to native routers is only shown. */
const targets = { stock: 3, javascript: 1.5 };

/**
 * (p) Sends the query of the shop to our gateway and to others, in turn: first each gateway before the same four subgraphs over HTTP, then
 * those that can have the subgraphs in their own process.
 */
export async function measureFederation({ folder, timing, options }) {
  return withShopSides({ folder, routers: options.routers }, async (sides) => {
    const rows = [];
    for (const where of ['over HTTP', 'in process']) {
      const [ours, ...others] = sides.filter((side) => side.where === where);
      const loaded = [ours, ...others].map(({ url, pid }) => ({
        requests: [{ url, method: 'POST', headers: { 'content-type': 'application/json' }, body }],
        pids: () => [pid],
      }));
      await agree(loaded);
      const [own, ...theirs] = await interleave(loaded, timing);
      others.forEach(({ name, kind }, at) => {
        rows.push(
          compareProcessor(`(p) federation, four subgraphs ${where} ÷ ${name}`, own, theirs[at], targets[kind]),
        );
      });
    }
    return rows;
  });
}

const body = JSON.stringify({ query: shopQuery });

/** Requires every side to return the same data, without errors; the order of fields may differ. */
async function agree(sides) {
  const [ours, ...others] = await Promise.all(
    sides.map(async ({ requests: [request] }) => JSON.parse(await answerOf(request))),
  );
  if (ours.errors !== undefined) throw new Error(`The query failed: ${JSON.stringify(ours.errors)}`);
  for (const other of others) deepStrictEqual(other, ours, 'every side has to return the same data');
}
