import { Arg, Ctx, Directive, ID, Int, Mutation, Query, Resolver } from 'type-graphql';
import { requireBounds } from '../../../shared/kernel/bounds.js';
import type { Context } from '../../../shared/kernel/context.js';
import { refuse } from '../../../shared/kernel/errors.js';
import { isUuid } from '../../../shared/kernel/ids.js';
import { errorAt } from '../../../shared/kernel/rule-error.js';
import { Access } from '../../../shared/graphql/access.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import { listFindings } from './finding.store.js';
import { CurrencyHalt, ReconciliationFinding } from './finding.type.js';
import { listHalts } from './journal.store.js';
import { reconcileBalances } from './reconcile.js';
import { resolveFinding, resumeCurrency } from './findings.acts.js';

/** Maximum number of findings that a reconciliation returns. */
const mostFindings = 100;
const reasonText = 'Cause and measures, 1 to 500 characters on one line.';

@Resolver()
export class FindingResolver {
  /** @param reconcileCustody compares the balances in custody with the ledger, and stores what it finds */
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
