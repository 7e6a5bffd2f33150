import { afterAll, describe, expect, test } from '@jest/globals';
import type { Clock } from '../../../shared/kernel/clock.js';
import { fixedClock } from '../../../tests/kit/clock.js';
import type { Principal } from '../../../shared/kernel/context.js';
import { operator } from '../../../tests/kit/context.js';
import {
  add,
  addContract,
  addCovenant,
  addOperation,
  addPrices,
  addSeries,
} from '../../../tests/issuances/fixtures.js';
import { now, openTestGraph } from '../../../tests/issuances/graph.js';
import { importTexts, printed } from '../import/tests/kit.js';

const graph = await openTestGraph();
afterAll(() => graph.close());
const { manager } = graph.dataSource;

async function imported(files: Readonly<Record<string, string>>): Promise<void> {
  const report = await importTexts(graph.context({ principal: operator }), files, { correct: 'the test says so' });
  expect(printed(report)).toEqual([]);
}

const positionsHeader =
  'operationTicker;contractExternalId;month;openingBalance;scheduledPrincipal;prepaidPrincipal;closingBalance;daysLate';
const positions = (ticker: string, month: string, closing: readonly string[]) =>
  [
    positionsHeader,
    ...closing.map((value, at) => `${ticker};${ticker}-${at};${month};900,00;10,00;0,00;${value};0`),
    '',
  ].join('\n');
const complete = (ticker: string, ...months: string[]) =>
  ['operationTicker;month', ...months.map((month) => `${ticker};${month}`), ''].join('\n');

/** Creates an operation with two contracts, in the state of 19 November 2026, and a series with prices to the same day. */
async function newOperation(ticker: string, positionDate = '2026-11-19'): Promise<{ id: string; series: string }> {
  const id = await addOperation(manager, ticker);
  for (const at of [0, 1])
    await addContract(manager, id, { external_id: `${ticker}-${at}`, position_date: positionDate });
  const series = await addSeries(manager, id, 1, { ticker: `${ticker}1`, quantity: '1' });
  await addPrices(manager, series, '2026-07-01', '2026-11-19');
  return { id, series };
}

async function details(ticker: string): Promise<unknown> {
  const { reportMonths } = await graph.data(
    `query ($ticker: String!) { reportMonths(ticker: $ticker) { months details { month situacao versao dataChanged } } }`,
    { ticker },
  );
  const { months, details: all } = reportMonths as { months: string[]; details: { month: string }[] };
  expect(months).toEqual(all.map(({ month }) => month));
  return all;
}

const reportFields =
  'month situacao versao motivo dataChanged position carteira { saldoDevedor dataBase } subordinacao { saldoTotal }';
async function report(ticker: string, month: string, versao: number | null = null): Promise<unknown> {
  const { managementReport } = await graph.data(
    `query ($ticker: String!, $month: String!, $versao: Int) { managementReport(ticker: $ticker, month: $month, versao: $versao) { ${reportFields} } }`,
    { ticker, month, versao },
  );
  return managementReport;
}

async function codeOf(ticker: string, month: string, versao: number | null = null): Promise<unknown> {
  const { errors } = await graph.run(
    `query ($ticker: String!, $month: String, $versao: Int) { managementReport(ticker: $ticker, month: $month, versao: $versao) { month } }`,
    { ticker, month: month === '' ? null : month, versao },
  );
  return errors?.[0]?.extensions['code'];
}

const close = (
  ticker: string,
  month: string,
  { reason = null, ...parts }: { reason?: string | null; principal?: Principal; clock?: Clock } = {},
) =>
  graph.run(
    `mutation ($ticker: String!, $month: Month!, $reason: String) {
      closeReport(ticker: $ticker, month: $month, reason: $reason) { month status version reason dataChanged } }`,
    { ticker, month, reason },
    { principal: operator, ...parts },
  );
