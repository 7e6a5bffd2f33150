import { Decimal, round } from '../../../../shared/kernel/decimal.js';
import { riskClasses } from '../../../securities/risk-class.js';
import { indexers } from '../../../securities/indexer.js';
import { broken } from '../../../../shared/import/import-rules.js';
import { date } from '../../../../shared/import/model/date-values.js';
import { kind, optional, required, type OwnerColumn, type Parent } from '../../../../shared/import/model/kind.js';
import type { Values } from '../../../../shared/import/model/value.js';
import { decimal, integer, money } from '../../../../shared/import/model/number-values.js';
import { fitsMoney, inOrder, notAbove, type Rule } from '../../../../shared/import/model/rules.js';
import { cnpj, flag, label, oneOf, text, texts } from '../../../../shared/import/model/text-values.js';
import { operationTypes } from '../../operations/operation.js';
import { isin } from './isin.js';

const ticker = text({
  pattern: '^[A-Za-z0-9][A-Za-z0-9._\\-]{0,39}$',
  rule: 'TICKER_FORM',
});
const slug = text({
  pattern: '^[A-Za-z0-9][A-Za-z0-9\\-]{0,119}$',
  rule: 'SLUG_FORM',
});

/** Readers derive the name of an operation from the address of its page. */
const hrefNames: Rule = ({ href, slug, ticker }) => {
  const named = href?.split('/').at(-1)?.toLowerCase();
  if (named === slug?.toLowerCase() || named === ticker?.toLowerCase()) return undefined;
  return {
    field: 'href',
    error: broken('PAGE_NAME', { value: `"${href ?? ''}"` }),
  };
};

export const operations = kind('operations', {
  label: 'operation',
  description: 'A securitization operation as a whole: a field that is absent here is cleared.',
  table: 'issuances.operations',
  source: { owner: [], join: 'JOIN known_operations k ON k.ticker = lower(s.ticker)', affected: 'k.id' },
  key: ['ticker'],
  unique: true,
  referredTo: true,
  fields: [
    required('ticker', ticker, 'Name of the operation in URLs; unique without regard to case.', 'CRI-AURORA-1'),
    required(
      'slug',
      slug,
      'Slug of the estate, the other name of the operation in URLs; unique without regard to case.',
      'residencial-aurora',
    ),
    required(
      'type',
      oneOf(...operationTypes),
      'Receivables certificates (CR), real-estate or agribusiness ones (CRI, CRA), or debentures. REST: tipo.',
      'CRI',
    ),
    required('public', flag, 'Whether the operation is published. There is no default.', true, { column: 'is_public' }),
    required('status', label, 'A free label, displayed as it is.', 'Em andamento'),
    required('name', text({ maxLength: 300 }), 'Name of the operation.', 'CRI Residencial Aurora'),
    optional('sub', text({ maxLength: 300 }), 'A subtitle.', '1ª emissão, 2 séries', { fallback: '' }),
    required(
      'href',
      text({
        pattern: '^(/[A-Za-z0-9][A-Za-z0-9._~\\-]*)+$',
        rule: 'SITE_PATH_FORM',
        maxLength: 500,
      }),
      'Path of the page of the operation on the website. Its last part is the slug or the ticker, in any case, which identifies the operation.',
      '/emissoes/residencial-aurora',
    ),
    optional('chips', texts, 'Short labels for the card.', ['Pulverizado', 'Tokenizado'], { fallback: '{}' }),
    optional('emissionNumber', text({ maxLength: 40 }), 'Issue number. REST: numEmissao.', '12ª'),
    optional('emissionDate', date, 'Issue date. REST: dataEmissao.', '2025-03-14'),
    optional('maturityDate', date, 'Last day of the operation. REST: dataVencimento.', '2031-03-17'),
    optional('issuer', label, 'Issuer. REST: emissora.', 'Lastro Securitizadora S.A.'),
    optional(
      'issuerCnpj',
      cnpj,
      'Tax id of the issuer, numeric or alphanumeric. REST: emissoraCnpj.',
      '11.222.333/0001-81',
    ),
    optional('trustee', label, 'Trustee. REST: agenteFiduciario.', 'Vigília DTVM Ltda.'),
    optional('leadCoordinator', label, 'Lead coordinator. REST: coordenadorLider.', 'Banco Horizonte S.A.'),
    optional('bookkeeper', label, 'Bookkeeper. REST: escriturador.', 'Escritura Corretora Ltda.'),
    optional('auditor', label, 'Auditor.', 'Prisma Auditores Independentes'),
    optional('backingAsset', label, 'Backing asset. REST: lastro.', 'Contratos de compra e venda de imóveis'),
    optional('rating', label, 'Rating.', 'brAA-'),
    optional(
      'summary.description',
      text(),
      'Purpose of the operation. Without it the published summary is null.',
      'Financia as obras do Residencial Aurora.',
      { column: 'summary_description' },
    ),
    optional('summary.segment', label, 'Segment of the economy.', 'Residencial', { column: 'summary_segment' }),
    optional('summary.useOfProceeds', text(), 'Use of proceeds.', 'Obras e reembolso de despesas.', {
      column: 'summary_use_of_proceeds',
    }),
    optional('summary.offering', label, 'Kind of public offering.', 'Resolução CVM 160, rito automático', {
      column: 'summary_offering',
    }),
    optional('summary.highlights', texts, 'Key points, one sentence each.', ['Alienação fiduciária das unidades'], {
      column: 'summary_highlights',
      fallback: '{}',
    }),
  ],
  rules: [inOrder('emissionDate', 'maturityDate'), hrefNames],
  stamps: [
    // Written once everything else of the operation is written.
    { column: 'search_text', value: `''`, onChange: false },
    { column: 'created_at', value: '$1', onChange: false },
    { column: 'updated_at', value: '$1', onChange: false },
  ],
});

