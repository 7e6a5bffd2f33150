import { brokenRule, type BrokenRule } from '../batches/broken-rule.js';
import type { RefusedSettlement } from './settlement.store.js';

/** The rules of payments, as their originator reads them when one is broken. Money in BRL. */
export const paymentRules = {
  contractIdForm: brokenRule('CONTRACT_ID_FORM', 'must be a UUID', 'deve ser um UUID'),
  dateForm: brokenRule(
    'DATE_FORM',
    'must be a date that exists, as YYYY-MM-DD',
    'deve ser uma data que existe, como AAAA-MM-DD',
  ),
  referenceForm: brokenRule(
    'PAYMENT_REFERENCE_FORM',
    'must have from 1 to 100 letters, digits, dots, hyphens, underscores, colons and slashes',
    'deve ter de 1 a 100 letras, dígitos, pontos, hifens, sublinhados, dois-pontos e barras',
  ),
  inFuture: brokenRule('DATE_IN_FUTURE', 'must not be in the future', 'não pode ser uma data futura'),
  unknownContract: brokenRule(
    'CONTRACT_UNKNOWN',
    'is not the external id of a contract of the credit batch',
    'não é o identificador de um contrato do lote de cessão',
  ),
} as const satisfies Record<string, BrokenRule>;

/** @param day on which the credit batch was assigned */
export function beforeAssignment(day: string): BrokenRule {
  return brokenRule(
    'DATE_BEFORE_ASSIGNMENT',
    `must not be before ${day}, the day on which the credit batch was assigned`,
    `não pode ser anterior a ${day}, o dia em que o lote foi cedido`,
  );
}

/** Returns the field of a payment that the present balances and payments refuse, and the rule that it breaks. */
export function refusedBy({
  kind,
  openBalance,
  paid,
  known,
}: RefusedSettlement): readonly [field: 'contractId' | 'settledAmount' | 'paymentReference', rule: BrokenRule] {
  if (kind === 'UNKNOWN') return ['contractId', unknownReceivable];
  if (kind === 'CHANGED' || kind === 'REVERSED') return ['paymentReference', usedReference(kind, known)];
  if (kind === 'SETTLED') return ['contractId', settledReceivable];
  return ['settledAmount', aboveBalance(paid, openBalance ?? '')];
}

const unknownReceivable = brokenRule(
  'CONTRACT_UNKNOWN',
  'is not the id of a receivable of the credit batch',
  'não é o id de um recebível do lote de cessão',
);

const settledReceivable = brokenRule(
  'RECEIVABLE_SETTLED',
  'is a receivable that is already settled',
  'é um recebível que já foi liquidado',
);

function aboveBalance(paid: string, openBalance: string): BrokenRule {
  return brokenRule(
    'AMOUNT_ABOVE_BALANCE',
    `brings the payments of this batch to ${paid}, but the open balance of the receivable is ${openBalance}`,
    `eleva os pagamentos deste lote a ${paid}, mas o saldo em aberto do recebível é ${openBalance}`,
  );
}

function usedReference(kind: 'CHANGED' | 'REVERSED', known: RefusedSettlement['known']): BrokenRule {
  const { paymentReference, settledAmount, settledDate } = known;
  const reference = paymentReference ?? '';
  const payment = `the payment ${reference} of ${settledAmount ?? ''} on ${settledDate ?? ''}`;
  const paymentPt = `o pagamento ${reference} de ${settledAmount ?? ''} em ${settledDate ?? ''}`;
  return kind === 'CHANGED'
    ? brokenRule(
        'PAYMENT_REFERENCE_CHANGED',
        `identifies ${payment}: send that payment unchanged, or use another reference for another payment`,
        `identifica ${paymentPt}: envie esse pagamento sem mudança, ou use outra referência para outro pagamento`,
      )
    : brokenRule(
        'PAYMENT_REFERENCE_REVERSED',
        `identifies ${payment} and was reversed: use another reference for the payment that replaces it`,
        `identifica ${paymentPt}, que foi estornado: use outra referência para o pagamento que o substitui`,
      );
}
