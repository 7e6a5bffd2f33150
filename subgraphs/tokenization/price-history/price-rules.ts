import type { Locale } from '../../../shared/graphql/labels.js';
import type { PolicyColumns } from '../price-runs/policy-of.js';
import { dayCounts } from '../../securities/day-count.js';
import {
  indexBases,
  indexProRatas,
  projectionClauses,
  type IndexBase,
  type IndexProRata,
  type ProjectionClause,
} from '../unit-price/index-bases.js';
import type { DiIndexer, Indexer, PriceIndexer } from '../unit-price/policy.js';

/** The rules of a language; names of fields are the same in all. */
interface Wording {
  readonly di: (indexer: DiIndexer) => readonly string[];
  readonly priceIndex: (indexer: PriceIndexer) => readonly string[];
  readonly spread: (yearDays: number, business: boolean) => string;
  /** The rules that every series has, in their order. */
  readonly always: readonly string[];
  readonly ofBalance: string;
  readonly ofIssueValue: string;
}

const english: Wording = {
  di: ({ lagBusinessDays, percentage }) => [
    `DI: each business day since accrualStart counts with the rate of ${rateDay(lagBusinessDays)}`,
    `diFactor: each day counts with 1 + TDI × ${percentage.toString()}/100, truncated at 16 decimals, with TDI = (1 + rate/100)^(1/252) - 1, rounded at 8; diProduct is their product, truncated at 16 after each day; diFactor is diProduct rounded at 8`,
  ],
  priceIndex: ({ lagMonths, anniversaryDay, proRata, base, projection }) => [
    `Lag: the month that ends at an anniversary takes the index number ${lagMonth(lagMonths)} divided by that of the month before it; anniversaries are on day ${String(anniversaryDay)}`,
    `Pro rata: ${indexProRatas[proRata]}`,
    `Base: ${indexBases[base]}`,
    `Until an index number is published: ${projectionClauses[projection]}`,
    'indexFactor: each month counts with (number/previousNumber)^(elapsedDays/totalDays), truncated at 8 decimals; indexFactor is their product, truncated at 8',
  ],
  spread: (yearDays, business) =>
    `spreadFactor = (1 + rate/100)^(days/${String(yearDays)}), rounded at 9 decimals; days are the ${business ? 'business' : 'calendar'} days from accrualStart (included) to the day of the price (excluded)`,
  always: [
    'interestFactor = diFactor × spreadFactor, rounded at 9 decimals',
    'nominalValue = baseValue × indexFactor, truncated at 8 decimals; baseValue is the issue value with the interest that was incorporated, less what instalments have amortized, and includes the index up to indexStart where the base rule says so',
    'interestJ = nominalValue × (interestFactor - 1), truncated at 8 decimals; unitPrice = nominalValue + interestJ, before what is paid on the day',
  ],
  ofBalance: 'An instalment amortizes a percentage of nominalValue',
  ofIssueValue:
    'An instalment amortizes a percentage of the issue value, or of baseValue after the last incorporation of interest, times indexFactor',
};

const portuguese: Wording = {
  di: ({ lagBusinessDays, percentage }) => [
    `DI: cada dia útil desde accrualStart conta com a taxa ${rateDayInPortuguese(lagBusinessDays)}`,
    `diFactor: cada dia conta com 1 + TDI × ${percentage.toString().replace('.', ',')}/100, truncado na 16ª casa decimal, com TDI = (1 + rate/100)^(1/252) - 1, arredondado na 8ª; diProduct é o produto desses fatores, truncado na 16ª casa após cada dia; diFactor é diProduct arredondado na 8ª`,
  ],
  priceIndex: ({ lagMonths, anniversaryDay, proRata, base, projection }) => [
    `Defasagem: o mês que termina em um aniversário usa o número-índice ${lagMonthInPortuguese(lagMonths)}, dividido pelo do mês anterior a ele; os aniversários são no dia ${String(anniversaryDay)}`,
    `Pro rata: ${proRatasInPortuguese[proRata]}`,
    `Base: ${basesInPortuguese[base]}`,
    `Até a divulgação de um número-índice: ${clausesInPortuguese[projection]}`,
    'indexFactor: cada mês conta com (number/previousNumber)^(elapsedDays/totalDays), truncado na 8ª casa decimal; indexFactor é o produto desses fatores, truncado na 8ª',
  ],
  spread: (yearDays, business) =>
    `spreadFactor = (1 + rate/100)^(dias/${String(yearDays)}), arredondado na 9ª casa decimal; os dias são os dias ${business ? 'úteis' : 'corridos'} de accrualStart (inclusive) ao dia do preço (exclusive)`,
  always: [
    'interestFactor = diFactor × spreadFactor, arredondado na 9ª casa decimal',
    'nominalValue = baseValue × indexFactor, truncado na 8ª casa decimal; baseValue é o valor de emissão com os juros incorporados, menos o que as parcelas amortizaram, e inclui o índice até indexStart quando a regra da base o determina',
    'interestJ = nominalValue × (interestFactor - 1), truncado na 8ª casa decimal; unitPrice = nominalValue + interestJ, antes do que é pago no dia',
  ],
  ofBalance: 'Uma parcela amortiza um percentual de nominalValue',
  ofIssueValue:
    'Uma parcela amortiza um percentual do valor de emissão, ou de baseValue após a última incorporação de juros, multiplicado por indexFactor',
};

