import { makeDemoCredits } from '../../../shared/demo/credits.js';
import type { Estate } from './estates.js';

export const assetColumns =
  'patrimonyTicker;externalId;type;status;debtorName;debtorDocument;originalValue;currentBalance;interestRate;installments;batchName';
export const installmentColumns = 'patrimonyTicker;assetExternalId;installmentNumber;dueDate;amount;paidAmount;paidOn';

/** A credit as a line of one import file, and its instalments as lines of another. */
export interface CreditLines {
  readonly asset: readonly string[];
  readonly installments: readonly (readonly string[])[];
}

export interface CreditsTask {
  readonly seed: string;
  readonly today: string;
  readonly estate: Estate;
}

/** Generates the credits of an estate as lines of import files. */
export function makeCredits({ seed, today, estate }: CreditsTask): CreditLines[] {
  const patrimony = `PAT-${estate.ticker}`;
  const credits = makeDemoCredits({ ...estate.credits, seed, today, name: estate.ticker, status: estate.status });
  return credits.map(({ externalId, type, debtor, value, balance, rate, installments, ...credit }, at) => ({
    asset: [
      patrimony,
      externalId,
      type,
      credit.isWrittenOff ? 'WRITTEN_OFF' : '',
      debtor.name,
      debtor.document,
      reais(value),
      reais(balance),
      reais(rate),
      String(installments.length),
      at % 7 === 0 ? '' : `Lote ${credit.batchMonth}`,
    ],
    installments: installments.map(({ dueDate, amount, part, paidOn }, index) => [
      patrimony,
      externalId,
      String(index + 1),
      dueDate,
      reais(amount),
      part === 0n ? '' : reais(part),
      paidOn ?? '',
    ]),
  }));
}

/** Formats cents as a Brazilian amount, `1.234,56`; also formats hundredths of a percent. */
function reais(cents: bigint): string {
  const digits = String(cents).padStart(3, '0');
  return `${digits.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, '.')},${digits.slice(-2)}`;
}
