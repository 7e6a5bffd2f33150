import { expect, test } from '@jest/globals';
import { newOperator } from '../kit/operator.js';
import type { TestPlatform } from '../kit/platform.js';
import { until } from '../kit/until.js';
import { newestPrice } from './panel-kit.js';
import {
  act,
  describeInBrowser,
  enterAsOperator,
  fewViews,
  heading,
  openView,
  dialogSays,
  press,
  pressInDialog,
  typed,
  views,
  openPanelAround,
} from './panel-views.js';

describeInBrowser("The operator's panel", () => {
  const panel = openPanelAround();

  test.each(views)('leads through what operators do on $name', async (view) => {
    const { operator: text } = view.texts;
    const { context: ownContext } = panel.site.platform.infrastructure;
    const operator = await newOperator(ownContext);
    const other = await newOperator(ownContext, ['read']);
    const { page, context, open, see } = await openView(panel.browser, panel.site.url, view);
    await open('/operacao/originadores');
    await enterAsOperator(page, operator.key, view.texts);

    await open('/operacao/originadores');
    await heading(page, text.originators.title);
    await see('originators');
    await page.getByRole('cell').getByRole('link').first().click();
    await press(page, text.words.suspend);
    await see('originator-suspend');
    await pressInDialog(page, text.words.suspend);
    await act(page, text.originators.activate);
    await act(page, text.originators.withdrawSending);
    await act(page, text.originators.permitSending);
    await page.getByRole('button', { name: text.originators.withdrawSending, exact: true }).waitFor();

    await open('/operacao/mesa');
    await heading(page, text.words.desk);
    await press(page, `${text.desk.halt} BTC/BRL`);
    await page.fill('[role=dialog] [name=reason]', 'Manutenção');
    await see('halt');
    await pressInDialog(page, text.desk.halt);
    await page.getByText('Manutenção').waitFor();
    await see('desk');
    await press(page, `${text.desk.resume} BTC/BRL`);
    await page.getByRole('button', { name: `${text.desk.halt} BTC/BRL`, exact: true }).waitFor();

    await open('/operacao/pagamentos');
    await heading(page, text.words.payments);
    await see('payments');
    const due = page.locator('#overdue, #next').getByRole('link').first();
    const ticker = (await due.textContent()) ?? '';
    await due.click();
    // A series is an address: the browser's way back leads to all of them.
    await heading(page, ticker);
    await page.goBack();
    await heading(page, text.words.payments);
    await page.goForward();
    await page
      .getByRole('button', { name: new RegExp(`^${text.payments.pay} `) })
      .first()
      .click();
    await dialogSays(page, text.payments.mora);
    await page.fill('[role=dialog] [name=amount]', '1');
    await page.fill('[role=dialog] [name=lateCharges]', typed(view, '0.4'));
    // No other payment of the series may have a reference, not even after a reversal.
    const reference = `TED-${view.key}`;
    await page.fill('[role=dialog] [name=reference]', reference);
    await see('payment');
    await pressInDialog(page, text.payments.pay);
    await page.getByText(text.payments.recorded).waitFor();
    await page.getByText(reference).first().waitFor();
    // What it paid beyond the instalment: the rest is what is no longer open.
    await page
      .getByText(new RegExp(text.payments.beyond('R\\$\\s?0[.,]40')))
      .first()
      .waitFor();
    const reverse = new RegExp(`^${text.payments.reverse} .*R\\$\\s?1[.,]00$`);
    await page.getByRole('button', { name: reverse }).first().click();
    await page.fill('[role=dialog] [name=reason]', 'Devolvido pelo banco');
    await pressInDialog(page, text.payments.reverse);
    await page.getByText(text.payments.wasReversed).waitFor();

    const pricedOn = await newestPriceOf(panel.site.platform, ticker);
    await press(page, text.events.declare);
    await page.fill('[role=dialog] [name=day]', pricedOn);
    await page.selectOption('[role=dialog] [name=premiumRule]', 'FLAT');
    await page.fill('[role=dialog] [name=premiumPercent]', typed(view, '1.5'));
    await page.fill('[role=dialog] [name=reason]', 'Venda de garantia');
    await page.fill('[role=dialog] [name=document]', 'Ata da assembleia de 10/10');
    await pressInDialog(page, text.events.simulate);
    await page.locator('[role=dialog] [name=percent][aria-invalid=true]').waitFor();
    await see('event-refused');
    await page.fill('[role=dialog] [name=percent]', typed(view, '2.5'));
    await pressInDialog(page, text.events.simulate);
    await dialogSays(page, text.events.corrects);
    await page.getByRole('dialog').getByRole('heading', { name: text.events.told }).waitFor();
    await see('event-preview');
    await page.fill('[role=dialog] [name=percent]', typed(view, '12.5'));
    expect(await page.getByRole('dialog').getByText(text.events.corrects).count()).toBe(0);
    await pressInDialog(page, text.events.simulate);
    const simulated = page.getByRole('dialog').getByRole('heading', { level: 3 }).first();
    const number = /E\d+/.exec((await simulated.textContent()) ?? '')?.[0] ?? '';
    await pressInDialog(page, text.events.act);
    await page.getByText(text.events.declared(number)).waitFor();
    await page
      .getByRole('row', { name: `${number} ` })
      .getByText(new RegExp(`${typed(view, '12.5')}%.*${typed(view, '1.5')}%`))
      .waitFor();
    await see('events');
    const pay = page.getByRole('button', { name: `${text.payments.pay} ${number}`, exact: true });
    await until('the amounts of the event', async () => {
      await press(page, text.words.refresh);
      return (await pay.count()) > 0;
    });
    await pay.click();
    await pressInDialog(page, text.payments.pay);
    await page.getByText(text.payments.recorded).waitFor();
    await page.getByRole('button', { name: `${text.events.withdraw} ${number}` }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: new RegExp(`^${text.payments.reverse} ${number} `) }).click();
    await page.fill('[role=dialog] [name=reason]', 'Devolvido pelo banco');
    await pressInDialog(page, text.payments.reverse);
    await page.getByText(text.payments.wasReversed).waitFor();
    await act(
      page,
      `${text.events.withdraw} ${number}`,
      { reason: 'A garantia não foi vendida' },
      text.events.withdraw,
    );
    await page.getByText(text.events.wasWithdrawn(number)).waitFor();
    await page
      .getByRole('row', { name: `${number} ` })
      .getByText('A garantia não foi vendida')
      .waitFor();
    await see('event-withdrawn');

    await open('/operacao/pagamentos');
    await page.getByRole('heading', { name: text.pricing.differences }).waitFor();
    await page.fill('[name=ticker]', 'AURORA-TK1');
    await press(page, text.payments.show);
    const sources = [
      ['TYPED', 'Laudo do agente fiduciário'],
      ['ENGINE', 'Volta ao cálculo'],
    ] as const;
    for (const [pricing, reason] of sources) {
      await act(page, text.pricing.acts[pricing], { reason: reason });
      await page.getByText(text.pricing.changed('CRIAURORA1')).waitFor();
      if (pricing === 'TYPED') await page.getByText(reason).waitFor();
    }
    await page.getByRole('button', { name: text.pricing.acts.TYPED, exact: true }).waitFor();
    await see('pricing');

    await open('/operacao/importacoes');
    await heading(page, text.imports.title);
    await page.getByRole('cell').getByRole('link').first().waitFor();
    await see('imports');
    await page.getByRole('cell').getByRole('link').first().click();
    await heading(page, text.imports.one);
    await page.getByRole('heading', { name: text.imports.changes }).waitFor();
    await see('import');

    await open('/operacao/indices');
    await heading(page, text.indexValues.title);
    await page.getByRole('cell', { name: text.indexValues.none }).waitFor();
    await page.getByText('ANBIMA').first().waitFor();
    await see('indices');

    // Each month that has positions lacks some; the newest may have none yet.
    await ownContext.manager.execute(
      "DELETE FROM issuances.contract_positions WHERE right(contract_id::text, 1) < '8'",
    );
    await open('/operacao/relatorios');
    await heading(page, text.months.title);
    const months = page.getByRole('button', { name: new RegExp(`^${text.months.close} `) });
    const waiting = (await months.nth(1).getAttribute('aria-label'))?.slice(text.months.close.length + 1) ?? '';
    await press(page, `${text.months.close} ${waiting}`);
    await see('month');
    await pressInDialog(page, text.months.close);
    // What is missing is told before a reason accepts it.
    await page.locator('[role=dialog] [name=reason][aria-invalid=true]').waitFor();
    expect(await page.locator('[role=dialog] [role=alert] li:not(:has([lang=en]))').count()).toBeGreaterThan(0);
    await see('month-refused');
    await page.fill('[role=dialog] [name=reason]', 'O devedor não informou');
    await pressInDialog(page, text.months.close);
    await page.getByText(text.months.wasClosed(waiting)).waitFor();
    await see('months');

    const { series, day } = await newestPrice(panel.site.platform);
    await open('/operacao/importacoes');
    await press(page, text.imports.voidRecord);
    await page.selectOption('[role=dialog] [name=kind]', 'unitPrices');
    await page.fill('[role=dialog] [name=names]', `${series}\n1999-01-01`);
    await page.fill('[role=dialog] [name=reason]', 'Engano');
    await pressInDialog(page, text.imports.voidAct);
    await page.getByRole('dialog').getByRole('alert').waitFor();
    await see('void-refused');
    await page.fill('[role=dialog] [name=names]', `${series}\n${day}`);
    await pressInDialog(page, text.imports.voidAct);
    await heading(page, text.imports.one);
    await page
      .getByRole('cell', { name: new RegExp(`${series}.*${day}`) })
      .first()
      .waitFor();
    await see('voided');
    expect(await newestPrice(panel.site.platform)).not.toEqual({ series, day });
    await act(page, text.imports.revert, { reason: 'Estava certo' });
    await page.getByText(text.imports.revertedBy).waitFor();
    expect(await newestPrice(panel.site.platform)).toEqual({ series, day });

    await open('/operacao/contas');
    await heading(page, text.accounts.title);
    const credentials = panel.site.platform.demo();
    const prefix = credentials.publicApiKey.split('.')[0] ?? '';
    await page.fill('[name=conta]', prefix);
    await press(page, text.accounts.search);
    await press(page, `${text.accounts.setLimit} ${prefix}`);
    await page.fill('[role=dialog] [name=rateLimit]', '1234');
    await see('limit');
    await pressInDialog(page, text.accounts.setLimit);
    await page.getByRole('cell', { name: /^1[.,]234$/ }).waitFor();
    await page.fill('[name=conta]', credentials.account.email);
    await press(page, text.accounts.search);
    await page.getByRole('heading', { name: credentials.account.email }).waitFor();
    await act(page, text.accounts.disable, { reason: 'Pedido da casa' });
    await page.getByText(text.accounts.disabled(credentials.account.email)).waitFor();
    await see('accounts');
    await press(page, text.accounts.enable);
    await page.getByText(text.accounts.enabled(credentials.account.email)).waitFor();

    await open('/operacao/auditoria?action=haltMarket');
    await heading(page, text.audit.title);
    await page.getByRole('cell', { name: text.audit.actNames.haltMarket }).first().waitFor();
    await see('audit');
    await page
      .getByRole('button', { name: `${text.words.details}: ${text.audit.actNames.haltMarket}` })
      .first()
      .click();
    await dialogSays(page, text.words.after);
    await see('audit-details');
    await page.keyboard.press('Escape');

    await open('/operacao/operadores');
    await heading(page, text.operators.title);
    await page.getByText(other.email).first().waitFor();
    await press(page, `${text.operators.change}: ${other.email}`);
    await page.getByRole('dialog').getByText(text.operators.roleTexts.trade).click();
    await see('operator-roles');
    await pressInDialog(page, text.operators.change);
    await page.getByText(text.operators.wasChanged(other.email)).waitFor();
    await act(page, text.operators.add, { email: other.email, name: 'Outra' });
    await page.getByRole('dialog').getByRole('alert').waitFor();
    const added = `nova-${view.key}@casa.example`;
    await page.fill('[role=dialog] [name=email]', added);
    await pressInDialog(page, text.operators.add);
    await page.getByText(text.operators.added(added)).waitFor();
    await act(page, `${text.operators.reset}: ${other.email}`, { reason: 'Perdeu o celular' }, text.operators.reset);
    await page.getByRole('dialog').getByRole('alert').waitFor();
    await page.keyboard.press('Escape');
    await act(page, `${text.operators.actsOf.revoke}: ${other.email}`, {}, text.operators.actsOf.revoke);
    await page.getByText(text.operators.revokedOf(other.email)).waitFor();
    await see('operators');
    await context.close();
  });

  test.each(fewViews)(
    'an operator sees the pages of its roles alone, and acts on nothing that they do not permit, on $name',
    async (view) => {
      const { operator: text, frame } = view.texts;
      const { key } = await newOperator(panel.site.platform.infrastructure.context, ['read']);
      const { page, context, open, check } = await openView(panel.browser, panel.site.url, view);
      await open('/operacao/originadores');
      await enterAsOperator(page, key, view.texts);
      await open('/operacao/originadores');
      await heading(page, text.originators.title);
      await page.getByRole('cell').getByRole('link').first().click();
      await page.getByText(text.originators.clientId).first().waitFor();
      for (const name of [text.words.suspend, text.originators.withdrawSending])
        expect(await page.getByRole('button', { name: new RegExp(`^${name}`) }).count()).toBe(0);
      for (const name of [frame.areas.operator.audit, frame.areas.operator.imports, frame.areas.operator.operators])
        expect(await page.getByRole('link', { name, exact: true }).count()).toBe(0);
      await open('/operacao/auditoria');
      await page.getByRole('alert').waitFor();
      await check();
      await context.close();
    },
  );
});

/** Returns the day of the newest unit price of a tokenized series. */
async function newestPriceOf({ infrastructure }: TestPlatform, ticker: string): Promise<string> {
  const [found] = await infrastructure.context.manager.rows<{ day: string }>(
    'SELECT max(date)::text AS day FROM tokenization.unit_prices JOIN tokenization.tranches ON tranches.id = tranche_id WHERE ticker = $1',
    [ticker],
  );
  return found?.day ?? '';
}
