import { expect, test } from '@jest/globals';
import type { BrowserContextOptions } from 'playwright-core';
import { openSite } from './kit.js';
import { axe, complaintsOf, expectToFit } from './panel-kit.js';
import { describeInBrowser, openAround } from './panel-views.js';

describeInBrowser('the reference', () => {
  const opened = openAround(openSite);

  async function open(path: string, options: BrowserContextOptions = {}) {
    const page = await opened.browser.newPage({ viewport: { width: 1440, height: 900 }, ...options });
    const complaints = complaintsOf(page, opened.site.url);
    await page.goto(`${opened.site.url}${path}`);
    return { page, complaints };
  }

  test.each([
    {
      path: '/docs',
      summary: 'Obter o resumo dos ativos',
      event: 'Uma parcela foi paga.',
      acts: ['Testar Requisição', 'Enviar'],
    },
    {
      path: '/en/docs',
      summary: 'Get the summary of assets',
      event: 'An instalment, or what an event pays, was paid in full.',
      acts: ['Test Request', 'Send'],
    },
  ])('shows operations and events of $path in its language, and sends a request to this site', async (one) => {
    const { page, complaints } = await open(`${one.path}/rest/assetSummary`);
    await page.getByRole('heading', { name: one.summary }).waitFor();
    expect(new URL(page.url()).pathname).toBe(one.path);
    const [trial = '', send = ''] = one.acts;
    await page.getByRole('button', { name: trial }).filter({ hasText: '/public/assets/summary' }).click();
    const response = page.waitForResponse(`${opened.site.url}/public/assets/summary`);
    await page.getByRole('button', { name: send }).filter({ hasText: opened.site.url }).first().click();
    expect((await response).status()).toBe(200);
    await page.getByRole('dialog').getByText('totalAssets').first().waitFor();
    await page.close();

    const events = await open(`${one.path}#webhook/POST/payment.completed`);
    await events.page.getByText(one.event).first().waitFor();
    await events.page.close();
    expect([...complaints, ...events.complaints]).toEqual([]);
  });

  test('a trial of a POST holds no idempotency key that its reader has not chosen', async () => {
    const { page } = await open('/en/docs/rest/login');
    await page.getByRole('button', { name: 'Test Request' }).filter({ hasText: '/v1/emissoes/auth/login' }).click();
    const request = page.waitForRequest(`${opened.site.url}/v1/emissoes/auth/login`);
    await page.getByRole('button', { name: 'Send' }).filter({ hasText: opened.site.url }).first().click();
    expect(Object.keys((await request).headers())).not.toContain('x-idempotency-key');
    await page.close();
  });

  /** Rules that Scalar breaks within its own part of the page, which has a `main` of its own. */
  const brokenByScalar = [
    'button-name',
    'label-content-name-mismatch',
    'landmark-main-is-top-level',
    'landmark-no-duplicate-main',
    'landmark-unique',
    'scrollable-region-focusable',
  ];

  test.each([
    { name: 'a phone, dark', viewport: { width: 360, height: 780 }, colorScheme: 'dark', path: '/docs' },
    { name: 'a desk, in English', viewport: { width: 1440, height: 900 }, colorScheme: 'light', path: '/en/docs' },
  ] as const)('on $name is accessible, but for what Scalar breaks, and fits the window', async (one) => {
    const { page, complaints } = await open(one.path, one);
    await page.locator('#reference h1').waitFor();
    await page.evaluate(axe);
    const broken = async (part: string) =>
      await page.evaluate<string[]>(`axe.run(${part}).then(({ violations }) => violations.map(({ id }) => id))`);
    expect(await broken('{ exclude: ["#reference"] }')).toEqual(['landmark-no-duplicate-main']);
    expect((await broken('"#reference"')).filter((id) => !brokenByScalar.includes(id))).toEqual([]);
    await expectToFit(page);
    expect(complaints).toEqual([]);
    await page.close();
  });
});
