import { addFindings } from '../../../shared/import/check.js';
import type { ImportDomain } from '../../../shared/import/domain.js';
import { assetChecks } from './check/assets.js';
import { indexChecks, indexJumps, lateProjections, nameChecks, newlyPriced, trancheChecks } from './check/names.js';
import { createKnown } from './known.js';
import { kinds } from './model/kinds.js';
import type { Context } from '../../../shared/kernel/context.js';
import { ApiError, byRule } from '../../../shared/kernel/errors.js';
import {
  readAssignedPatrimonies,
  readHeldTranches,
  removeAssignedAssets,
  restoreAssignedAssets,
  raisePolicyVersions,
  readImportedTranches,
  readMovedAssets,
  readMovedInstalments,
  readMovedTranches,
  readNames,
  type AssetMove,
} from './conclude.store.js';
import { stagedColumns } from '../../../shared/import/write/sql.js';
import { assets } from './model/assets.js';
import { civilDate } from '../../../shared/kernel/clock.js';
import type { Effect } from '../../../shared/import/write/merge.js';
import { announce, announceAll, type DomainEvent } from '../../../shared/events/outbox/outbox.js';
import { assetEvent } from '../assets/asset-event.js';
import { endPrices } from '../price-runs/end-prices.js';
import { pricesDue } from '../price-runs/reprice.js';
import { showRepaid } from '../price-runs/price-run.store.js';
import { redeemedOf } from '../schedule/schedule.store.js';
import { paymentEvent } from '../schedule/payment-event.js';
import { announceImported } from '../series/book.js';
import { trancheEvent } from '../tranches/tranche-event.js';

/** Series whose policy or schedule changed, or that what is new affects, are priced again. Records that the import adds are not announced as changes: nothing happened to them now. */
async function concludeChanges(tx: Context, effects: ReadonlyMap<string, readonly Effect[]>): Promise<void> {
  await announcePatrimonies(tx, effects.get('patrimonies') ?? []);
  const isPricing = ['tranches', 'indexValues', 'projectedIndexValues'].some(
    (kind) => (effects.get(kind) ?? []).length > 0,
  );
  if ((await raisePolicyVersions(tx)) > 0 || isPricing) await announce(tx, pricesDue);
  await announceTranches(tx);
  await announcePayments(tx);
  await endRepaid(tx);
  await announceAssets(tx);
}

/** Announces estates to other domains, new ones included. A deleted estate accepts no more credits. */
async function announcePatrimonies(tx: Context, effects: readonly Effect[]): Promise<void> {
  const ids = effects.flatMap(({ affected }) => affected ?? []);
  if (ids.length === 0) return;
  await restoreAssignedAssets(tx, ids);
  const named = await readNames(tx, ids);
  await announceAll(
    tx,
    named.map((patrimony) => ({
      topic: 'patrimony.registered',
      key: patrimony.id,
      payload: patrimony,
      internal: true,
    })),
  );
}

async function announceTranches(tx: Context): Promise<void> {
  const moved = await readMovedTranches(tx);
  await announceAll(tx, moved.map(trancheEvent));
}

async function announcePayments(tx: Context): Promise<void> {
  const moved = await readMovedInstalments(tx);
  await announceAll(
    tx,
    moved.map((row) =>
      paymentEvent(row.status === 'PAID' ? 'payment.completed' : 'payment.overdue', row.trancheTicker, row),
    ),
  );
}

/** Shows repaid series at a price of zero. No event for added ones: no price of them was announced before. */
async function endRepaid(tx: Context): Promise<void> {
  const { before, added } = await readImportedTranches(tx);
  await endPrices(tx, before);
  await showRepaid(tx, added, civilDate(tx.clock.now()));
  await announceImported(tx, [...before, ...added]);
}

const batch = 5000;

