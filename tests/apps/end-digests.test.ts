import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createEndTokens } from '../../subgraphs/accounts/digests/end-token.js';
import { testKeyRing } from '../kit/context.js';
import { openSite, readable } from './kit.js';

type Site = Awaited<ReturnType<typeof openSite>>;
let site: Site;
let accountId: string;
beforeAll(async () => {
  site = await openSite();
  accountId = (await manager().values<string>('SELECT id FROM accounts.accounts LIMIT 1'))[0] ?? '';
});
afterAll(() => site.platform.close());

const tokenOf = () => createEndTokens(testKeyRing).tokenFor(accountId);
const manager = () => site.platform.infrastructure.context.manager;
const choose = () =>
  manager().execute(
    `UPDATE accounts.accounts SET digest = 'DAILY', digest_after = 0, digest_day = '2026-11-20' WHERE id = $1`,
    [accountId],
  );
const chosen = () => manager().value<string>('SELECT digest FROM accounts.accounts WHERE id = $1', [accountId]);
const post = (path: string, body: FormData | URLSearchParams) =>
  fetch(`${site.url}${path}`, { method: 'POST', body, redirect: 'manual' });

test('the button of a mail program ends digests by either form of body, without a cookie', async () => {
  const form = new FormData();
  form.set('List-Unsubscribe', 'One-Click');
  for (const body of [new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }), form]) {
    await choose();
    const response = await post(`/encerrar-resumos?token=${tokenOf()}`, body);
    expect(response.status).toBe(200);
    expect(readable(await response.text())).toContain('Os resumos foram encerrados.');
    expect(await chosen()).toBe('NONE');
  }
});

test('opening the link changes nothing: the page asks, and its form posts to the same address', async () => {
  await choose();
  const response = await site.get(`/en/encerrar-resumos?token=${tokenOf()}`);
  const html = await response.text();
  expect(response.status).toBe(200);
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(response.headers.get('referrer-policy')).toBe('no-referrer');
  expect(html).toContain('<form method="post">');
  expect(readable(html)).toContain('End the digests');
  expect(await chosen()).toBe('DAILY');
});

test('a token that is not valid is 422 with a page, none is 400, and neither changes anything', async () => {
  const wrong = await post('/en/encerrar-resumos?token=abc', new URLSearchParams());
  expect(wrong.status).toBe(422);
  expect(readable(await wrong.text())).toContain('The address is not valid any more.');
  expect((await post('/encerrar-resumos', new URLSearchParams())).status).toBe(400);
  expect((await site.get('/encerrar-resumos')).status).toBe(400);
  expect(await chosen()).toBe('DAILY');
});
