import { formatDate } from '../../../shared/kernel/format/format.js';
import { brokenRule, dateForm, type BrokenRule } from '../batches/broken-rule.js';

/** The rules of payments, as their originator reads them when one is broken. Money in BRL. */
export const paymentRules = {
  contractIdForm: brokenRule('CONTRACT_ID_FORM', 'must be a UUID', 'deve ser um UUID'),
  dateForm,
  referenceForm: brokenRule(
    'PAYMENT_REFERENCE_FORM',
    'must have from 1 to 100 letters, digits, dots, hyphens, underscores, colons and slashes',
    'deve ter de 1 a 100 letras, dígitos, pontos, hifens, sublinhados, dois-pontos e barras',
  ),
  kindForm: brokenRule(
    'SETTLEMENT_KIND',
    'must be PAYMENT, ABATEMENT, DISCOUNT, REPURCHASE or SUBSTITUTION',
    'deve ser PAYMENT, ABATEMENT, DISCOUNT, REPURCHASE ou SUBSTITUTION',
  ),
  reasonForm: brokenRule(
    'REASON_FORM',
    'must have from 1 to 200 characters that can all be seen',
    'deve ter de 1 a 200 caracteres, todos visíveis',
  ),
  reasonMissing: brokenRule(
    'REASON_MISSING',
    'must be given with DISCOUNT, REPURCHASE and SUBSTITUTION',
    'é obrigatório com DISCOUNT, REPURCHASE e SUBSTITUTION',
  ),
  substituteOfKind: brokenRule(
    'SUBSTITUTE_OF_KIND',
    'must be given with SUBSTITUTION, and with no other kind',
    'é obrigatório com SUBSTITUTION, e não se informa com outro tipo',
  ),
  surplusNegative: brokenRule('AMOUNT_NEGATIVE', 'must be 0 or more', 'deve ser 0 ou mais'),
  surplusOfAbatement: brokenRule(
    'SURPLUS_OF_ABATEMENT',
    'must be 0 for an abatement, a discount or a substitution, which is no receipt',
    'deve ser 0 em abatimento, desconto ou substituição, que não são recebimento',
  ),
  inFuture: brokenRule('DATE_IN_FUTURE', 'must not be in the future', 'não pode ser uma data futura'),
  unknownContract: brokenRule(
    'CONTRACT_UNKNOWN',
    'is not the external id of a contract of the credit batch',
    'não é o identificador de um contrato do lote de cessão',
  ),
} as const satisfies Record<string, BrokenRule>;

export function beforeBaseDate(day: string): BrokenRule {
  return brokenRule(
    'DATE_BEFORE_BASE_DATE',
    `must not be before ${day}, the base date of the contract`,
    `não pode ser anterior a ${formatDate(day)}, a data-base do contrato`,
  );
}

/** @param day on which the credit batch was assigned */
export function beforeAssignment(day: string): BrokenRule {
  return brokenRule(
    'DATE_BEFORE_ASSIGNMENT',
    `must not be before ${day}, the day on which the credit batch was assigned`,
    `não pode ser anterior a ${formatDate(day)}, o dia em que o lote foi cedido`,
  );
}
