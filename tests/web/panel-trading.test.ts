import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { chromium, type Browser, type Page } from 'playwright-core';
import { english as accountEn } from '../../web/panel/account/messages/en.js';
import { portuguese as accountPt } from '../../web/panel/account/messages/pt-BR.js';
import { english as tradingEn } from '../../web/panel/trading/messages/en.js';
import { portuguese as tradingPt } from '../../web/panel/trading/messages/pt-BR.js';
import { openPanelSite, watch } from './panel-kit.js';

const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
/** A folder for a picture of each screen; none are taken without it. */
const pictures = process.env['PANEL_PICTURES'];

const views = [
  {
    name: 'a phone, dark, in Portuguese',
    options: { viewport: { width: 360, height: 780 }, colorScheme: 'dark' },
    base: '/painel',
    texts: { account: accountPt, trading: tradingPt },
  },
  {
    name: 'a desk, in English',
    options: { viewport: { width: 1440, height: 900 }, colorScheme: 'light' },
    base: '/en/painel',
    texts: { account: accountEn, trading: tradingEn },
  },
] as const;

/** A person of each view. */
const documents = { '/painel': '390.533.447-05', '/en/painel': '111.444.777-35' } as const;

const suite = existsSync(executablePath) ? describe : describe.skip;
suite(
  existsSync(executablePath) ? 'The trading panel' : `The trading panel: skipped, no Chromium at ${executablePath}`,
  () => {
    let site: Awaited<ReturnType<typeof openPanelSite>>;
    let browser: Browser;
    let pair: { readonly apiKey: string; readonly secretKey: string };
    beforeAll(async () => {
      [site, browser] = await Promise.all([
        openPanelSite(),
        chromium.launch({ executablePath, args: ['--no-sandbox'] }),
      ]);
      const file = readFileSync(join(site.platform.dataDir, 'demo-credentials.json'), 'utf8');
      pair = (JSON.parse(file) as { trading: typeof pair }).trading;
    });
    afterAll(async () => {
      await browser.close();
      await site.platform.close();
    });

    const press = (page: Page, text: string) => page.getByRole('button', { name: text, exact: true }).click();
    const heading = (page: Page, text: string) => page.getByRole('heading', { level: 1, name: text }).waitFor();

    test.each(views)(
      'leads from a price to an order and a quote on $name',
      async ({ name, options, base, texts: { account, trading: text } }) => {
        const { page, context, check } = await watch(browser, site.url, options);
        const see = async (screen: string) => {
          await page.waitForTimeout(200);
          if (pictures !== undefined)
            await page.screenshot({ path: `${pictures}/${screen}-${name.split(',')[0] ?? ''}.png`, fullPage: true });
          await check();
        };
        const open = (path: string) => page.goto(`${site.url}${base}${path}`);
        const devtools = await context.newCDPSession(page);
        await devtools.send('WebAuthn.enable');
        await devtools.send('WebAuthn.addVirtualAuthenticator', {
          options: {
            protocol: 'ctap2',
            transport: 'internal',
            hasResidentKey: true,
            hasUserVerification: true,
            isUserVerified: true,
            automaticPresenceSimulation: true,
          },
        });
        // Each view is a person of its own: a factor of the view before must not be asked for.
        await site.platform.infrastructure.dataSource.query('DELETE FROM accounts.passkeys');
        await site.platform.infrastructure.dataSource.query('DELETE FROM accounts.recovery_codes');

        await open('/negociacao/mercados');
        await heading(page, account.logIn.title);
        await page.selectOption('[name=kind]', 'trader');
        await page.fill('[name=apiKey]', pair.apiKey);
        await page.fill('[name=secretKey]', pair.secretKey);
        await press(page, account.logIn.submit);
        await heading(page, account.security.title);
        await press(page, account.security.addPasskey);
        await page.fill('[role=dialog] [name=name]', 'Desk');
        await page.getByRole('dialog').getByRole('button', { name: account.security.addPasskey, exact: true }).click();
        await press(page, account.security.codesStored);

        await open('/negociacao/mercados');
        await heading(page, text.markets.title);
        const row = page.getByRole('row', { name: /BTC\/BRL/ });
        await row.getByText(/\d/).nth(1).waitFor();
        await page.locator('tr.stale').first().waitFor({ state: 'detached' });
        await see('markets');

        await page.getByRole('link', { name: 'BTC/BRL' }).click();
        await heading(page, 'BTC/BRL');
        await page.getByText(text.market.live).waitFor();
        await page.locator('.depth tbody tr').nth(3).waitFor();
        await page.locator('.candles rect').first().waitFor();
        await see('market');
        const wrong = async () => {
          await page.fill('[name=amount] >> nth=0', '0,00000000001');
          await page.fill('[name=price]', '1000');
          await press(page, text.order.preview);
          await page.getByRole('alert').first().waitFor();
        };
        await wrong();
        await see('order-refused');
        await page.fill('[name=amount] >> nth=0', '0,01');
        await press(page, text.order.preview);
        await page.getByRole('dialog').getByText(text.order.hold).waitFor();
        await see('order-preview');
        await page.getByRole('dialog').getByRole('button', { name: text.order.sides.BUY, exact: true }).dblclick();
        await page.getByText(text.order.placed(text.orders.states.PENDING, '')).waitFor();

        await page.fill('[name=amount] >> nth=1', '0,02');
        await press(page, text.quote.ask);
        await page.getByRole('timer').waitFor();
        await see('quote');
        await press(page, text.quote.execute(text.order.sides.BUY));
        await page.getByText(text.order.placed(text.orders.states.FILLED, '')).waitFor();

        await open('/negociacao/ordens');
        await heading(page, text.orders.title);
        const mine = page.getByRole('button', { name: `${text.orders.cancel} BTC/BRL` });
        await mine.first().waitFor();
        const before = await mine.count();
        await see('orders');
        await mine.first().click();
        await mine.nth(before - 1).waitFor({ state: 'detached', timeout: 20_000 });
        await page.selectOption('[name=status]', 'FILLED');
        await page.locator('.badge').first().waitFor();
        await see('orders-filled');

        await open('/negociacao/saldos');
        await heading(page, text.balances.title);
        await page.getByText(text.balances.causes['quote.execution']).first().waitFor();
        await see('balances');
        const [file] = await Promise.all([page.waitForEvent('download'), press(page, text.balances.download)]);
        const lines = readFileSync(await file.path(), 'utf8').split('\r\n');
        expect(lines[0]).toBe('\uFEFFjournalId;postedAt;cause;reason;available;locked;balance');
        expect(lines.some((line) => line.includes(';quote.execution;'))).toBe(true);
        await open('/negociacao/transferencias');
        await heading(page, text.transfers.title);
        await page.getByRole('heading', { name: text.transfers.depositTitle, exact: true }).waitFor();
        await page.locator('#deposit code').first().waitFor();
        await see('transfers');
        await page.fill('#withdraw [name=amount]', '12,34');
        await page.fill('#withdraw [name=address]', 'no-pix-key');
        const withdraw = async () => {
          await page.locator('#withdraw').getByRole('button', { name: text.transfers.withdraw, exact: true }).click();
          await page.getByRole('dialog').getByRole('button', { name: text.transfers.withdraw, exact: true }).dblclick();
        };
        await withdraw();
        await page.getByRole('dialog').getByRole('alert').waitFor();
        await see('withdrawal-refused');
        await page.keyboard.press('Escape');
        await page.fill('#withdraw [name=address]', 'ana@casa.example');
        await withdraw();
        await page.getByText(text.transfers.withdrawn('', '').split(':')[0] ?? '').waitFor();
        await page.fill('#list [name=address]', 'ana@casa.example');
        await page.fill('#list [name=label]', 'Ana');
        await press(page, text.transfers.addAddress);
        const remove = page.getByRole('button', { name: `${text.transfers.remove} Ana` });
        await remove.waitFor();
        await see('withdrawn');
        await remove.click();
        await page.getByRole('dialog').getByRole('button', { name: text.transfers.remove, exact: true }).click();
        await page.getByText(text.transfers.noList).waitFor();

        await press(page, text.wallet.newProfile);
        await page.fill('[role=dialog] [name=name]', `Ana ${base}`);
        await page.fill('[role=dialog] [name=document]', '111.111.111-11');
        await page.fill('[role=dialog] [name=email]', 'ana@casa.example');
        await page.getByRole('dialog').getByRole('button', { name: text.wallet.create, exact: true }).click();
        await page.getByRole('dialog').getByRole('alert').waitFor();
        await see('profile-refused');
        await page.fill('[role=dialog] [name=document]', documents[base]);
        await page.getByRole('dialog').getByRole('button', { name: text.wallet.create, exact: true }).click();
        await page.locator('[name=profile]').getByText(`Ana ${base}`).waitFor({ state: 'attached' });
        await see('profile');
        await page.selectOption('[name=profile]', '');

        await open('/negociacao/mercados');
        await page.selectOption('[name=world]', 'synthetic');
        await page.getByText(text.wallet.syntheticBand).waitFor();
        await row.getByText(/\d/).nth(1).waitFor();
        await see('synthetic');
        await context.close();
      },
    );

    test('prices that no longer arrive are stale, and orders wait until they are back', async () => {
      const { page, context } = await watch(browser, site.url, views[1].options);
      const { trading: text, account } = views[1].texts;
      await site.platform.infrastructure.dataSource.query('DELETE FROM accounts.passkeys');
      const devtools = await context.newCDPSession(page);
      await devtools.send('WebAuthn.enable');
      await devtools.send('WebAuthn.addVirtualAuthenticator', {
        options: {
          protocol: 'ctap2',
          transport: 'internal',
          hasResidentKey: true,
          hasUserVerification: true,
          isUserVerified: true,
          automaticPresenceSimulation: true,
        },
      });
      await page.goto(`${site.url}/en/painel/negociacao/mercados`);
      await page.selectOption('[name=kind]', 'trader');
      await page.fill('[name=apiKey]', pair.apiKey);
      await page.fill('[name=secretKey]', pair.secretKey);
      await press(page, account.logIn.submit);
      await press(page, account.security.addPasskey);
      await page.fill('[role=dialog] [name=name]', 'Desk');
      await page.getByRole('dialog').getByRole('button', { name: account.security.addPasskey, exact: true }).click();
      await press(page, account.security.codesStored);
      await page.goto(`${site.url}/en/painel/negociacao/mercados/BTC/BRL`);
      await page.getByText(text.market.live).waitFor();
      const preview = page.getByRole('button', { name: text.order.preview, exact: true });
      expect(await preview.isDisabled()).toBe(false);
      await context.setOffline(true);
      await page.getByText(text.order.waits).waitFor({ timeout: 30_000 });
      expect(await preview.isDisabled()).toBe(true);
      await context.setOffline(false);
      await page.getByText(text.market.live).waitFor({ timeout: 60_000 });
      expect(await preview.isDisabled()).toBe(false);
      await context.close();
    });
  },
);