const wordings: Readonly<Record<Locale, Wording>> = { EN: english, PT_BR: portuguese };

export function rulesOf(
  { dayCount, amortizationOf }: Pick<PolicyColumns, 'dayCount' | 'amortizationOf'>,
  indexer: Indexer,
  locale: Locale,
): string[] {
  const { basis, yearDays } = dayCounts[dayCount];
  const wording = wordings[locale];
  return [
    ...(indexer.kind === 'DI'
      ? wording.di(indexer)
      : indexer.kind === 'PRICE_INDEX'
        ? wording.priceIndex(indexer)
        : []),
    wording.spread(yearDays, basis === 'BUS252'),
    ...wording.always,
    amortizationOf === 'BALANCE' ? wording.ofBalance : wording.ofIssueValue,
  ];
}

function rateDay(lagBusinessDays: number): string {
  if (lagBusinessDays === 0) return 'that day';
  return lagBusinessDays === 1
    ? 'the business day before it'
    : `the day ${String(lagBusinessDays)} business days before it`;
}

function rateDayInPortuguese(lagBusinessDays: number): string {
  if (lagBusinessDays === 0) return 'do próprio dia';
  return lagBusinessDays === 1 ? 'do dia útil anterior' : `do dia ${String(lagBusinessDays)} dias úteis antes dele`;
}

function lagMonth(lagMonths: number): string {
  if (lagMonths === 0) return "of the anniversary's month";
  return lagMonths === 1
    ? "of the month before the anniversary's"
    : `of ${String(lagMonths)} months before the anniversary's month`;
}

function lagMonthInPortuguese(lagMonths: number): string {
  if (lagMonths === 0) return 'do mês do aniversário';
  return lagMonths === 1 ? 'do mês anterior ao do aniversário' : `de ${String(lagMonths)} meses antes do aniversário`;
}

const basesInPortuguese: Readonly<Record<IndexBase, string>> = {
  START:
    'o início da série, ou a última incorporação de juros, seja o que for pago: o restante do valor nominal é mantido no nível de preços desse dia. Linhas publicadas: PTMI11, CAET12',
  YEARLY:
    'o último aniversário anual, no mês em que a série começou, ou a última incorporação de juros, seja o que for pago nesse intervalo. Lei 10.192/2001, art. 2º, § 1º',
  ANNIVERSARY:
    'o último aniversário mensal ou incorporação de juros, seja o que for pago nesse intervalo. Lei 10.931/2004, art. 46',
  LAST_EVENT:
    'o último evento: cada evento que paga ou incorpora juros torna o valor atualizado o valor nominal. Linha publicada: ITPE12',
};

const clausesInPortuguese: Readonly<Record<ProjectionClause, string>> = {
  PROVISIONAL:
    'a projeção mais recente divulgada até o dia é usada provisoriamente; divulgado o número, os dias a partir de então o usam, e os anteriores mantêm os seus preços, sem compensação',
  NONE: 'não há preço até a divulgação do número',
  SETTLED_BY_DIFFERENCE: 'a projeção é usada e, divulgado o número, os dias anteriores são corrigidos',
};

const proRatasInPortuguese: Readonly<Record<IndexProRata, string>> = {
  BUSINESS_DAYS: 'dias úteis; o resultado é o mesmo com ou sem a mudança dos aniversários para um dia útil',
  CALENDAR_DAYS: 'dias corridos entre os aniversários, que não são mudados',
  CALENDAR_DAYS_FOLLOWING:
    'dias corridos entre os aniversários, que passam para o dia útil seguinte quando não são dias úteis, como nas escrituras que usam o dia do pagamento',
};
