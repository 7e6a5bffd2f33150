import { brokenRule, type BrokenRule } from '../batches/broken-rule.js';

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
  dateForm: brokenRule(
    'DATE_FORM',
    'must be a date that exists, as YYYY-MM-DD (in CSV also DD/MM/YYYY)',
    'deve ser uma data que existe, como AAAA-MM-DD (em CSV também DD/MM/AAAA)',
  ),
  checkDigits: brokenRule('CHECK_DIGITS', 'has wrong check digits', 'tem dígitos verificadores errados'),
  dueDatePast: brokenRule('DUE_DATE_NOT_FUTURE', 'must be in the future', 'deve ser uma data futura'),
  inBatch: brokenRule('CONTRACT_IN_BATCH', 'is already in the batch', 'já está no lote'),
  assigned: brokenRule('CONTRACT_ASSIGNED', 'is already assigned in another batch', 'já foi cedido em outro lote'),
} as const satisfies Record<string, BrokenRule>;

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
    `é ${faceValue}; o patrimônio aceita a partir de ${minimum}`,
  );
}

export function aboveMaximum(faceValue: string, maximum: string): BrokenRule {
  return brokenRule(
    'FACE_VALUE_ABOVE_MAXIMUM',
    `is ${faceValue}; the estate accepts at most ${maximum}`,
    `é ${faceValue}; o patrimônio aceita no máximo ${maximum}`,
  );
}

export function termTooLong(days: number, maximum: number): BrokenRule {
  return brokenRule(
    'TERM_ABOVE_MAXIMUM',
    `is in ${days} days; the estate accepts at most ${maximum} days`,
    `é daqui a ${days} dias; o patrimônio aceita no máximo ${maximum} dias`,
  );
}

/** @param share of the debtor, and the maximum, in percent */
export function debtorTooLarge(share: string, maximum: string): BrokenRule {
  return brokenRule(
    'DEBTOR_SHARE_ABOVE_MAXIMUM',
    `belongs to a debtor with ${share} % of the face value of the batch; the estate accepts at most ${maximum} %`,
    `pertence a um devedor com ${share} % do valor de face do lote; o patrimônio aceita no máximo ${maximum} %`,
  );
}
