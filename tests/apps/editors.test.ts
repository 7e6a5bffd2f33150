import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { chromium, type Browser, type Page } from 'playwright-core';
import { openSite } from './kit.js';

const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
const reason = `there is no Chromium at ${executablePath}: install it (apt-get install chromium), or name it by CHROMIUM`;

if (!existsSync(executablePath)) {
  test.skip(`the editor of queries: ${reason}`, () => undefined);
} else {
  describe('under a Content-Security-Policy that permits no script but its own', () => {
    let site: Awaited<ReturnType<typeof openSite>>;
    let browser: Browser;
    beforeAll(async () => {
      [site, browser] = await Promise.all([openSite(), chromium.launch({ executablePath, args: ['--no-sandbox'] })]);
    });
    afterAll(async () => {
      await browser.close();
      await site.platform.close();
    });

    /** Opens a page of a strict policy. @returns it, with everything that the browser complains about */
    async function open(path: string): Promise<{ page: Page; complaints: readonly string[] }> {
      const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
      const complaints: string[] = [];
      page.on('console', (message) => {
        if (message.type() === 'error') complaints.push(message.text());
      });
      page.on('pageerror', (error) => complaints.push(error.message));
      page.on('request', (request) => {
        if (!request.url().startsWith(site.url) && !/^(data|blob):/.test(request.url())) complaints.push(request.url());
      });
      const response = await page.goto(`${site.url}${path}`);
      const policy = (await response?.headerValue('content-security-policy')) ?? '';
      expect(policy).toMatch(/^default-src 'none'; script-src 'sha256-[^' ]+'; style-src 'unsafe-inline';/);
      return { page, complaints };
    }

    test('the editor of queries runs a query, completes a name, and shows what is typed as it is', async () => {
      const { page, complaints } = await open('/graphql');
      await page.locator('.graphiql-execute-button').click();
      await page.locator('.result-window').getByText('pricedOn').first().waitFor();
      const lines = page.locator('.graphiql-query-editor .view-line');
      // The lines stand below each other, and have the colours of the language.
      const places = await lines.evaluateAll((all) => all.map((line) => line.getBoundingClientRect().top));
      expect(new Set(places).size).toBe(places.length);
      const colours = await page
        .locator('.graphiql-query-editor .view-line span span')
        .evaluateAll((all) => all.map((one) => getComputedStyle(one).color));
      expect(new Set(colours).size).toBeGreaterThan(3);

      await lines.first().click();
      await page.keyboard.press('Control+A');
      await page.keyboard.type('{ tranches(first: 1) { nodes { patrimonyTi');
      await page.locator('.suggest-widget.visible').getByText('patrimonyTicker').first().waitFor();
      await page.keyboard.press('Escape');
      await page.keyboard.press('Control+A');
      const typed = '# <b style="color: red"> style="x"';
      await page.keyboard.type(typed);
      await expect(
        lines
          .first()
          .textContent()
          .then((text) => text?.replaceAll('\u00a0', ' ')),
      ).resolves.toBe(typed);
      expect(complaints).toEqual([]);
      await page.close();
    });
  });
}
