import { Arg, Ctx, Directive, ID, Int, Mutation, Query, Resolver, Args, ArgsType } from 'type-graphql';
import { requireBounds } from '../../../shared/kernel/bounds.js';
import type { Context } from '../../../shared/kernel/context.js';
import { refuse, errorAt } from '../../../shared/kernel/errors.js';
import { isUuid } from '../../../shared/kernel/ids.js';
import { Access, StepUp } from '../../../shared/graphql/access.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import { listFindings } from './finding.store.js';
import {
  CurrencyHalt,
  ReconciliationFinding,
  Balance,
  WalletBalances,
  type WalletMovement,
  WalletStatement,
} from './ledger.type.js';
import { listHalts, listBalances, listBalancesAt } from './ledger.store.js';
import { reconcileBalances } from './reconcile.js';
import { resolveFinding, resumeCurrency } from './findings.acts.js';
import type { CursorCodec } from '../../../shared/graphql/cursor.js';
import { DateTimeScalar } from '../../../shared/graphql/scalars.js';
import { requireWallet, WalletArgs, ofWallet } from '../profiles/require-wallet.js';
import { readStatement, type Movement, type Statement } from './read-statement.js';
import { args, nullable, of, text } from '../../../shared/graphql/fields.js';

const errors =
  'Errors: 401 CAAS_AUTH_001; 403 without the scope `read`; 404 for a profile that does not belong to the company.';

@Resolver()
export class BalanceResolver {
  @Access('trader', 'read')
  @Directive('@listSize(assumedSize: 20)')
  @Query(() => [Balance], {
    description: `Balances of a wallet in every currency, sorted by code. ${errors}`,
  })
  async balances(
    @Ctx() context: Context,
    @Args(() => WalletArgs) which: WalletArgs,
    @Arg('asOf', () => DateTimeScalar, {
      nullable: true,
      description: 'Time in the past for which to return the balances; now when omitted. Costs 100 additional points.',
    })
    asOf: string | null | undefined,
  ): Promise<Shape<Balance>[]> {
    const wallet = await requireWallet(context, which);
    return asOf == null ? listBalances(context, wallet) : listBalancesAt(context, wallet, new Date(asOf));
  }

  @Access('trader', 'read')
  @Query(() => WalletBalances, {
    description: `Balances of a wallet in every currency. REST: GET /v1/wallet/fetchBalance. ${errors}`,
  })
  async walletBalances(
    @Ctx() context: Context,
    @Args(() => WalletArgs) which: WalletArgs,
  ): Promise<Shape<WalletBalances>> {
    return { wallets: await listBalances(context, await requireWallet(context, which)) };
  }
}

const currencyText = 'Code of a currency, such as `BTC`: one of `currencies`.';
const fromText = 'Only movements from this time on';
const toText = 'Only movements before this time; up to now when omitted';

@ArgsType()
class StatementArgs extends args({
  ...ofWallet,
  currency: text(currencyText, { maxLength: 12 }),
  from: of<string>(() => DateTimeScalar, fromText),
  to: nullable.of<string>(() => DateTimeScalar, toText),
  first: nullable.int('Maximum number of movements, from 1 to 100; default 20', { defaultValue: 20 }),
  after: nullable.text('`endCursor` of the previous page'),
}) {}

@Resolver()
export class StatementResolver {
  constructor(private readonly codec: CursorCodec) {}

  @Access('trader', 'read')
  @Query(() => WalletStatement, {
    description:
      'The statement of a wallet in one currency: opening balance, movements with their causes, and closing balance. REST: GET /v1/wallet/fetchStatement. Errors: 400 for an unknown currency, a period that ends before it begins, arguments that are out of bounds and a cursor of another statement; 401 CAAS_AUTH_001; 403 without the scope `read`; 404 for a profile that does not belong to the company.',
  })
  async statement(
    @Ctx() context: Context,
    @Args(() => StatementArgs) { currency, from, to = null, first, after = null, ...which }: StatementArgs,
  ): Promise<Shape<WalletStatement>> {
    const wallet = await requireWallet(context, which);
    const page = { currency, from, to, limit: first, cursor: after };
    return toWalletStatement(await readStatement(context, this.codec, wallet, page));
  }
}

