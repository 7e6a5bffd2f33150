import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { base32 } from '@scure/base';
import { totpCode, totpStep } from '../../subgraphs/accounts/second-factors/totp.js';
import { openBrowser, openBrowserPlatform, ownPage, type Browser } from './browser.js';
import { password } from './http.js';

let email: string;
/** A browser in which the owner has logged in, and logged out. */
let owners: Browser;

const opened = await openBrowserPlatform({ TRUST_PROXY: '127.0.0.1' });
afterAll(() => opened.platform.close());
beforeEach(async () => {
  ({ email, browser: owners } = await opened.newVisitor());
  await atHome('/web/session', { email, password });
  await owners.send('DELETE', '/web/session');
});

const home = { ...ownPage, 'x-forwarded-for': '192.0.2.7' };
const atHome = (path: string, body: object) => owners.post(path, body, home);
const from = (address: string) => ({ 'x-forwarded-for': address });
const login = async (given: string, address: string) =>
  (await opened.caller.post('/v1/emissoes/auth/login', { email, password: given }, from(address))).status;

/** Tries a wrong password some times from an address; returns the statuses. */
async function guess(times: number, address: string): Promise<number[]> {
  const statuses = [];
  for (let turn = 0; turn < times; turn += 1) statuses.push(await login('wrong-password-1', address));
  return statuses;
}

describe('ten wrong passwords', () => {
  test('lock out their own network, and nobody elsewhere', async () => {
    expect(await guess(11, '203.0.113.9')).toEqual([...Array<number>(10).fill(401), 429]);
    expect(await login(password, '203.0.113.10')).toBe(429);
    expect(await login(password, '198.51.100.1')).toBe(200);
  });

  test('in its own network do not lock out a browser that logged in before, which has ten of its own', async () => {
    await guess(10, '192.0.2.9');
    expect(await login(password, '192.0.2.7')).toBe(429);
    expect((await atHome('/web/session', { email, password })).status).toBe(204);
    const wrong = () => atHome('/web/session', { email, password: 'wrong-password-1' });
    for (let turn = 0; turn < 10; turn += 1) expect((await wrong()).status).toBe(401);
    expect((await atHome('/web/session', { email, password })).status).toBe(429);
  });

  test('are counted by the network for a browser of somebody else, and for a cookie that was made up', async () => {
    await guess(10, '192.0.2.9');
    const { browser, email: other } = await opened.newVisitor();
    await browser.post('/web/session', { email: other, password }, home);
    const [id = ''] = (owners.device ?? '').split('.');
    for (const device of [browser.device, id, `${id}.${'A'.repeat(22)}`, 'x']) {
      owners.device = device;
      expect((await atHome('/web/session', { email, password })).status).toBe(429);
    }
  });
});

test('a hundred wrong passwords from many networks lock out those that are not known, and neither a known network nor a known browser', async () => {
  expect(await login(password, '198.51.100.1')).toBe(200);
  for (let network = 0; network < 10; network += 1) await guess(10, `203.0.${network}.1`);
  expect(await guess(1, '203.0.200.1')).toEqual([429]);
  expect(await login(password, '203.0.201.1')).toBe(429);
  expect(await login(password, '198.51.100.77')).toBe(200);
  expect((await atHome('/web/session', { email, password })).status).toBe(204);
  opened.clock.advance(15 * 60_000);
  expect(await login(password, '203.0.201.1')).toBe(200);
});

test('wrong codes of somebody who knows the password lock out neither the owner’s browser nor go on in further sessions', async () => {
  await atHome('/web/session', { email, password });
  const begun = await owners.graphql('mutation { beginTotp { secret } }');
  const { secret } = (begun.body as { data: { beginTotp: { secret: string } } }).data.beginTotp;
  const code = () =>
    totpCode(base32.decode(secret.padEnd(Math.ceil(secret.length / 8) * 8, '=')), totpStep(opened.clock.now()));
  await owners.graphql('mutation ($code: String!) { confirmTotp(code: $code) { recoveryCodes } }', { code: code() });
  await owners.send('DELETE', '/web/session');
  opened.clock.advance(30_000);

  const statuses = [];
  for (let session = 0; session < 4; session += 1) {
    const thief = openBrowser(opened.platform);
    const headers = { ...ownPage, 'x-forwarded-for': '192.0.2.66' };
    expect((await thief.post('/web/session', { email, password }, headers)).status).toBe(204);
    expect(thief.device).toBeUndefined();
    for (let turn = 0; turn < 3; turn += 1)
      statuses.push((await thief.post('/web/session/step-up', { totp: '000000' }, headers)).status);
  }
  expect(statuses).toEqual([...Array<number>(10).fill(422), 429, 429]);
  expect((await atHome('/web/session', { email, password })).status).toBe(204);
  expect((await atHome('/web/session/step-up', { totp: code() })).status).toBe(204);
});
