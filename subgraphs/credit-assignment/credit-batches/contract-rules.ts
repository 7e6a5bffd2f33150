import { formatCurrency, formatNumber, formatPercent, formatRate } from '../../../shared/kernel/format/format.js';
import { brokenRule, dateForm, type BrokenRule } from '../batches/broken-rule.js';
import type { Limit } from '../criteria/criteria.js';
import type { LimitBase } from '../criteria/criteria.type.js';

/** The rules of contracts, as their originator reads them when one is broken. Money in BRL. */
export const contractRules = {
  externalIdForm: brokenRule(
    'EXTERNAL_ID_FORM',
    'must have from 1 to 100 characters that can all be seen',
    'deve ter de 1 a 100 caracteres, todos visíveis',
  ),
  taxIdForm: brokenRule(
    'TAX_ID_FORM',
    'must be a CPF of 11 digits or a CNPJ of 14 characters, without punctuation',
    'deve ser um CPF de 11 dígitos ou um CNPJ de 14 caracteres, sem pontuação',
  ),
  dateForm,
  checkDigits: brokenRule('CHECK_DIGITS', 'has wrong check digits', 'tem dígitos verificadores errados'),
  dueDatePast: brokenRule('DUE_DATE_NOT_FUTURE', 'must be in the future', 'deve ser uma data futura'),
  debtorNameForm: brokenRule(
    'DEBTOR_NAME_FORM',
    'must have from 1 to 200 characters that can all be seen',
    'deve ter de 1 a 200 caracteres, todos visíveis',
  ),
  state: brokenRule('STATE', 'must be a state of Brazil, as SP', 'deve ser uma UF, como SP'),
  baseDateFuture: brokenRule('BASE_DATE_FUTURE', 'must not be in the future', 'não pode ser uma data futura'),
  baseDateLate: brokenRule(
    'BASE_DATE_NOT_BEFORE_DUE_DATE',
    'must be before the due date',
    'deve ser anterior ao vencimento',
  ),
  rateForm: brokenRule(
    'RATE_FORM',
    'must be a rate in percent a year, not negative, with at most 8 decimals, at most 999999',
    'deve ser uma taxa em percentual ao ano, não negativa, com no máximo 8 casas decimais, até 999999',
  ),
  dayCount: brokenRule(
    'DAY_COUNT',
    'must be BUS252, CIVIL_365 or CIVIL_360',
    'deve ser BUS252, CIVIL_365 ou CIVIL_360',
  ),
  dayCountMissing: brokenRule(
    'DAY_COUNT_MISSING',
    'must be given with an interest rate',
    'é obrigatório com uma taxa de juros',
  ),
  yesOrNo: brokenRule(
    'YES_OR_NO',
    'must be true or false; in CNAB 444, 01 or 02',
    'deve ser true ou false; em CNAB 444, 01 ou 02',
  ),
  invoiceKeyForm: brokenRule(
    'INVOICE_KEY_FORM',
    'must be the access key of an invoice (NF-e): 44 digits; those of the CNPJ may be letters',
    'deve ser a chave de acesso de uma NF-e: 44 dígitos; os do CNPJ podem ser letras',
  ),
  invoiceCheckDigit: brokenRule('CHECK_DIGITS', 'has a wrong check digit', 'tem dígito verificador errado'),
  type: brokenRule(
    'CONTRACT_TYPE',
    'must be CCB, CRI, CRA, DEBENTURE or PRECATORIO',
    'deve ser CCB, CRI, CRA, DEBENTURE ou PRECATORIO',
  ),
  installmentCount: brokenRule('INSTALLMENT_COUNT', 'must have from 1 to 480 items', 'deve ter de 1 a 480 itens'),
  installmentNumber: brokenRule(
    'INSTALLMENT_NUMBER',
    'must be the place of the instalment, from 1',
    'deve ser o lugar da parcela, a partir de 1',
  ),
  installmentOrder: brokenRule(
    'INSTALLMENT_ORDER',
    'must be after the day of the instalment before it; of the first, after the base date, or else today',
    'deve ser posterior ao da parcela anterior; o da primeira, posterior à data-base ou, sem ela, a hoje',
  ),
  installmentEmpty: brokenRule(
    'INSTALLMENT_EMPTY',
    'and the interest of the instalment are 0 together',
    'e os juros da parcela somam 0',
  ),
  dueDateDiffers: brokenRule(
    'DUE_DATE_NOT_OF_INSTALLMENTS',
    'must be the due date of the last instalment',
    'deve ser o vencimento da última parcela',
  ),
  inBatch: brokenRule('CONTRACT_IN_BATCH', 'is already in the batch', 'já está no lote'),
  assigned: brokenRule('CONTRACT_ASSIGNED', 'is already assigned in another batch', 'já foi cedido em outro lote'),
  invoiceAssigned: brokenRule(
    'INVOICE_ASSIGNED',
    'is already assigned with this due date, in this batch or another',
    'já foi cedida com este vencimento, neste lote ou em outro',
  ),
} as const satisfies Record<string, BrokenRule>;

