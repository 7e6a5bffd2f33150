import { afterAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { civilDate } from '../../shared/kernel/clock.js';
import { createRelay } from '../../shared/events/outbox/relay.js';
import type { Principal } from '../../shared/kernel/context.js';
import { batchKinds } from '../../subgraphs/credit-assignment/processing/batch-kinds.js';
import { concludeBatches } from '../../subgraphs/credit-assignment/processing/process-batch.js';
import { createProcessingEngine } from '../../subgraphs/credit-assignment/processing/engine.js';
import { creditBatches } from '../../subgraphs/credit-assignment/credit-batches/credit-batch.kind.js';
import { settlementBatches } from '../../subgraphs/credit-assignment/settlement-batches/settlement-batch.kind.js';
import { takeOperatorPayments } from '../../subgraphs/credit-assignment/receivables/take-operator-payments.js';
import { applySettlements } from '../../subgraphs/tokenization/assignments/apply-settlements.js';
import { registerAssets } from '../../subgraphs/tokenization/assignments/register-assets.js';
import { addUpAssets } from '../../subgraphs/tokenization/summary/asset-summary.js';
import { assetTotals } from '../../subgraphs/tokenization/summary/asset-group.store.js';
import { contract } from './kit.js';
import { pay, renegotiate, reverse, revertRenegotiation } from './reversals-kit.js';
import { openSettlements } from './settlement-kit.js';

const kit = await openSettlements();
afterAll(() => kit.close());

/** Hands on what is announced until nothing is, among all who hear of a credit. */
async function relay(): Promise<void> {
  const heard = [registerAssets, applySettlements, takeOperatorPayments];
  const consumers = [...heard, concludeBatches(creditBatches), concludeBatches(settlementBatches)];
  while ((await createRelay(kit.platform, { consumers }).drain()) > 0);
}

async function process(): Promise<void> {
  kit.clock.advance(30_000);
  await createProcessingEngine(kit.platform, batchKinds).drain();
  await relay();
}

type Kind = 'PAYMENT' | 'ABATEMENT' | 'DISCOUNT' | 'REPURCHASE' | 'SUBSTITUTION';
const isReceipt = (kind: Kind) => kind === 'PAYMENT' || kind === 'REPURCHASE';

/** A line of a settlement batch in cents, and how much of it was reversed. */
interface Line {
  readonly kind: Kind;
  readonly cents: number;
  readonly surplus: number;
  /** Place of the contract that takes the place. */
  readonly substitute?: number;
  /** Its day, once it was sent. */
  day?: string;
  reversed: number;
}

/** What one act took of an instalment. */
interface Taken {
  readonly paid: number;
  readonly abated: number;
  readonly byOperator: boolean;
  readonly day?: string | undefined;
}

interface Instalment {
  readonly number: number;
  readonly day: string;
  due: number;
  readonly taken: Taken[];
}

const names = ['renegotiated', 'received', 'surplus', 'repurchased', 'abated', 'discounted', 'substituted'] as const;
type Sum = (typeof names)[number] | 'assigned';
const today = (days = 0) => civilDate(new Date(kit.clock.now().getTime() + days * 86_400_000));
const whole = ({ due, taken }: Instalment) => taken.reduce((rest, { paid, abated }) => rest - paid - abated, due);
const cents = (all: readonly number[]) => all.reduce((total, one) => total + one, 0);

/** An account of a contract, kept by hand: what its instalments owe, and what was posted in which month. */
class Account {
  readonly lines: Line[] = [];
  readonly posts: { readonly month: string; readonly sum: Sum; readonly cents: number }[] = [];
  instalments: Instalment[] = [
    { number: 1, day: today(40), due: 6_000, taken: [] },
    { number: 2, day: today(71), due: 5_550, taken: [] },
  ];
  /** What was unpaid after each act, and the day of that. */
  readonly states: { readonly from: string; readonly rows: { readonly day: string; readonly cents: number }[] }[] = [];
  readonly replaced: { readonly before: Instalment[]; readonly first: number; readonly raised: number }[] = [];
  used = 2;

  constructor() {
    this.post('assigned', this.owed);
  }

  /** Ends the acts of a moment. */
  note(): void {
    const rows = this.instalments.flatMap((one) => (whole(one) === 0 ? [] : { day: one.day, cents: whole(one) }));
    this.states.push({ from: today(), rows });
  }

  post(sum: Sum, amount: number): void {
    if (amount !== 0) this.posts.push({ month: today().slice(0, 7), sum, cents: amount });
  }

  open(number: number): number {
    const one = this.instalments.find((each) => each.number === number);
    return one === undefined ? 0 : whole(one);
  }

  get owed(): number {
    return cents(this.instalments.map(whole));
  }

  get nextDueDate(): string | undefined {
    return this.instalments.find((one) => whole(one) > 0)?.day ?? this.instalments.at(-1)?.day;
  }

  /** Posts what a line took, or what of it is returned. */
  private take({ kind, surplus }: Line, part: number, beyond: number): void {
    if (isReceipt(kind)) this.post('received', part + beyond);
    else this.post('abated', part);
    if (surplus !== 0) this.post('surplus', beyond);
    if (kind === 'REPURCHASE') this.post('repurchased', part);
    if (kind === 'DISCOUNT') this.post('discounted', part);
    if (kind === 'SUBSTITUTION') this.post('substituted', part);
  }

  /** The lines of one batch fall on the instalments that are due first. */
  settle(lines: readonly Line[]): void {
    const rest = lines.map(({ kind, cents: amount }) => ({ kind, amount }));
    for (const one of this.instalments) {
      let [paid, abated] = [0, 0];
      for (const line of rest) {
        const part = Math.min(line.amount, whole(one) - paid - abated);
        if (isReceipt(line.kind)) paid += part;
        else abated += part;
        line.amount -= part;
      }
      if (paid + abated > 0) one.taken.push({ paid, abated, byOperator: false, day: lines[0]?.day });
    }
    for (const line of lines) this.take(line, line.cents, line.surplus);
    this.lines.push(...lines);
  }

  payWhole(number: number): void {
    this.post('received', this.open(number));
    this.instalments
      .find((one) => one.number === number)
      ?.taken.push({ paid: this.open(number), abated: 0, byOperator: true });
  }

  reverse(number: number): void {
    const own = this.instalments.find((one) => one.number === number);
    const isWhole = own !== undefined && whole(own) === 0;
    const last = own?.taken.pop();
    if (last === undefined) return;
    if (last.byOperator) {
      this.post('received', -last.paid);
      return;
    }
    const rest = { paid: last.paid, abated: last.abated };
    // Those of the day on which the instalment became whole come first.
    const isOther = (line: Line) => Number(!isWhole || line.day !== last.day);
    for (const line of this.lines.toReversed().sort((one, other) => isOther(one) - isOther(other))) {
      const of = isReceipt(line.kind) ? 'paid' : 'abated';
      const part = Math.min(rest[of], line.cents - line.reversed);
      if (part > 0) this.take(line, -part, line.reversed === 0 ? -line.surplus : 0);
      line.reversed += part;
      rest[of] -= part;
    }
  }

  renegotiate(rows: readonly { readonly day: string; readonly due: number }[]): void {
    const raised = cents(rows.map(({ due }) => due)) - this.owed;
    const first = this.used + 1;
    this.replaced.push({ before: this.instalments, first, raised });
    const kept = this.instalments.flatMap((one) =>
      cents(one.taken.map(({ paid, abated }) => paid + abated)) === 0 ? [] : { ...one, due: one.due - whole(one) },
    );
    this.instalments = [...kept, ...rows.map(({ day, due }) => ({ number: (this.used += 1), day, due, taken: [] }))];
    this.post('renegotiated', raised);
  }

  get mayRevert(): boolean {
    const last = this.replaced.at(-1);
    return (
      this.owed > 0 &&
      last !== undefined &&
      this.instalments.every((one) => one.number < last.first || one.due === whole(one))
    );
  }

  revert(): void {
    const last = this.replaced.pop();
    if (last === undefined) return;
    this.instalments = last.before;
    this.post('renegotiated', -last.raised);
  }

  /** What is open of each instalment in force before a month ends. */
  unpaid(until: string): { readonly day: string; readonly cents: number }[] {
    return this.states.findLast(({ from }) => from.slice(0, 7) <= until)?.rows ?? [];
  }

  sum(sum: Sum, by: (month: string) => boolean): number {
    return cents(this.posts.flatMap((post) => (post.sum === sum && by(post.month) ? post.cents : [])));
  }

  openBy(until: string): number {
    const of = (sum: Sum) => this.sum(sum, (month) => month <= until);
    return of('assigned') + of('renegotiated') - of('received') + of('surplus') - of('abated');
  }

  /** The discount of an early payment of the first so many cents, at 30 % a year over 365 days. */
  largestDiscount(through: number): number {
    let [rest, present] = [through, 0];
    for (const { day, open } of this.instalments.map((one) => ({ day: one.day, open: whole(one) }))) {
      const part = Math.min(open, rest);
      rest -= part;
      present += part / 1.3 ** (Math.max(0, Date.parse(day) - Date.parse(today())) / 86_400_000 / 365);
    }
    return through - Math.round(present);
  }

  get sums() {
    const taken = this.instalments.flatMap((one) => one.taken);
    const surplus = this.lines.reduce((all, line) => all + (line.reversed === 0 ? line.surplus : 0), 0);
    return {
      openBalance: this.owed,
      received: taken.reduce((all, { paid }) => all + paid, surplus),
      surplus,
      abated: taken.reduce((all, { abated }) => all + abated, 0),
    };
  }
}

const sent = fc.record({
  of: fc.nat(2),
  kind: fc.constantFrom<Kind>('PAYMENT', 'PAYMENT', 'ABATEMENT'),
  cents: fc.oneof(fc.integer({ min: 1, max: 7_000 }), fc.constant(5_550), fc.constant(11_550)),
  surplus: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 900 })),
});
const place = { of: fc.nat(2), at: fc.nat(3) };
const special = {
  of: fc.nat(2),
  other: fc.nat(2),
  share: fc.integer({ min: 1, max: 100 }),
  off: fc.integer({ min: -1, max: 1 }),
};
const act = fc.tuple(
  fc.nat(25),
  fc.oneof(
    { weight: 3, arbitrary: fc.array(sent, { minLength: 1, maxLength: 4 }) },
    { weight: 1, arbitrary: fc.record({ ...place, by: fc.constant('pay' as const) }) },
    { weight: 2, arbitrary: fc.record({ ...place, by: fc.constant('reverse' as const) }) },
    {
      weight: 6,
      arbitrary: fc.record({
        ...special,
        by: fc.constantFrom('early', 'early', 'repurchase', 'substitute', 'renegotiate', 'revert'),
      }),
    },
  ),
);
/** One list of acts in which each kind of them is done, and those that may be refused are refused too. */
const everyAct = [
  [{ of: 0, kind: 'PAYMENT' as const, cents: 5_550, surplus: 7 }],
  [{ of: 0, kind: 'ABATEMENT' as const, cents: 99_999, surplus: 0 }],
  ...(['pay', 'reverse'] as const).map((by) => ({ of: 0, at: 1, by })),
  ...(['renegotiate', 'revert'] as const).map((by) => ({ of: 2, other: 0, share: 60, off: 0, by })),
  ...[1, 0].map((off) => ({ of: 1, other: 2, share: 50, off, by: 'early' as const })),
  ...[1, 2].map((other) => ({ of: 1, other, share: 50, off: 0, by: 'substitute' as const })),
  ...[-1, 0].map((off) => ({ of: 0, other: 1, share: 50, off, by: 'repurchase' as const })),
].map((one): [number, typeof one] => [1, one]);
const money = (amount: number) => (amount / 100).toFixed(2);
const inMoney = (sums: Readonly<Record<string, number>>) =>
  Object.fromEntries(Object.entries(sums).map(([name, amount]) => [name, money(amount)]));
