import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { readNumber } from '../../apps/design/typed-number.js';
import { Decimal } from '../../shared/kernel/decimal.js';
import { formatDocument } from '../../shared/kernel/tax-id.js';
import { newOperator } from '../kit/operator.js';
import { until } from '../kit/until.js';
import { newCpf } from '../trading/kit.js';
import {
  act,
  describeInBrowser,
  enterTrading,
  fewViews,
  heading,
  dialogSays,
  press,
  pressInDialog,
  typed,
  views,
  type View,
  openPanelAround,
} from './panel-views.js';

describeInBrowser('The trading panel', () => {
  const panel = openPanelAround();
  const enter = (view: View) => enterTrading(panel, view);

  test.each(views)('leads from a price to an order and a quote on $name', async (view) => {
    const { trading: text } = view.texts;
    const { page, context, open, see } = await enter(view);
    await open('/negociacao/mercados');
    await heading(page, text.words.markets);
    const row = page.getByRole('row', { name: /BTC\/BRL/ });
    await row.getByText(/\d/).nth(1).waitFor();
    await page.locator('tr.stale').first().waitFor({ state: 'detached' });
    await see('markets');

    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByRole('searchbox').fill('btc brl');
    await page.getByRole('menuitem', { name: 'BTC/BRL' }).first().waitFor();
    expect(await page.getByRole('dialog').getByRole('alert').count()).toBe(0);
    await page.keyboard.press('Enter');
    await heading(page, 'BTC/BRL');
    await page.getByText(text.market.live).waitFor();
    await page.locator('.depth tbody tr').nth(3).waitFor();
    await page.locator('.candles canvas').first().waitFor();
    await see('market');
    if (view.key.endsWith('desk'))
      expect(await page.evaluate('document.documentElement.scrollHeight')).toBeLessThanOrEqual(900);
    await page.getByText(text.market.asTable).click();
    await page.locator('.chart td').nth(5).waitFor();
    await page.getByText(text.market.asTable).click();
    const wrong = async () => {
      await page.fill('[name=amount]', typed(view, '0.00000000001'));
      await page.fill('[name=price]', typed(view, '1000'));
      await press(page, text.order.preview);
      await page.getByRole('alert').first().waitFor();
    };
    await wrong();
    await see('order-refused');
    await page.fill('[name=amount]', typed(view, '0.01'));
    for (const unclear of ['1.5,0', '1,2.3', view.language === 'pt' ? '1.50' : '1,50']) {
      await page.fill('[name=price]', unclear);
      await press(page, text.order.preview);
      await page.getByText(view.texts.frame.notNumber).waitFor();
    }
    // A click on the book fills its price in, also where the order had none.
    await page.locator('[data-value=MARKET]').click();
    await page.locator('.depth .bid button').first().click();
    const price = await page.inputValue('[name=price]');
    expect(price).toMatch(/^\d{3}[.,]\d{3}[.,]\d\d$/);
    await page.fill('[name=amount]', typed(view, '0.01'));
    await page.keyboard.press('Control+Enter');
    await dialogSays(page, text.order.hold);
    await dialogSays(page, `${price} BRL`);
    await page.keyboard.press('Escape');
    await page.fill('[name=price]', typed(view, '1000'));
    await press(page, text.order.preview);
    await dialogSays(page, text.order.hold);
    // With the fee, in the decimals of the currency.
    await page
      .getByRole('dialog')
      .getByText(`${typed(view, '10.03')} BRL`, { exact: true })
      .first()
      .waitFor();
    await dialogSays(page, text.order.farBelow('§').split('§')[1] ?? '');
    await see('order-preview');
    // The search waits until the dialog is closed.
    await page.keyboard.press('Control+k');
    expect(await page.getByRole('searchbox').count()).toBe(0);
    await page.getByRole('dialog').getByRole('button', { name: text.order.sides.BUY, exact: true }).dblclick();
    await page.locator('.note', { hasText: text.orders.states.PENDING }).waitFor();
    await page.getByText(text.order.left(`${typed(view, '0.01')} BTC`)).waitFor();
    await page.getByRole('link', { name: text.order.toOrders }).first().waitFor();
    await page.locator('.own').getByText(typed(view, '1000.00')).first().waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('searchbox').fill(`${text.order.sides.BUY} btc ${text.orders.states.PENDING}`);
    await page
      .getByRole('menuitem', { name: `${text.order.sides.BUY} BTC/BRL` })
      .first()
      .waitFor();
    // The first empties the search, the second closes it.
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });

    // Keys choose the side and empty the form.
    await page.locator('h1').click();
    await page.keyboard.press('s');
    await page.locator('.sells').waitFor();
    await press(page, '100%');
    await page.fill('[name=price]', typed(view, '500000.00'));
    await page.getByText(text.order.crosses).waitFor();
    await page.fill('[name=amount]', typed(view, '9.5'));
    await page.getByText(text.order.exceeds('§').split('§')[0] ?? '').waitFor();
    await see('order-warned');
    await page.keyboard.press('Escape');
    expect(await page.inputValue('[name=price]')).toBe('');
    await page.locator('h1').click();
    await page.keyboard.press('b');
    await page.locator('.buys').waitFor();

    await page.locator('[data-value=MARKET]').click();
    await page.fill('[name=amount]', typed(view, '0.003'));
    await page.keyboard.press('Control+Enter');
    await dialogSays(page, text.order.hold);
    const figures = await page.getByRole('dialog').locator('dd').allTextContents();
    const [value, fee, total] = figures
      .slice(-3)
      .map((one) => readNumber(one, view.language === 'pt' ? 'pt-BR' : 'en', 'BRL') ?? '');
    expect(new Decimal(value ?? 0).plus(fee ?? 0).toFixed(2)).toBe(total);
    // While prices are late it cannot be pressed, and Enter would be that of the button beside it.
    await page.locator('[role=dialog] button.main:not([disabled])').press('Enter');
    await page.locator('.note', { hasText: text.orders.states.FILLED }).waitFor();
    await page.locator('.toast', { hasText: text.orders.states.FILLED }).waitFor();

    await page.locator('[data-value=QUOTE]').click();
    await page.fill('[name=amount]', typed(view, '0.02'));
    await press(page, text.quote.ask);
    await page.getByRole('timer').waitFor();
    await see('quote');
    await press(page, text.quote.execute(text.order.sides.BUY));
    await page.locator('.note', { hasText: typed(view, '0.02') }).waitFor();
    expect(await page.inputValue('[name=amount]')).toBe('');
    await page.locator('[data-value=filled]').click();
    await page.locator('.own td').getByText(typed(view, '0.02')).first().waitFor();

    await open('/negociacao/ordens');
    await heading(page, text.orders.title);
    const mine = page.getByRole('button', { name: `${text.orders.cancel} BTC/BRL` });
    await mine.first().waitFor();
    const before = await mine.count();
    await see('orders');
    await open('/');
    await page.getByText(view.texts.home.company.total).waitFor();
    await see('home-company');
    await page.getByRole('link', { name: RegExp(`^${before} `) }).click();
    await page.waitForURL(/ordens\?status=OPEN/);
    await mine.nth(before - 1).waitFor();
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
    expect(lines[0]).toBe(`\uFEFF${text.balances.fileHead.join(';')}`);
    // By the id of its order it is found among the orders.
    const [, cause, order] =
      lines.find((line) => line.includes(text.balances.causes['quote.execution']))?.split(';') ?? [];
    expect([cause, order]).toEqual([text.balances.causes['quote.execution'], expect.stringMatching(/^[\da-f-]{36}$/)]);
    await open('/negociacao/transferencias');
    await heading(page, text.transfers.title);
    await page.getByRole('heading', { name: text.transfers.depositTitle, exact: true }).waitFor();
    await page.locator('#deposit .qr').waitFor();
    await page.getByText(text.transfers.arrivals.pix).waitFor();
    await see('transfers');
    const amount = page.locator('#withdraw .field', { has: page.locator('[name=amount]') });
    const submit = page.locator('#withdraw').getByRole('button', { name: text.transfers.withdraw, exact: true });
    await page.fill('#withdraw [name=address]', 'no-pix-key');
    // What the page knows is said at the field, before anything is to be confirmed.
    for (const [number, error] of [
      ['1.005', text.transfers.tooExact('2')],
      ['0.5', text.transfers.minimum],
      ['249999', text.transfers.notAvailable],
    ] as const) {
      await page.fill('#withdraw [name=amount]', typed(view, number));
      await submit.click();
      await amount.locator('[slot=errorMessage]', { hasText: error }).waitFor();
      expect(await page.getByRole('dialog').count()).toBe(0);
    }
    await page.fill('#withdraw [name=amount]', typed(view, '150000'));
    await submit.click();
    await dialogSays(page, text.transfers.afterApproval);
    await pressInDialog(page, view.texts.frame.cancel);
    await page.fill('#withdraw [name=amount]', typed(view, '1012.34'));
    const withdraw = async () => {
      await submit.click();
      await page.getByRole('dialog').getByRole('button', { name: text.transfers.withdraw, exact: true }).dblclick();
    };
    await withdraw();
    await page
      .locator('#withdraw .field', { has: page.locator('[name=address]') })
      .locator('[slot=errorMessage]')
      .waitFor();
    await see('withdrawal-refused');
    await page.fill('#withdraw [name=address]', 'ana@casa.example');
    await withdraw();
    await page.getByText(text.transfers.withdrawn('', '').split(':')[0] ?? '').waitFor();
    await page.fill('#list [name=address]', 'ana@casa.example');
    await page.fill('#list [name=label]', 'Ana');
    await press(page, text.transfers.addAddress);
    const remove = page.getByRole('button', { name: `${text.words.remove} Ana` });
    await remove.waitFor();
    await see('withdrawn');
    await remove.click();
    await pressInDialog(page, text.words.remove);
    await page.getByText(text.transfers.noList).waitFor();

    await act(
      page,
      text.wallet.newProfile,
      { name: `Ana ${view.key}`, document: '111.111.111-11', email: 'ana@casa.example' },
      text.wallet.create,
    );
    await page.getByRole('dialog').getByRole('alert').waitFor();
    await see('profile-refused');
    await page.fill('[role=dialog] [name=document]', formatDocument(newCpf()));
    await pressInDialog(page, text.wallet.create);
    await page.locator('[name=profile]').getByText(`Ana ${view.key}`).waitFor({ state: 'attached' });
    await see('profile');
    await page.selectOption('[name=profile]', '');

    await open('/negociacao/mercados');
    await page.selectOption('[name=world]', 'synthetic');
    await page.getByText(text.wallet.syntheticBand).waitFor();
    await row.getByText(/\d/).nth(1).waitFor();
    await see('synthetic');
    await context.close();
  });

  test.each(fewViews)('asks for the session and the scripts of the home with its page, on $name', async (view) => {
    const { page, context, open } = await enter(view);
    // What the screen before still asks for does not count.
    await page.goto('about:blank');
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    const response = await open('/');
    await page.locator('main .stats').waitFor();
    const html = (await response?.text()) ?? '';
    expect(asked.filter((path) => path.startsWith('/assets/panel/') && !html.includes(path))).toEqual([]);
    expect(asked.filter((path) => path === '/web/session')).toHaveLength(1);
    expect(html).toContain('href="/web/session"');
    await context.close();
  });

  test.each(fewViews)('a withdrawal that asks for a proof is made after it, on $name', async (view) => {
    const { frame, trading: text } = view.texts;
    const { page, context, open } = await enter(view);
    await panel.site.platform.infrastructure.dataSource.query(
      `UPDATE accounts.sessions SET proved_at = proved_at - interval '6 minutes' WHERE ended_at IS NULL`,
    );
    await open('/negociacao/transferencias');
    // The process may still know the proof from before.
    await until('the proof to be old', () =>
      page.evaluate(async () => {
        const body = JSON.stringify({ query: 'mutation { removeTotp { totpSince } }' });
        const headers = { 'content-type': 'application/json' };
        return (await (await fetch('/graphql', { method: 'POST', headers, body })).text()).includes('STEP_UP_REQUIRED');
      }),
    );
    await page.fill('#withdraw [name=amount]', '5.43');
    await page.fill('#withdraw [name=address]', 'ana@casa.example');
    await page.locator('#withdraw').getByRole('button', { name: text.transfers.withdraw, exact: true }).click();
    await pressInDialog(page, text.transfers.withdraw);
    await press(page, frame.stepUp.passkey);
    await page.getByText(text.transfers.withdrawn('', '').split(':')[0] ?? '').waitFor();
    await context.close();
  });

  test.each(fewViews)(
    'prices that no longer arrive are stale, and orders wait until they are back, on $name',
    async (view) => {
      const { trading: text } = view.texts;
      const { page, context, open } = await enter(view);
      await open('/negociacao/mercados/BTC/BRL');
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
    },
  );

  test.each(fewViews)(
    'a market whose session was ended from outside leads to the log-in, and back to live prices, on $name',
    async (view) => {
      const { account, frame, trading: text } = view.texts;
      const { page, context, open } = await enter(view);
      await open('/negociacao/mercados/BTC/BRL');
      await page.getByText(text.market.live).waitFor();
      const { context: program } = panel.site.platform.infrastructure;
      const { headers } = await newOperator(program);
      const owner = await program.manager.value<string>('SELECT id FROM trading.credentials WHERE api_key = $1', [
        panel.site.platform.demo().trading.apiKey,
      ]);
      const ended = await fetch(`${panel.site.url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({
          query: 'mutation ($owner: ID!) { endSessionsOf(owner: $owner) }',
          variables: { owner },
        }),
      });
      expect(await ended.json()).toEqual({ data: { endSessionsOf: expect.any(Number) } });
      await page.getByRole('heading', { level: 1, name: account.logIn.title }).waitFor({ timeout: 60_000 });
      await page.fill('[name=email]', panel.site.platform.demo().trading.apiKey);
      await page.fill('[name=password]', panel.site.platform.demo().trading.secretKey);
      await press(page, account.logIn.submit);
      await heading(page, account.secondFactor.title);
      await press(page, frame.stepUp.passkey);
      await heading(page, 'BTC/BRL');
      await page.getByText(text.market.live).waitFor();
      await context.close();
    },
  );
});
