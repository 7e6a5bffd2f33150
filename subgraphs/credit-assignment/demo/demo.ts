import { civilDate } from '../../../shared/kernel/clock.js';
import type { Context } from '../../../shared/kernel/context.js';
import { Decimal } from '../../../shared/kernel/decimal.js';
import { newId } from '../../../shared/kernel/ids.js';
import { claimItems } from '../../../shared/work/queue/work-items.store.js';
import { submitBatch, cancelBatch } from '../batches/batches.acts.js';
import { createCreditBatch } from '../credit-batches/create-credit-batch.js';
import { creditBatches } from '../credit-batches/credit-batch.kind.js';
import { findEstateNamed, activeEstates } from '../estates/estate.store.js';
import { batchKinds } from '../processing/batch-kinds.js';
import { createProcessingEngine, undecided } from '../processing/engine.js';
import type { NewSettlement } from '../settlement-batches/check-settlements.js';
import { createSettlementBatch } from '../settlement-batches/create-settlement-batch.js';
import { settlementBatches } from '../settlement-batches/settlement-batch.kind.js';
import { openDemoOriginator, type DemoOriginator } from './demo-originator.js';
import { isWhole, processedReceivables, statesOf } from './demo.store.js';
import { bareDocument } from '../../../shared/kernel/tax-id.js';
import { invoiceCheckDigit } from '../credit-batches/invoice-key.js';
import { createRandom } from '../../../shared/kernel/random.js';
import { company, person } from '../../securities/demo/people.js';
import type { NewContract } from '../credit-batches/check-contracts.js';
import type { EligibilityCriteria } from '../criteria/criteria.js';
import { findCriteria } from '../criteria/criteria.store.js';
import { setCriteria } from '../criteria/change-criteria.js';
import { permitOriginator } from '../originators/originators.acts.js';
import { permitsOf } from '../originators/originator-key.store.js';

export interface DemoParts {
  readonly accountId: string;
  /** The credentials handed out before, where they are known. */
  readonly known: DemoOriginator | undefined;
  readonly relay: () => Promise<unknown>;
}

/** Grace period of the batches that are to stay in an intermediate status. */
const heldMs = 100 * 365 * 86_400_000;
const wideEstate = 'PAT-CONSIGNA';

/** Uses the operations themselves, for every status. Does nothing where they exist; an interrupted run continues. Returns the originator's credentials. */
export async function loadCreditDemo(context: Context, parts: DemoParts): Promise<DemoOriginator> {
  const originator = await openDemoOriginator(context, parts.accountId, parts.known);
  await permitDemoOriginator(context, originator.clientId, parts.relay);
  if (await isWhole(context, originator.clientId)) return originator;
  const [criteriaEstate, estate] = [
    await findEstateNamed(context, narrowEstate),
    await findEstateNamed(context, wideEstate),
  ];
  // An operator's own estates are not part of the demo.
  if (criteriaEstate === undefined || estate === undefined) return originator;
  const client: Context = {
    ...context,
    principal: { kind: 'CLIENT', id: newId(), ownerId: originator.clientId, scopes: [] },
    loaders: new Map(),
  };
  await makeCredits(client, { criteriaEstate: criteriaEstate.id, estate: estate.id }, parts);
  await makeSettlements(client, parts);
  return originator;
}