const mostFindings = 100;
const reasonText = 'Cause and measures, 1 to 500 characters on one line.';

@Resolver()
export class FindingResolver {
  constructor(private readonly reconcileCustody: (context: Context) => Promise<void>) {}

  @Access('operator', 'read')
  @Query(() => [ReconciliationFinding], {
    description:
      'The findings of the reconciliation of the ledger, newest first. Errors: 400 for arguments that are out of bounds; 401; 403.',
  })
  async reconciliationFindings(
    @Ctx() context: Context,
    @Arg('open', () => Boolean, { defaultValue: true, description: 'Whether to return only unresolved findings' })
    open: boolean,
    @Arg('first', () => Int, { defaultValue: 20, description: 'Maximum number of items, from 1 to 100' }) first: number,
    @Arg('before', () => ID, { nullable: true, description: 'Only findings older than the one with this id (UUID)' })
    before: string | null | undefined,
  ): Promise<Shape<ReconciliationFinding>[]> {
    requireBounds({ name: 'first', value: first, min: 1, max: 100 });
    refuse('BAD_REQUEST', before == null || isUuid(before) ? [] : [errorAt('before', 'UUID_FORM')]);
    return listFindings(context, { open, before: before ?? null, limit: first });
  }

  @Access('operator', 'read')
  @Directive('@listSize(assumedSize: 20)')
  @Query(() => [CurrencyHalt], {
    description: 'The currencies in which trading is halted, sorted by code. Errors: 401, 403.',
  })
  currencyHalts(@Ctx() context: Context): Promise<Shape<CurrencyHalt>[]> {
    return listHalts(context);
  }

  @Access('operator', 'administer')
  @Mutation(() => ReconciliationFinding, {
    description:
      'Resolves a finding. When it was the last one for which a currency is halted, trading of the currency resumes. If the cause persists, a new finding is made. Errors: 400 without a reason; 401 and 403 without the role `administer`; 404 when no such finding is open.',
  })
  resolveReconciliationFinding(
    @Ctx() context: Context,
    @Arg('id', () => ID, { description: 'Id of the finding (UUID)' }) id: string,
    @Arg('reason', () => String, { description: reasonText }) reason: string,
  ): Promise<Shape<ReconciliationFinding>> {
    return resolveFinding(context, id, reason);
  }

  @Access('operator', 'administer')
  @StepUp()
  @Mutation(() => Int, {
    description:
      'Resumes trading of a halted currency and resolves all of its open findings; returns their number. If a cause persists, a new finding is made. Errors: 400 without a reason; 401 and 403 without the role `administer`; 404 for a currency that is not halted.',
  })
  resumeCurrency(
    @Ctx() context: Context,
    @Arg('currency', () => String, { description: 'Code of the currency, such as `BTC`.' }) currency: string,
    @Arg('synthetic', () => Boolean, { defaultValue: false, description: 'Whether it is synthetic' })
    synthetic: boolean,
    @Arg('reason', () => String, { description: reasonText }) reason: string,
  ): Promise<number> {
    return resumeCurrency(context, { currency, synthetic }, reason);
  }

  @Access('operator', 'trade')
  @Directive('@listSize(assumedSize: 200)')
  @Mutation(() => [ReconciliationFinding], {
    description: `Reconciles the balances now instead of at the next minute: differences are stored and halt their currencies. Returns the newest ${mostFindings} findings that are open afterwards. Errors: 401 and 403 without the role \`trade\`.`,
  })
  async reconcileLedger(@Ctx() context: Context): Promise<Shape<ReconciliationFinding>[]> {
    await reconcileBalances(context);
    await this.reconcileCustody(context);
    return listFindings(context, { open: true, before: null, limit: mostFindings });
  }
}

function toWalletStatement(statement: Statement): Shape<WalletStatement> {
  const { hasNextPage, endCursor } = statement.pageInfo;
  const movements = statement.movements.map(toWalletMovement);
  return { ...statement, movements, nextToken: hasNextPage ? (endCursor ?? null) : null };
}

function toWalletMovement({ postedAt, ...movement }: Movement): Shape<WalletMovement> {
  return { ...movement, postedAt: new Date(postedAt) };
}
