import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { chromium, type Browser } from 'playwright-core';
import { inPortuguese } from './panel-texts.js';
import { mailedLink, openPanelSite, watch, writeHtml } from './panel-kit.js';

const { account, developer } = inPortuguese;

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
  });
}
