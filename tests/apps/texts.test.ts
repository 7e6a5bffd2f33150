import { readFileSync } from 'node:fs';
import { expect, test, describe } from '@jest/globals';
import fc from 'fast-check';
import { registered, textOfImportRule, type ImportRuleCode } from '../../shared/registry.js';
import { roles } from '../../shared/graphql/roles.js';
import { orderReasons } from '../../subgraphs/trading/orders/order.js';
import { attemptErrors } from '../../subgraphs/webhooks/engine/send.js';
import { eventTypes } from '../../subgraphs/webhooks/events/event.js';
import { importDomains } from '../../bootstrap/imports.js';
import { importRulesPortuguese } from '../../apps/panel/operator/messages/import-rules.pt-BR.js';
import { importWords } from '../../apps/panel/operator/messages/record-kinds.pt-BR.js';
import { columnsOf } from '../../shared/import/model/csv-columns.js';
import { columnWords, csvHeads, fieldWords } from '../../apps/panel/operator/messages/csv-columns.js';
import { englishOf } from '../../apps/site/messages/issuer-words.js';
import { auditFilter, auditParameters } from '../../apps/panel/operator/parameters.js';
import { formatsOf } from '../../apps/design/formats.js';
import { inEnglish, inPortuguese } from './panel-texts.js';
import { readNumber, writeNumber } from '../../apps/design/typed-number.js';
import { programOf } from '../../apps/panel/account/user-agent.js';

const { developer, frame, operator, trading } = inPortuguese;

test.each([
  ['Portuguese', operator.audit.actNames],
  ['English', inEnglish.operator.audit.actNames],
])('the panel names every act of the audit log in %s, each by a text of its own', (_language, names) => {
  expect(Object.keys(names).toSorted()).toEqual([...registered.acts].toSorted());
  const texts = Object.values(names);
  expect(texts.filter((text) => !/^\p{Lu}.*[^.]$/u.test(text))).toEqual([]);
  expect(new Set(texts).size).toBe(texts.length);
});

test('the panel says in Portuguese what each event of webhooks means, and of none that does not exist', () => {
  const names = eventTypes.map(({ name }) => name);
  expect(Object.keys(developer.webhooks.meanings).toSorted()).toEqual(names.toSorted());
});

test('the panel names every cause of a movement that the contract of trading has, and no other', () => {
  const contract = readFileSync('docs/contract/trading.md', 'utf8');
  const [, table = ''] = contract.split('| `cause` |');
  const [rows = ''] = table.split('\n\n');
  const causes = rows.split('\n').flatMap((row) => /^\|(.*?)\|/.exec(row)?.[1]?.match(/[a-z][a-z._]+/g) ?? []);
  expect(Object.keys(trading.balances.causes).toSorted()).toEqual(causes.toSorted());
});

test('the panel says in Portuguese why an order ended or a hedge waits, whatever the reason', () => {
  const ofHedges = ['NO_VENUE', 'NO_LIQUIDITY', 'NO_FUNDS', 'BELOW_MINIMUM', 'WOULD_TAKE', 'NOT_FILLABLE'];
  expect(Object.keys(frame.orderReasons).toSorted()).toEqual([...Object.values(orderReasons), ...ofHedges].toSorted());
});

test('the panel says each error in Portuguese that a page can meet', () => {
  const { failures } = frame;
  const unsaid = [...registered.errors].filter(
    ([code, { status }]) => status !== 401 && !Object.hasOwn(failures, code),
  );
  // What only programs do, and a cursor, which the page begins anew.
  const ofPrograms = ['METHOD_NOT_ALLOWED', 'NOT_ACCEPTABLE', 'UNSUPPORTED_MEDIA_TYPE', 'EXPECTATION_FAILED'];
  const others = ['HEADERS_TOO_LARGE', 'INVALID_CHANNEL', 'CURSOR_EXPIRED'];
  expect(unsaid.map(([code]) => code).toSorted()).toEqual([...ofPrograms, ...others].toSorted());
});

test('the panel says in Portuguese why an attempt to send to a webhook has no response', () => {
  expect(Object.keys(frame.attemptErrors).toSorted()).toEqual(Object.values(attemptErrors).toSorted());
});

test('the panel names each role of operators in Portuguese', () => {
  expect(Object.keys(operator.operators.roleNames)).toEqual([...roles]);
});

