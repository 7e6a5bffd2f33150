import { Decimal } from '../../../shared/kernel/decimal.js';
import { formatCurrency, formatDate } from '../../../shared/kernel/format/format.js';
import { brokenRule, type BrokenRule } from '../batches/broken-rule.js';
import type { RefusedSettlement } from './settlement.store.js';

/** Returns the field of a payment that the present balances and payments refuse, and the rule that it breaks. */
export function refusedBy({
  kind,
  openBalance,
  paid,
  successor,
  known,
}: RefusedSettlement): readonly [field: 'contractId' | 'settledAmount' | 'paymentReference', rule: BrokenRule] {
  if (kind === 'UNKNOWN') return ['contractId', unknownReceivable];
  if (kind === 'CHANGED' || kind === 'REVERSED') return ['paymentReference', usedReference(kind, known)];
  if (kind === 'REPLACED') return ['contractId', replacedReceivable(successor ?? '')];
  if (kind === 'SETTLED') return ['contractId', settledReceivable];
  return ['settledAmount', aboveBalance(paid, openBalance ?? '0')];
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

function replacedReceivable(successor: string): BrokenRule {
  return brokenRule(
    'RECEIVABLE_REPLACED',
    `is a receivable that was written off, and its contract is assigned again as ${successor}: pay that one`,
    `é um recebível que foi baixado, e seu contrato foi cedido de novo como ${successor}: informe o pagamento dele`,
  );
}

function aboveBalance(paid: string, openBalance: string): BrokenRule {
  return brokenRule(
    'AMOUNT_ABOVE_BALANCE',
    `brings the payments of this batch to ${paid}, but the open balance of the receivable is ${openBalance}. Late interest and fines of a payment go into surplus`,
    `eleva os pagamentos deste lote a ${formatCurrency(paid)}, mas o saldo em aberto do recebível é ${formatCurrency(openBalance)}. Juros de mora e multa de um pagamento vão em surplus`,
  );
}

function usedReference(kind: 'CHANGED' | 'REVERSED', known: RefusedSettlement['known']): BrokenRule {
  const { paymentReference, settledAmount, settledDate, surplus } = known;
  const [noun, nounPt] = known.kind === 'ABATEMENT' ? ['abatement', 'abatimento'] : ['payment', 'pagamento'];
  const amounts = [settledAmount ?? '0', ...(surplus === null || new Decimal(surplus).isZero() ? [] : [surplus])];
  const [reference, day] = [paymentReference ?? '', settledDate ?? ''];
  const payment = `the ${noun} ${reference} of ${amounts.join(' + ')} on ${day}`;
  const amountsPt = amounts.map((amount) => formatCurrency(amount)).join(' + ');
  const paymentPt = `o ${nounPt} ${reference} de ${amountsPt} em ${formatDate(day)}`;
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
