import { loaderOf, type Context } from '../../../shared/kernel/context.js';
import { newestEventsOf, onchainContractsOf } from '../onchain/onchain.store.js';
import {
  accountsOf,
  assembliesOf,
  communicationsOf,
  guaranteesOf,
  obligationsOf,
  participantsOf,
  paymentsOf,
  permittedInvestmentsOf,
  publicDocumentsOf,
} from '../operations/operation-list.store.js';
import type { OperationRow } from '../operations/operation.store.js';
import { seriesOf } from '../series/series.store.js';
import { currentPricesOf, trusteePricesOf, pricesIn } from '../unit-prices/unit-price.store.js';

/** Number of prices of a series that the detail shows: about three years of business days. */
export const shownPrices = 756;

const shownEvents = 100;

export type DetailFacts = Awaited<ReturnType<typeof loadDetailFacts>>;

export async function loadDetailFacts(context: Context, operation: OperationRow, today: string) {
  const { id } = operation;
  const [parts, chain, pricing] = await Promise.all([
    loadParts(context, id),
    loadChain(context, id),
    loadPricing(context, id, today),
  ]);
  return { operation, ...parts, ...chain, ...pricing };
}

async function loadParts(context: Context, id: string) {
  const [
    guarantees,
    documents,
    obligations,
    payments,
    accounts,
    investments,
    assemblies,
    communications,
    participants,
  ] = await Promise.all([
    loaderOf(context, guaranteesOf).load(id),
    loaderOf(context, publicDocumentsOf).load(id),
    loaderOf(context, obligationsOf).load(id),
    loaderOf(context, paymentsOf).load(id),
    loaderOf(context, accountsOf).load(id),
    loaderOf(context, permittedInvestmentsOf).load(id),
    loaderOf(context, assembliesOf).load(id),
    loaderOf(context, communicationsOf).load(id),
    loaderOf(context, participantsOf).load(id),
  ]);
  return {
    guarantees,
    documents,
    obligations,
    payments,
    accounts,
    investments,
    assemblies,
    communications,
    participants,
  };
}

async function loadChain(context: Context, id: string) {
  const contracts = await loaderOf(context, onchainContractsOf).load(id);
  const ids = contracts.map((contract) => contract.id);
  return { contracts, events: await newestEventsOf(context, ids, shownEvents) };
}

async function loadPricing(context: Context, id: string, today: string) {
  const series = await loaderOf(context, seriesOf).load(id);
  const ranges = series.map(
    (one) => ({ id: one.id, from: null, to: today, interval: 'DAILY', limit: shownPrices }) as const,
  );
  const [histories, current, trusteePrices] = await Promise.all([
    pricesIn(context, ranges),
    currentPricesOf(context, series, today),
    trusteePricesOf(
      context,
      series.map((one) => ({ seriesId: one.id, to: today })),
    ),
  ]);
  return {
    series,
    histories: new Map(series.map((one, index) => [one.id, histories[index] ?? []])),
    current,
    /** The newest of each series. */
    trusteePrices: new Map(series.map((one, index) => [one.id, trusteePrices[index]?.[0]])),
  };
}