const reissue = (ticker: string, month: string, reason: string) =>
  graph.run(
    `mutation ($ticker: String!, $month: Month!, $reason: String!) {
      reissueReport(ticker: $ticker, month: $month, reason: $reason) { month status version reason dataChanged } }`,
    { ticker, month, reason },
    { principal: operator },
  );
const outcome = ({ data, errors }: Awaited<ReturnType<typeof close>>) => errors?.[0]?.extensions['code'] ?? data;

async function told(operationId: string): Promise<unknown[]> {
  const rows = await graph.dataSource.query<{ payload: { kind: string; reference: string } }[]>(
    `SELECT payload FROM shared.outbox WHERE key = $1 AND payload ->> 'kind' = 'REPORT' ORDER BY position`,
    [operationId],
  );
  return rows.map(({ payload }) => payload.reference);
}

describe('a month whose positions are not said to be complete', () => {
  test('is preliminary, and follows positions that come after its end', async () => {
    await newOperation('PRE');
    expect(await details('PRE')).toEqual([]);
    await imported({ 'first.csv': positions('PRE', '2026-10', ['600,00']) });
    expect(await report('PRE', '2026-10')).toMatchObject({
      situacao: 'preliminar',
      versao: null,
      carteira: { saldoDevedor: 'R$ 600,00', dataBase: '31/10/2026' },
    });
    await imported({ 'rest.csv': positions('PRE', '2026-10', ['300,00', '50,00']) });
    expect(await report('PRE', '2026-10')).toMatchObject({ carteira: { saldoDevedor: 'R$ 350,00' } });
    expect(await details('PRE')).toEqual([
      { month: '2026-10', situacao: 'preliminar', versao: null, dataChanged: false },
    ]);
    expect(await codeOf('PRE', '2026-10', 1)).toBe('NOT_FOUND');
  });

  test('is computed once while the data stays, with as many queries for many operations as for one', async () => {
    const tickers = Array.from({ length: 6 }, (_, at) => `MANY${at}`);
    for (const ticker of tickers) await newOperation(ticker, '2026-10-30');
    const read = (some: readonly string[]) =>
      graph.countQueries(() =>
        graph.data(
          `{ ${some.map((ticker) => `${ticker}: operation(ticker: "${ticker}") { reportMonthStates { month } report(month: "2026-10") { status portfolio { balance } } }`).join(' ')} }`,
        ),
      );
    const one = await read(tickers.slice(0, 1));
    expect(await read(tickers.slice(1))).toBe(one);
    expect(await read(tickers)).toBeLessThan(one);
  });

  test('of which there are no positions is made of the contracts, until these are known as of a later month only', async () => {
    const { id } = await newOperation('NONE', '2026-09-28');
    expect(await details('NONE')).toEqual(
      ['2026-10', '2026-09'].map((month) => ({ month, situacao: 'preliminar', versao: null, dataChanged: false })),
    );
    expect(await report('NONE', '2026-10')).toMatchObject({
      carteira: { saldoDevedor: 'R$ 1.600,00', dataBase: '28/09/2026' },
    });
    expect(outcome(await close('none', '2026-09'))).toEqual({
      closeReport: { month: '2026-09', status: 'FINAL', version: 1, reason: null, dataChanged: false },
    });
    const changed = async () =>
      (await details('NONE')) as readonly { readonly month: string; readonly dataChanged: boolean }[];
    const header =
      'operationTicker;externalId;debtorName;debtorDocument;type;status;originalValue;outstandingBalance;rate;issueDate;maturityDate;installments;paidInstallments;daysLate;positionDate\n';
    const contract = (balance: string, day: string) =>
      `${header}NONE;NONE-0;Fulana;11144477735;CCB;ACTIVE;1000,00;${balance};12,50;2025-03-10;2029-03-10;48;10;0;${day}\n`;
    await imported({ 'c.csv': contract('700,00', '2026-10-05') });
    expect(await changed()).toContainEqual(expect.objectContaining({ month: '2026-09', dataChanged: false }));
    await imported({ 'c.csv': contract('650,00', '2026-09-30') });
    expect(await changed()).toContainEqual(expect.objectContaining({ month: '2026-09', dataChanged: true }));
    expect(outcome(await reissue('NONE', '2026-09', 'Saldo corrigido'))).toMatchObject({
      reissueReport: { version: 2, dataChanged: false },
    });
    await graph.dataSource.query(
      `UPDATE issuances.credit_contracts SET position_date = '2026-11-18' WHERE operation_id = $1`,
      [id],
    );
    await graph.dataSource.query('UPDATE issuances.revision SET value = value + 1');
    expect(await details('NONE')).toEqual([{ month: '2026-09', situacao: 'final', versao: 2, dataChanged: false }]);
    expect(await codeOf('NONE', '2026-10')).toBe('NOT_FOUND');
    expect(outcome(await close('NONE', '2026-10'))).toBe('NOT_FOUND');
  });
});