export function principalDiffers(principal: string, faceValue: string): BrokenRule {
  return brokenRule(
    'PRINCIPAL_NOT_FACE_VALUE',
    `have ${principal} of principal; together they must have the face value, ${faceValue}`,
    `somam ${formatCurrency(principal)} de principal; devem somar o valor de face, ${formatCurrency(faceValue)}`,
  );
}

/** @param first the place of the contract that has the same external id; `firstPt` is that place in Portuguese, where it differs */
export function repeatedContract(first: string, firstPt = first): BrokenRule {
  return brokenRule(
    'CONTRACT_REPEATED',
    `is the same as that of ${first}: each contract may occur once in a batch`,
    `é o mesmo de outro contrato (${firstPt}): cada contrato só pode aparecer uma vez em um lote`,
  );
}

export function belowMinimum(faceValue: string, minimum: string): BrokenRule {
  return brokenRule(
    'FACE_VALUE_BELOW_MINIMUM',
    `is ${faceValue}; the estate accepts ${minimum} or more`,
    `é ${formatCurrency(faceValue)}; o patrimônio aceita a partir de ${formatCurrency(minimum)}`,
  );
}

export function aboveMaximum(faceValue: string, maximum: string): BrokenRule {
  return brokenRule(
    'FACE_VALUE_ABOVE_MAXIMUM',
    `is ${faceValue}; the estate accepts at most ${maximum}`,
    `é ${formatCurrency(faceValue)}; o patrimônio aceita no máximo ${formatCurrency(maximum)}`,
  );
}

export function termTooLong(days: number, maximum: number): BrokenRule {
  return brokenRule(
    'TERM_ABOVE_MAXIMUM',
    `is in ${days} days; the estate accepts at most ${maximum} days`,
    `é daqui a ${days} dias; o patrimônio aceita no máximo ${maximum} dias`,
  );
}

/** The error of a limit, by what it compares. Share and maximum in percent; of the average term, in days. */
export function limitExceeded(
  { kind, base }: Pick<Limit, 'kind' | 'base'>,
  reached: string,
  maximum: string,
): BrokenRule {
  const [on, onPt] = bases[base];
  if (kind === 'AVERAGE_TERM')
    return brokenRule(
      'AVERAGE_TERM_ABOVE_MAXIMUM',
      `brings the average term of ${on} to ${reached} days; the estate accepts at most ${maximum} days`,
      `eleva o prazo médio ${onPt} a ${formatNumber(reached, 1)} dias; o patrimônio aceita no máximo ${maximum} dias`,
    );
  const [whose, whosePt] = holders[kind];
  return brokenRule(
    `${kind}_SHARE_ABOVE_MAXIMUM`,
    `belongs to ${whose} with ${reached} % of ${on}; the estate accepts at most ${maximum} %`,
    `pertence a ${whosePt} com ${formatPercent(reached, 4)} ${onPt}; o patrimônio aceita no máximo ${formatRate(maximum)}`,
  );
}

const holders = {
  DEBTOR: ['a debtor', 'um devedor'],
  DEBTOR_GROUP: ['a group of debtors', 'um grupo de devedores'],
  ASSIGNOR: ['an assignor', 'um cedente'],
  TYPE: ['a type', 'um tipo'],
  UF: ['a state', 'uma UF'],
} as const;

const bases = {
  BATCH: ['the face value of the batch', 'do valor de face do lote'],
  PORTFOLIO: ['the open balance of the estate after the purchase', 'do saldo em aberto do patrimônio após a compra'],
  NET_WORTH: ['the net worth of the estate', 'do patrimônio líquido'],
} as const satisfies Record<LimitBase, readonly [string, string]>;
