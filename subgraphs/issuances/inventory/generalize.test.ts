import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { fewestDebtors, generalize, type InventoryContract } from './generalize.js';
import { testKeyRing } from '../../../tests/kit/context.js';
import { inventoryLines } from './read-inventory.js';
import { Decimal } from '../../../shared/kernel/decimal.js';
import { amountBand, instalmentBand, showAmounts, showMonths } from './bands.js';

const day = fc
  .tuple(fc.integer({ min: 2015, max: 2026 }), fc.integer({ min: 1, max: 12 }))
  .map(([year, month]) => `${String(year)}-${String(month).padStart(2, '0')}-15`);
const amount = fc
  .tuple(fc.nat(9), fc.integer({ min: 0, max: 99_999_999 }))
  .map(([size, cents]) => (cents / 10 ** (2 + (size % 6))).toFixed(2));

/** A contract of one of some debtors. Its terms come from few values as often as from many. */
const contractOf = (debtors: number) =>
  fc.record({
    debtor: fc.integer({ min: 1, max: debtors }),
    type: fc.constantFrom('CCB', 'CCB', 'CCI', 'CPR'),
    status: fc.constantFrom('ACTIVE' as const, 'SETTLED' as const, 'DEFAULTED' as const, 'WRITTEN_OFF' as const),
    originalValue: fc.oneof(fc.constantFrom('1000.00', '5000.00'), amount),
    outstandingBalance: fc.oneof(fc.constant('0.00'), amount),
    indexer: fc.constantFrom('PREFIXED' as const, 'PREFIXED' as const, 'IPCA' as const),
    rate: fc.integer({ min: -300, max: 3000 }).map((rate) => (rate / 100).toFixed(6)),
    issueDate: day,
    maturityDate: day.map((text) => `20${String(Number(text.slice(2, 4)) + 12)}${text.slice(4)}`),
    installments: fc.integer({ min: 1, max: 60 }),
    paidInstallments: fc.nat(60),
    daysLate: fc.oneof(fc.constant(0), fc.nat(500)),
    uf: fc.constantFrom('SP', 'SP', 'MG', 'AC', null),
  });

type Contract = Omit<InventoryContract, 'id'>;

/** Contracts with little in common: their published ranges are wide. */
const mixed = fc
  .integer({ min: 1, max: 40 })
  .chain((debtors): fc.Arbitrary<Contract[]> => fc.array(contractOf(debtors), { minLength: 1, maxLength: 120 }));

const parts = ['status', 'rate', 'issueDate', 'maturityDate', 'daysLate', 'paidInstallments', 'uf'] as const;

/** Contracts that differ from the first in one part or in none: single bands, months and half-years are published. */
const similar = fc
  .tuple(
    contractOf(1),
    fc.constantFrom(0, 1, 30, 31, 60, 180, 181, 360, 361),
    fc.array(fc.tuple(fc.integer({ min: 1, max: 30 }), contractOf(1), fc.option(fc.constantFrom(...parts))), {
      minLength: 5,
      maxLength: 60,
    }),
  )
  .map(([first, daysLate, others]): Contract[] =>
    others.map(([debtor, other, part]) => {
      const same = { ...first, daysLate, debtor };
      return part === null ? same : { ...same, [part]: other[part] };
    }),
  );

const portfolio = fc.oneof(mixed, similar).map((contracts) =>
  contracts.map((contract, at): InventoryContract => ({
    ...contract,
    id: `0190a000-0000-7000-8000-${String(at).padStart(12, '0')}`,
  })),
);

const debtorsIn = (contracts: readonly InventoryContract[]) => new Set(contracts.map(({ debtor }) => debtor)).size;

