import { InputType, ObjectType } from 'type-graphql';
import { describeEnum } from '../../../shared/graphql/describe-enum.js';
import { fields, id, inputs, list, nullable, of, time } from '../../../shared/graphql/fields.js';
import { AssetTypeEnum } from '../../securities/asset-type.js';

/** Subject of a limit. AVERAGE_TERM: the mean of days to the due date, weighted by amounts; the others: the share of each subject. */
export type LimitKind = 'DEBTOR' | 'DEBTOR_GROUP' | 'ASSIGNOR' | 'TYPE' | 'UF' | 'AVERAGE_TERM';

/** Base of a limit: the face value of the batch, the estate's open balance after the purchase, or the estate's net worth. */
export type LimitBase = 'BATCH' | 'PORTFOLIO' | 'NET_WORTH';

export const mostLimits = 50;

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
export class EligibilityCriteria extends fields({
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

@InputType({ description: 'A limit of concentration, or of the average term.' })
class EligibilityLimitInput extends inputs({
  kind: of(() => LimitKindEnum, kindText),
  base: of(() => LimitBaseEnum, `${baseText}; AVERAGE_TERM has BATCH or PORTFOLIO`),
  type: nullable.of(() => AssetTypeEnum, typeText),
  maxShare: nullable.decimal(maxShareText),
  maxDays: nullable.int(maxDaysText),
}) {}

@InputType({ description: 'The eligibility criteria to set for an estate. A limit that is omitted is not checked.' })
export class EligibilityCriteriaInput extends inputs({
  minFaceValue: nullable.decimal(minText),
  maxFaceValue: nullable.decimal(maxText),
  maxTermDays: nullable.int(termText),
  maxDebtorShare: nullable.decimal(shareText),
  limits: nullable.list(() => EligibilityLimitInput, limitsText, { maxItems: mostLimits }),
  netWorth: nullable.decimal(`${netWorthText}; must be given for these`),
  netWorthDate: nullable.day(`${netWorthDateText}; must be given with it`),
}) {}
