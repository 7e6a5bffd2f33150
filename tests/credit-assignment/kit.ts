import { parse, type GraphQLSchema } from 'graphql';
import { createLocalBus } from '../../shared/events/bus.js';
import { fixedClock } from '../kit/clock.js';
import { loadConfig } from '../../shared/kernel/config.js';
import { anonymous, createContext, type Context, type Principal } from '../../shared/kernel/context.js';
import { cpfCheckDigits } from '../../shared/kernel/tax-id.js';
import { newId } from '../../shared/kernel/ids.js';
import { createExecutor } from '../../shared/graphql/execute.js';
import type { GraphResult, GraphResultStream } from '../../shared/graphql/executor.js';
import { createRelay } from '../../shared/events/outbox/relay.js';
import { createCreditAssignment } from '../../subgraphs/credit-assignment/subgraph.js';
import { quietLog, testKeyRing } from '../kit/context.js';
import { countQueries } from '../kit/count-queries.js';
import { openTestDatabase, type TestDatabase } from '../kit/database.js';
import { runOn, type Outcome } from '../kit/run-on.js';
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
export interface CreditKit {
  readonly schema: GraphQLSchema;
  readonly database: TestDatabase;
  readonly context: Context;
  readonly clock: ReturnType<typeof fixedClock>;
  /** An estate that takes in everything, and that every client of the kit is permitted. */
  readonly patrimonyId: string;
  /** A client, by a signed request. Its name is `Banco`, and its account none, when not given. */
  client(accountId?: string | null): Promise<Principal>;
  /** Runs one operation on the domain's own schema. */
  run(text: string, variables: Record<string, unknown>, principal: Principal): Promise<Outcome>;
  /** The data of an operation that must not fail. */
  data<T = Record<string, unknown>>(text: string, variables: Record<string, unknown>, principal: Principal): Promise<T>;
  /** A subscription, or its refusal. */
  subscribe(
    text: string,
    variables: Record<string, unknown>,
    principal: Principal,
  ): Promise<GraphResultStream | GraphResult>;
  /** A subscription that must not be refused. */
  listen(text: string, variables: Record<string, unknown>, principal: Principal): Promise<GraphResultStream>;
  /** Makes a batch of two contracts, or of those given. */
  create(principal: Principal, contracts?: readonly Contract[]): Promise<Batch>;
  submit(principal: Principal, id: string): Promise<Outcome>;
  cancel(principal: Principal, id: string): Promise<Outcome>;
  add(principal: Principal, id: string, contracts: readonly Contract[]): Promise<Outcome>;
  /** Hands on what was announced. */
  relay(): Promise<void>;
  countQueries(work: () => Promise<unknown>): Promise<number>;
  close(): Promise<void>;
}

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

export async function openCredit(): Promise<CreditKit> {
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
  const run: CreditKit['run'] = (text, variables, principal) => ask(text, variables, { principal });
  const act = (name: string) => (principal: Principal, id: string) =>
    run(`mutation ($id: ID!) { ${name}(id: $id) { ${itemFields} } }`, { id }, principal);

  const data = async <T>(...given: Parameters<typeof run>): Promise<T> => {
    const { data: found, error } = await run(...given);
    if (error !== undefined || found === null) throw new Error(JSON.stringify(error));
    return found as T;
  };
  const subscribe: CreditKit['subscribe'] = (text, variables, principal) =>
    executor.subscribe({ document: parse(text), variables }, { ...context, principal, loaders: new Map() });

  return {
    schema: domain.schema,
    database,
    context,
    clock,
    patrimonyId,
    client: async (accountId = null) => {
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
    listen: async (...given) => {
      const begun = await subscribe(...given);
      if (!('next' in begun)) throw new Error(JSON.stringify(begun));
      return begun;
    },
    create: async (principal, given = contracts(2)) => {
      const variables = { patrimonyId, contracts: given };
      return (await data<{ createCreditBatch: Batch }>(createText, variables, principal)).createCreditBatch;
    },
    submit: act('submitCreditBatch'),
    cancel: act('cancelCreditBatch'),
    add: (principal, id, given) => run(addText, { id, contracts: given }, principal),
    relay: async () => {
      await createRelay(context, { consumers: domain.consumers ?? [] }).drain();
    },
    countQueries: (work) => countQueries(database.dataSource, work),
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
