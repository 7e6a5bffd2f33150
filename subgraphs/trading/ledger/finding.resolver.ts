import { Arg, Ctx, ID, Int, Mutation, Query, Resolver } from 'type-graphql';
import { requireBounds } from '../../../shared/bounds.js';
import type { Context } from '../../../shared/context.js';
import { refuse } from '../../../shared/errors.js';
import { isUuid } from '../../../shared/ids.js';
import { Access } from '../../../shared/subgraph/access.js';
import type { Shape } from '../../../shared/subgraph/shape.js';
import { listFindings } from './finding.store.js';
import { CurrencyHalt, ReconciliationFinding } from './finding.type.js';
import { listHalts } from './halt.store.js';
import { reconcileBalances } from './reconcile.js';
import { resolveFinding } from './resolve-finding.js';
import { resumeCurrency } from './resume-currency.js';

/** Maximum number of findings that a reconciliation returns. */
const mostFindings = 100;
const reasonText = 'What it was, and what was done: 1 to 500 characters on one line.';

@Resolver()
export class FindingResolver {
  @Access('operator', 'read')
  @Query(() => [ReconciliationFinding], {
    description:
      'What reconciliation found wrong with the ledger, the newest first. Errors: 400 for arguments out of bounds; 401; 403.',
  })
  async reconciliationFindings(
    @Ctx() context: Context,
    @Arg('open', () => Boolean, { defaultValue: true, description: 'Whether only those that are not resolved' })
    open: boolean,
    @Arg('first', () => Int, { defaultValue: 20, description: 'How many, from 1 to 100' }) first: number,
    @Arg('before', () => ID, { nullable: true, description: 'Older than the finding with this id (UUID)' })
    before: string | null | undefined,
  ): Promise<Shape<ReconciliationFinding>[]> {
    requireBounds({ name: 'first', value: first, min: 1, max: 100 });
    refuse('BAD_REQUEST', before == null || isUuid(before) ? [] : [{ path: 'before', message: 'must be a UUID' }]);
    return listFindings(context, { open, before: before ?? null, limit: first });
  }

  @Access('operator', 'read')
  @Query(() => [CurrencyHalt], {
    description: 'The currencies in which nothing new is traded, by code. Errors: 401, 403.',
  })
  currencyHalts(@Ctx() context: Context): Promise<Shape<CurrencyHalt>[]> {
    return listHalts(context);
  }

  @Access('operator', 'administer')
  @Mutation(() => ReconciliationFinding, {
    description:
      'Resolves a finding; with the last one for which a currency is halted its trading goes on. What is still wrong is found again. Errors: 400 without a reason; 401 and 403 without the role `administer`; 404 where no such finding is open.',
  })
  resolveReconciliationFinding(
    @Ctx() context: Context,
    @Arg('id', () => ID, { description: 'Id of the finding (UUID)' }) id: string,
    @Arg('reason', () => String, { description: reasonText }) reason: string,
  ): Promise<Shape<ReconciliationFinding>> {
    return resolveFinding(context, id, reason);
  }

  @Access('operator', 'administer')
  @Mutation(() => Int, {
    description:
      'Lets a halted currency be traded again, and resolves all of its open findings; returns how many. What is still wrong is found again. Errors: 400 without a reason; 401 and 403 without the role `administer`; 404 for a currency that is not halted.',
  })
  resumeCurrency(
    @Ctx() context: Context,
    @Arg('currency', () => String, { description: 'The currency, as `BTC`.' }) currency: string,
    @Arg('synthetic', () => Boolean, { defaultValue: false, description: 'Whether in the synthetic world' })
    synthetic: boolean,
    @Arg('reason', () => String, { description: reasonText }) reason: string,
  ): Promise<number> {
    return resumeCurrency(context, { currency, synthetic }, reason);
  }

  @Access('operator', 'trade')
  @Mutation(() => [ReconciliationFinding], {
    description: `Proves the balances now, as every minute: what is wrong is kept and halts its currencies. Returns the findings that are open then, the newest ${mostFindings}. Errors: 401 and 403 without the role \`trade\`.`,
  })
  async reconcileLedger(@Ctx() context: Context): Promise<Shape<ReconciliationFinding>[]> {
    await reconcileBalances(context);
    return listFindings(context, { open: true, before: null, limit: mostFindings });
  }
}
