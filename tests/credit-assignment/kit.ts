import { parse } from 'graphql';
import { createLocalBus } from '../../shared/events/bus.js';
import { fixedClock } from '../kit/clock.js';
import { loadConfig } from '../../shared/kernel/config.js';
import { anonymous, createContext, type Principal } from '../../shared/kernel/context.js';
import { cpfCheckDigits } from '../../shared/kernel/tax-id.js';
import { newId } from '../../shared/kernel/ids.js';
import { createExecutor } from '../../shared/graphql/execute.js';
import { createRelay } from '../../shared/events/outbox/relay.js';
import { createCreditAssignment } from '../../subgraphs/credit-assignment/subgraph.js';
import { quietLog, testKeyRing } from '../kit/context.js';
import { countQueries } from '../kit/count-queries.js';
import { openTestDatabase } from '../kit/database.js';
import { runOn } from '../kit/run-on.js';
import { addOpenEstate, permit } from './estates/kit.js';

export interface Contract {
  readonly externalId: string;
  readonly debtorDocument: string;
  readonly faceValue: string;
  readonly dueDate: string;
}

export interface Batch {
  readonly id: string;
  readonly status: string;
  readonly receivableCount: number;
  readonly totalFaceValue: string;
}

/** The domain of credit assignment on a database of its own, at noon of 2026-11-20 in São Paulo. */
export type CreditKit = Awaited<ReturnType<typeof openCredit>>;

export const itemFields = 'id patrimonyId name status receivableCount totalFaceValue createdAt submittedAt processedAt';
export const stranger = anonymous('127.0.0.1');

/** A contract that nothing is wrong with: R$ 100.50, due in 2027. */
export function contract(externalId: string, over: Readonly<Record<string, unknown>> = {}): Contract {
  return { externalId, debtorDocument: '52998224725', faceValue: '100.50', dueDate: '2027-01-31', ...over };
}

/** So many contracts with external ids, and debtors, of their own. */
export function contracts(count: number, prefix = 'C'): Contract[] {
  return Array.from({ length: count }, (_, index) => {
    const base = String(100_000_000 + index);
    return contract(`${prefix}-${String(index)}`, { debtorDocument: `${base}${cpfCheckDigits(base)}` });
  });
}

const holder = (kind: Principal['kind'], ownerId: string, scopes: readonly string[]): Principal => ({
  kind,
  id: `of ${ownerId}`,
  ownerId,
  scopes,
});
export const person = (ownerId: string) => holder('SESSION', ownerId, ['confirmed']);
export const apiKey = (ownerId: string) => holder('API_KEY', ownerId, ['confirmed']);
export const developer = (ownerId: string, ...scopes: string[]) => holder('DEVELOPER_KEY', ownerId, scopes);

export async function openCredit() {
  const database = await openTestDatabase();
  const { manager } = database.dataSource;
  const clock = fixedClock('2026-11-20T15:00:00Z');
  const context = createContext({ clock, log: quietLog, manager, bus: createLocalBus() });
  const domain = createCreditAssignment({
    config: loadConfig({ NODE_ENV: 'test' }),
    keyRing: testKeyRing,
    log: quietLog,
    databaseUrl: database.url,
  });
  const executor = createExecutor(domain.schema, testKeyRing);
  const patrimonyId = newId();
  await addOpenEstate(manager, patrimonyId, 'PAT-1', 'Patrimônio 1');

  const ask = runOn(domain.schema, context);
  const run = (text: string, variables: Record<string, unknown>, principal: Principal) =>
    ask(text, variables, { principal });
  const act = (name: string) => (principal: Principal, id: string) =>
    run(`mutation ($id: ID!) { ${name}(id: $id) { ${itemFields} } }`, { id }, principal);

  const data = async <T = Record<string, unknown>>(...given: Parameters<typeof run>): Promise<T> => {
    const { data: found, error } = await run(...given);
    if (error !== undefined || found === null) throw new Error(JSON.stringify(error));
    return found as T;
  };
  const subscribe = (text: string, variables: Record<string, unknown>, principal: Principal) =>
    executor.subscribe({ document: parse(text), variables }, { ...context, principal, loaders: new Map() });

  return {
    schema: domain.schema,
    database,
    context,
    clock,
    /** An estate that takes in everything, and that every client of the kit is permitted. */
    patrimonyId,
    /** A client, by a signed request. Its name is `Banco`, and its account none, when not given. */
    client: async (accountId: string | null = null): Promise<Principal> => {
      const id = newId();
      await manager.query(
        `INSERT INTO credit_assignment.originators (id, name, account_id, status, created_at, updated_at)
         VALUES ($1, 'Banco', $2, 'ACTIVE', now(), now())`,
        [id, accountId],
      );
      await permit(manager, id, patrimonyId);
      return { kind: 'CLIENT', id: newId(), ownerId: id, scopes: [] };
    },
    run,
    data,
    subscribe,
    listen: async (...given: Parameters<typeof subscribe>) => {
      const begun = await subscribe(...given);
      if (!('next' in begun)) throw new Error(JSON.stringify(begun));
      return begun;
    },
    /** Makes a batch of two contracts, or of those given. */
    create: async (principal: Principal, given: readonly Contract[] = contracts(2)) => {
      const variables = { patrimonyId, contracts: given };
      return (await data<{ createCreditBatch: Batch }>(createText, variables, principal)).createCreditBatch;
    },
    submit: act('submitCreditBatch'),
    cancel: act('cancelCreditBatch'),
    add: (principal: Principal, id: string, given: readonly Contract[]) =>
      run(addText, { id, contracts: given }, principal),
    relay: async () => {
      await createRelay(context, { consumers: domain.consumers ?? [] }).drain();
    },
    countQueries: (work: () => Promise<unknown>) => countQueries(database.dataSource, work),
    close: async () => {
      await domain.close();
      await database.close();
    },
  };
}

export const createText = `mutation ($patrimonyId: ID!, $contracts: [ContractInput!]!) {
  createCreditBatch(patrimonyId: $patrimonyId, contracts: $contracts) { ${itemFields} } }`;
const addText = `mutation ($id: ID!, $contracts: [ContractInput!]!) {
  addContracts(id: $id, contracts: $contracts) { ${itemFields} } }`;