const contractNames = ['A', 'B', 'C'];

async function assigned(client: Principal): Promise<{ readonly id: string; readonly ids: string[] }> {
  const installments = [
    { number: 1, dueDate: today(40), principal: '50.00', interest: '10.00' },
    { number: 2, dueDate: today(71), principal: '50.50', interest: '5.00' },
  ];
  const terms = { installments, dueDate: today(71), interestRate: '30', dayCount: 'CIVIL_365' };
  const { id } = await kit.create(
    client,
    contractNames.map((name) => contract(name, terms)),
  );
  await kit.submit(client, id);
  await process();
  const text = 'query ($id: ID!) { creditBatch(id: $id) { status receivables { nodes { id } } } }';
  const { creditBatch } = await kit.data<{ creditBatch: { receivables: { nodes: { id: string }[] } } }>(
    text,
    { id },
    client,
  );
  return { id, ids: creditBatch.receivables.nodes.map((one) => one.id) };
}

const creditText = `query ($id: ID!, $first: Int!) {
  creditBatch(id: $id) { receivables { nodes { openBalance received surplus abated nextDueDate } } settlementBatches(first: $first) {
    totalSettledAmount totalSurplus totalAbated settlements { nodes { externalId kind settledAmount surplus reversed reversedAmount } } } }
  receivableTotals { openBalance received surplus abated } }`;

