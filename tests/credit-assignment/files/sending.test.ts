import { afterAll, expect, test } from '@jest/globals';
import { gzipSync } from 'node:zlib';
import { templates } from '../../../apps/panel/originator/file-kind.js';
import { newId } from '../../../shared/kernel/ids.js';
import { ownPage } from '../../accounts/browser.js';
import { openClientBrowser } from '../browser-kit.js';
import { addOpenEstate, permit } from '../estates/kit.js';
import { sendSigned } from '../signing-kit.js';

const patrimonyId = newId();

/** A file by the panel's template. */
const csv = (...rows: readonly string[]) =>
  templates.assignment + rows.map((row) => `${row}${';'.repeat(9)}\r\n`).join('');
const good = csv('F-1;11222333000181;1000,50;31/01/2031', 'F-2;52998224725;2000;2031-01-31');

const opened = await openClientBrowser();
afterAll(() => opened.platform.close());
const { allow, browser, client } = opened;
const { dataSource } = opened.platform.infrastructure;
await addOpenEstate(dataSource, patrimonyId, 'FILES');
await permit(dataSource, client.clientId, patrimonyId);

async function dataOf<T>(text: string, variables?: Record<string, unknown>): Promise<T> {
  const { data, errors } = (await browser.graphql(text, variables)).body as { data: T; errors?: object[] };
  if (errors !== undefined) throw new Error(JSON.stringify(errors));
  return data;
}

/** Sends a file from a page of the site. */
async function sendAsPerson(
  path: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
) {
  const response = await fetch(`${opened.platform.url}${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'text/plain; profile=file',
      cookie: `__Host-lastro=${browser.cookie ?? ''}`,
      ...ownPage,
      ...headers,
    },
    body,
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

const sendPath = `/v1/assignment-files?patrimonyId=${patrimonyId}&format=CSV`;
const checkPath = `/v1/assignment-files/check?patrimonyId=${patrimonyId}&format=CSV`;

test('a client checks a file by a signed request, and reads every error and the file with them', async () => {
  const target = `/tidc/v1/credit-batches/check-file?patrimonyId=${patrimonyId}&format=CSV&errorFile=true&language=EN`;
  const checked = await sendSigned(opened.platform.url, client, target, {
    method: 'POST',
    body: csv('F-1;11222333000182;1000;2031-01-31'),
    timestamp: Math.floor(opened.clock.now().getTime() / 1000),
    headers: { 'content-type': 'text/plain; profile=file' },
  });
  expect(checked).toMatchObject({
    status: 200,
    body: {
      lineCount: 1,
      total: '1000.00',
      accepted: false,
      refusal: { statusCode: 422, code: 'UNPROCESSABLE' },
      eligible: null,
      errorCount: 1,
      errors: [{ line: 2, field: 'debtorDocument', value: '11222333000182', rule: 'CHECK_DIGITS' }],
      errorFile: expect.stringContaining('column debtorDocument has wrong check digits') as unknown,
    },
  });
});

test('an empty file as text gets the same response as one in JSON', async () => {
  const asText = await sendAsPerson(checkPath, '');
  const json = JSON.stringify({ patrimonyId, format: 'CSV', file: '' });
  const asJson = await sendAsPerson('/v1/assignment-files/check', json, { 'content-type': 'application/json' });
  expect(asText).toMatchObject({ status: 200, body: { errors: [{ rule: 'FILE_EMPTY' }] } });
  expect(asText).toEqual(asJson);
});

test('a person of the account checks, and sends only with the permission of an operator', async () => {
  expect(await sendAsPerson(checkPath, good)).toMatchObject({
    status: 200,
    body: { accepted: true, eligible: true, errorCount: 0, lineCount: 2, total: '3000.50' },
  });
  expect(await sendAsPerson(sendPath, good)).toMatchObject({ status: 403 });
  expect(await allow(true)).toEqual({ data: { permitAccountToSend: { accountMaySend: true } } });
  const sent = await sendAsPerson(sendPath, new Uint8Array(gzipSync(good)), { 'content-encoding': 'gzip' });
  expect(sent).toMatchObject({ status: 201, body: { status: 'DRAFT', receivableCount: 2, totalFaceValue: '3000.50' } });
  const { id } = sent.body;
  const submit = 'mutation ($id: ID!) { submitCreditBatch(id: $id) { status } }';
  opened.clock.advance(6 * 60_000);
  expect(await browser.errorOf(submit, { id })).toBe('STEP_UP_REQUIRED');
  opened.clock.advance(-6 * 60_000);
  expect(await dataOf(submit, { id })).toEqual({ submitCreditBatch: { status: 'SUBMITTED' } });
  const acts = await opened.query<{ action: string; actor_kind: string }>(
    `SELECT action, actor_kind FROM shared.audit_log WHERE subject_id = $1 ORDER BY id`,
    [id],
  );
  expect(acts).toEqual([
    { action: 'createCreditBatchFromFile', actor_kind: 'SESSION' },
    { action: 'submitCreditBatch', actor_kind: 'SESSION' },
  ]);
  await allow(false);
  expect(await browser.errorOf('mutation ($id: ID!) { cancelCreditBatch(id: $id) { status } }', { id })).toBe(
    'FORBIDDEN',
  );
});

test('nobody sends from another site, with a bearer token, or for a client that is not theirs', async () => {
  await allow(true);
  expect((await sendAsPerson(sendPath, good, { 'sec-fetch-site': 'cross-site' })).status).toBe(401);
  expect((await sendAsPerson(`${sendPath}&originatorId=${newId()}`, good)).status).toBe(404);
  const asBearer = { cookie: '', ...(await opened.caller.member(`${newId()}@casa.example`)) };
  for (const [path, byProgram] of [
    [sendPath, 'POST /tidc/v1/credit-batches'],
    [`/v1/settlement-files?creditBatchId=${newId()}&format=CSV`, 'POST /tidc/v1/settlement-batches'],
  ] as const) {
    const message = `This path takes the session of a browser alone. A program sends a signed ${byProgram}`;
    expect(await sendAsPerson(path, good, asBearer)).toMatchObject({ status: 403, body: { message } });
  }
  expect(await sendAsPerson(checkPath, good, asBearer)).toMatchObject({
    status: 404,
    body: { message: 'This account is linked with no client: ask the operator to link it' },
  });
});
