import { expect, test } from '@jest/globals';
import { openSite } from './kit.js';
import { complaintsOf } from './panel-kit.js';
import { describeInBrowser, openAround } from './panel-views.js';

describeInBrowser('under a Content-Security-Policy without exceptions', () => {
  const opened = openAround(openSite);

  test('the editor of queries runs a query, completes a name, and shows what is typed as it is', async () => {
    const page = await opened.browser.newPage({ viewport: { width: 1440, height: 900 } });
    const complaints = complaintsOf(page, opened.site.url);
    const response = await page.goto(`${opened.site.url}/graphql`);
    const policy = (await response?.headerValue('content-security-policy')) ?? '';
    expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self'( 'nonce-[^' ]+')?;/);
    expect(policy).not.toContain('unsafe');
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
