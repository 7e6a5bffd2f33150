import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { newId } from '../../shared/kernel/ids.js';
import { newPair, pemOf } from '../credit-assignment/signing-kit.js';
import { newOperator, type TestOperator } from '../kit/operator.js';
import {
  act,
  describeInBrowser,
  enterAsAccount,
  enterAsOperator,
  fewViews,
  heading,
  openView,
  dialogSays,
  press,
  pressInDialog as inDialog,
  typed,
  views,
  type View,
  openPanelAround,
} from './panel-views.js';

/** The estate that each view permits; a list by ticker has none of them on its first page. */
const estateOf = { 'pt-phone': 1147, 'pt-desk': 1148, 'en-phone': 1149, 'en-desk': 1150 } as const;

describeInBrowser("The desk of the operator's panel", () => {
  const panel = openPanelAround({ WITHDRAWAL_APPROVAL_ABOVE: '1' });

  const pressFirst = (page: Page, text: RegExp) => page.getByRole('button', { name: text }).first().click();
  const fill = (page: Page, name: string, value: string) => page.fill(`[role=dialog] [name="${name}"]`, value);
  /** What a page says of the act before. */
  const said = (page: Page, text: string) => page.getByRole('status').getByText(text, { exact: true }).waitFor();
  const rows = (text: string, values: unknown[] = []) =>
    panel.site.platform.infrastructure.context.manager.rows<{ id: string }>(text, values);

  async function enter(view: View, operator: TestOperator) {
    const opened = await openView(panel.browser, panel.site.url, view);
    await opened.open('/operacao/mesa');
    await enterAsOperator(opened.page, operator.key, view.texts);
    return opened;
  }

  async function graphql<T>(headers: Record<string, string>, query: string, variables: object = {}): Promise<T> {
    const response = await fetch(`${panel.site.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ query, variables }),
    });
    const { data, errors } = (await response.json()) as { data: T; errors?: unknown };
    if (errors !== undefined) throw new Error(JSON.stringify(errors));
    return data;
  }

  async function traderHeaders(pair: { readonly apiKey: string; readonly secretKey: string }) {
    const response = await fetch(`${panel.site.url}/v1/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(pair),
    });
    const { accessToken } = (await response.json()) as { accessToken: string };
    return { authorization: `Bearer ${accessToken}` };
  }

  const withdrawText = 'mutation { withdraw(asset: "BRL", amount: "100", address: "maria@cliente.example") { id } }';

  test.each(views)('onboards a company, gives it a credential and limits, and suspends it on $name', async (view) => {
    const { operator: text } = view.texts;
    const { companies, words } = text;
    const { page, context, open, see } = await enter(
      view,
      await newOperator(panel.site.platform.infrastructure.context),
    );
    await open('/operacao/empresas');
    await heading(page, companies.title);
    await page.getByRole('cell').getByRole('link').first().waitFor();
    await see('companies');
    await act(page, companies.add, { name: 'Corretora Nova', rateLimit: '0' });
    await dialogSays(page, /must be a whole number|deve ser um número inteiro/i);
    await see('company-refused');
    await fill(page, 'rateLimit', '900');
    await inDialog(page, companies.add);
    await heading(page, 'Corretora Nova');
    await page.getByText(companies.noCredentials).waitFor();

    await act(page, words.change, { maxOpenOrders: typed(view, '1.5') }, words.save);
    await dialogSays(page, view.texts.frame.notWhole);
    await fill(page, 'maxOpenOrders', '0');
    await fill(page, 'makerFee', '11');
    await inDialog(page, words.save);
    await dialogSays(page, /must be from 0 to 10|deve ser de 0 a 10/i);
    await dialogSays(page, /must be a whole number|deve ser um número inteiro/i);
    await see('company-change');
    await fill(page, 'maxOpenOrders', typed(view, '1000'));
    await fill(page, 'makerFee', typed(view, '0.125'));
    await fill(page, 'spreadTiers', `0; ${typed(view, '0.8')}\n${typed(view, '100000')}; ${typed(view, '0.5')}`);
    await inDialog(page, words.save);
    await said(page, companies.changed);
    await page.getByText(/^0[,.]125%$/).waitFor();

    await press(page, companies.addCredential);
    await fill(page, 'allowedNetworks', '203.0.113.7\n10.0.0.0/8');
    await see('credential-add');
    await inDialog(page, companies.addCredential);
    await page.getByText(companies.addedText).waitFor();
    const secret = await page
      .getByRole('dialog')
      .getByText(/^svc_trd_secret_/)
      .textContent();
    expect(secret).toMatch(/^svc_trd_secret_\w+$/);
    await inDialog(page, companies.handedOver);
    await said(page, companies.credentialAdded);
    expect(await page.content()).not.toContain(secret);
    await pressFirst(page, new RegExp(`^${words.change} svc_trd_`));
    await fill(page, 'allowedNetworks', '');
    await inDialog(page, words.save);
    await said(page, companies.credentialChanged);
    await page.getByRole('cell', { name: companies.anywhere, exact: true }).waitFor();

    await act(page, companies.setLimit, { currency: 'brl', daily: typed(view, '5000.50') }, words.save);
    await said(page, companies.limitSet);
    await act(page, companies.onlyList);
    await page.getByRole('definition').getByText(companies.onlyListed).waitFor();
    await see('company');

    await pressFirst(page, new RegExp(`^${words.revoke} svc_trd_`));
    await inDialog(page, words.revoke);
    await said(page, companies.credentialRevoked);
    await act(page, words.suspend);
    await said(page, companies.suspended);
    await act(page, companies.activate);
    await said(page, companies.activated);

    // The company of the demo has profiles.
    await open('/operacao/empresas');
    const [demoCompany] = await rows('SELECT company_id AS id FROM trading.profiles LIMIT 1');
    await open(`/operacao/empresas/${demoCompany?.id ?? ''}`);
    await pressFirst(page, new RegExp(`^${words.suspend}: `));
    await see('profile-suspend');
    await inDialog(page, words.suspend);
    await pressFirst(page, new RegExp(`^${companies.activate}: `));
    await inDialog(page, companies.activate);
    await page.getByRole('status').getByText(companies.profileStates.ACTIVE.toLowerCase()).waitFor();
    await open('/operacao/empresas/nada');
    await page.getByText(view.texts.frame.notFound).waitFor();
    await context.close();
  });

  test.each(views)(
    'halts, reconciles, resolves what waits, and lets nobody approve twice or for themselves on $name',
    async (view) => {
      const { operator: text } = view.texts;
      const { desk, exceptions, words } = text;
      const { context: program } = panel.site.platform.infrastructure;
      const operator = await newOperator(program);
      const { page, context, open, see } = await enter(view, operator);

      const byDemo = await traderHeaders(panel.site.platform.demo().trading);
      const { withdraw: first } = await graphql<{ withdraw: { id: string } }>(byDemo, withdrawText);
      const { withdraw: shared } = await graphql<{ withdraw: { id: string } }>(byDemo, withdrawText);
      const { withdraw: stuck } = await graphql<{ withdraw: { id: string } }>(byDemo, withdrawText);
      await rows("UPDATE trading.withdrawals SET state = 'QUARANTINED' WHERE id = $1", [stuck.id]);
      const [company] = await rows('SELECT company_id AS id FROM trading.withdrawals WHERE id = $1', [first.id]);
      const issued = await graphql<{ addTradingCredential: { readonly apiKey: string; readonly secretKey: string } }>(
        operator.headers,
        'mutation ($id: ID!) { addTradingCredential(companyId: $id, scopes: ["withdraw"]) { apiKey secretKey } }',
        { id: company?.id },
      );
      const { withdraw: own } = await graphql<{ withdraw: { id: string } }>(
        await traderHeaders(issued.addTradingCredential),
        withdrawText,
      );
      const { createOrder: order } = await graphql<{ createOrder: { orderId: string } }>(
        byDemo,
        'mutation { createOrder(symbol: "BTC/BRL", side: BUY, type: LIMIT, amount: "0.01", price: "1000") { orderId } }',
      );
      await rows('UPDATE trading.orders SET quarantined_at = now() WHERE id = $1', [order.orderId]);
      await rows(
        `INSERT INTO trading.reconciliation_findings (id, invariant, currency, synthetic, subject, expected, actual, found_at, last_seen_at)
           VALUES ($1, 'ZERO_SUM', 'USDT', false, 'a month', '0', '1', now(), now())
           ON CONFLICT DO NOTHING`,
        [newId()],
      );
      await rows(
        `INSERT INTO trading.currency_halts VALUES ('ETH', false, 'Conta em aberto', now()) ON CONFLICT DO NOTHING`,
      );

      await open('/');
      await page.getByText(view.texts.home.operator.findings).waitFor();
      // What the reader may not decide on is told as well: nobody of those present may.
      await page.getByText(view.texts.home.operator.byOthers.one, { exact: true }).waitFor();
      await see('home-operator');
      await page.getByRole('link', { name: /withdrawals? waits? for approval|saques? esperam? aprovação/ }).click();
      await heading(page, words.desk);
      await page.getByText(exceptions.approvalBars.ISSUED_CREDENTIAL).first().waitFor();
      expect(await page.getByRole('button', { name: `${desk.approve} ${own.id}` }).count()).toBe(0);
      await see('desk');
      await press(page, `${desk.approve} ${first.id}`);
      await dialogSays(page, /maria@cliente/);
      await inDialog(page, desk.approve);
      await said(page, desk.lacksOne);
      await page.getByText(exceptions.approvalBars.ALREADY_APPROVED).first().waitFor();
      expect(await page.getByRole('button', { name: `${desk.approve} ${first.id}` }).count()).toBe(0);

      // Somebody else approves what an open dialog shows: its click would be the last approval.
      await press(page, `${desk.approve} ${shared.id}`);
      await dialogSays(page, desk.oneMore);
      const other = await newOperator(program);
      await graphql(other.headers, 'mutation ($id: ID!) { approveWithdrawal(id: $id) { id } }', { id: shared.id });
      await inDialog(page, desk.approve);
      await dialogSays(page, desk.changed);
      await dialogSays(page, desk.isLast);
      await see('approve-last');
      await inDialog(page, desk.approve);
      await said(page, desk.sent);

      await act(page, exceptions.haltTrading, { reason: 'Manutenção geral' });
      await page.getByText('Manutenção geral').waitFor();
      await press(page, exceptions.resumeTrading);
      await page.getByRole('button', { name: exceptions.haltTrading, exact: true }).waitFor();

      await pressFirst(page, new RegExp(`^${exceptions.resolve}: ${exceptions.invariants.ZERO_SUM}`));
      await fill(page, 'reason', 'Lançado duas vezes');
      await inDialog(page, exceptions.resolve);
      await page.getByText(exceptions.invariants.ZERO_SUM).waitFor({ state: 'detached' });
      await press(page, exceptions.reconcile);
      await pressFirst(page, new RegExp(`^${desk.resume} ETH$`));
      await fill(page, 'reason', 'Conta conferida');
      await see('resume-currency');
      await inDialog(page, desk.resume);
      await page.getByText(exceptions.noCurrencies).waitFor();

      await page.getByText(order.orderId).waitFor();
      const section = page.locator('#orders');
      await section
        .getByRole('button', { name: new RegExp(`^${exceptions.resolve}`) })
        .first()
        .click();
      await page.selectOption('[role=dialog] [name=outcome]', 'REJECTED');
      await fill(page, 'reason', 'Tela da corretora');
      await see('resolve-order');
      await inDialog(page, exceptions.resolve);
      await section.getByText(order.orderId).waitFor({ state: 'detached' });

      await act(page, `${exceptions.resolve} ${stuck.id}`, { reason: 'Nunca saiu' }, exceptions.resolve);
      // Said to be sent, without a transaction.
      const needed = (view.texts.frame.rules.REQUIRED_WITH_OUTCOME ?? 'Is required with {value}.').replace(
        '{value}',
        'SENT',
      );
      await dialogSays(page, needed);
      await page.selectOption('[role=dialog] [name=outcome]', 'FAILED');
      await see('resolve-withdrawal');
      await inDialog(page, exceptions.resolve);
      await page.getByText(exceptions.noStuck).waitFor();
      await see('desk-done');

      // A deposit of the wallet in quarantine keeps what is approved, and one operator has said of another one that it came back.
      await rows(
        `INSERT INTO trading.deposits (id, wallet_id, synthetic, currency, network, address, transaction, output, amount, credited, state,
           revision, confirmations, reorganised, seen_at, confirmed_at, quarantined_at, updated_at)
         SELECT $2, wallet_id, false, 'BTC', 'bitcoin', 'x', 'gone', 0, 2, 2, 'QUARANTINED', 1, 0, true, now(), now(), now(), now()
         FROM trading.withdrawals WHERE id = $1`,
        [own.id, newId()],
      );
      await rows("UPDATE trading.withdrawals SET state = 'READY', due_at = now() WHERE id = $1", [own.id]);
      await rows(
        "UPDATE trading.withdrawals SET state = 'COMPLETED', transaction = 'x', sent_at = now(), completed_at = now() WHERE id = $1",
        [first.id],
      );
      await rows("INSERT INTO trading.withdrawal_returns VALUES ($1, 'another operator', now())", [first.id]);
      await open('/');
      await page.getByText(view.texts.home.operator.quarantined.one, { exact: true }).waitFor();
      await page.getByText(view.texts.home.operator.stuck.other.replace('#', '2'), { exact: true }).click();
      await page.locator('#stuck').getByText(exceptions.saidReturned('1')).waitFor();
      await page.getByRole('button', { name: `${exceptions.cameBack} ${first.id}` }).waitFor();
      await page.locator('#deposits').getByRole('link').waitFor();
      await see('desk-quarantine');
      await page.locator('#deposits').getByRole('link').click();
      await page.locator('#requested').getByText(exceptions.saidReturned('1')).waitFor();
      await page.locator('#requested').getByText(new RegExp(exceptions.waits.QUARANTINE)).first().waitFor();
      await act(page, `${desk.reject} ${own.id}`, { reason: 'Depósito desfeito' }, desk.reject);
      await said(page, desk.rejected);
      await rows('DELETE FROM trading.withdrawal_returns');
      await rows("DELETE FROM trading.deposits WHERE state = 'QUARANTINED'");
      await rows(
        "UPDATE trading.withdrawals SET state = 'AWAITING_APPROVAL', transaction = NULL, sent_at = NULL, completed_at = NULL WHERE id = $1",
        [first.id],
      );
      await context.close();
    },
  );

  test.each(views)('onboards an originator, whose account sees who did what on $name', async (view) => {
    const { operator: text, originator } = view.texts;
    const { originators, onboarding, words } = text;
    const { page, context, open, see } = await enter(
      view,
      await newOperator(panel.site.platform.infrastructure.context),
    );
    const [owner] = await rows('SELECT id FROM accounts.accounts WHERE email = $1', [
      panel.site.platform.demo().account.email,
    ]);
    await open('/operacao/originadores');
    await heading(page, originators.title);
    await press(page, onboarding.add);
    const name = `Crediário ${view.key}`;
    await fill(page, 'name', name);
    await fill(page, 'publicKey', 'nada');
    await inDialog(page, onboarding.add);
    await page
      .getByRole('dialog')
      .getByRole('alert')
      .or(page.locator('[role=dialog] .react-aria-FieldError'))
      .first()
      .waitFor();
    await see('originator-refused');
    await fill(page, 'publicKey', pemOf(newPair().publicKey));
    await inDialog(page, onboarding.add);
    await heading(page, name);
    await page.getByText(onboarding.noPermits).waitFor();
    await act(page, words.change, { accountId: owner?.id ?? '', rateLimit: '300' }, words.save);
    await said(page, onboarding.changed);
    await act(page, originators.permitSending);
    await said(page, onboarding.sendingPermitted);
    await act(page, onboarding.addKey, { publicKey: pemOf(newPair().publicKey) });
    await said(page, onboarding.keyAdded);
    await pressFirst(page, new RegExp(`^${words.revoke} `));
    await inDialog(page, words.revoke);
    await said(page, onboarding.keyRevoked);

    // More estates than a list has, in the domain that has them and in the one that permits them.
    await rows(
      `WITH added AS (
         INSERT INTO tokenization.patrimonies (id, ticker, name, slug, status, created_at, updated_at)
         SELECT gen_random_uuid(), 'AAA-' || n, 'Patrimônio Separado ' || n, 'aaa-' || n, 'ACTIVE', now(), now()
         FROM generate_series(1001, 1150) n ON CONFLICT DO NOTHING RETURNING id, ticker, name, status)
       INSERT INTO credit_assignment.estates (id, ticker, name, status) SELECT id, ticker, name, status FROM added`,
    );
    const estate = `AAA-${estateOf[view.key]}`;
    await press(page, onboarding.permit);
    const listed = page.locator('[role=dialog] [name=patrimonyId] option');
    await listed.nth(20).waitFor({ state: 'attached' });
    expect((await listed.allTextContents()).filter((text) => text.startsWith(estate))).toEqual([]);
    await fill(page, 'search', 'nada com este nome');
    await dialogSays(page, onboarding.estatesFound('0', '0'));
    await fill(page, 'search', `patrimonio ${estateOf[view.key]}`);
    await dialogSays(page, onboarding.estatesFound('1', '1'));
    expect(await listed.allTextContents()).toEqual([`${estate} · Patrimônio Separado ${estateOf[view.key]}`]);
    await see('permit');
    await inDialog(page, onboarding.permit);
    await said(page, onboarding.permitted);
    await page.getByRole('heading', { name: new RegExp(estate) }).waitFor();
    await pressFirst(page, new RegExp(`^${onboarding.setCriteria}: `));
    await fill(page, 'maxTermDays', '0');
    await inDialog(page, words.save);
    await dialogSays(page, /must be (a whole number )?from 1 to|deve ser (um número inteiro )?de 1 a/i);
    await fill(page, 'maxTermDays', '730');
    await fill(page, 'maxDebtorShare', typed(view, '12.5'));
    await inDialog(page, onboarding.addLimit);
    await page.selectOption('[name="limits[0].kind"]', 'AVERAGE_TERM');
    await fill(page, 'limits[0].maxDays', '0');
    await fill(page, 'reason', 'Novo regulamento');
    await inDialog(page, words.save);
    await dialogSays(page, /(limit of this kind: from 1 to|limite deste tipo: de 1 a)/);
    await fill(page, 'limits[0].maxDays', '400');
    await see('criteria');
    await inDialog(page, words.save);
    await said(page, onboarding.criteriaSet);
    const { limits } = view.texts.frame;
    await page.getByRole('group', { name: limits.title }).getByText(limits.days('400')).waitFor();
    await page.getByText(/^12[,.]5%$/).waitFor();
    await see('originator');
    await act(page, words.suspend);
    await said(page, onboarding.suspended);
    await act(page, originators.activate);
    await said(page, onboarding.activated);
    await pressFirst(page, new RegExp(`^${onboarding.withdraw}: `));
    await inDialog(page, onboarding.withdraw);
    await said(page, onboarding.permitWithdrawn);
    await context.close();

    await rows('DELETE FROM accounts.passkeys');
    await rows('DELETE FROM accounts.recovery_codes');
    const person = await openView(panel.browser, panel.site.url, view);
    await person.open('/originador/atividade');
    await enterAsAccount(person.page, panel.site.platform.demo().account, view.texts);
    await person.open('/originador/atividade');
    const { activity } = originator;
    await heading(person.page, activity.title);
    await person.page.selectOption('[name=originator]', { label: name });
    await person.page.getByText(activity.kinds.ESTATE_WITHDRAWN).waitFor();
    const kinds = await person.page.locator('tbody tr td:nth-child(2)').allTextContents();
    expect(kinds).toEqual(
      (
        [
          'ESTATE_WITHDRAWN',
          'REACTIVATED',
          'SUSPENDED',
          'ESTATE_PERMITTED',
          'KEY_REVOKED',
          'KEY_ADDED',
          'SENDING_PERMITTED',
          'CHANGED',
          'ONBOARDED',
        ] as const
      ).map((kind) => activity.kinds[kind]),
    );
    await person.page.getByText(activity.actors.OPERATOR).first().waitFor();
    expect(await person.page.content()).not.toContain('@casa.example');
    await person.see('activity');
    await person.context.close();
  });

  test.each(fewViews)('an operator who may only read sees all of it, and no act, on $name', async (view) => {
    const { companies, exceptions, originators, words } = view.texts.operator;
    const reader = await newOperator(panel.site.platform.infrastructure.context, ['read']);
    const { page, context, open, check } = await enter(view, reader);
    const main = page.getByRole('main');
    await open('/operacao/empresas');
    await main.getByRole('cell').getByRole('link').first().click();
    await page.getByRole('heading', { name: companies.profiles }).waitFor();
    await main.getByRole('table').last().waitFor();
    expect(await main.getByRole('button').count()).toBe(0);
    await open('/operacao/mesa');
    await page.getByRole('heading', { name: exceptions.deposits }).waitFor();
    await page.getByRole('heading', { name: words.markets }).waitFor();
    expect(await main.getByRole('button').count()).toBe(0);
    await open('/operacao/originadores');
    await heading(page, originators.title);
    await main.getByRole('cell').getByRole('link').first().click();
    await page.getByRole('heading', { name: words.permits }).waitFor();
    expect(await main.getByRole('button').count()).toBe(0);
    await check();
    await context.close();
  });
});