describe('a final month', () => {
  test('is made by the import that says it is complete, and stays as it is when its data moves', async () => {
    const { id, series } = await newOperation('FIN');
    await imported({ 'p.csv': positions('FIN', '2026-09', ['600,00', '40,00']), 'c.csv': complete('fin', '2026-09') });
    const first = await report('FIN', '2026-09');
    expect(first).toMatchObject({
      situacao: 'final',
      versao: 1,
      dataChanged: false,
      carteira: { saldoDevedor: 'R$ 640,00' },
    });
    expect(await told(id)).toEqual(['2026-09-30']);
    // The same input again, and a price that is not the one in force at the month's end, change nothing.
    await imported({ 'p.csv': positions('FIN', '2026-09', ['600,00', '40,00']), 'c.csv': complete('FIN', '2026-09') });
    await imported({ 'prices.csv': 'trancheTicker;date;value\nFIN1;2026-09-10;999,00\nFIN1;2026-10-05;999,00\n' });
    expect(await report('FIN', '2026-09')).toEqual(first);
    await imported({ 'prices.csv': 'trancheTicker;date;value\nFIN1;2026-09-30;1.234,00\n' });
    expect(await report('FIN', '2026-09')).toEqual({ ...(first as object), dataChanged: true });
    expect(outcome(await reissue('FIN', '2026-09', 'Preço de 30/09 corrigido'))).toMatchObject({
      reissueReport: { version: 2 },
    });
    await imported({ 'p.csv': positions('FIN', '2026-09', ['600,00', '40,01']) });
    expect(await details('FIN')).toEqual([{ month: '2026-09', situacao: 'final', versao: 2, dataChanged: true }]);
    expect(await report('FIN', '2026-09')).toMatchObject({
      subordinacao: { saldoTotal: 'R$ 1.234,00' },
      carteira: { saldoDevedor: 'R$ 640,00' },
    });
    expect(series).not.toBe('');
  });

  test('says that its data changed when a payment due or made by its end is another, and by no later one', async () => {
    await newOperation('PAID');
    await imported({
      'p.csv': positions('PAID', '2026-09', ['600,00', '40,00']),
      'c.csv': complete('PAID', '2026-09'),
    });
    const pay = (number: number, dueDate: string, paidDate: string) =>
      imported({
        'payments.csv':
          'operationTicker;trancheTicker;installmentNumber;event;dueDate;paidDate;totalValue\n' +
          `PAID;PAID1;${String(number)};Juros;${dueDate};${paidDate};10,00\n`,
      });
    await pay(2, '2026-11-16', '');
    await pay(2, '2026-10-15', '');
    expect(await details('PAID')).toMatchObject([{ dataChanged: false }]);
    await pay(1, '2026-09-15', '');
    expect(await details('PAID')).toMatchObject([{ dataChanged: true }]);
    await reissue('PAID', '2026-09', 'Parcela de setembro');
    // It was open at the end of the month, and was paid after it.
    await pay(1, '2026-09-15', '2026-10-02');
    expect(await details('PAID')).toMatchObject([{ dataChanged: false }]);
  });

  test('is issued again with a reason, and every version can be read', async () => {
    const { id } = await newOperation('AGAIN');
    await imported({
      'p.csv': positions('AGAIN', '2026-08', ['600,00', '0,00']),
      'c.csv': complete('AGAIN', '2026-08'),
    });
    expect(outcome(await reissue('AGAIN', '2026-08', 'Sem mudança'))).toBe('CONFLICT');
    await imported({ 'p.csv': positions('AGAIN', '2026-08', ['300,00']) });
    for (const reason of ['  ', 'Saldo\ncorrigido', 'x'.repeat(501)])
      expect(outcome(await reissue('AGAIN', '2026-08', reason))).toBe('BAD_REQUEST');
    expect(outcome(await reissue('again', '2026-08', ' Posição em dobro '))).toEqual({
      reissueReport: { month: '2026-08', status: 'FINAL', version: 2, reason: 'Posição em dobro', dataChanged: false },
    });
    expect(await report('AGAIN', '2026-08')).toMatchObject({
      versao: 2,
      motivo: 'Posição em dobro',
      dataChanged: false,
      carteira: { saldoDevedor: 'R$ 300,00' },
    });
    expect(await report('AGAIN', '2026-08', 2)).toEqual(await report('AGAIN', '2026-08'));
    expect(await report('AGAIN', '2026-08', 1)).toMatchObject({
      versao: 1,
      motivo: null,
      dataChanged: true,
      carteira: { saldoDevedor: 'R$ 600,00' },
    });
    const { operation } = await graph.data(
      `{ operation(ticker: "AGAIN") { reportMonths reportMonthStates { month status version reason }
        old: report(month: "2026-08", version: 1) { version portfolio { balance } } none: report(month: "2026-08", version: 3) { version } } }`,
    );
    expect(operation).toEqual({
      reportMonths: ['2026-08'],
      reportMonthStates: [{ month: '2026-08', status: 'FINAL', version: 2, reason: 'Posição em dobro' }],
      old: { version: 1, portfolio: { balance: '600.00' } },
      none: null,
    });
    expect([
      await codeOf('AGAIN', '2026-08', 3),
      await codeOf('AGAIN', '2026-08', 0),
      await codeOf('AGAIN', '', 1),
    ]).toEqual(['NOT_FOUND', 'BAD_REQUEST', 'BAD_REQUEST']);
    expect(await told(id)).toEqual(['2026-08-31', '2026-08-31']);
    const audited = await graph.dataSource.query<unknown[]>(
      `SELECT action, subject_id, outcome FROM shared.audit_log WHERE action = 'reissueReport' AND subject_id = 'AGAIN 2026-08'`,
    );
    expect(audited).toEqual([{ action: 'reissueReport', subject_id: 'AGAIN 2026-08', outcome: 'DONE' }]);
    await expect(graph.dataSource.query('UPDATE issuances.monthly_reports SET reason = NULL')).rejects.toThrow(
      'never changed',
    );
    await expect(graph.dataSource.query('DELETE FROM issuances.monthly_reports')).rejects.toThrow('never changed');
  });

  test('is closed by one of two who do it at once, and announced once', async () => {
    const { id } = await newOperation('RACE');
    await imported({ 'p.csv': positions('RACE', '2026-10', ['600,00', '0,00']) });
    const outcomes = await Promise.all(Array.from({ length: 4 }, () => close('RACE', '2026-10')));
    expect(outcomes.map(outcome).filter((one) => one === 'CONFLICT')).toHaveLength(3);
    expect(await told(id)).toEqual(['2026-10-31']);
    await imported({ 'p.csv': positions('RACE', '2026-10', ['500,00']) });
    const again = await Promise.all(Array.from({ length: 3 }, () => reissue('RACE', '2026-10', 'Corrigido')));
    expect(again.map(outcome).filter((one) => one === 'CONFLICT')).toHaveLength(2);
    expect(await details('RACE')).toEqual([{ month: '2026-10', situacao: 'final', versao: 2, dataChanged: false }]);
  });

  test('cannot be one that has not ended in São Paulo, nor be closed by who may not publish', async () => {
    await newOperation('OPEN');
    await imported({ 'p.csv': positions('OPEN', '2026-11', ['600,00']) });
    const lastEvening = fixedClock('2026-12-01T02:59:00Z');
    expect(outcome(await close('OPEN', '2026-11', { principal: operator, clock: lastEvening }))).toBe('UNPROCESSABLE');
    expect(await codeOf('OPEN', '2026-11')).toBe('NOT_FOUND');
    const report = await importTexts(graph.context({ principal: operator }), {
      'c.csv': complete('OPEN', '2026-11', '2026-05'),
    });
    const noPositions = 'month is 2026-05, and there are no positions of that month, here or in the house';
    expect(printed(report)).toEqual([
      'c.csv:2 month is 2026-11, which has not ended: today is 2026-11-20',
      `c.csv:3 ${noPositions}`,
    ]);
    await imported({ 'p.csv': positions('OPEN', '2026-04', ['600,00', '500,00']) });
    const other = await importTexts(graph.context({ principal: operator }), {
      'p.csv': positions('OPEN', '2026-04', ['600,00']),
      'c.csv': 'operationTicker;month;positions\nOPEN;2026-04;1\n',
    });
    expect(printed(other)).toEqual([
      'c.csv:2 positions is 1, and there are 2 positions of 2026-04, here and in the house',
    ]);
    const ended = { clock: fixedClock('2026-12-01T03:00:00Z') };
    expect(outcome(await close('OPEN', '2026-11', { ...ended, principal: { ...operator, scopes: ['read'] } }))).toBe(
      'FORBIDDEN',
    );
    expect(outcome(await close('OPEN', '2026-11', { ...ended, reason: 'Só um contrato' }))).toMatchObject({
      closeReport: { version: 1, reason: 'Só um contrato' },
    });
    expect(outcome(await close('NOPE', '2026-10'))).toBe('NOT_FOUND');
    expect(outcome(await reissue('OPEN', '2026-10', 'x'))).toBe('NOT_FOUND');
  });
});