const codes = [...registered.importRules.keys()] as ImportRuleCode[];

function namesIn(text: string): string[] {
  return [...new Set([...text.matchAll(/\{(\w+)(?::\w+)?\}/g)].map(([, name = '']) => name))];
}

test.each([
  ['Portuguese', operator.recordKinds],
  ['English', inEnglish.operator.recordKinds],
])('the panel names every kind of records that is imported in %s, and no other', (_language, kinds) => {
  const known = importDomains.flatMap((domain) => domain.kinds);
  expect(Object.keys(kinds).toSorted()).toEqual(known.map(({ name }) => name).toSorted());
  const labels = Object.keys(importWords.labels);
  expect(labels.toSorted()).toEqual([...new Set(known.map(({ label }) => label))].toSorted());
});

test('the panel knows the columns of every kind of CSV files that are imported', () => {
  const kinds = importDomains.flatMap((domain) => domain.kinds).filter(({ csv }) => csv);
  const heads = kinds.map((kind) => [
    kind.name,
    columnsOf(kind)
      .map(({ name }) => name)
      .join(';'),
  ]);
  expect(csvHeads).toEqual(Object.fromEntries(heads));
});

test('Every field of imported records has a word in Portuguese, and every word a field', () => {
  const kinds = importDomains.flatMap((domain) => domain.kinds);
  const parents = kinds.filter(({ csv }) => csv).flatMap(columnsOf);
  const names = [...kinds.flatMap(({ fields }) => fields), ...parents].map(({ name }) => name.replace(/.*\./, ''));
  expect(Object.keys({ ...columnWords, ...fieldWords }).sort()).toEqual([...new Set(names)].sort());
});

describe('Each rule of imports', () => {
  test.each(codes)('%s has a sentence in Portuguese, with values that the rule has', (code) => {
    expect(importRulesPortuguese[code]).toMatch(/^\S.*[.?]$/);
    const values = namesIn(textOfImportRule(code));
    expect(namesIn(importRulesPortuguese[code]).filter((name) => !values.includes(name))).toEqual([]);
  });

  test('writes its numbers as the language does', () => {
    const all = Object.values({ ...frame.rules, ...importRulesPortuguese }).join('\n');
    expect(all.match(/\{(max|min|count|columns|change|share|paid|supply|days|installments)\}/g)).toBeNull();
  });

  test('has a code that no rule of inputs has: both are on the graph', () => {
    expect(codes.filter((code) => registered.rules.has(code))).toEqual([]);
  });
});

test('days of the audit log are whole days in São Paulo, also those on which summer time begins or ends', () => {
  const between = (from: string, to: string) => {
    const filter = auditFilter({ from, to });
    return [filter.from, filter.to];
  };
  expect(between('2026-11-27', '2026-11-27')).toEqual(['2026-11-27T03:00:00.000Z', '2026-11-28T03:00:00.000Z']);
  expect(between('2018-11-04', '2018-11-04')).toEqual(['2018-11-04T03:00:00.000Z', '2018-11-05T02:00:00.000Z']);
  expect(between('2019-02-16', '2019-02-16')).toEqual(['2019-02-16T02:00:00.000Z', '2019-02-17T03:00:00.000Z']);
  expect(auditFilter({})).toMatchObject({ from: null, to: null });
});

test('a parameter that is no day does not filter the audit log', () => {
  expect(auditParameters({ from: 'ontem', to: '2026-13-01', actor: 7 })).toEqual({ actor: '7' });
  expect(auditParameters({ from: '2026-11-27' })).toEqual({ from: '2026-11-27' });
});

test.each([
  ['R$\u00a0900.000,00 a R$\u00a02.000.000,00', 'R$900,000.00 to R$2,000,000.00'],
  ['R$ 0,00', 'R$0.00'],
  ['IPCA + 8,00% a 9,00% a.a.', 'IPCA + 8.00% to 9.00% p.a.'],
  ['IGP-M - 1,00% a IGP-M + 1,00% a.a.', 'IGP-M - 1.00% to IGP-M + 1.00% p.a.'],
  ['Dólar + 3,00% a 4,00% a.a.', 'US dollar + 3.00% to 4.00% p.a.'],
  ['1º semestre de 2026', '1st half of 2026'],
  ['2024 a 2026', '2024 to 2026'],
  ['05/2026', '05/2026'],
  ['A vencer', 'Not due'],
  ['Ativo', 'Active'],
  ['CCB', undefined],
  ['Lote 12 a 14', undefined],
  ['01.02.2026', undefined],
])('an English page shows “%s” of an issuer as “%s”', (written, shown) => {
  expect(englishOf(written)).toBe(shown);
});

