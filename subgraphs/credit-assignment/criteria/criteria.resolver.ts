import { Arg, Ctx, ID, Mutation, Query, Resolver, InputType, ObjectType } from 'type-graphql';
import { AsOf } from '../../../shared/database/as-of/as-of.js';
import type { Context } from '../../../shared/kernel/context.js';
import { isUuid } from '../../../shared/kernel/ids.js';
import { Access, StepUp } from '../../../shared/graphql/access.js';
import { readScope } from '../originators/visible-originators.js';
import { seesUse } from '../estates/assignment.js';
import { removeCriteria, setCriteria } from './change-criteria.js';
import { findCriteria, type CriteriaRow } from './criteria.store.js';
import { describeEnum } from '../../../shared/graphql/describe-enum.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import { Decimal } from '../../../shared/kernel/decimal.js';
import { AssetTypeEnum } from '../../securities/asset-type.js';
import { mostLimits, type EligibilityCriteria as Criteria, type LimitBase, type LimitKind } from './criteria.js';
import { fields, id, inputs, list, nullable, of, time } from '../../../shared/graphql/fields.js';

const estateText = 'Id of the estate (UUID)';
const reasonText = 'Reason of the change, 1 to 500 characters on one line; it is published with the correction';

@Resolver()
export class CriteriaResolver {
  @Access('originator', readScope)
  @AsOf()
  @Query(() => EligibilityCriteria, {
    nullable: true,
    description:
      'The eligibility criteria of an estate; null when the estate has none, and therefore accepts no credits, or does not exist. For operators, and for originators who want to know before an assignment which credits would be rejected.',
  })
  async eligibilityCriteria(
    @Ctx() context: Context,
    @Arg('patrimonyId', () => ID, { description: estateText }) patrimonyId: string,
  ): Promise<EligibilityCriteriaShape | null> {
    const row = isUuid(patrimonyId) ? await findCriteria(context, patrimonyId) : undefined;
    if (row === undefined) return null;
    return toEligibilityCriteria(
      (await seesUse(context, row.patrimonyId)) ? row : { ...row, netWorth: null, netWorthDate: null },
    );
  }

  @Access('operator', 'originate')
  @StepUp()
  @Mutation(() => EligibilityCriteria, {
    description:
      'Replaces the eligibility criteria of an estate; they apply to batches that are processed from then on. Errors: 400 for limits that are out of bounds and for an invalid reason; 404 when the estate does not exist.',
  })
  async setEligibilityCriteria(
    @Ctx() context: Context,
    @Arg('patrimonyId', () => ID, { description: estateText }) patrimonyId: string,
    @Arg('criteria', () => EligibilityCriteriaInput, {
      description: 'The complete criteria; a limit that is omitted is not checked',
    })
    criteria: EligibilityCriteriaInput,
    @Arg('reason', () => String, { nullable: true, description: reasonText }) reason: string | null | undefined,
  ): Promise<EligibilityCriteriaShape> {
    return toEligibilityCriteria(await setCriteria(context, patrimonyId, fromInput(criteria), reason ?? undefined));
  }

  @Access('operator', 'originate')
  @StepUp()
  @Mutation(() => Boolean, {
    description:
      'Removes the eligibility criteria of an estate, which then accepts no credits, and returns whether there were any. Repeating the call is not an error. To accept all credits, set criteria without limits. Errors: 400 for an invalid reason; 404 when the estate does not exist.',
  })
  removeEligibilityCriteria(
    @Ctx() context: Context,
    @Arg('patrimonyId', () => ID, { description: estateText }) patrimonyId: string,
    @Arg('reason', () => String, { nullable: true, description: reasonText }) reason: string | null | undefined,
  ): Promise<boolean> {
    return removeCriteria(context, patrimonyId, reason ?? undefined);
  }
}

const minText = 'Minimum face value of a contract, in BRL with at most 2 decimals; null for no limit';
const maxText = 'Maximum face value of a contract, in BRL with at most 2 decimals; null for no limit';
const termText = 'Maximum number of days from the day of processing to the due date of a contract; null for no limit';
const shareText =
  'Maximum share of one debtor in the face value of a batch, in percent with at most 4 decimals; null for no limit. The same as a limit on DEBTOR and BATCH';
const limitsText = `Limits of concentration and of the average term, at most ${mostLimits}`;
const netWorthText =
  'Net worth of the estate, on which limits with the base NET_WORTH are measured, in BRL with at most 2 decimals';
const netWorthDateText = 'Day of which the net worth is, not in the future in São Paulo';

