import { describe, expect, test } from '@jest/globals';
import { openSite } from './kit.js';
import { watch, writeHtml } from './panel-kit.js';
import { describeInBrowser, openAround } from './panel-views.js';

describeInBrowser('The pages', () => {
  const opened = openAround(openSite);
  const paths = [
    '/',
    '/emissoes',
    '/emissoes?q=nada-com-este-nome',
    '/comparar?codigo=CRI-SERRAAZUL&codigo=CRA-MOGIANA',
    '/emissoes/cri-shopping-serra-azul',
    '/emissoes/cri-shopping-serra-azul?from=1999-01-01&to=1999-02-01',
    '/emissoes/cri-shopping-serra-azul/estoque',
    '/series/CRISERRAAZUL1',
    '/series/CRISERRAAZUL1?view=price',
    '/series/CRISERRAAZUL1?asOf=2001-01-01T09:00',
    '/series/CRISERRAAZUL1?asOf=ontem',
    '/embed/series/CRISERRAAZUL1',
    '/tokenizacao',
    '/tokenizacao/series/AURORA-TK1',
    '/tokenizacao/ativos',
    '/status',
    '/docs/guides/common',
    '/nada',
    '/emissoes?type=XX',
    '/verificar-email?token=x',
    '/redefinir-senha?token=x',
  ];
  const views = [
    { name: 'a phone, dark', viewport: { width: 360, height: 780 }, colorScheme: 'dark', prefix: '' },
    { name: 'a desk, in English', viewport: { width: 1440, height: 900 }, colorScheme: 'light', prefix: '/en' },
  ] as const;

  describe.each(views)('on $name', ({ viewport, colorScheme, prefix }) => {
    test.each(paths)('%s is accessible, fits the window and breaks no policy', async (path) => {
      const { context, page, check } = await watch(opened.browser, opened.site.url, { viewport, colorScheme });
      try {
        const failed: string[] = [];
        page.on('requestfailed', (request) => failed.push(request.url()));
        await page.goto(`${opened.site.url}${prefix}${path === '/' && prefix !== '' ? '' : path}`);
        await check();
        expect(failed).toEqual([]);
        expect(await page.evaluate(writeHtml)).toBe('TypeError');
      } finally {
        await context.close();
      }
    });
  });

  test('seldom read sections of an operation are closed on a phone until a link opens them, and open on a desk', async () => {
    const page = await opened.browser.newPage({ viewport: { width: 390, height: 844 }, javaScriptEnabled: false });
    await page.goto(`${opened.site.url}/emissoes/CRI-AURORA`);
    const table = page.locator('#payments table').first();
    expect(await table.isVisible()).toBe(false);
    const { height = 0 } = (await page.locator('main').boundingBox()) ?? {};
    expect(height).toBeLessThan(5_000);
    await page.locator('.jump a[href="#payments"]').click();
    await table.waitFor();
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(`${opened.site.url}/emissoes/CRI-AURORA`);
    await table.waitFor();
    await page.close();
  });

  test('a frame of the size of the snippet holds the whole chart', async () => {
    const page = await opened.browser.newPage({ viewport: { width: 600, height: 420 } });
    await page.goto(`${opened.site.url}/series/CRISERRAAZUL1`);
    const snippet = (await page.locator('pre.code').textContent()) ?? '';
    expect(snippet).toMatch(/^<iframe src="[^"]*\/embed\/series\/CRISERRAAZUL1[^"]*" width="600" height="420" /);
    await page.goto(`${opened.site.url}/embed/series/CRISERRAAZUL1`);
    const hidden = 'document.documentElement.scrollHeight - document.documentElement.clientHeight';
    expect(await page.evaluate<number>(hidden)).toBeLessThanOrEqual(0);
    await page.close();
  });

  test('a chart shows the values of a day under the arrow keys, the mouse and a finger', async () => {
    const page = await opened.browser.newPage({ hasTouch: true });
    await page.goto(`${opened.site.url}/series/CRISERRAAZUL1?view=price&from=2026-03-02&to=2026-04-30`);
    const rows = page.locator('.chart tbody tr');
    const chart = page.getByRole('slider');
    const says = async (row: ReturnType<typeof rows.first>) => {
      const [day = '', price = ''] = await row.locator('td').allTextContents();
      await page.locator('.chart figcaption', { hasText: day }).filter({ hasText: price }).waitFor();
      expect(await chart.getAttribute('aria-valuetext')).toContain(price);
    };
    await chart.focus();
    await says(rows.first());
    await page.keyboard.press('ArrowLeft');
    await says(rows.nth(1));
    await page.keyboard.press('Home');
    await says(rows.last());
    const { x, y, width } = (await page.locator('.u-over').boundingBox()) ?? { x: 0, y: 0, width: 0 };
    await page.mouse.move(x + width - 1, y + 20);
    await says(rows.first());
    await page.touchscreen.tap(x + 1, y + 20);
    await says(rows.last());
    await page.close();
  });

  test('going back to a list shows the filter that it has, not what was typed after it', async () => {
    const page = await opened.browser.newPage();
    await page.goto(`${opened.site.url}/emissoes`);
    for (const typed of ['mogiana', 'serra']) {
      await page.fill('main [name=q]', typed);
      await page.keyboard.press('Enter');
      await page.waitForURL(new RegExp(`q=${typed}`));
    }
    await page.goBack();
    await page.waitForURL(/q=mogiana/);
    expect(await page.locator('main [name=q]').inputValue()).toBe('mogiana');
    await page.close();
  });

  test('the pages of mails say in their language what became of a link that is not valid', async () => {
    const page = await opened.browser.newPage();
    for (const [prefix, text] of [
      ['', 'O link não vale mais'],
      ['/en', 'The address is not valid any more'],
    ] as const) {
      await page.goto(`${opened.site.url}${prefix}/verificar-email?token=x`);
      await page.click('main button');
      await page.getByRole('status').filter({ hasText: text }).waitFor();
      expect(await page.locator(`nav a[hreflang=${prefix === '' ? 'en' : 'pt-BR'}]`).getAttribute('href')).toBe(
        `${prefix === '' ? '/en' : ''}/verificar-email?token=x`,
      );
    }
    await page.goto(`${opened.site.url}/redefinir-senha?token=x`);
    await page.fill('input[name=password]', 'password1');
    await page.click('main button');
    await page.getByRole('status').filter({ hasText: 'Escolha uma senha' }).waitFor();
    await page.close();
  });

  test('what is printed has nothing to press, and fits the paper', async () => {
    const page = await opened.browser.newPage({ viewport: { width: 1440, height: 900 } });
    await page.goto(`${opened.site.url}/emissoes/cri-shopping-serra-azul`);
    await page.locator('.plot canvas').waitFor();
    await page.emulateMedia({ media: 'print' });
    await page.setViewportSize({ width: 718, height: 1000 });
    expect(await page.locator('main').locator('button, input, .links, summary').filter({ visible: true }).count()).toBe(
      0,
    );
    for (const part of await page.locator('table, .plot canvas').filter({ visible: true }).all()) {
      const { x = 0, width = 0 } = (await part.boundingBox()) ?? {};
      expect(x + width).toBeLessThanOrEqual(718);
    }
    await page.close();
  });

  test('the first stop of the keyboard leads past the navigation', async () => {
    const page = await opened.browser.newPage();
    await page.goto(`${opened.site.url}/emissoes`);
    await page.keyboard.press('Tab');
    expect(await page.evaluate<string>('document.activeElement.textContent')).toBe('Ir para o conteúdo');
    await page.keyboard.press('Enter');
    expect(await page.evaluate<string>('document.activeElement.id')).toBe('content');
    await page.close();
  });

  test('a theme is chosen without a script, and remembered on every page', async () => {
    const context = await opened.browser.newContext({ javaScriptEnabled: false, colorScheme: 'light' });
    const page = await context.newPage();
    const background = () => page.locator('html').evaluate((html) => getComputedStyle(html).backgroundColor);
    await page.goto(`${opened.site.url}/emissoes?q=cra`);
    const light = await background();
    await page.getByRole('link', { name: 'Escuro' }).click();
    expect(page.url()).toBe(`${opened.site.url}/emissoes?q=cra`);
    const dark = await background();
    expect(dark).not.toBe(light);
    for (const path of ['/en/tokenizacao', '/painel/entrar']) {
      await page.goto(`${opened.site.url}${path}`);
      expect(await background()).toBe(dark);
    }
    await context.close();
  });

  test('filters, sort and range are forms that need no script', async () => {
    const context = await opened.browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${opened.site.url}/emissoes`);
    await page.getByText('CRA', { exact: true }).first().click();
    await page.click('form.filter button');
    const types = await page.locator('tbody tr td:nth-child(2)').allTextContents();
    expect(new Set(types)).toEqual(new Set(['CRA']));
    await page.locator('form.filter summary').click();
    await page.getByRole('checkbox', { name: 'Tipo' }).uncheck();
    await page.click('form.filter button');
    await page.getByRole('columnheader', { name: 'Vencimento' }).waitFor();
    expect(await page.getByRole('columnheader', { name: 'Tipo' }).count()).toBe(0);
    await page.goto(`${opened.site.url}/series/CRISERRAAZUL1`);
    await page.click('summary:has(+ form)');
    await page.fill('input[name=from]', '2026-03-01');
    await page.fill('input[name=to]', '2026-03-31');
    await page.click('form.filter button');
    expect(new URL(page.url()).search).toBe('?from=2026-03-01&to=2026-03-31&asOf=');
    expect(await page.locator('.chart svg').getAttribute('aria-label')).toContain('31/03/2026');
    await context.close();
  });
});