interface Seen {
  readonly creditBatch: {
    readonly receivables: { readonly nodes: readonly object[] };
    readonly settlementBatches: readonly {
      readonly totalSettledAmount: string;
      readonly settlements: { readonly nodes: readonly { externalId: string }[] };
    }[];
  };
  readonly receivableTotals: object;
}

/** The estate is that of all runs. */
const estate = { openBalance: 0, received: 0, surplus: 0, abated: 0 };

test('after any acts lines, batches, receivables, assets and the estate say to the cent what an account by hand says', async () => {
  const [done, failed] = [new Map<string, number>(), new Map<string, number>()];
  const count = (by: string, isDone: boolean) => {
    const counts = isDone ? done : failed;
    counts.set(by, (counts.get(by) ?? 0) + 1);
    return isDone;
  };
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 2, maxLength: 7 }), async (acts) => {
      const client = await kit.client();
      const { id, ids } = await assigned(client);
      const accounts = ids.map(() => new Account());
      const accountAt = (of: number) => accounts[of] ?? new Account();
      const batches: { readonly lines: (Line & { readonly of: number })[] }[] = [];
      const send = async (by: string, lines: (Line & { readonly of: number })[], mayBe: boolean) => {
        for (const line of lines) line.day = today();
        const settlements = lines.map(({ of, kind, cents: amount, surplus, substitute }) => ({
          contractId: ids[of],
          kind,
          settledAmount: money(amount),
          surplus: money(surplus),
          settledDate: today(),
          reason: 'agreed',
          ...(substitute === undefined ? {} : { substituteId: ids[substitute] }),
        }));
        const { error } = await kit.settle(client, id, settlements);
        const ofEach = accounts.map((_, of) => lines.filter((line) => line.of === of));
        const fits = ofEach.every((own, of) => cents(own.map((line) => line.cents)) <= accountAt(of).owed);
        expect(error?.statusCode).toBe(fits && mayBe ? undefined : 422);
        await process();
        if (!count(by, fits && mayBe)) return;
        for (const [of, own] of ofEach.entries()) accounts[of]?.settle(own);
        batches.push({ lines });
      };
      for (const [days, one] of acts) {
        for (const account of accounts) account.note();
        kit.clock.advance(days * 86_400_000);
        if (Array.isArray(one)) {
          const surplusOf = (line: (typeof one)[number]) => (line.kind === 'ABATEMENT' ? 0 : line.surplus);
          await send(
            'lines',
            one.map((line) => ({ ...line, surplus: surplusOf(line), reversed: 0 })),
            true,
          );
          continue;
        }
        const [account, asset = ''] = [accountAt(one.of), ids[one.of]];
        const { owed } = account;
        const byOperator = async (work: () => Promise<unknown>, follow: () => void, mayBe: boolean) => {
          if (mayBe) await work();
          else await expect(work()).rejects.toMatchObject({ code: 'CONFLICT' });
          await relay();
          if (count(one.by, mayBe)) follow();
        };
        if ('at' in one) {
          const number = account.instalments[one.at]?.number ?? 0;
          if (one.by === 'pay') {
            if (account.open(number) === 0) continue;
            await byOperator(
              () => pay(kit.platform, asset, number),
              () => account.payWhole(number),
              true,
            );
          } else {
            const instalment = account.instalments[one.at];
            if (instalment === undefined || instalment.taken.length === 0) continue;
            const known = money(instalment.due - whole(instalment));
            const stands = number >= (account.replaced.at(-1)?.first ?? 0);
            await byOperator(
              () => reverse(kit.platform, asset, known, number),
              () => account.reverse(number),
              stands,
            );
          }
          continue;
        }
        if (owed === 0) continue;
        const { by, of, other, share, off } = one;
        const line = (kind: Kind, amount: number, more = {}) => ({
          of,
          kind,
          cents: amount,
          surplus: 0,
          reversed: 0,
          ...more,
        });
        if (by === 'early') {
          const through = Math.ceil((owed * share) / 100);
          const discount = account.largestDiscount(through) + off;
          if (discount < 1 || discount >= through) continue;
          await send(by, [line('PAYMENT', through - discount), line('DISCOUNT', discount)], off <= 0);
        } else if (by === 'repurchase') {
          const amount = owed + Math.min(off, 0);
          if (amount > 0) await send(by, [line('REPURCHASE', amount, { surplus: share })], amount === owed);
        } else if (by === 'substitute') {
          const isTaken = accounts.some(({ lines }) =>
            lines.some((each) => each.substitute === other && each.reversed < each.cents),
          );
          const isFree = other !== of && !isTaken && accountAt(other).owed >= owed;
          await send(by, [line('SUBSTITUTION', owed, { substitute: other })], isFree);
        } else if (by === 'renegotiate') {
          const total = Math.ceil((owed * (50 + share)) / 100) + 1;
          const rows = [
            { day: today(10), due: Math.floor(total / 2) },
            { day: today(40), due: Math.ceil(total / 2) },
          ];
          await byOperator(
            () =>
              renegotiate(
                kit.platform,
                asset,
                rows.map(({ day, due }) => ({ dueDate: day, principal: money(due), interest: '0' })),
              ),
            () => account.renegotiate(rows),
            true,
          );
        } else {
          // One that was renegotiated, if there is one.
          const at = accounts.findLastIndex(({ replaced }) => replaced.length > 0);
          const last = accounts[at] ?? account;
          await byOperator(
            () => revertRenegotiation(kit.platform, ids[at] ?? asset),
            () => last.revert(),
            last.mayRevert,
          );
        }
      }

      for (const account of accounts) account.note();
      const months = [
        ...new Set(accounts.flatMap(({ posts }) => posts.map(({ month }) => month))),
        today().slice(0, 7),
      ];
      for (const month of new Set(months))
        expect(
          (await kit.data(statementText, { month, patrimonyId: kit.patrimonyId }, client))['receivableStatement'],
        ).toEqual(statementBy(accounts, month));
      const seen = await kit.data<Seen>(creditText, { id, first: 20 }, client);
      const own = accounts.map(({ sums }) => sums);
      const all = own.reduce(
        (total, one) => ({
          openBalance: total.openBalance + one.openBalance,
          received: total.received + one.received,
          surplus: total.surplus + one.surplus,
          abated: total.abated + one.abated,
        }),
        { openBalance: 0, received: 0, surplus: 0, abated: 0 },
      );
      expect(seen.creditBatch.receivables.nodes).toEqual(
        accounts.map((account) => ({ ...inMoney(account.sums), nextDueDate: account.nextDueDate })),
      );
      expect(seen.receivableTotals).toEqual(inMoney(all));
      const amount = (lines: readonly Line[], isReceived: boolean) =>
        money(lines.reduce((total, line) => total + (isReceipt(line.kind) === isReceived ? line.cents : 0), 0));
      expect(seen.creditBatch.settlementBatches).toEqual(
        batches.toReversed().map(({ lines }) => ({
          totalSettledAmount: amount(lines, true),
          totalSurplus: money(lines.reduce((total, { surplus }) => total + surplus, 0)),
          totalAbated: amount(lines, false),
          settlements: {
            nodes: lines.map((line) => ({
              externalId: contractNames[line.of],
              kind: line.kind,
              settledAmount: money(line.cents),
              surplus: money(line.surplus),
              reversed: line.reversed > 0,
              reversedAmount: money(line.reversed),
            })),
          },
        })),
      );
      const assets = await kit.platform.manager.query<object[]>(
        `SELECT current_balance AS "openBalance", received, surplus, abated FROM tokenization.assets WHERE id = ANY ($1) ORDER BY external_id`,
        [ids],
      );
      expect(assets).toEqual(own.map(inMoney));
      for (const name of ['openBalance', 'received', 'surplus', 'abated'] as const) estate[name] += all[name];
      const totals = addUpAssets(await assetTotals(kit.platform, kit.patrimonyId));
      expect({
        openBalance: totals.totalCurrentBalance.toFixed(2),
        received: totals.totalReceivedPayments.toFixed(2),
        surplus: totals.totalSurplus.toFixed(2),
        abated: totals.totalAbated.toFixed(2),
      }).toEqual(inMoney(estate));
    }),
    // Each run adds to the same estate, so that a smaller counterexample could not be looked for.
    { numRuns: 40, examples: [[everyAct]], endOnFailure: true },
  );
  // Each kind of act happened, and was refused where it may be.
  for (const by of ['lines', 'pay', 'reverse', 'early', 'repurchase', 'substitute', 'renegotiate', 'revert'])
    expect([by, done.get(by)]).toEqual([by, expect.any(Number)]);
  for (const by of ['lines', 'early', 'repurchase', 'substitute'])
    expect([by, failed.get(by)]).toEqual([by, expect.any(Number)]);
}, 300_000);