const languages = fc.constantFrom('pt-BR' as const, 'en' as const);
const digits = (max: number) => fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: max });
const numbers = fc
  .tuple(fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n }), fc.option(digits(20)))
  .map(([whole, decimals]) => `${whole}${decimals === null ? '' : `.${decimals.join('')}`}`);

test('what a page writes it reads, to the last digit, in its own language', () => {
  fc.assert(
    fc.property(languages, numbers, (language, number) => {
      expect(readNumber(writeNumber(number, language), language)).toBe(number);
    }),
  );
  const { money, percent } = formatsOf('pt-BR');
  expect(readNumber(money('-1234567.89'), 'pt-BR', 'BRL')).toBe('-1234567.89');
  expect(readNumber(percent('0.25'), 'pt-BR', '%')).toBe('0.25');
  expect(readNumber(formatsOf('en').money('1234567.89'), 'en', 'BRL')).toBe('1234567.89');
});

test.each([
  ['pt-BR', '1.500', '1500'],
  ['pt-BR', '1,500', '1.500'],
  ['pt-BR', '577.854,21', '577854.21'],
  ['pt-BR', ' R$ 1.500,00 ', '1500.00'],
  ['pt-BR', '1500', '1500'],
  ['en', '1,000', '1000'],
  ['en', '1.000', '1.000'],
  ['en', '577,854.21', '577854.21'],
  ['en', 'R$1,500.00', '1500.00'],
] as const)('in %s %s is %s', (language, typed, number) => {
  expect(readNumber(typed, language, 'BRL')).toBe(number);
});

test.each([
  ['pt-BR', ['577854.21', '1.5', '0.001', '1.50', '1.5000', '1,234.56', '1.234.56', '1,2,3', '1 500', '01.500', '']],
  ['en', ['577.854,21', '1,5', '0,001', '12,34', '1.234.567', '1,2345', '1,234,56', '1 500', '']],
  ['pt-BR', ['1e3', '--1', '1-', '+1', '1,', ',5', '.5', 'mil', '0x10', '١', '0,01 BTC', 'US$ 5', '5%', 'R$']],
] as const)('in %s what can be read in two ways, or in none, is no number', (language, all) => {
  expect(all.map((typed) => readNumber(typed, language, 'BRL'))).toEqual(all.map(() => undefined));
});

test('only its own unit may stand beside a number', () => {
  expect(readNumber('0,01 BTC', 'pt-BR', 'BTC')).toBe('0.01');
  expect(readNumber('R$ 0,01', 'pt-BR', 'BTC')).toBeUndefined();
});

const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)';

describe('The program of a session', () => {
  test.each([
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/131.0.0.0 Safari/537.36`, 'Chrome', 'Windows'],
    [`Mozilla/5.0 (Windows NT 10.0) ${webkit} Chrome/131.0.0.0 Safari/537.36 Edg/131.0.0.0`, 'Edge', 'Windows'],
    [`Mozilla/5.0 (X11; Linux x86_64) ${webkit} Chrome/131.0.0.0 Safari/537.36 OPR/116.0.0.0`, 'Opera', 'Linux'],
    [`Mozilla/5.0 (Linux; Android 14) ${webkit} Chrome/131.0.0.0 Mobile Safari/537.36`, 'Chrome', 'Android'],
    [
      `Mozilla/5.0 (Linux; Android 14) ${webkit} SamsungBrowser/27.0 Chrome/125.0.0.0 Mobile Safari/537.36`,
      'Samsung Internet',
      'Android',
    ],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0', 'Firefox', 'Linux'],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1',
      'Safari',
      'iPhone',
    ],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15',
      'Safari',
      'macOS',
    ],
  ])('%s', (userAgent, browser, system) => {
    expect(programOf(userAgent)).toEqual({ browser, system });
  });

  test.each(['curl/8.5.0', 'python-requests/2.32', ''])(
    'of a program that is no known browser, nothing is said: %s',
    (userAgent) => {
      expect(programOf(userAgent)).toBeUndefined();
    },
  );
});