const LimitKindEnum = describeEnum<LimitKind>(
  'EligibilityLimitKind',
  'What a limit compares.',
  {
    DEBTOR: 'Each debtor, by CPF or CNPJ.',
    DEBTOR_GROUP:
      'Each group of debtors: those whose CNPJ has the same root (its first 8 characters). A CPF is a group of its own.',
    ASSIGNOR:
      'Each assignor: the `assignorDocument` of a contract, and for contracts without one the originator that sent them.',
    TYPE: 'Each type of contract, or only the one that the limit names.',
    UF: 'Each state of debtors: the `debtorUf` of a contract; contracts without one are together as if in one state.',
    AVERAGE_TERM: 'The mean of the days to the due date, weighted by amounts. Contracts that are overdue count 0 days.',
  },
  {
    DEBTOR: ['Devedor', 'Debtor'],
    DEBTOR_GROUP: ['Grupo de devedores (raiz do CNPJ)', 'Debtor group (root of the CNPJ)'],
    ASSIGNOR: ['Cedente', 'Assignor'],
    TYPE: ['Tipo de contrato', 'Contract type'],
    UF: ['UF do devedor', 'State of the debtor'],
    AVERAGE_TERM: ['Prazo médio', 'Average term'],
  },
);

const LimitBaseEnum = describeEnum<LimitBase>(
  'EligibilityLimitBase',
  'What a limit is measured on.',
  {
    BATCH: 'The face value of the batch: as it was sent by ALL_OR_NOTHING, of its accepted contracts by ELIGIBLE_ONLY.',
    PORTFOLIO: 'The open balance of the estate after the purchase.',
    NET_WORTH:
      'The net worth of the estate that was set with the criteria. What is compared with it is the open balance after the purchase.',
  },
  {
    BATCH: ['Lote', 'Batch'],
    PORTFOLIO: ['Carteira após a compra', 'Portfolio after the purchase'],
    NET_WORTH: ['Patrimônio líquido', 'Net worth'],
  },
);

const kindText = 'What the limit compares';
const baseText = 'What it is measured on';
const typeText = 'The only type that a limit on TYPE compares; null for each type, and for other kinds';
const maxShareText = 'Maximum share of the base, in percent with at most 4 decimals; null for AVERAGE_TERM';
const maxDaysText = 'Maximum average, in days; null for other kinds';

@ObjectType({ simpleResolvers: true, description: 'A limit of concentration, or of the average term.' })
export class EligibilityLimit extends fields({
  kind: of(() => LimitKindEnum, kindText),
  base: of(() => LimitBaseEnum, baseText),
  type: nullable.of(() => AssetTypeEnum, typeText),
  maxShare: nullable.decimal(maxShareText),
  maxDays: nullable.int(maxDaysText),
}) {}

@ObjectType({
  simpleResolvers: true,
  description:
    'The eligibility criteria of an estate. Contracts that do not meet them are refused, or reject their batch, by its mode.',
})
class EligibilityCriteria extends fields({
  patrimonyId: id('Id of the estate (UUID)'),
  minFaceValue: nullable.decimal(minText),
  maxFaceValue: nullable.decimal(maxText),
  maxTermDays: nullable.int(termText),
  maxDebtorShare: nullable.decimal(shareText),
  limits: list(() => EligibilityLimit, limitsText, { assumedSize: mostLimits }),
  netWorth: nullable.decimal(`${netWorthText}; null where none was set, and for originators without a permit`),
  netWorthDate: nullable.day(`${netWorthDateText}; null likewise`),
  updatedAt: time('Time since which these criteria apply'),
}) {}

type EligibilityCriteriaShape = Shape<EligibilityCriteria>;

@InputType({ description: 'A limit of concentration, or of the average term.' })
class EligibilityLimitInput extends inputs({
  kind: of(() => LimitKindEnum, kindText),
  base: of(() => LimitBaseEnum, `${baseText}; AVERAGE_TERM has BATCH or PORTFOLIO`),
  type: nullable.of(() => AssetTypeEnum, typeText),
  maxShare: nullable.decimal(maxShareText),
  maxDays: nullable.int(maxDaysText),
}) {}

@InputType({ description: 'The eligibility criteria to set for an estate. A limit that is omitted is not checked.' })
class EligibilityCriteriaInput extends inputs({
  minFaceValue: nullable.decimal(minText),
  maxFaceValue: nullable.decimal(maxText),
  maxTermDays: nullable.int(termText),
  maxDebtorShare: nullable.decimal(shareText),
  limits: nullable.list(() => EligibilityLimitInput, limitsText, { maxItems: mostLimits }),
  netWorth: nullable.decimal(`${netWorthText}; must be given for these`),
  netWorthDate: nullable.day(`${netWorthDateText}; must be given with it`),
}) {}

function toEligibilityCriteria(row: CriteriaRow): EligibilityCriteriaShape {
  return row;
}

function fromInput(input: EligibilityCriteriaInput): Criteria {
  const { minFaceValue = null, maxFaceValue = null, maxTermDays = null, maxDebtorShare = null } = input;
  const { netWorth = null, netWorthDate = null } = input;
  const limits = (input.limits ?? []).map(({ kind, base, type = null, maxShare = null, maxDays = null }) => ({
    ...{ kind, base, type, maxDays },
    maxShare: maxShare === null ? null : new Decimal(maxShare).toString(),
  }));
  return { minFaceValue, maxFaceValue, maxTermDays, maxDebtorShare, limits, netWorth, netWorthDate };
}
