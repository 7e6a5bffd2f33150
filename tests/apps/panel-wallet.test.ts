import { expect, test } from '@jest/globals';
import { newId } from '../../shared/kernel/ids.js';
import { newOperator } from '../kit/operator.js';
import { until } from '../kit/until.js';
import { newCpf, newProfile, newTrader, walletOf } from '../trading/kit.js';
import {
  describeInBrowser,
  enterAsTrader,
  enterTrading,
  fewViews,
  follow,
  heading,
  openView,
  press,
  pressInDialog,
  typed,
  type View,
  openPanelAround,
} from './panel-views.js';

describeInBrowser('What the trading panel shows of a wallet and a market', () => {
  const panel = openPanelAround();
  const enter = (view: View) => enterTrading(panel, view);

  test.each(fewViews)('a company that logs in after another one sees its own wallet, on $name', async (view) => {
    const { account, frame, home, trading: text } = view.texts;
    const { page, context } = await enter(view);
    const { context: program } = panel.site.platform.infrastructure;
    await press(page, text.wallet.newProfile);
    await page.fill('[role=dialog] [name=name]', 'Rui');
    await page.fill('[role=dialog] [name=document]', newCpf());
    await page.fill('[role=dialog] [name=email]', 'rui@casa.example');
    await pressInDialog(page, text.wallet.create);
    await page.locator('[name=profile]').getByText('Rui').waitFor({ state: 'attached' });
    expect(await page.inputValue('[name=profile]')).not.toBe('');
    const { credential } = await newTrader(program, { name: 'Outra Empresa' });
    await press(page, frame.logOut);
    await heading(page, account.logIn.title);
    await enterAsTrader(page, credential, view.texts);
    await follow(page, frame.start, view.texts);
    await page.getByText(home.company.total).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    await context.close();
  });

  test.each(fewViews)('a recipient of one network is not kept for another, on $name', async (view) => {
    const { trading: text } = view.texts;
    const { page, context, open } = await enter(view);
    await open('/negociacao/transferencias');
    await page.selectOption('[name=asset]', 'USDT');
    await page.locator('#list').getByText(text.transfers.networks.polygon).waitFor({ state: 'attached' });
    await page.fill('#list [name=address]', '0x52908400098527886E0F7030069857D2E4169EE7');
    await page.fill('#list [name=label]', 'Bolsa');
    await press(page, text.transfers.addAddress);
    await page.getByRole('button', { name: `${text.words.remove} Bolsa` }).waitFor();
    await panel.site.platform.infrastructure.dataSource.query(
      `UPDATE trading.withdrawal_addresses SET usable_at = now() - interval '1 minute'`,
    );
    await page.reload();
    await page.selectOption('[name=asset]', 'USDT');
    await page.selectOption('#withdraw [name=recipient]', { label: 'Bolsa' });
    expect(await page.inputValue('#withdraw [name=address]')).not.toBe('');
    await page.selectOption('#withdraw [name=network]', 'polygon');
    expect(await page.inputValue('#withdraw [name=address]')).toBe('');
    await context.close();
  });

  test.each(fewViews)('says what keeps a wallet from withdrawing in place of the form, on $name', async (view) => {
    const { transfers: text } = view.texts.trading;
    const { context: program } = panel.site.platform.infrastructure;
    const { page, context, open } = await enter(view);
    await open('/negociacao/transferencias');
    await page.locator('#withdraw [name=amount]').waitFor();
    const id = newId();
    await program.manager.execute(
      `INSERT INTO trading.deposits (id, wallet_id, synthetic, currency, network, address, transaction, output, amount, credited, state,
         revision, confirmations, reorganised, seen_at, confirmed_at, quarantined_at, updated_at)
       SELECT $1, w.id, false, 'BTC', 'bitcoin', 'x', 'gone', 0, 2, 2, 'QUARANTINED', 1, 0, true, now(), now(), now(), now()
       FROM trading.wallets w JOIN trading.companies c ON c.id = w.company_id
       WHERE w.profile_id IS NULL AND NOT w.synthetic AND c.id = (SELECT company_id FROM trading.profiles LIMIT 1)`,
      [id],
    );
    await page.reload();
    await page.locator('#withdraw').getByText(text.heldText).waitFor();
    expect(await page.locator('#withdraw form').count()).toBe(0);
    await program.manager.execute('DELETE FROM trading.deposits WHERE id = $1', [id]);
    await context.close();
  });

  test.each(fewViews)(
    'what cannot be read of a wallet or a currency is not that of another, on $name',
    async (view) => {
      const { trading: text } = view.texts;
      const { page, context, open } = await enter(view);
      await page.route('**/graphql', (route) => {
        const { variables = {} } = JSON.parse(route.request().postData() ?? '{}') as {
          variables?: Record<string, unknown>;
        };
        return variables['currency'] === 'ETH' || variables['synthetic'] === true
          ? route.fulfill({ status: 503, json: { errors: [{ message: 'Away', extensions: { code: 'UNAVAILABLE' } }] } })
          : route.continue();
      });
      await open('/negociacao/transferencias');
      await page.selectOption('[name=asset]', 'BTC');
      await page.locator('#deposit').getByText(text.transfers.networks.bitcoin).waitFor();
      await page.selectOption('[name=asset]', 'ETH');
      await page.getByRole('alert').waitFor();
      expect(await page.locator('#deposit').count()).toBe(0);
      await open('/negociacao/saldos');
      await page.getByRole('row', { name: /^BRL/ }).waitFor();
      await page.selectOption('[name=world]', 'synthetic');
      await page.getByRole('alert').first().waitFor();
      expect(await page.getByRole('row', { name: /^BRL/ }).count()).toBe(0);
      await context.close();
    },
  );

  test.each(fewViews)(
    'every withdrawal of a wallet can be reached, and a new one joins them, on $name',
    async (view) => {
      const { frame, home } = view.texts;
      const { page, context, open } = await enter(view);
      const withdraw = (times: number) =>
        page.evaluate(async (count) => {
          const query =
            'mutation { withdraw(asset: "BRL", amount: "10", network: "pix", address: "ana@casa.example") { id } }';
          for (let made = 0; made < count; made++)
            await fetch('/graphql', {
              method: 'POST',
              headers: { 'content-type': 'application/json' },
              body: JSON.stringify({ query }),
            });
        }, times);
      await withdraw(21);
      await open('/negociacao/transferencias');
      const rows = page.locator('#withdrawals tbody tr');
      await rows.nth(19).waitFor();
      await page.locator('#withdrawals').getByRole('button', { name: frame.more, exact: true }).click();
      await rows.nth(20).waitFor();
      await withdraw(1);
      await rows.nth(21).waitFor();
      // One that was not made is told on the home.
      await panel.site.platform.infrastructure.dataSource.query(
        `UPDATE trading.withdrawals SET state = 'REJECTED', failure = 'Unknown payee', due_at = NULL, completed_at = NULL
         WHERE id = (SELECT id FROM trading.withdrawals LIMIT 1)`,
      );
      await open('/');
      await page.getByText(home.company.failed.one).waitFor();
      await context.close();
    },
  );

  test.each(fewViews)('the wallet of every profile can be chosen, on $name', async (view) => {
    const { trading: text } = view.texts;
    const { context: program } = panel.site.platform.infrastructure;
    const trader = await newTrader(program, { name: 'Muitos Clientes' });
    for (let made = 0; made < 101; made++) await newProfile(trader);
    const { page, context, open } = await openView(panel.browser, panel.site.url, view);
    await open('/negociacao/saldos');
    await enterAsTrader(page, trader.credential, view.texts);
    await open('/negociacao/saldos');
    const wallet = page.locator('[name=profile]');
    // The company's own is one more.
    await wallet.locator('option').nth(101).waitFor({ state: 'attached' });
    await wallet.selectOption({ index: 101 });
    await page.getByRole('row', { name: /^BRL/ }).waitFor();
    expect(await wallet.locator('option:checked').innerText()).not.toBe(text.words.ownWallet);
    expect(await page.getByRole('alert').count()).toBe(0);
    await context.close();
  });

  test.each(fewViews)('a statement says that an operator corrected it, and why, on $name', async (view) => {
    const { trading: text } = view.texts;
    const { context: program } = panel.site.platform.infrastructure;
    const trader = await newTrader(program, { name: 'Corrigida' });
    const { id: walletId } = await walletOf(trader);
    const { headers } = await newOperator(program);
    const posted = await fetch(`${panel.site.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({
        query: `mutation ($postings: [CorrectionPostingInput!]!) {
          postCorrection(key: "ticket-9", synthetic: false, reason: "Not credited", postings: $postings) { journalId } }`,
        variables: {
          postings: [
            { account: 'AVAILABLE', walletId, currency: 'BRL', amount: '10.00' },
            { account: 'FEES', currency: 'BRL', amount: '-10.00' },
          ],
        },
      }),
    });
    expect(await posted.json()).toEqual({ data: { postCorrection: { journalId: expect.any(String) } } });
    const { page, context, open } = await openView(panel.browser, panel.site.url, view);
    await open('/negociacao/saldos');
    await enterAsTrader(page, trader.credential, view.texts);
    await open('/negociacao/saldos');
    await page.getByText(text.balances.causes['operator.correction']).waitFor();
    await page.getByText('Not credited').waitFor();
    await context.close();
  });

  test.each(fewViews)('amounts have the decimals of their currency, on $name', async (view) => {
    const { page, context, open } = await enter(view);
    await open('/negociacao/saldos');
    const amounts = page.getByRole('row', { name: /^BRL/ }).locator('.number');
    await amounts.first().waitFor();
    for (const text of await amounts.allInnerTexts()) expect(text).toMatch(/[.,]\d\d$/);
    await open('/negociacao/mercados/BTC/BRL');
    const best = page.locator('.depth .bid tr').nth(1).locator('td');
    await best.first().waitFor();
    const [, amount, sum] = (await best.allInnerTexts()).map((text) => text.trim());
    expect(sum).toBe(amount);
    await context.close();
  });

  test.each(fewViews)('a statement says up to when it is, and follows when it is asked to, on $name', async (view) => {
    const { trading: text } = view.texts;
    const { page, context, open } = await enter(view);
    await open('/negociacao/saldos');
    const total = page.getByRole('row', { name: /^BRL/ }).locator('.number').last();
    const closing = page.locator('#statement dl div', { hasText: text.balances.closing });
    await closing.locator('dd', { hasText: /\d:\d\d/ }).waitFor();
    const before = await total.innerText();
    await closing.getByText(before, { exact: true }).waitFor();
    const query = `mutation { createOrder(symbol: "BTC/BRL", side: BUY, type: MARKET, quoteAmount: "500.00") { status } }`;
    await page.evaluate(async (body) => {
      await fetch('/graphql', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    }, JSON.stringify({ query }));
    await until('the statement that follows the balance', async () => {
      await press(page, text.words.refresh);
      const now = await total.innerText();
      return now !== before && (await closing.getByText(now, { exact: true }).count()) === 1;
    });
    await context.close();
  });

  test.each(fewViews)('a change that comes while orders are being read is read too, on $name', async (view) => {
    const { page, context, open } = await enter(view);
    const order = (price: string) =>
      page.evaluate(async (at) => {
        const query = `mutation { createOrder(symbol: "BTC/BRL", side: BUY, type: LIMIT, amount: "0.001", price: "${at}") { status } }`;
        const body = JSON.stringify({ query });
        await fetch('/graphql', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
      }, price);
    await open('/negociacao/ordens');
    await page.getByRole('table').waitFor();
    let [reads, isHeld] = [0, true];
    await page.route('**/graphql', async (route) => {
      if (!(route.request().postData() ?? '').includes('"status":"OPEN"')) return route.continue();
      const response = await route.fetch();
      reads += 1;
      // The first is held, with what it has read.
      if (reads === 1) await until('the read to be let go', () => !isHeld);
      return route.fulfill({ response });
    });
    await order('3001');
    await until('the list to be read', () => reads > 0);
    // The subscription may have begun only then, which reads once more.
    const before = reads;
    await order('3002');
    await until('the list to be read again', () => reads > before).finally(() => {
      isHeld = false;
    });
    await page.getByRole('row', { name: /3,002\.00/ }).waitFor();
    await page.unrouteAll({ behavior: 'wait' });
    await press(page, view.texts.trading.orders.cancelAll);
    await page.getByText(view.texts.trading.orders.empty).waitFor();
    await context.close();
  });

  test.each(fewViews)('a quote is offered where it was asked for, and nowhere else, on $name', async (view) => {
    const { trading: text } = view.texts;
    const { page, context, open } = await enter(view);
    await open('/negociacao/mercados/BTC/BRL');
    await page.getByText(text.market.live).waitFor();
    await page.locator('[data-value=QUOTE]').click();
    await page.fill('[name=amount]', typed(view, '0.02'));
    await press(page, text.quote.ask);
    await page.getByRole('timer').waitFor();
    // Nor beside an order, whose costs it would hide.
    await page.locator('[data-value=LIMIT]').click();
    await page.getByText(text.order.totalWithFee).waitFor();
    expect(await page.getByRole('timer').count()).toBe(0);
    await page.locator('[data-value=QUOTE]').click();
    await page.keyboard.press('Control+k');
    await page.getByRole('searchbox').fill('eth brl');
    await page.getByRole('menuitem', { name: 'ETH/BRL' }).first().waitFor();
    await page.keyboard.press('Enter');
    await heading(page, 'ETH/BRL');
    await page.getByText(text.market.live).waitFor();
    expect(await page.getByRole('timer').count()).toBe(0);
    expect(await page.inputValue('[name=amount]')).toBe('');
    await context.close();
  });
});