describe('whatever the portfolio is', () => {
  test('every published combination of fields is shared by five debtors, and every credit is published once', () => {
    return fc.assert(
      fc.asyncProperty(portfolio, async (contracts) => {
        const groups = await generalize(contracts);
        const byId = new Map(contracts.map((contract) => [contract.id, contract]));
        if (debtorsIn(contracts) < fewestDebtors) {
          expect(groups).toEqual([]);
          return;
        }
        expect(groups.flatMap(({ contractIds }) => contractIds).sort()).toEqual([...byId.keys()]);
        for (const { contractIds } of groups)
          expect(debtorsIn(contractIds.flatMap((id) => byId.get(id) ?? []))).toBeGreaterThanOrEqual(fewestDebtors);
      }),
      { numRuns: 200 },
    );
  });

  test('what is published of a credit is true of it', () => {
    return fc.assert(
      fc.asyncProperty(portfolio, async (contracts) => {
        fc.pre(debtorsIn(contracts) >= fewestDebtors);
        const byId = new Map(contracts.map((contract) => [contract.id, contract]));
        const groups = await generalize(contracts);
        expect(groups).not.toHaveLength(0);
        for (const { contractIds, fields } of groups) {
          for (const id of contractIds) {
            const contract = byId.get(id);
            if (contract === undefined) throw new Error(id);
            expectWithin(fields.valorOriginal, Number(contract.originalValue));
            expectWithin(fields.saldoDevedor, Number(contract.outstandingBalance));
            expectRate(fields.taxa, contract);
            expectPeriod(fields.dataEmissao, contract.issueDate);
            expectPeriod(fields.dataVencimento, contract.maturityDate);
            expectDaysLate(fields.diasAtraso, contract.daysLate);
            expect([null, agingLabelOf(contract.daysLate)]).toContain(fields.faixaAtraso);
            expect([null, statusLabels[contract.status]]).toContain(fields.status);
            expect([null, contract.uf]).toContain(fields.uf);
            expect([null, contract.type]).toContain(fields.tipo);
            const [first = NaN, last = first] = numbersOf(fields.parcelas);
            expect(contract.installments).toBeGreaterThanOrEqual(first);
            expect(contract.installments).toBeLessThanOrEqual(last);
            const [paidFrom = NaN, paidTo = paidFrom] = numbersOf(fields.parcelasPagas);
            expect(contract.paidInstallments).toBeGreaterThanOrEqual(paidFrom);
            expect(contract.paidInstallments).toBeLessThanOrEqual(paidTo);
          }
        }
      }),
      { numRuns: 200 },
    );
  });

  test('a payment, a default or a settlement changes no group and no id, and what changes, changes for the whole group', () => {
    return fc.assert(
      fc.asyncProperty(portfolio, fc.nat(119), contractOf(1), async (contracts, place, other) => {
        const { outstandingBalance, paidInstallments, daysLate, status } = other;
        const at = place % contracts.length;
        const later = contracts.map((contract, index) =>
          index === at ? { ...contract, outstandingBalance, paidInstallments, daysLate, status } : contract,
        );
        const read = async (list: readonly InventoryContract[]) =>
          inventoryLines(testKeyRing, 'operation', await generalize(list));
        const [before, after] = [await read(contracts), await read(later)];
        expect(after.map(({ id }) => id)).toEqual(before.map(({ id }) => id));
        const changed = before.filter(({ fields }, index) => show(fields) !== show(after[index]?.fields)).length;
        const groups = (await generalize(contracts)).map(({ contractIds }) => contractIds);
        const own = groups.find((ids) => ids.includes(contracts[at]?.id ?? '')) ?? [];
        expect([0, own.length]).toContain(changed);
      }),
      { numRuns: 200 },
    );
  });

  test('who follows ids over a credit that comes finds groups of the same members only', () => {
    return fc.assert(
      fc.asyncProperty(portfolio, contractOf(40), async (contracts, other) => {
        fc.pre(debtorsIn(contracts) >= fewestDebtors);
        const more = [...contracts, { ...other, id: '0190a000-0000-7000-8000-999999999999' }];
        const read = async (list: readonly InventoryContract[]) =>
          (await generalize(list)).map((group) => ({
            members: group.contractIds.toSorted().join(),
            ids: inventoryLines(testKeyRing, 'operation', [group]).map(({ id }) => id),
          }));
        const [before, after] = [await read(contracts), await read(more)];
        expect(before).not.toHaveLength(0);
        for (const { members, ids } of before)
          for (const group of after)
            if (group.members !== members) expect(group.ids.filter((id) => ids.includes(id))).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });
});

const show = (value: unknown) => JSON.stringify(value);

function numbersOf(text: string | null): number[] {
  return (text?.match(/\d[\d.,]*/g) ?? []).map((part) => Number(part.replaceAll('.', '').replace(',', '.')));
}

function expectWithin(text: string | null, value: number): void {
  const [from = NaN, to] = numbersOf(text);
  expect(value).toBeGreaterThanOrEqual(from);
  if (to === undefined) expect(value).toBe(from);
  else expect(value).toBeLessThan(to);
}

/** Checks that a month, a half-year, a year or years contain a day; any other text is an error. */
function expectPeriod(text: string | null, date: string): void {
  const [year = '', month = ''] = date.split('-');
  const half = `${Number(month) <= 6 ? '1' : '2'}º semestre de ${year}`;
  const [, first = year, last = year] = /^(\d{4}) a (\d{4})$/.exec(text ?? '') ?? [];
  expect([`${month}/${year}`, half, year, `${first} a ${last}`]).toContain(text);
  expect([first, year, last]).toEqual([first, year, last].sort());
}

/** Checks that the rate lies in the range of its own indexer, the end of which is not included; null matches everything. */
function expectRate(text: string | null, { indexer, rate }: InventoryContract): void {
  if (text === null) return;
  if (text === 'Sem taxa informada') return expect([indexer, Number(rate)]).toEqual(['PREFIXED', 0]);
  expect(text.replace(/[-+\d].*/, '').trim()).toBe(indexer === 'PREFIXED' ? '' : indexer);
  const [from = NaN, to = NaN] = [...text.matchAll(/(- ?)?(\d[\d.,]*)%/g)].map(
    ([, minus, digits = '']) => (numbersOf(digits)[0] ?? NaN) * (minus === undefined ? 1 : -1),
  );
  expect(Number(rate)).toBeGreaterThanOrEqual(from);
  expect(Number(rate)).toBeLessThan(to);
}

/** Checks that `0`, `1 a 30` or `91 ou mais` contain a number of days; null matches everything. */
function expectDaysLate(text: string | null, days: number): void {
  if (text === null) return;
  const [from = NaN, to = text.endsWith(' ou mais') ? Infinity : from] = numbersOf(text);
  expect(days).toBeGreaterThanOrEqual(from);
  expect(days).toBeLessThanOrEqual(to);
}

/** Returns the band of `faixaAtraso`, as named in docs/contract/issuances.md §4.5. */
function agingLabelOf(days: number): string {
  if (days === 0) return 'A vencer';
  if (days > 360) return '360+';
  if (days > 180) return '181-360';
  const from = Math.floor((days - 1) / 30) * 30;
  return `${String(from + 1)}-${String(from + 30)}`;
}

const statusLabels = { ACTIVE: 'Ativo', SETTLED: 'Liquidado', DEFAULTED: 'Inadimplente', WRITTEN_OFF: 'Baixado' };

const alike: Omit<InventoryContract, 'id' | 'debtor'> = {
  type: 'CCB',
  status: 'ACTIVE',
  originalValue: '412345.67',
  outstandingBalance: '399999.99',
  indexer: 'IPCA',
  rate: '8.5',
  issueDate: '2025-03-10',
  maturityDate: '2029-03-10',
  installments: 48,
  paidInstallments: 10,
  daysLate: 0,
  uf: 'SP',
};
const five = (...changes: readonly Partial<InventoryContract>[]) =>
  Array.from({ length: 5 }, (_, at) => ({ ...alike, id: String(at), debtor: at, ...changes[at] }));

describe('ranges', () => {
  test('what five debtors have in common is shown as fine as its band', async () => {
    expect((await generalize(five())).map(({ fields }) => fields)).toEqual([
      {
        tipo: 'CCB',
        valorOriginal: 'R$ 400.000,00 a R$ 500.000,00',
        saldoDevedor: 'R$ 300.000,00 a R$ 400.000,00',
        taxa: 'IPCA + 8,00% a 9,00% a.a.',
        dataEmissao: '03/2025',
        dataVencimento: '03/2029',
        parcelas: '48',
        parcelasPagas: '1 a 12',
        diasAtraso: '0',
        faixaAtraso: 'A vencer',
        uf: 'SP',
        status: 'Ativo',
      },
    ]);
  });

  test('a fixed rate of zero stands for none that is known', async () => {
    const unknown = { indexer: 'PREFIXED' as const, rate: '0.000000' };
    const groups = await generalize(five(unknown, unknown, unknown, unknown, unknown));
    expect(groups[0]?.fields.taxa).toBe('Sem taxa informada');
  });

  test('what differs is widened, and null where no range says it', async () => {
    const mixed = five(
      { originalValue: '99999.99', issueDate: '2025-06-30', daysLate: 45, status: 'DEFAULTED', uf: 'MG' },
      { outstandingBalance: '0.00', maturityDate: '2029-07-01', installments: 60, type: 'CCI', rate: '-0.25' },
      { maturityDate: '2029-12-01', paidInstallments: 0 },
    );
    expect((await generalize(mixed))[0]?.fields).toEqual({
      tipo: null,
      valorOriginal: 'R$ 90.000,00 a R$ 500.000,00',
      saldoDevedor: 'R$ 0,00 a R$ 400.000,00',
      taxa: 'IPCA - 1,00% a IPCA + 9,00% a.a.',
      dataEmissao: '1º semestre de 2025',
      dataVencimento: '2029',
      parcelas: '37 a 60',
      parcelasPagas: '0 a 12',
      diasAtraso: '0 a 60',
      faixaAtraso: null,
      uf: null,
      status: null,
    });
    expect(
      (await generalize(five({ indexer: 'CDI', daysLate: 400, issueDate: '2023-01-01' })))[0]?.fields,
    ).toMatchObject({
      taxa: null,
      diasAtraso: null,
      dataEmissao: '2023 a 2025',
    });
  });
});

const amounts = fc
  .tuple(fc.bigInt({ min: 0n, max: 10n ** 24n - 1n }), fc.nat(24))
  .map(([digits, shorter]) => new Decimal((digits / 10n ** BigInt(shorter)).toString()).div(100).toFixed(2));

test('an amount of any size lies in its band, and a larger one never in a lower band', () => {
  fc.assert(
    fc.property(amounts, amounts, (one, other) => {
      const [from, to] = [...showAmounts({ from: amountBand(one), to: amountBand(one) }).matchAll(/[\d.]+,\d\d/g)].map(
        ([text]) => new Decimal(text.replaceAll('.', '').replace(',', '.')),
      );
      expect(from?.lessThanOrEqualTo(one)).toBe(true);
      expect(to?.greaterThan(one) ?? from?.equals(one)).toBe(true);
      const isLarger = new Decimal(one).greaterThan(other);
      expect(isLarger ? amountBand(one) >= amountBand(other) : amountBand(one) <= amountBand(other)).toBe(true);
    }),
  );
});

test.each([
  ['0.00', '0.00', 'R$ 0,00'],
  ['0.00', '0.50', 'R$ 0,00 a R$ 1,00'],
  ['0.99', '1.00', 'R$ 0,00 a R$ 2,00'],
  ['9.99', '10.00', 'R$ 9,00 a R$ 20,00'],
  ['400000.00', '499999.99', 'R$ 400.000,00 a R$ 500.000,00'],
  ['999999.99', '999999.99', 'R$ 900.000,00 a R$ 1.000.000,00'],
])('from %s to %s is %s', (from, to, text) => {
  expect(showAmounts({ from: amountBand(from), to: amountBand(to) })).toBe(text);
});

test('months are the shortest text that holds them, and instalments count in dozens', () => {
  const year = 2026 * 12;
  expect(showMonths({ from: year + 4, to: year + 4 })).toBe('05/2026');
  expect(showMonths({ from: year, to: year + 5 })).toBe('1º semestre de 2026');
  expect(showMonths({ from: year + 6, to: year + 11 })).toBe('2º semestre de 2026');
  expect(showMonths({ from: year + 5, to: year + 6 })).toBe('2026');
  expect(showMonths({ from: year - 1, to: year })).toBe('2025 a 2026');
  expect([0, 1, 12, 13].map(instalmentBand)).toEqual([0, 1, 1, 2]);
});