/** Works in batches, since a portfolio may be large. */
async function announceAssets(tx: Context): Promise<void> {
  let after: string | undefined = '00000000-0000-0000-0000-000000000000';
  while (after !== undefined) {
    const moved: AssetMove[] = await readMovedAssets(tx, after, batch);
    await announceAll(
      tx,
      moved.map((asset): DomainEvent => assetEvent(asset, asset.previousStatus, asset.status)),
    );
    after = moved.length < batch ? undefined : moved.at(-1)?.id;
  }
}

/*
 * Runs between the checks and the merge. An input may name an asset only by an instalment: the asset's figures change all the same, so it is staged here
 * too. The temporary tables are those of `known.ts`.
 */

/** The columns of a staged asset that are not columns of its row; it has no line of a file. */
const beside = new Map([
  ['file', '0'],
  ['line', '0'],
  ['path', `''`],
  ['position', '0'],
  ['owner_patrimony', 'p.ticker'],
]);
const columns = stagedColumns(assets).map(({ name }) => name);

const stageUnstatedAssets = `
  INSERT INTO import_assets (${columns.join(', ')})
  SELECT ${columns.map((column) => beside.get(column) ?? `a.${column}`).join(', ')}
  FROM known_assets k JOIN tokenization.assets a ON a.id = k.id JOIN known_patrimonies p ON p.id = k.patrimony_id
  WHERE NOT k.is_stated`;

const setFigures = `
  UPDATE import_assets s SET status = o.status, current_balance = o.current_balance, received = o.received,
    paid_installments = o.paid_installments, next_due_date = o.next_due_date, final_due_date = o.final_due_date
  FROM known_patrimonies p, known_assets k, known_outcomes o
  WHERE p.ticker = lower(s.owner_patrimony) AND k.patrimony_id = p.id AND k.external_id = s.external_id AND o.id = k.id`;

/** A file that states the units as they were issued leaves those that were redeemed. */
const keepRedeemed = `
  UPDATE import_tranches s SET token_quantity = t.token_quantity
  FROM tokenization.tranches t JOIN (${redeemedOf}) AS redeemed ON redeemed.tranche_id = t.id
  WHERE lower(t.ticker) = lower(s.ticker) AND s.token_quantity = t.token_quantity + redeemed.units`;

const prepare = `${stageUnstatedAssets};${setFigures};${keepRedeemed}`;

export const tokenizationImport: ImportDomain = {
  kinds,
  schema: {
    name: 'patrimonies',
    id: 'urn:lastro:tokenization:patrimony',
    title: 'Estates, series and credits',
    description:
      'One estate, a list of estates, or an object with the lists "patrimonies", "indexValues" and "projectedIndexValues". Amounts are decimals, as text or as ' +
      'JSON numbers, and are never rounded. Rates and shares are percent numbers: 3.5 means 3,5 %. Dates are YYYY-MM-DD.',
  },
  createKnown,
  checks: [...nameChecks, ...trancheChecks, ...indexChecks, ...assetChecks],
  prepare,
  doubts: async (tx, { actId, errors }) => {
    for (const findings of [lateProjections, newlyPriced, indexJumps])
      await addFindings(tx.manager, findings, errors, [actId]);
  },
  release: releaseRecords,
  conclude: concludeChanges,
};

/** Held tokens and open credits prevent a deletion. @throws {ApiError} CONFLICT for a series with holders, an estate with open credits, or with any assigned ones when its import is undone */
async function releaseRecords(tx: Context): Promise<void> {
  const [held] = await readHeldTranches(tx);
  if (held !== undefined)
    throw new ApiError(
      'CONFLICT',
      byRule('TOKENS_HELD', { supply: held.totalSupply, ticker: held.ticker, address: held.address }),
    );
  const [assigned] = await readAssignedPatrimonies(tx);
  if (assigned !== undefined && assigned.open !== '0')
    throw new ApiError('CONFLICT', byRule('ESTATE_OPEN_CREDITS', { ticker: assigned.ticker, open: assigned.open }));
  if (assigned?.isVoided === false)
    throw new ApiError('CONFLICT', byRule('ESTATE_CREDITS', { closed: assigned.closed, ticker: assigned.ticker }));
  await removeAssignedAssets(tx);
}
