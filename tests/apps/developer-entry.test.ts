import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { chromium, type Browser } from 'playwright-core';
import { openDomains } from '../../bootstrap/subgraphs.js';
import { fixedClock } from '../kit/clock.js';
import { inPortuguese } from './panel-texts.js';
import { until } from '../kit/until.js';
import { mailedLink, newestPrice, openPanelSite, publishPrice, watch, writeHtml } from './panel-kit.js';

const { account, developer, frame } = inPortuguese;

const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
const reason = `there is no Chromium at ${executablePath}: install it (apt-get install chromium), or name it by CHROMIUM`;

const email = 'rita@exemplo.com.br';
const password = 'a-long-password-1';

async function register(url: string): Promise<void> {
  const post = async (path: string, body: object) =>
    (
      await fetch(`${url}/v1/emissoes/auth/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    ).status;
  expect(await post('register', { name: 'Rita Prado', company: 'Casa', email, password })).toBe(200);
  const token = new URL(await mailedLink(url, email)).searchParams.get('token');
  expect(await post('verify-email', { token })).toBe(200);
}

if (!existsSync(executablePath)) {
  test.skip(`the way of a developer into the panel: ${reason}`, () => undefined);
} else {
  describe('a developer who is logged out', () => {
    let site: Awaited<ReturnType<typeof openPanelSite>>;
    let browser: Browser;
    beforeAll(async () => {
      site = await openPanelSite();
      browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
      await register(site.url);
    });
    afterAll(async () => {
      await browser.close();
      await site.platform.close();
    });

    test('comes to the list that a link names past the log-in, and is logged in in the editor of queries', async () => {
      const { context, page, check } = await watch(browser, site.url, { locale: 'pt-BR' });
      await page.goto(`${site.url}/painel/desenvolvedor/requisicoes?status=4`);
      await page.fill('[name=email]', email);
      await page.fill('[name=password]', password);
      await page.getByRole('button', { name: account.logIn.submit, exact: true }).click();
      await page.getByRole('heading', { level: 1, name: developer.words.requests }).waitFor();
      expect(new URL(page.url()).search).toBe('?status=4');
      await check();

      await page.goto(`${site.url}/graphql?query=${encodeURIComponent('{ me { email } }')}`);
      await page.locator('.graphiql-execute-button').click();
      await page.locator('.result-window').getByText(email).waitFor();
      await context.close();
    });

    test('gets pages that write no HTML from text: the browser refuses it', async () => {
      const page = await browser.newPage();
      for (const path of ['/painel/entrar', '/painel/cadastro', '/painel/nada']) {
        await page.goto(`${site.url}${path}`);
        await page.locator('main, #panel').first().waitFor();
        expect([path, await page.evaluate(writeHtml)]).toEqual([path, 'TypeError']);
      }
      await page.close();
    });

    test('follows an operation, and gets what is published about it as a digest', async () => {
      const { context, page, check } = await watch(browser, site.url, { locale: 'pt-BR' });
      await page.goto(`${site.url}/painel/conta/dados`);
      await page.fill('[name=email]', email);
      await page.fill('[name=password]', password);
      await page.getByRole('button', { name: account.logIn.submit, exact: true }).click();
      await page.selectOption('[name=digest]', 'DAILY');
      await page.getByRole('button', { name: frame.save, exact: true }).click();
      await page.getByText(account.mails.saved).waitFor();
      await check();
      const { series } = await newestPrice(site.platform);
      const { context: own } = site.platform.infrastructure;
      const ticker = await own.manager.value<string>(
        'SELECT operations.ticker FROM issuances.operations JOIN issuances.series ON operation_id = operations.id WHERE series.ticker = $1',
        [series],
      );
      const followed = await page.request.post(`${site.url}/graphql`, {
        headers: { origin: site.url },
        data: {
          query: 'mutation ($ticker: String!) { followOperation(ticker: $ticker) { ticker } }',
          variables: { ticker },
        },
      });
      expect(await followed.json()).toMatchObject({ data: { followOperation: { ticker } } });
      await publishPrice(site.platform, '1002.5');
      const domains = await openDomains(site.platform.infrastructure);
      const job = domains.accounts.jobs.find(({ name }) => name === 'accounts.digests');
      // The relay takes its time; each day is one on which a digest may be due.
      await mailedWith(email, async (day) => {
        await job?.run({ ...own, clock: fixedClock(new Date(Date.now() + day * 86_400_000).toISOString()) });
      });
      await domains.close();
      await context.close();
    });

    /** Runs one day after the other until a digest with the price was mailed. */
    async function mailedWith(to: string, run: (day: number) => Promise<void>): Promise<void> {
      let day = 0;
      await until('the digest with the price', async () => {
        await run((day += 1));
        const mails = await (await fetch(`${site.url}/dev/mailbox?to=${encodeURIComponent(to)}`)).text();
        return mails.includes('1.002,50000000');
      });
    }
  });
}