async function makeCredits(
  client: Context,
  { criteriaEstate, estate }: { readonly criteriaEstate: string; readonly estate: string },
  { relay }: DemoParts,
): Promise<void> {
  const today = civilDate(client.clock.now());
  const { credits: there } = await statesOf(client, client.principal.ownerId);
  const make = async (name: string, count: number, patrimonyId = estate) =>
    (
      await createCreditBatch(client, {
        ...{ patrimonyId, contracts: demoContracts(name, count, today).map((one, at) => ({ ...one, line: at + 2 })) },
        ...{ mode: 'ALL_OR_NOTHING', format: 'CSV', fileName: `${name.toLowerCase()}.csv` },
      })
    ).id;
  // On its own, so that it is the one that is claimed.
  if (!there.has('PROCESSING')) {
    await submitBatch(client, creditBatches, 0, await make('EM-ANALISE', 12));
    await claimForLong(client, creditBatches);
  }
  if (!there.has('SUBMITTED')) await submitBatch(client, creditBatches, heldMs, await make('ENVIADO', 8));
  if (!there.has('PROCESSED')) await submitBatch(client, creditBatches, 0, await make('CESSAO-1', 40));
  if (!there.has('REJECTED')) {
    await submitBatch(client, creditBatches, 0, await make('CESSAO-2', 20, criteriaEstate));
    const contracts = demoContracts('CESSAO-3', 24, today).map((contract, index) => withTerms(contract, index, today));
    const wish = { patrimonyId: estate, contracts, mode: 'ELIGIBLE_ONLY', format: 'JSON' } as const;
    await submitBatch(client, creditBatches, 0, (await createCreditBatch(client, wish)).id);
  }
  if (!there.has('CANCELLED')) await cancelBatch(client, creditBatches, await make('DESISTENCIA', 5));
  if (!there.has('DRAFT')) await make('RASCUNHO', 10);
  await processDue(client, relay);
}

async function makeSettlements(client: Context, { relay }: DemoParts): Promise<void> {
  const { settlements: there } = await statesOf(client, client.principal.ownerId);
  const receivables = await processedReceivables(client, client.principal.ownerId);
  const settledDate = civilDate(client.clock.now());
  /** Returns payments of a share of some receivables, in percent. */
  const paid = (from: number, count: number, percent: number): NewSettlement[] =>
    receivables.slice(from, from + count).map(({ id: contractId, faceValue }) => ({
      contractId,
      settledAmount: new Decimal(faceValue).times(percent).dividedBy(100).toFixed(2),
      settledDate,
    }));
  const make = async (settlements: readonly NewSettlement[], graceMs: number, draft = false) => {
    const creditBatchId = receivables[0]?.batchId ?? '';
    const file = draft ? {} : { fileName: 'pagamentos.csv' };
    return (await createSettlementBatch(client, graceMs, { creditBatchId, settlements, draft, ...file })).id;
  };
  if (receivables.length === 0) return;
  if (!there.has('PROCESSING')) {
    await make(paid(30, 2, 50), 0);
    await claimForLong(client, settlementBatches);
  }
  if (!there.has('SUBMITTED')) await make(paid(32, 3, 100), heldMs);
  const late = paid(0, 1, 100).map((payment) => ({ ...payment, surplus: '37.50' }));
  const abated = paid(10, 1, 5).map((payment) => ({ ...payment, kind: 'ABATEMENT' }));
  if (!there.has('PROCESSED')) await make([...late, ...paid(1, 5, 100), ...paid(6, 4, 40), ...abated], 0);
  await processDue(client, relay);
  if (!there.has('REJECTED')) {
    // Both pay one receivable in full: one of them is too much.
    await make(paid(12, 1, 100), 0);
    await make(paid(12, 1, 100), 0);
    await processDue(client, relay);
  }
  if (!there.has('DRAFT')) await make(paid(35, 3, 100), 0, true);
  if (!there.has('CANCELLED')) await cancelBatch(client, settlementBatches, await make(paid(38, 2, 100), 0, true));
}

/** Claims a batch, which is not decided. */
async function claimForLong(client: Context, kind: { readonly table: string }): Promise<void> {
  await claimItems(client, undecided(kind), { lease: newId(), leaseMs: heldMs, limit: 1 });
}

async function processDue(client: Context, relay: DemoParts['relay']): Promise<void> {
  await createProcessingEngine(client, batchKinds).drain();
  await relay();
}

