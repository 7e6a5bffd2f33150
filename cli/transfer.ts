import { parseArgs } from 'node:util';
import { z } from 'zod';
import type { Command } from './command.js';
import { misused } from './misuse.js';
import { operate, shown } from './operate.js';

const options = {
  state: { type: 'string' },
  reason: { type: 'string' },
  transaction: { type: 'string' },
  profile: { type: 'string' },
  network: { type: 'string' },
  synthetic: { type: 'boolean' },
  json: { type: 'boolean' },
} as const;

export const transferCommand: Command = {
  usage: `Usage: npm run lastro -- transfer list [--state <state>]
       npm run lastro -- transfer approve <withdrawal id>
       npm run lastro -- transfer reject <withdrawal id> --reason <why>
       npm run lastro -- transfer resolve <withdrawal id> sent --transaction <id> --reason <why>
       npm run lastro -- transfer resolve <withdrawal id> confirmed [--transaction <id>] --reason <why>
       npm run lastro -- transfer resolve <withdrawal id> returned|failed --reason <why>
       npm run lastro -- transfer quarantine
       npm run lastro -- transfer resolve-deposit <deposit id> reversed|written-off --reason <why>
       npm run lastro -- transfer simulate-deposit <company id> <currency> <amount> [--profile <id>] [--network <name>] [--synthetic]

list              the newest 100 withdrawals that wait for approval, or have another state: AWAITING_APPROVAL, READY, SENDING, SENT,
                  QUARANTINED, UNCONFIRMED, COMPLETED, FAILED, REJECTED
approve           approves a withdrawal; it is sent after the last required approval, each by a different operator
reject            rejects a withdrawal that was not sent; its funds become available again
resolve           sets the outcome of a withdrawal that custody does not report: sent (confirmations are pending), confirmed
                  (it has arrived), returned (it was sent and came back; if it had arrived, a second operator or custody must say so
                  too), failed (it was not sent)
quarantine        deposits that their network reversed after the client had used them
resolve-deposit   takes the rest of such a deposit back from the client, or writes off what the client has no more
simulate-deposit  creates a deposit where custody is simulated, and prints its transaction

  --json  prints the result as JSON

All commands require the role trade, list and quarantine only the role read. The server may be running. Exit code 0: done. 1: refused, with the
reason on standard error. 2: wrong use.`,
  run: (args) => {
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options });
    return actOf(positionals, values) ?? Promise.resolve(misused(transferCommand.usage, args));
  },
};

const outcomes = ['sent', 'confirmed', 'returned', 'failed'] as const;

interface Values {
  readonly state?: string;
  readonly reason?: string;
  readonly transaction?: string;
  readonly profile?: string;
  readonly network?: string;
  readonly synthetic?: boolean;
  readonly json?: boolean;
}

function actOf([verb, id, ...more]: readonly string[], values: Values): Promise<number> | undefined {
  if (id === undefined) {
    if (verb === 'list') return list(values);
    return verb === 'quarantine' ? quarantine(values) : undefined;
  }
  const [what, amount] = more;
  if (verb === 'simulate-deposit' && what !== undefined && amount !== undefined && more.length === 2) {
    return simulate({ companyId: id, currency: what, amount }, values);
  }
  if (more.length === 0) {
    if (verb === 'approve') return approve(id, values);
    return verb === 'reject' && values.reason !== undefined ? reject(id, values.reason, values) : undefined;
  }
  if (more.length > 1 || values.reason === undefined) return undefined;
  const outcome = verb === 'resolve' ? outcomes.find((one) => one === what) : undefined;
  if (outcome !== undefined) return resolve(id, outcome, values.reason, values);
  if (verb !== 'resolve-deposit' || (what !== 'reversed' && what !== 'written-off')) return undefined;
  return resolveDeposit(id, what, values.reason, values);
}

const withdrawalForm = z.object({
  id: z.string(),
  companyId: z.string(),
  synthetic: z.boolean(),
  state: z.string(),
  approvals: z.number(),
  approvalsNeeded: z.number(),
  returnReports: z.number(),
  valueBrl: z.string().nullable(),
  attempts: z.number(),
  withdrawal: z.object({
    asset: z.string(),
    amount: z.string(),
    network: z.string(),
    address: z.string(),
    createdAt: z.string(),
  }),
});
const listForm = z.object({ transferWithdrawals: z.object({ nodes: z.array(withdrawalForm) }) });

function list(values: Values): Promise<number> {
  return operate(
    `query ($state: WithdrawalState) { transferWithdrawals(state: $state, first: 100) { nodes {
      id companyId synthetic state approvals approvalsNeeded returnReports valueBrl attempts
      withdrawal { asset amount network address createdAt } } } }`,
    { state: values.state ?? 'AWAITING_APPROVAL' },
    listForm,
    shown(values, ({ transferWithdrawals: { nodes } }) =>
      nodes.length === 0 ? 'There are no such withdrawals.' : nodes.map(lineOf).join('\n'),
    ),
  );
}