export const operationColumn: OwnerColumn = {
  name: 'owner_operation',
  sql: 'text',
  folds: true,
  field: required('operationTicker', label, 'Ticker of the operation.', 'CRI-AURORA-1'),
  known: { table: 'known_operations', kind: operations },
};

export const ofOperation: Parent = {
  kind: operations,
  columns: [operationColumn],
  source: {
    owner: [['operation_id', 'k.id']],
    join: 'JOIN known_operations k ON k.ticker = lower(s.owner_operation)',
    affected: 'k.id',
  },
};

/** Returns the issued total: the value of the quotas at issue, in reais and cents. */
function totalOf(values: Readonly<Values>): string {
  return round(new Decimal(values['unitValue'] ?? '0').times(values['quantity'] ?? '0'), 2).toFixed(2);
}

const totalMatches: Rule = (values) => {
  const [stated, due] = [values['issuedTotal'] ?? null, totalOf(values)];
  if (stated === null || new Decimal(stated).equals(due)) return undefined;
  return { field: 'issuedTotal', error: broken('NOT_THE_TOTAL', { value: stated, sum: 'unitValue × quantity', due }) };
};

export const series = kind('series', {
  label: 'series',
  description: 'The series of the operation. A series that is not listed keeps its values.',
  table: 'issuances.series',
  parent: ofOperation,
  key: ['ticker'],
  unique: true,
  referredTo: true,
  fields: [
    required('number', integer(1), 'Number of the series within the operation. REST: numero.', 1),
    required('ticker', ticker, 'Ticker of the series, unique among all operations.', 'AURORA1S1'),
    required('class', oneOf(...riskClasses), 'Order of payment. REST: classe.', 'SENIOR'),
    required('status', label, 'A free label, displayed as it is.', 'Ativa'),
    required('indexer', oneOf(...indexers), 'Index of the remuneration; PREFIXED means none.', 'CDI'),
    optional(
      'indexerPercent',
      decimal(9, 4, { above: '0' }),
      'Percentage of the index that is paid; 100 when absent.',
      '100',
      { fallback: '100' },
    ),
    optional(
      'rate',
      decimal(12, 6),
      'Fixed rate, or spread over the index, in percent per year: 3.5 means 3,5 %. 0 when absent.',
      '3.5',
      { fallback: '0' },
    ),
    optional(
      'remunerationLabel',
      label,
      'Displayed in place of the text that is composed of indexer and rate, when the deed uses its own words.',
      null,
    ),
    required('issueDate', date, 'Issue date. REST: dataEmissao.', '2025-03-14'),
    required('maturityDate', date, 'Maturity date. REST: dataVencimento.', '2031-03-17'),
    optional('isin', isin, 'ISIN, with its check digit.', 'BRAURSCRI000'),
    optional(
      'ifCode',
      text({ pattern: '^[A-Z0-9]{3,20}$', rule: 'CODE_FORM' }),
      'IF code at the registrar. REST: codigoIF.',
      '25C1234567',
    ),
    required('unitValue', decimal(24, 8, { above: '0' }), 'Nominal value of a unit at issue, in reais.', '1000.00'),
    required('quantity', decimal(20, 0, { min: '0' }), 'Number of issued units.', 50000),
    optional(
      'issuedTotal',
      money,
      'unitValue × quantity, rounded half up to cents; checked when given. REST: valorTotal.',
      '50000000.00',
    ),
    optional('raisedAmount', money, 'Amount paid in by investors, in reais.', '48500000.00'),
    optional('subscribedQuotas', decimal(20, 0, { min: '0' }), 'Number of subscribed units; at most quantity.', 48500),
    optional(
      'maxDailyChangePercent',
      decimal(9, 4, { above: '0' }),
      'Most that a unit price may differ from the one before it, in percent, without a reason; 5 when absent. What was paid on a unit explains a fall.',
      '5',
      { fallback: '5' },
    ),
  ],
  rules: [
    inOrder('issueDate', 'maturityDate'),
    totalMatches,
    fitsMoney('issuedTotal'),
    notAbove('subscribedQuotas', 'quantity'),
  ],
  complete: (values) => {
    values['issuedTotal'] ??= totalOf(values);
  },
});

export const toSeries = {
  column: 'series_id',
  refersTo: {
    staged: 'series_ticker',
    known: 'known_series',
    table: 'issuances.series',
    versions: 'issuances.series_versions',
  },
} as const;