test('discounts and due days go by the instalment that an operator opened again, or left open by paying a later one', async () => {
  const client = await kit.client();
  const { id, ids } = await assigned(client);
  const [a = '', b = '', c = ''] = ids;
  const line = (kind: Kind, contractId: string, settledAmount: string) => ({
    ...{ kind, contractId, settledAmount, settledDate: today(), reason: 'early' },
  });
  await kit.settle(client, id, [line('PAYMENT', a, '115.50')]);
  await process();
  await reverse(kit.platform, a, '60.00', 1);
  await pay(kit.platform, b, 2);
  await relay();
  const early = (of: string) => [line('PAYMENT', of, '58.00'), line('DISCOUNT', of, '2.00')];
  const { error } = await kit.settle(client, id, [...early(a), ...early(b)]);
  // Of 60.00 in 40 days at 30 % a year.
  const most = expect.stringMatching('at most 1.70$');
  expect(error?.details).toMatchObject([{ message: most }, { message: most }]);
  const text = 'query ($id: ID!) { creditBatch(id: $id) { receivables { nodes { id nextDueDate } } } }';
  expect(await kit.data(text, { id }, client)).toMatchObject({
    creditBatch: { receivables: { nodes: [a, b, c].map((one) => ({ id: one, nextDueDate: today(40) })) } },
  });
});