function lineOf({
  id,
  state,
  approvals,
  approvalsNeeded,
  returnReports,
  valueBrl,
  synthetic,
  withdrawal,
}: z.infer<typeof withdrawalForm>): string {
  const { asset, amount, network, address, createdAt } = withdrawal;
  const value = valueBrl === null ? 'of unknown value' : `R$ ${valueBrl}`;
  const eyes = approvalsNeeded === 0 ? '' : `  ${approvals} of ${approvalsNeeded} approvals`;
  const back =
    state === 'COMPLETED' && returnReports > 0 ? '  came back, says one operator: a second one has to confirm it' : '';
  const world = synthetic ? '  synthetic' : '';
  return `${id}  ${state}  ${amount} ${asset} (${value})  ${network}  ${address}  ${createdAt}${eyes}${back}${world}`;
}

const statusForm = z.object({ status: z.string() });

function approve(id: string, values: Values): Promise<number> {
  return operate(
    'mutation ($id: ID!) { approved: approveWithdrawal(id: $id) { status } }',
    { id },
    z.object({ approved: statusForm }),
    shown(values, ({ approved }) => `You approved the withdrawal ${id}: it is ${approved.status}.`),
  );
}

function reject(id: string, reason: string, values: Values): Promise<number> {
  return operate(
    'mutation ($id: ID!, $reason: String!) { rejected: rejectWithdrawal(id: $id, reason: $reason) { status } }',
    { id, reason },
    z.object({ rejected: statusForm }),
    shown(values, () => `The withdrawal ${id} is rejected, and its funds are available again.`),
  );
}

function resolve(id: string, what: (typeof outcomes)[number], reason: string, values: Values): Promise<number> {
  return operate(
    `mutation ($id: ID!, $outcome: WithdrawalOutcome!, $reason: String!, $transaction: String) {
      resolved: resolveWithdrawal(id: $id, outcome: $outcome, reason: $reason, transaction: $transaction) { status } }`,
    { id, outcome: what.toUpperCase(), reason, transaction: values.transaction ?? null },
    z.object({ resolved: statusForm }),
    shown(values, ({ resolved: { status } }) =>
      what === 'returned' && status === 'COMPLETED'
        ? `You said that the withdrawal ${id} came back: it is COMPLETED until a second operator says so, or custody.`
        : `The withdrawal ${id} is resolved: it is ${status}.`,
    ),
  );
}

const depositForm = z.object({
  id: z.string(),
  walletId: z.string(),
  synthetic: z.boolean(),
  missing: z.string().nullable(),
  deposit: z.object({ asset: z.string(), amount: z.string(), network: z.string(), transaction: z.string() }),
});

function quarantine(values: Values): Promise<number> {
  return operate(
    '{ quarantinedDeposits { id walletId synthetic missing deposit { asset amount network transaction } } }',
    {},
    z.object({ quarantinedDeposits: z.array(depositForm) }),
    shown(values, ({ quarantinedDeposits: found }) =>
      found.length === 0
        ? 'No deposits are in quarantine.'
        : found
            .map(({ id, walletId, synthetic, missing, deposit: { asset, amount, network, transaction } }) =>
              [
                id,
                `${amount} ${asset}`,
                `${missing ?? '0'} missing`,
                network,
                transaction,
                `wallet ${walletId}`,
                ...(synthetic ? ['synthetic'] : []),
              ].join('  '),
            )
            .join('\n'),
    ),
  );
}

function resolveDeposit(id: string, what: 'reversed' | 'written-off', reason: string, values: Values): Promise<number> {
  return operate(
    `mutation ($id: ID!, $outcome: DepositResolution!, $reason: String!) {
      resolved: resolveDeposit(id: $id, outcome: $outcome, reason: $reason) { id deposit { status } } }`,
    { id, outcome: what === 'reversed' ? 'REVERSED' : 'WRITTEN_OFF', reason },
    z.object({ resolved: z.object({ id: z.string(), deposit: z.object({ status: z.string() }) }) }),
    shown(values, ({ resolved }) => `The deposit ${resolved.id} is resolved: it is ${resolved.deposit.status}.`),
  );
}

function simulate(
  deposit: { readonly companyId: string; readonly currency: string; readonly amount: string },
  values: Values,
): Promise<number> {
  const { profile, network, synthetic = false } = values;
  return operate(
    `mutation ($companyId: ID!, $profileId: ID, $synthetic: Boolean!, $currency: String!, $network: String, $amount: Decimal!) {
      transaction: simulateDeposit(companyId: $companyId, profileId: $profileId, synthetic: $synthetic, currency: $currency,
        network: $network, amount: $amount) }`,
    { ...deposit, profileId: profile ?? null, network: network ?? null, synthetic },
    z.object({ transaction: z.string() }),
    shown(
      values,
      ({ transaction }) =>
        `${transaction}\n\nThis is the transaction. The deposit is credited after its confirmations.`,
    ),
  );
}
