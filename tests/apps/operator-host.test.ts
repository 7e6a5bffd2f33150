import { existsSync } from 'node:fs';
import { request as send } from 'node:http';
import { afterAll, describe, expect, test } from '@jest/globals';
import { chromium } from 'playwright-core';
import { newOperator } from '../kit/operator.js';
import { freePort } from '../kit/free-port.js';
import { openPanelSite, watch } from './panel-kit.js';
import { addPasskey, englishDesk, executablePath, giveAuthenticator, heading, press } from './panel-views.js';

const { texts } = englishDesk;
const { account, frame, operator } = texts;

interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}
const home = () => `localhost:${port}`;
const operators = () => `operacao.localhost:${port}`;

const port = await freePort();
const site = await openPanelSite({
  PORT: String(port),
  PUBLIC_URL: `http://${home()}`,
  OPERATOR_URL: `http://${operators()}`,
});
const olga = await newOperator(site.platform.infrastructure.context);
const demo = site.platform.demo();
afterAll(() => site.platform.close());

/** Sends a request for a host, as a page of that host does unless other headers say where it comes from. */
function ask(
  host: string,
  method: string,
  path: string,
  given: { readonly body?: object; readonly headers?: Record<string, string> } = {},
): Promise<Reply> {
  const { body, headers = { 'sec-fetch-site': 'same-origin' } } = given;
  const content = body === undefined ? {} : { 'content-type': 'application/json' };
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, method, path, headers: { host, ...content, ...headers } };
    const request = send(options, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (text += chunk));
      response.on('end', () => {
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text });
      });
    });
    request.on('error', reject);
    request.end(body === undefined ? undefined : JSON.stringify(body));
  });
}
const logIn = (host: string, body: object, headers?: Record<string, string>) =>
  ask(host, 'POST', '/web/session', headers === undefined ? { body } : { body, headers });
const cookieOf = ({ headers }: Reply) => /__Host-lastro=[^;]+/.exec(String(headers['set-cookie']))?.[0] ?? '';
const sessionBy = (host: string, cookie: string) =>
  ask(host, 'GET', '/web/session', { headers: { 'sec-fetch-site': 'same-origin', cookie } });

describe('where operators have a host of their own', () => {
  test('they log in there by a browser, and nowhere else; nobody else logs in there', async () => {
    const first = { operatorKey: olga.key };
    expect((await logIn(operators(), first)).status).toBe(204);
    expect((await logIn(home(), first)).status).toBe(404);
    const { email, password } = demo.account;
    const { apiKey, secretKey } = demo.trading;
    for (const other of [
      { email, password },
      { apiKey, secretKey },
    ]) {
      expect((await logIn(home(), other)).status).toBe(204);
      expect((await logIn(operators(), other)).status).toBe(404);
    }
    expect((await ask(home(), 'POST', '/web/session/passkey-request')).status).toBe(200);
    expect((await ask(operators(), 'POST', '/web/session/passkey-request')).status).toBe(404);
  });

  test('a cookie counts on the host of its owner alone', async () => {
    const own = cookieOf(await logIn(operators(), { operatorKey: olga.key }));
    expect((await sessionBy(operators(), own)).status).toBe(200);
    expect((await sessionBy(home(), own)).status).toBe(204);
    const { email, password } = demo.account;
    const other = cookieOf(await logIn(home(), { email, password }));
    expect((await sessionBy(home(), other)).status).toBe(200);
    expect((await sessionBy(operators(), other)).status).toBe(204);
  });

  test('a page of either host is no page of the other', async () => {
    const first = { operatorKey: olga.key };
    expect((await logIn(operators(), first, { origin: `http://${operators()}` })).status).toBe(204);
    expect((await logIn(operators(), first, { origin: `http://${home()}` })).status).toBe(403);
    expect((await logIn(operators(), first, { 'sec-fetch-site': 'same-site' })).status).toBe(403);
    const { email, password } = demo.account;
    expect((await logIn(home(), { email, password }, { origin: `http://${operators()}` })).status).toBe(403);
  });

  test('it serves the panel, the graph and the probes; readers of other pages go on to the public host', async () => {
    for (const path of ['/painel', '/en/painel/operacao/mesa', '/healthz'])
      expect((await ask(operators(), 'GET', path)).status).toBe(200);
    const graph = await ask(operators(), 'POST', '/graphql', {
      body: { query: '{ operators { email } }' },
      headers: { 'x-api-key': olga.key },
    });
    expect(graph.body).toContain(olga.email);
    for (const [path, to] of [
      ['/', '/painel'],
      ['/emissoes?q=cri', `http://${home()}/emissoes?q=cri`],
      ['/docs', `http://${home()}/docs`],
      ['/painelx', `http://${home()}/painelx`],
    ] as const) {
      const { status, headers } = await ask(operators(), 'GET', path);
      expect([status, headers['location']]).toEqual([302, to]);
    }
    expect((await ask(operators(), 'POST', '/v1/emissoes/auth/login', { body: demo.account })).status).toBe(404);
    expect((await ask(home(), 'GET', '/emissoes')).status).toBe(200);
  });
});

const inBrowser = existsSync(executablePath) ? test : test.skip;
inBrowser(
  'an operator logs in there by Chromium, adds a passkey of that host, and proves it; elsewhere no operator is asked for',
  async () => {
    const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
    const { page, context, check } = await watch(browser, `http://${operators()}`, {});
    await giveAuthenticator(page);
    await page.goto(`http://${operators()}/en/painel`);
    await heading(page, account.logIn.title);
    expect(await page.locator('input').count()).toBe(1);
    await check();
    await page.fill('[name=email]', olga.key);
    await press(page, account.logIn.submit);
    await addPasskey(page, texts);
    await page.goto(`http://${operators()}/en/painel/operacao/originadores`);
    await heading(page, operator.originators.title);
    await press(page, frame.logOut);
    await heading(page, account.logIn.title);
    await page.fill('[name=email]', olga.key);
    await press(page, account.logIn.submit);
    await heading(page, account.secondFactor.title);
    await press(page, frame.stepUp.passkey);
    await heading(page, texts.home.title);
    await context.close();

    const elsewhere = await watch(browser, `http://${home()}`, {});
    await elsewhere.page.goto(`http://${home()}/en/painel`);
    await heading(elsewhere.page, account.logIn.title);
    await elsewhere.page.getByLabel(account.logIn.emailOrKey, { exact: true }).waitFor();
    await elsewhere.check();
    await browser.close();
  },
  120_000,
);