describe('closing a month of which something is missing', () => {
  /** An operation without the price of 30 October, with open payments and a contract without a position of October. */
  async function incomplete(ticker: string): Promise<string> {
    const { id, series } = await newOperation(ticker);
    await graph.dataSource.query(
      `DELETE FROM issuances.unit_prices WHERE series_id = $1 AND date BETWEEN '2026-10-30' AND '2026-10-31'`,
      [series],
    );
    const payment = (number: number, due: string, paid: string | null, columns: object = {}) =>
      add(manager, 'payments', {
        id: crypto.randomUUID(),
        operation_id: id,
        series_id: series,
        installment_number: number,
        event: 'Juros',
        due_date: due,
        paid_date: paid,
        ...columns,
      });
    await payment(1, '2026-09-15', null);
    await payment(2, '2026-10-15', '2026-11-03');
    // A Saturday: it falls due on 3 November, after a holiday.
    await payment(3, '2026-10-31', null);
    await payment(4, '2026-10-15', null, { series_id: null, event: 'Prêmio' });
    await imported({ 'p.csv': positions(ticker, '2026-10', ['600,00']) });
    return id;
  }
  const missing = (ticker: string) => [
    `is 2026-10, and series ${ticker}1 has no unit price of 2026-10-30: its last one is of 2026-10-29`,
    `is 2026-10, and a payment that was due on 2026-09-15 is open: ${ticker}1 1 Juros`,
    'is 2026-10, and a payment that was due on 2026-10-15 is open: 4 Prêmio',
    `is 2026-10, and contract ${ticker}-1 has no position of it`,
  ];

  test('is refused with everything that is missing; a reason closes it, and stays with the version and in the audit log', async () => {
    const id = await incomplete('GAPS');
    const { errors } = await close('GAPS', '2026-10');
    expect(errors?.[0]?.extensions).toMatchObject({
      code: 'CONFLICT',
      details: [
        ...missing('GAPS').map((message) => ({ path: 'month', message })),
        { path: 'reason', message: 'is required to close the month as it is' },
      ],
    });
    expect(await told(id)).toEqual([]);
    expect(outcome(await close('GAPS', '2026-10', { reason: ' ' }))).toBe('BAD_REQUEST');
    expect(outcome(await close('GAPS', '2026-10', { reason: 'Parcelas em cobrança' }))).toEqual({
      closeReport: {
        month: '2026-10',
        status: 'FINAL',
        version: 1,
        reason: 'Parcelas em cobrança',
        dataChanged: false,
      },
    });
    expect(await report('GAPS', '2026-10')).toMatchObject({ versao: 1, motivo: 'Parcelas em cobrança' });
    const audited = await graph.dataSource.query<unknown[]>(
      `SELECT after ->> 'reason' AS reason, (after ->> 'missing')::int AS missing FROM shared.audit_log
       WHERE action = 'closeReport' AND subject_id = 'GAPS 2026-10' AND outcome = 'DONE'`,
    );
    expect(audited).toEqual([{ reason: 'Parcelas em cobrança', missing: 4 }]);
  });

  test('is refused by an import that declares it complete too, with the place in the file, also in a dry run; its reason closes it', async () => {
    await incomplete('DECL');
    const files = { 'c.csv': complete('DECL', '2026-10') };
    const context = graph.context({ principal: operator });
    const dry = await importTexts(context, files, { dryRun: true });
    expect(printed(dry)).toEqual(missing('DECL').map((message) => `c.csv:2 month ${message}`));
    expect(dry.settled).toBe(true);
    expect(printed(await importTexts(context, files))).toEqual(printed(dry));
    expect(await codeOf('DECL', '2026-10', 1)).toBe('NOT_FOUND');
    expect(printed(await importTexts(context, files, { correct: 'CPF 11144477735 em cobrança' }))).toEqual([]);
    expect(await report('DECL', '2026-10')).toMatchObject({
      situacao: 'final',
      motivo: 'CPF ***.***.*77-35 em cobrança',
    });
    // The same again asks for nothing: the month is final.
    expect(printed(await importTexts(context, files))).toEqual([]);
  });

  test('what the same import brings is not missing; nor are contracts that were paid off or written off before, or came later', async () => {
    const id = await newOperation('WHOLE').then((made) => made.id);
    const contract = (at: number, columns: object) =>
      addContract(manager, id, { external_id: `WHOLE-${at}`, ...columns });
    await contract(2, { status: 'SETTLED', outstanding_balance: '0' });
    await contract(3, { status: 'WRITTEN_OFF', written_off_date: '2026-09-30' });
    await contract(4, { issue_date: '2026-11-03' });
    await contract(5, {});
    await imported({
      'sept.csv': positions('WHOLE', '2026-09', ['700,00', '60,00', '0,00', '10,00']),
      'nov.csv': positions('WHOLE', '2026-11', ['500,00', '40,00']) + `WHOLE;WHOLE-5;2026-11;9,00;0,00;0,00;9,00;0\n`,
    });
    const context = graph.context({ principal: operator });
    const half = { 'p.csv': positions('WHOLE', '2026-10', ['600,00']), 'c.csv': complete('WHOLE', '2026-10') };
    expect(printed(await importTexts(context, half))).toEqual([
      'c.csv:2 month is 2026-10, and contract WHOLE-1 has no position of it',
    ]);
    const whole = { ...half, 'p.csv': positions('WHOLE', '2026-10', ['600,00', '50,00']) };
    expect(printed(await importTexts(context, whole))).toEqual([]);
    expect(await report('WHOLE', '2026-10')).toMatchObject({ versao: 1, motivo: null });
  });
});

