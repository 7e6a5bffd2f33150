import { expect, test } from '@jest/globals';
import { describeInBrowser, heading, openView, press, pressInDialog, views, openPanelAround } from './panel-views.js';

/** Words that show that an error is in the other language. */
const foreign = { pt: /\b(must|is|has|the)\b/i, en: /\b(deve|não|uma?|pode)\b/i };

describeInBrowser('Errors of forms', () => {
  const panel = openPanelAround();

  test.each(views)('of the account and of trading are in the language of the page on $name', async (view) => {
    const { account, trading } = view.texts;
    const { page, context, open } = await openView(panel.browser, panel.site.url, view);
    /** Waits for an error, and expects all of them in the language of the page. */
    const seeErrors = async (count: number) => {
      const shown = page.locator('[role=alert], .react-aria-FieldError');
      await shown.first().waitFor();
      expect(await shown.locator('[lang=en]').allTextContents()).toEqual([]);
      const texts = await shown.allTextContents();
      expect(texts.filter((text) => foreign[view.language].test(text))).toEqual([]);
      expect(texts.length).toBeGreaterThanOrEqual(count);
    };
    await panel.site.platform.infrastructure.dataSource.query('DELETE FROM accounts.passkeys');
    await panel.site.platform.infrastructure.dataSource.query('DELETE FROM accounts.recovery_codes');

    await open('/cadastro');
    await heading(page, account.register.title);
    await page.fill('[name=name]', ' ');
    await page.fill('[name=company]', ' ');
    await page.fill('[name=email]', 'ana@casa');
    await page.fill('[name=password]', 'without-digits');
    await press(page, account.register.submit);
    await seeErrors(5);
    await page.fill('[name=name]', 'Ana');
    await page.fill('[name=company]', 'Casa');
    await page.fill('[name=email]', 'ana@casa.example');
    await page.fill('[name=password]', 'password1');
    await press(page, account.register.submit);
    await seeErrors(2);
    await open('/esqueci-a-senha');
    await page.fill('[name=email]', 'ana@casa');
    await press(page, account.forgotten.submit);
    await seeErrors(2);

    await open('/negociacao/mercados');
    await heading(page, account.logIn.title);
    await page.fill('[name=email]', panel.site.platform.demo().trading.apiKey);
    await page.fill('[name=password]', 'svc_trd_secret_mistyped');
    await press(page, account.logIn.submit);
    await page.getByText(account.logIn.wrongKey).waitFor();
    await page.fill('[name=password]', panel.site.platform.demo().trading.secretKey);
    await press(page, account.logIn.submit);
    await heading(page, account.security.title);
    await press(page, account.security.addPasskey);
    await page.fill('[role=dialog] [name=name]', ' ');
    await pressInDialog(page, account.security.addPasskey);
    await seeErrors(2);
    await page.fill('[role=dialog] [name=name]', 'Desk');
    await pressInDialog(page, account.security.addPasskey);
    await press(page, account.security.codesStored);

    await open('/negociacao/mercados');
    await heading(page, trading.words.markets);
    await page.getByRole('link', { name: 'BTC/BRL' }).click();
    await heading(page, 'BTC/BRL');
    await page.locator('.depth tbody tr').nth(3).waitFor();
    for (const amount of ['0,00000000001', 'abc', '-1', '1.234,50']) {
      await page.fill('[name=amount]', amount);
      await page.fill('[name=price]', amount);
      await press(page, trading.order.preview);
      await seeErrors(1);
    }
    await page.locator('[data-value=QUOTE]').click();
    await page.fill('[name=amount]', '0,00000000001');
    await press(page, trading.quote.ask);
    await seeErrors(1);

    await open('/negociacao/transferencias');
    await page.locator('#deposit code').first().waitFor();
    for (const amount of ['0,001', 'abc']) {
      await page.fill('#withdraw [name=amount]', amount);
      await page.fill('#withdraw [name=address]', 'no-pix-key');
      await page.fill('#withdraw [name=beneficiaryTaxId]', '123');
      await page.locator('#withdraw').getByRole('button', { name: trading.transfers.withdraw, exact: true }).click();
      // What is no number in the language of the page is said at its field, and nothing is confirmed.
      const confirming = page.getByRole('dialog');
      await confirming.or(page.locator('#withdraw .react-aria-FieldError')).first().waitFor();
      if (await confirming.isVisible()) await pressInDialog(page, trading.transfers.withdraw);
      await seeErrors(1);
      await page.keyboard.press('Escape');
    }
    await page.fill('#list [name=address]', 'no-pix-key');
    await page.fill('#list [name=label]', 'Ana');
    await press(page, trading.transfers.addAddress);
    await seeErrors(1);
    await press(page, trading.wallet.newProfile);
    await page.fill('[role=dialog] [name=name]', ' ');
    await page.fill('[role=dialog] [name=document]', '111.111.111-11');
    await page.fill('[role=dialog] [name=email]', 'ana@casa');
    await pressInDialog(page, trading.wallet.create);
    await seeErrors(2);
    await page.fill('[role=dialog] [name=name]', 'Ana');
    await page.fill('[role=dialog] [name=email]', 'ana@casa.example');
    await pressInDialog(page, trading.wallet.create);
    await seeErrors(2);
    await context.close();
  });
});