const statementText = `query ($month: Month!, $patrimonyId: ID) { receivableStatement(month: $month, patrimonyId: $patrimonyId) {
  position openBefore assignedCount assigned refusedCount renegotiated received surplus repurchased abated discounted substituted writtenOff openBalance
  aging { label contracts balance overdue } } }`;

function statementBy(accounts: readonly Account[], month: string) {
  const last = civilDate(new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 0, 15)));
  const position = last < today() ? last : today();
  const sum = (name: Sum) => money(cents(accounts.map((account) => account.sum(name, (one) => one === month))));
  const before = `${month.slice(0, 5)}${String(Number(month.slice(5)) - 1).padStart(2, '0')}`;
  const bands = ['A vencer', '1-30', '31-60', '61-90', '91-120', '121-150', '151-180', '181-360', '360+'];
  const starts = [0, 1, 31, 61, 91, 121, 151, 181, 361];
  const late = accounts.flatMap((account) => {
    const [oldest, ...more] = account.unpaid(month);
    if (oldest === undefined) return [];
    const days = (Date.parse(position) - Date.parse(oldest.day)) / 86_400_000;
    const overdue = cents([oldest, ...more].flatMap((one) => (one.day < position ? one.cents : [])));
    return {
      label: bands[starts.findLastIndex((start) => Math.max(days, 0) >= start)],
      open: account.openBy(month),
      overdue,
    };
  });
  return {
    position,
    openBefore: money(cents(accounts.map((account) => account.openBy(before)))),
    assignedCount: accounts.flatMap(({ posts }) =>
      posts.filter((post) => post.sum === 'assigned' && post.month === month),
    ).length,
    assigned: sum('assigned'),
    refusedCount: 0,
    ...Object.fromEntries(names.map((name) => [name, sum(name)])),
    writtenOff: '0.00',
    openBalance: money(cents(accounts.map((account) => account.openBy(month)))),
    aging: bands.map((label) => {
      const own = late.filter((one) => one.label === label);
      const [open, overdue] = [cents(own.map((one) => one.open)), cents(own.map((one) => one.overdue))];
      return { label, contracts: own.length, balance: money(open), overdue: money(overdue) };
    }),
  };
}