describe('credits and series that are gone', () => {
  test('a contract leaves the portfolio on the day of its write-off, which is the first position of it where nobody says it', async () => {
    const id = await addOperation(manager, 'OFF');
    for (const at of [0, 1]) await addContract(manager, id, { external_id: `OFF-${at}` });
    await imported({
      'p.csv': ['2026-07', '2026-08', '2026-09', '2026-10']
        .map((month) => positions('OFF', month, ['100,00', '20,00']))
        .join('')
        .replaceAll(`\n${positionsHeader}`, ''),
      'complete.csv': complete('OFF', '2026-10'),
    });
    const contract = (at: number, rest: string) =>
      `OFF;OFF-${at};Fulana;11144477735;CCB;WRITTEN_OFF;1000,00;${at === 0 ? '100,00' : '20,00'};12,50;2025-03-10;2029-03-10;48;10;600;${rest}\n`;
    const header =
      'operationTicker;externalId;debtorName;debtorDocument;type;status;originalValue;outstandingBalance;rate;issueDate;maturityDate;installments;paidInstallments;daysLate;positionDate;writtenOffDate\n';
    await imported({ 'c.csv': header + contract(0, '2026-10-31;2026-08-31') + contract(1, '2026-10-15;') });
    expect(await details('OFF')).toContainEqual({ month: '2026-10', situacao: 'final', versao: 1, dataChanged: true });
    expect(outcome(await reissue('OFF', '2026-10', 'Baixas'))).toMatchObject({ reissueReport: { dataChanged: false } });
    // Imported again with a later day, the day of the write-off stays.
    await imported({ 'c.csv': header + contract(1, '2026-11-19;') });
    const balances = [];
    for (const month of ['2026-07', '2026-08', '2026-09', '2026-10']) {
      const { managementReport } = await graph.data(
        `query ($month: String!) { managementReport(ticker: "OFF", month: $month) { carteira { saldoDevedor saldoBaixado } prePagamento { meses { saldoInicial } } } }`,
        { month },
      );
      const { carteira, prePagamento } = managementReport as {
        carteira: Record<string, string>;
        prePagamento: { meses: { saldoInicial: string }[] };
      };
      balances.push([carteira['saldoDevedor'], carteira['saldoBaixado'], prePagamento.meses.at(-1)?.saldoInicial]);
    }
    expect(balances).toEqual([
      ['R$ 120,00', 'R$ 0,00', 'R$ 1.800,00'],
      ['R$ 20,00', 'R$ 100,00', 'R$ 1.800,00'],
      ['R$ 20,00', 'R$ 100,00', 'R$ 900,00'],
      ['R$ 0,00', 'R$ 120,00', 'R$ 900,00'],
    ]);
    const wrong = await importTexts(graph.context({ principal: operator }), {
      'c.csv':
        header +
        contract(1, '2026-10-31;2026-11-01') +
        contract(0, '2026-10-31;2026-08-31').replace('WRITTEN_OFF', 'ACTIVE'),
    });
    expect(printed(wrong)).toEqual([
      'c.csv:2 positionDate is 2026-10-31, before writtenOffDate, which is 2026-11-01',
      'c.csv:3 writtenOffDate may be given only where status is WRITTEN_OFF, but status is ACTIVE',
    ]);
  });

  test('a redeemed series counts no more, and a covenant that rests on an old price says so', async () => {
    const id = await addOperation(manager, 'SUB');
    await addContract(manager, id, { outstanding_balance: '3000' });
    const add3 = async (number: number, riskClass: string, last: string) => {
      const series = await addSeries(manager, id, number, { ticker: `SUB${number}`, class: riskClass, quantity: '1' });
      await addPrices(manager, series, last, last);
      return series;
    };
    const old = await add3(1, 'SENIOR', '2026-06-15');
    await add3(2, 'SENIOR', '2026-11-19');
    const junior = await add3(3, 'JUNIOR', '2026-11-18');
    const owed = await add3(4, 'SENIOR', '2026-11-18');
    await add(manager, 'unit_prices', { series_id: owed, date: '2026-11-19', value: '0' });
    const addPayment = (series_id: string, event: string, columns: object) =>
      add(manager, 'payments', {
        id: crypto.randomUUID(),
        operation_id: id,
        series_id,
        installment_number: 9,
        event,
        ...columns,
      });
    await addPayment(old, 'Resgate antecipado total', {
      due_date: '2026-06-15',
      paid_date: '2026-06-15',
      total_value: '1000',
    });
    // The unpaid part of a redemption is owed until it is paid, whatever the price after it; redeemed units exist until then.
    await addPayment(owed, 'Resgate antecipado (E1)', { due_date: '2026-11-18', total_value: '3000' });
    await addPayment(junior, 'Resgate parcial (E1)', {
      due_date: '2026-11-20',
      paid_date: '2026-12-01',
      total_value: '1000',
      units: '2',
    });
    await addCovenant(manager, id, {
      name: 'Subordinação mínima',
      metric: 'SUBORDINATION',
      comparison: 'AT_LEAST',
      threshold: '40',
    });
    await addCovenant(manager, id, { position: 1, metric: 'LTV', threshold: '80' });
    const { managementReport } = await graph.data(
      `{ managementReport(ticker: "SUB") { covenants { nome valor cumprido ressalva }
        subordinacao { indice cobertura series { ticker saldo dataPu desatualizado emAtraso } encerradas { ticker motivo data } } } }`,
    );
    expect(managementReport).toEqual({
      covenants: [
        { nome: 'Subordinação mínima', valor: '33,3333%', cumprido: false, ressalva: 'Preço unitário desatualizado' },
        { nome: 'LTV', valor: null, cumprido: null, ressalva: 'Indicador não calculável' },
      ],
      subordinacao: {
        indice: '33,3333%',
        cobertura: '50,0000%',
        series: [
          { ticker: 'SUB2', saldo: 'R$ 1.000,00', dataPu: '19/11/2026', desatualizado: false, emAtraso: 'R$ 0,00' },
          { ticker: 'SUB3', saldo: 'R$ 2.000,00', dataPu: '18/11/2026', desatualizado: true, emAtraso: 'R$ 0,00' },
          { ticker: 'SUB4', saldo: 'R$ 3.000,00', dataPu: '19/11/2026', desatualizado: false, emAtraso: 'R$ 0,00' },
        ],
        encerradas: [{ ticker: 'SUB1', motivo: 'Resgatada', data: '15/06/2026' }],
      },
    });
  });

  test('the live report ages what is late from its base date to today, and leaves what is punctual', async () => {
    const id = await addOperation(manager, 'AGE');
    await addContract(manager, id, { outstanding_balance: '70', days_late: 55, position_date: '2026-11-10' });
    await addContract(manager, id, { outstanding_balance: '30', days_late: 0, position_date: '2026-11-12' });
    const bands = async () => {
      const { operation } = await graph.data(
        `{ operation(ticker: "AGE") { report { position portfolio { baseDate overdueBalance } aging { label balance } } } }`,
      );
      const { report } = operation as { report: { aging: { label: string; balance: string }[] } };
      return { ...report, aging: report.aging.filter(({ balance }) => balance !== '0.00').map(({ label }) => label) };
    };
    const portfolio = { baseDate: '2026-11-12', overdueBalance: '70.00' };
    graph.clock.set('2026-11-15T15:00:00Z');
    expect(await bands()).toEqual({ position: '2026-11-15', portfolio, aging: ['A vencer', '31-60'] });
    graph.clock.set(now);
    expect(await bands()).toEqual({ position: '2026-11-20', portfolio, aging: ['A vencer', '61-90'] });
  });
});
