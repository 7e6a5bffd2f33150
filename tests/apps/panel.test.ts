import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { base32 } from '@scure/base';
import { totpCode, totpStep } from '../../subgraphs/accounts/second-factors/totp.js';
import { callerOf, password as memberPassword } from '../accounts/http.js';
import { until } from '../kit/until.js';
import { mailedLink, publishPrice } from './panel-kit.js';
import {
  describeInBrowser,
  fewViews,
  heading,
  openView,
  press,
  pressInDialog,
  views,
  openPanelAround,
} from './panel-views.js';

const password = 'ponte-velha-1965';

describeInBrowser('The panel', () => {
  const panel = openPanelAround({ REQUEST_LOG_DAYS: '7' });

  test.each(views)('leads from registration to revocation on $name', async (view) => {
    const { base } = view;
    const { frame, account, developer, home } = view.texts;
    const { context, page, open, see } = await openView(panel.browser, panel.site.url, view);
    const email = `ana-${view.key}@casa.example`;
    /** The response of the command in the dialog. */
    const firstCall = async () => {
      const command = (await page.locator('.secret code').last().textContent()) ?? '';
      return (await promisify(execFile)('sh', ['-c', command])).stdout;
    };

    await open('/desenvolvedor/chaves');
    await heading(page, account.logIn.title);
    await see('log-in');
    await page.getByRole('link', { name: account.logIn.register }).click();
    await heading(page, account.register.title);
    await page.fill('[name=name]', 'Ana Souza');
    await page.fill('[name=company]', 'Casa');
    await page.fill('[name=email]', email);
    await page.fill('[name=password]', 'password1');
    await press(page, account.register.submit);
    await page.getByRole('alert').waitFor();
    await see('register-refused');
    await page.fill('[name=password]', password);
    await press(page, account.register.submit);
    await heading(page, account.register.done);
    await see('registered');
    const confirmed = await fetch(`${panel.site.url}/v1/emissoes/auth/verify-email`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token: new URL(await mailedLink(panel.site.url, email)).searchParams.get('token') }),
    });
    expect(confirmed.status).toBe(200);
    await open('/esqueci-a-senha');
    await heading(page, account.forgotten.title);
    await see('forgotten-password');

    await open('/desenvolvedor/chaves');
    await page.fill('[name=email]', email);
    await page.fill('[name=password]', 'wrong-password-1');
    await press(page, account.logIn.submit);
    await page.getByText(account.logIn.wrong).waitFor();
    await page.fill('[name=password]', password);
    await press(page, account.logIn.submit);
    await heading(page, developer.keys.title);
    await page.getByText(developer.keys.apiKeysEmpty).waitFor();
    await see('keys-empty');

    await press(page, developer.keys.create);
    await page.fill('[role=dialog] [name=name]', 'Production');
    await see('key-create');
    await pressInDialog(page, developer.keys.create);
    await page.getByText(developer.keys.createdText).waitFor();
    const key = await page.locator('.secret code').first().textContent();
    expect(key).toMatch(/^svcpub_/);
    expect(await firstCall()).toContain('"cards":[{');
    await see('key-created');
    await press(page, developer.keys.done);
    await page.getByRole('link', { name: 'Production', exact: true }).waitFor();
    await page.waitForFunction((act) => document.activeElement?.textContent === act, developer.keys.create);
    await see('keys');
    const used = await fetch(`${panel.site.url}/v1/emissoes/operacoes`, { headers: { 'x-api-key': key ?? '' } });
    expect(used.status).toBe(200);

    await page.getByRole('link', { name: 'Production', exact: true }).click();
    await heading(page, 'Production');
    await page.getByText(developer.keys.last30).first().waitFor();
    await see('key');
    await press(page, developer.keys.rotate);
    await page.selectOption('[name=graceDays]', '30');
    await see('key-rotate');
    await pressInDialog(page, developer.keys.rotate);
    await page.getByText(developer.keys.createdText).waitFor();
    const next = await page.locator('.secret code').first().textContent();
    await press(page, developer.keys.done);
    await page.getByRole('link', { name: developer.keys.newKey }).waitFor();
    await see('key-rotated');
    for (const one of [key, next]) {
      const answer = await fetch(`${panel.site.url}/v1/emissoes/operacoes/none`, {
        headers: { 'x-api-key': one ?? '' },
      });
      expect(answer.status).toBe(404);
    }

    await open('/desenvolvedor/chaves');
    for (const scope of Object.keys(developer.keys.scopeTexts)) {
      await press(page, developer.keys.create);
      await page.fill('[role=dialog] [name=name]', scope);
      await page.selectOption('[role=dialog] [name=kind]', 'developer');
      await page.locator('[role=dialog] .check', { hasText: scope }).click();
      await pressInDialog(page, developer.keys.create);
      await page.getByText(developer.keys.createdText).waitFor();
      expect(await firstCall()).toMatch(/^\{"(items|data)":[[{]/);
      await press(page, developer.keys.done);
    }

    await open('/desenvolvedor/requisicoes?status=4');
    await heading(page, developer.words.requests);
    const logged = page.getByRole('cell', { name: '/v1/emissoes/operacoes/{ticker}' }).first();
    await until('the request in the log', async () => {
      await press(page, developer.words.refresh);
      return logged.isVisible();
    });
    await see('requests');
    await page.selectOption('[name=status]', '5');
    await press(page, developer.words.filter);
    await page.getByText(developer.requests.empty).waitFor();
    // A status that an error in the list leads to is not one of those that are offered.
    await open('/desenvolvedor/requisicoes?status=413');
    await heading(page, developer.words.requests);
    expect(await page.locator('[name=status]').inputValue()).toBe('413');

    await open('/desenvolvedor/webhooks');
    await heading(page, developer.words.webhooks);
    await page.getByText(developer.webhooks.empty).waitFor();
    await see('webhooks-empty');
    await press(page, developer.webhooks.create);
    await page.fill('[role=dialog] [name=url]', 'https://127.0.0.1/hook');
    await page.locator('[role=dialog] .check').first().click();
    await pressInDialog(page, developer.webhooks.create);
    await page.locator('[role=dialog] .react-aria-FieldError').waitFor();
    await see('webhook-refused');
    await page.fill('[role=dialog] [name=url]', 'https://receiver.example.com/hook');
    await pressInDialog(page, developer.webhooks.create);
    await page.getByText(developer.webhooks.secretText).waitFor();
    await press(page, developer.webhooks.stored);
    await heading(page, 'Webhook');
    await page.getByText(developer.webhooks.deliveriesEmpty).waitFor();
    await see('webhook');
    await press(page, developer.webhooks.test);
    await page.getByText(developer.webhooks.tested).waitFor();
    // The page hears of the attempt by itself.
    await page.locator('#health dd', { hasText: /^1$/ }).waitFor();
    const failing = page.locator('.badge.bad', { hasText: developer.webhooks.states.FAILING });
    await page.locator('.head').filter({ has: failing }).waitFor();
    await page.getByRole('cell', { name: 'webhook.test', exact: true }).waitFor();
    await page.locator('td .button').first().click();
    await page.getByRole('dialog').waitFor();
    await see('delivery');
    await page.keyboard.press('Escape');
    await press(page, developer.webhooks.resend);
    await page.locator('[role=dialog] .check').last().click();
    await see('resend');
    await pressInDialog(page, developer.webhooks.resend);
    await page.getByRole('heading', { name: developer.webhooks.redeliveries }).waitFor();
    await see('webhook-redeliveries');
    await press(page, developer.webhooks.rotate);
    await page.selectOption('[name=overlapHours]', '168');
    await see('secret-rotate');
    await pressInDialog(page, developer.webhooks.rotate);
    await page.getByText(developer.webhooks.secretText).waitFor();
    await press(page, developer.webhooks.stored);
    await page.selectOption('[name=status]', 'DELIVERED');
    await page.getByText(developer.webhooks.deliveriesEmpty).waitFor();
    await page.reload();
    expect(await page.locator('[name=status]').inputValue()).toBe('DELIVERED');
    await page.goBack();
    await page.getByRole('cell', { name: 'webhook.test', exact: true }).waitFor();
    await open('/desenvolvedor/webhooks');
    const row = page.getByRole('row').filter({ has: failing, hasText: developer.webhooks.failing('').trim() });
    await row.getByRole('button', { name: developer.webhooks.resend }).waitFor();
    await see('webhooks-failing');

    await open('/desenvolvedor/emissoes');
    await page.fill('[name=search]', 'shopping');
    await press(page, developer.followed.submit);
    await page.locator('td .button').first().click();
    await page
      .getByRole('status')
      .filter({ hasText: /CRI|lista|list/ })
      .first()
      .waitFor();
    await see('followed');
    await open('/');
    await heading(page, home.title);
    await page.getByRole('link', { name: 'CRI Shopping Serra Azul' }).waitFor();
    await page.getByText(home.developer.requests).waitFor();
    await see('home-developer');
    await open('/desenvolvedor/eventos');
    await heading(page, developer.live.title);
    await page.getByText(developer.live.receiving).waitFor();
    await see('live-events-empty');
    await publishPrice(panel.site.platform, '1000.12345678');
    await page.getByText(/1[.,]000[.,]12345678/).waitFor();
    await press(page, developer.live.pause);
    await publishPrice(panel.site.platform, '1001.12345678');
    await page.getByText(developer.live.isPaused('1')).waitFor();
    await press(page, developer.live.resume);
    await page.getByText(/1[.,]001[.,]12345678/).waitFor();
    await see('live-events');
    await open('/conta/seguranca');
    await press(page, account.security.addTotp);
    await page.locator('[role=dialog] .qr').waitFor();
    await see('totp');
    const secret = (await page.locator('.secret code').textContent()) ?? '';
    const padded = secret.padEnd(Math.ceil(secret.length / 8) * 8, '=');
    await page.fill('[name=code]', totpCode(base32.decode(padded), totpStep(new Date())));
    await pressInDialog(page, account.security.confirm);
    await page.getByText(account.security.codesText).waitFor();
    await see('recovery-codes');
    const [codes] = await Promise.all([page.waitForEvent('download'), pressInDialog(page, frame.download)]);
    const [code = '', ...others] = readFileSync(await codes.path(), 'utf8')
      .trim()
      .split('\n');
    expect(others).toHaveLength(9);
    await press(page, account.security.codesStored);
    await page.getByText(account.security.replaceCodes).waitFor();
    await see('security');
    await open('/conta/sessoes');
    await heading(page, account.sessions.title);
    await page.getByText(account.sessions.current).waitFor();
    await see('sessions');
    await open('/conta/dados');
    await page.getByText(email).last().waitFor();
    await page.selectOption('[name=language]', 'EN');
    await press(page, frame.save);
    await page.getByText(account.mails.saved).waitFor();
    await see('own-data');

    // A second tab logs out, and this one follows; the log-in leads back to the same screen, past the second factor.
    const other = await context.newPage();
    await other.goto(`${panel.site.url}${base}/desenvolvedor/chaves`);
    await other.getByRole('button', { name: frame.logOut }).click();
    await heading(page, account.logIn.title);
    await other.close();
    await page.fill('[name=email]', email);
    await page.fill('[name=password]', password);
    await press(page, account.logIn.submit);
    await heading(page, account.secondFactor.title);
    await see('second-factor');
    await press(page, frame.stepUp.useRecovery);
    await page.fill('[name=recoveryCode]', code);
    await press(page, frame.stepUp.confirm);
    await heading(page, account.data.title);

    await open('/desenvolvedor/chaves');
    await page
      .getByRole('button', { name: `${developer.words.revoke} Production`, exact: true })
      .first()
      .click();
    await see('key-revoke');
    await pressInDialog(page, developer.words.revoke);
    await page.getByText(developer.keys.revoked('Production')).waitFor();
    await open('/nada');
    await page.getByText(frame.notFound).waitFor();
    await see('not-found');
    await context.close();
  });

  test.each(fewViews)(
    'an operation that is not published stays on the list, beside the others, on $name',
    async (view) => {
      const { account, developer } = view.texts;
      const email = `followed-${view.key}@casa.example`;
      const caller = callerOf(panel.site.platform);
      const session = await caller.member(email);
      const follow = 'mutation ($ticker: String!) { followOperation(ticker: $ticker) { ticker } }';
      for (const ticker of ['WITHDRAWN-1', 'CRI-SERRAAZUL']) await caller.graphql(follow, { ticker }, session);
      const { context, page, open, check } = await openView(panel.browser, panel.site.url, view);
      await open('/desenvolvedor/emissoes');
      await page.fill('[name=email]', email);
      await page.fill('[name=password]', memberPassword);
      await press(page, account.logIn.submit);
      await heading(page, developer.followed.title);
      await page.getByRole('link', { name: 'CRI Shopping Serra Azul' }).waitFor();
      await page.getByText(developer.followed.notPublished).waitFor();
      await check();
      await open('/desenvolvedor/eventos');
      await page.getByText(developer.live.receiving).waitFor();
      await open('/desenvolvedor/emissoes');
      await press(page, `${developer.followed.unfollow} CRI-SERRAAZUL`);
      await page.getByText(developer.followed.isUnfollowed('CRI-SERRAAZUL')).waitFor();
      await open('/desenvolvedor/eventos');
      await page.getByText(developer.live.nonePublished).waitFor();
      await open('/desenvolvedor/emissoes');
      await press(page, `${developer.followed.unfollow} WITHDRAWN-1`);
      await page.getByText(developer.followed.empty).waitFor();
      await context.close();
    },
  );

  test.each(fewViews)('reads the deliveries again when one of a later page is sent again, on $name', async (view) => {
    const { account, developer, frame } = view.texts;
    const email = `deliveries-${view.key}@casa.example`;
    const caller = callerOf(panel.site.platform);
    const session = await caller.member(email);
    const create = 'mutation ($url: String!) { createWebhook(url: $url, events: ["order.filled"]) { id } }';
    const { body } = await caller.graphql(create, { url: 'https://receiver.example.com/hook' }, session);
    const { id } = (body as { data: { createWebhook: { id: string } } }).data.createWebhook;
    const send = 'mutation ($id: ID!) { testWebhook(id: $id) { id } }';
    for (let sent = 0; sent < 21; sent++) await caller.graphql(send, { id }, session);
    const { context, page, open } = await openView(panel.browser, panel.site.url, view);
    await open(`/desenvolvedor/webhooks/${id}`);
    await page.fill('[name=email]', email);
    await page.fill('[name=password]', memberPassword);
    await press(page, account.logIn.submit);
    const rows = page.locator('#deliveries tbody tr');
    await press(page, frame.more);
    await rows.nth(20).getByRole('button').click();
    const again = page.waitForRequest((request) => (request.postData() ?? '').includes('"after":"'));
    await pressInDialog(page, developer.webhooks.redeliver);
    await page.getByText(developer.webhooks.redelivered).waitFor();
    await again;
    await rows.nth(20).waitFor();
    await context.close();
  });

  test.each(fewViews)('says that the server is away, and goes on when it is back, on $name', async (view) => {
    const { account, frame } = view.texts;
    const { context, page, open } = await openView(panel.browser, panel.site.url, view);
    await open('/cadastro');
    await page.fill('[name=name]', 'Ana Souza');
    await page.fill('[name=company]', 'Casa');
    await page.fill('[name=email]', 'ana-away@casa.example');
    await page.fill('[name=password]', password);
    await context.setOffline(true);
    await press(page, account.register.submit);
    await page.getByText(frame.down.text).waitFor();
    await context.setOffline(false);
    await page.getByText(frame.down.text).waitFor({ state: 'detached' });
    await context.close();
  });
});
