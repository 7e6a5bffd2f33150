import { randomUUID } from 'node:crypto';
import type { Fields, ResponseKit } from './response-kit.js';

const base = '/tidc/v1';
const listOf = (body: Fields, name: string) => body[name] as Fields[];
const textOf = (fields: Fields | undefined, name: string) => String(fields?.[name]);

const contract = (externalId: string) => ({
  externalId,
  debtorDocument: '52998224725',
  faceValue: 150.5,
  dueDate: new Date(Date.now() + 200 * 86_400_000).toISOString().slice(0, 10),
});

/** Batches of the demo's originator in every state, and some acts. */
export async function useCreditAssignment({ read }: ResponseKit): Promise<void> {
  const get = (path: string) => read('GET', `${base}/${path}`, { as: 'signature' });
  const send = (method: string, path: string, body?: unknown) =>
    read(method, `${base}/${path}`, { as: 'signature', ...(body === undefined ? {} : { body }) });
  const batches = listOf(await get('credit-batches?limit=100'), 'data');
  for (const { id, status } of batches) {
    const path = `credit-batches/${String(id)}`;
    await get(path);
    await get(`${path}?contracts=false`);
    if (status === 'DRAFT' || status === 'SUBMITTED') await get(`${path}/check`);
    if (status === 'REJECTED') await get(`credit-batches/${textOf(await send('POST', `${path}/remake`), 'id')}`);
    for (const one of listOf(await get(`${path}/receivables?limit=100`), 'items'))
      await get(`receivables/${textOf(one, 'id')}`);
  }
  await get('receivables?externalId=CESSAO-1-0001');
  const patrimonyId = textOf(
    batches.find(({ status }) => status === 'PROCESSED'),
    'patrimonyId',
  );
  const make = async (name: string) =>
    textOf(await send('POST', 'credit-batches', { patrimonyId, contracts: [contract(name)] }), 'id');
  const draft = await make('R-1');
  await send('POST', `credit-batches/${draft}/contracts`, { contracts: [contract('R-2'), contract('CESSAO-1-0001')] });
  await get(`credit-batches/${draft}/check`);
  await send('PUT', `credit-batches/${draft}/contracts`, { contracts: [contract('R-3'), contract('R-4')] });
  await send('DELETE', `credit-batches/${draft}/contracts/R-4`);
  await send('POST', `credit-batches/${draft}/submit`);
  await send('POST', `credit-batches/${await make('R-5')}/cancel`);
  const header = 'externalId;debtorDocument;faceValue;dueDate';
  const { externalId, debtorDocument, faceValue, dueDate } = contract('R-6');
  const line = [externalId, debtorDocument, faceValue, dueDate].join(';');
  const checkFile = (format: string, file: string, errorFile = true, estate = patrimonyId) =>
    send('POST', 'credit-batches/check-file', { patrimonyId: estate, format, file, errorFile });
  await checkFile('CSV', `${header}\n${line}`);
  await checkFile('CSV', `${header}\n${line.replace('R-6', 'CESSAO-1-0001')}\n`);
  await checkFile('CSV', `${header}\n"\n${line.replace('52998224725', '52998224726')}`);
  await checkFile('CNAB444', `${'1'.repeat(444)}\n`, false);
  // An estate that does not exist, and those that the originator may not send to.
  const estates = listOf(await read('GET', '/public/patrimonies?limit=100'), 'items').map(({ id }) => String(id));
  for (const estate of [randomUUID(), ...estates]) await checkFile('CSV', `${header}\n${line}`, false, estate);
  await useSettlements(
    { get, send },
    textOf(
      batches.find(({ status }) => status === 'PROCESSED'),
      'id',
    ),
  );
}

interface Client {
  readonly get: (path: string) => Promise<Fields>;
  readonly send: (method: string, path: string, body?: unknown) => Promise<Fields>;
}

async function useSettlements({ get, send }: Client, creditBatchId: string): Promise<void> {
  for (const { id } of listOf(await get('settlement-batches?limit=100'), 'data'))
    for (const query of ['', '?settlements=false']) await get(`settlement-batches/${String(id)}${query}`);
  const { contracts } = (await get(`credit-batches/${creditBatchId}`)) as { contracts: Fields[] };
  const open = contracts.filter(({ status }) => status === 'OPEN').at(-1);
  const settledDate = new Date(Date.now() - 3 * 3_600_000).toISOString().slice(0, 10);
  const payment = { contractId: textOf(open, 'id'), settledAmount: 0.5, settledDate, paymentReference: 'R-1' };
  const month = settledDate.slice(0, 7);
  for (const query of ['', `?patrimonyId=${randomUUID()}`]) await get(`receivable-statements/${month}${query}`);
  const make = async (more: Fields) =>
    textOf(
      await send('POST', 'settlement-batches', { creditBatchId, settlements: [{ ...payment, ...more }], draft: true }),
      'id',
    );
  const draft = await make({});
  await get(`settlement-batches/${draft}`);
  await send('POST', `settlement-batches/${draft}/submit`);
  const file = `externalId;settledAmount;settledDate\n${textOf(open, 'externalId')};0.50;${settledDate}`;
  await send('POST', 'settlement-batches/check-file', { creditBatchId, format: 'CSV', file });
  const abated = { kind: 'ABATEMENT', reason: 'damaged', paymentReference: 'R-3' };
  await get(`settlement-batches/${await make(abated)}`);
  await send('POST', `settlement-batches/${await make({ paymentReference: 'R-2' })}/cancel`);
}