/** The estate of the demo whose criteria are narrow enough to reject a batch. It is still a DRAFT. */
const narrowEstate = 'PAT-RECEBIVEIS';

const others = { limits: [], netWorth: null, netWorthDate: null };
const narrow = { minFaceValue: '500.00', maxFaceValue: '20000.00', maxTermDays: 720, maxDebtorShare: '25', ...others };
const wide = {
  minFaceValue: '0.01',
  maxFaceValue: '99999999.99',
  maxTermDays: 10_950,
  maxDebtorShare: null,
  ...others,
};

/** The last one gets no permit, so that a rejection can be tried; also the narrow one. Does nothing once there is a permit. @param relay delivers the announced events */
async function permitDemoOriginator(
  context: Context,
  originatorId: string,
  relay: () => Promise<unknown>,
): Promise<void> {
  const [permits = []] = await permitsOf(context, [originatorId]);
  if (permits.length > 0) return;
  await relay();
  const active = await activeEstates(context);
  for (const { id } of active) await setWhereNone(context, id, wide);
  for (const { id } of active.slice(0, -1)) await permitOriginator(context, originatorId, id);
  const other = await findEstateNamed(context, narrowEstate);
  if (other === undefined) return;
  await setWhereNone(context, other.id, narrow);
  await permitOriginator(context, originatorId, other.id);
}

async function setWhereNone(context: Context, patrimonyId: string, criteria: EligibilityCriteria): Promise<void> {
  if ((await findCriteria(context, patrimonyId)) === undefined) await setCriteria(context, patrimonyId, criteria);
}

const dayMs = 86_400_000;

/** The same name yields the same contracts, except for their days. @param today civil date in São Paulo */
function demoContracts(name: string, count: number, today: string): NewContract[] {
  const random = createRandom(name);
  return Array.from({ length: count }, (_, index) => {
    const debtor = random.chance(30) ? company(random) : person(random);
    const due = new Date(Date.parse(today) + random.int(30, 540) * dayMs);
    return {
      externalId: `${name}-${String(index + 1).padStart(4, '0')}`,
      debtorDocument: bareDocument(debtor.document),
      faceValue: `${random.int(600, 24_000)}.${random.digits(2)}`,
      dueDate: due.toISOString().slice(0, 10),
    };
  });
}

/** Adds what a contract may state besides: every other one has instalments, and a few are longer than the estate accepts. */
function withTerms(contract: NewContract, index: number, today: string): NewContract {
  const random = createRandom(contract.externalId);
  const face = new Decimal(contract.faceValue);
  const invoice = `352611112223330001815500100000${String(index).padStart(4, '0')}1123456789`.slice(0, 43);
  const terms: NewContract = {
    ...contract,
    debtorName: (contract.debtorDocument.length === 11 ? person(random) : company(random)).name,
    debtorUf: random.pick(['SP', 'MG', 'PR']),
    purchasePrice: face.times('0.92').toFixed(2),
    baseDate: today,
    ...{ interestRate: '24.5', dayCount: 'BUS252', coobligation: index % 3 === 0, type: 'CCB' },
    ...{ assignorDocument: '11222333000181', invoiceKey: invoice + invoiceCheckDigit(invoice) },
  };
  const late = new Date(Date.parse(today) + 11_000 * dayMs).toISOString().slice(0, 10);
  if (index % 2 === 0) return index % 12 === 4 ? { ...terms, dueDate: late } : terms;
  const half = face.div(2).toDecimalPlaces(2, Decimal.ROUND_DOWN);
  const first = new Date(Date.parse(today) + 20 * dayMs).toISOString().slice(0, 10);
  const installments = [
    { number: 1, dueDate: first, principal: half.toFixed(2), interest: half.times('0.01').toFixed(2) },
    { number: 2, dueDate: contract.dueDate, principal: face.minus(half).toFixed(2), interest: '0.00' },
  ];
  return { ...terms, installments };
}
