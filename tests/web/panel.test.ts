import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { chromium, type Browser } from 'playwright-core';
import { base32 } from '@scure/base';
import { totpCode, totpStep } from '../../subgraphs/accounts/second-factors/totp.js';
import { english as accountEn } from '../../web/panel/account/messages/en.js';
import { portuguese as accountPt } from '../../web/panel/account/messages/pt-BR.js';
import { english as developerEn } from '../../web/panel/developer/messages/en.js';
import { portuguese as developerPt } from '../../web/panel/developer/messages/pt-BR.js';
import { english as frameEn } from '../../web/panel/frame/messages/en.js';
import { portuguese as framePt } from '../../web/panel/frame/messages/pt-BR.js';
import { mailedLink, openPanelSite, publishPrice, watch } from './panel-kit.js';

const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
/** A folder for a picture of each screen; none are taken without it. */
const pictures = process.env['PANEL_PICTURES'];
const password = 'ponte-velha-1965';

const views = [
  {
    name: 'a phone, dark, in Portuguese',
    options: { viewport: { width: 360, height: 780 }, colorScheme: 'dark' },
    base: '/painel',
    texts: { frame: framePt, account: accountPt, developer: developerPt },
  },
  {
    name: 'a desk, in English',
    options: { viewport: { width: 1440, height: 900 }, colorScheme: 'light' },
    base: '/en/painel',
    texts: { frame: frameEn, account: accountEn, developer: developerEn },
  },
] as const;

const suite = existsSync(executablePath) ? describe : describe.skip;
suite(existsSync(executablePath) ? 'The panel' : `The panel: skipped, no Chromium at ${executablePath}`, () => {
  let site: Awaited<ReturnType<typeof openPanelSite>>;
  let browser: Browser;
  beforeAll(async () => {
    [site, browser] = await Promise.all([
      openPanelSite({ REQUEST_LOG_DAYS: '7' }),
      chromium.launch({ executablePath, args: ['--no-sandbox'] }),
    ]);
  });
  afterAll(async () => {
    await browser.close();
    await site.platform.close();
  });

  test.each(views)('leads from registration to revocation on $name', async ({ name, options, base, texts }) => {
    const { frame, account, developer } = texts;
    const { context, page, check } = await watch(browser, site.url, options);
    const email = `ana-${base.length}@casa.example`;
    const see = async (screen: string) => {
      await page.waitForTimeout(200);
      if (pictures !== undefined)
        await page.screenshot({ path: `${pictures}/${screen}-${name.split(',')[0] ?? ''}.png`, fullPage: true });
      await check();
    };
    const press = (text: string) => page.getByRole('button', { name: text, exact: true }).click();
    const pressInDialog = (text: string) =>
      page.getByRole('dialog').getByRole('button', { name: text, exact: true }).click();
    const open = (path: string) => page.goto(`${site.url}${base}${path}`);
    const heading = (text: string) => page.getByRole('heading', { level: 1, name: text }).waitFor();

    await open('/desenvolvedor/chaves');
    await heading(account.logIn.title);
    await see('log-in');
    await page.getByRole('link', { name: account.logIn.register }).click();
    await heading(account.register.title);
    await page.fill('[name=name]', 'Ana Souza');
    await page.fill('[name=company]', 'Casa');
    await page.fill('[name=email]', email);
    await page.fill('[name=password]', 'password1');
    await press(account.register.submit);
    await page.getByRole('alert').waitFor();
    await see('register-refused');
    await page.fill('[name=password]', password);
    await press(account.register.submit);
    await heading(account.register.done);
    await see('registered');
    const confirmed = await fetch(`${site.url}/v1/emissoes/auth/verify-email`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token: new URL(await mailedLink(site.url, email)).searchParams.get('token') }),
    });
    expect(confirmed.status).toBe(200);
    await open('/esqueci-a-senha');
    await heading(account.forgotten.title);
    await see('forgotten-password');

    await open('/desenvolvedor/chaves');
    await page.fill('[name=email]', email);
    await page.fill('[name=password]', 'wrong-password-1');
    await press(account.logIn.submit);
    await page.getByText(account.logIn.wrong).waitFor();
    await page.fill('[name=password]', password);
    await press(account.logIn.submit);
    await heading(developer.keys.title);
    await page.getByText(developer.keys.apiKeysEmpty).waitFor();
    await see('keys-empty');

    await press(developer.keys.create);
    await page.fill('[role=dialog] [name=name]', 'Production');
    await see('key-create');
    await pressInDialog(developer.keys.create);
    await page.getByText(developer.keys.createdText).waitFor();
    const key = await page.locator('.secret code').textContent();
    expect(key).toMatch(/^svcpub_/);
    await see('key-created');
    await press(developer.keys.done);
    await page.getByRole('link', { name: 'Production', exact: true }).waitFor();
    await see('keys');
    const used = await fetch(`${site.url}/v1/emissoes/operacoes`, { headers: { 'x-api-key': key ?? '' } });
    expect(used.status).toBe(200);

    await page.getByRole('link', { name: 'Production', exact: true }).click();
    await heading('Production');
    await page.getByText(developer.keys.last30).first().waitFor();
    await see('key');
    await press(developer.keys.rotate);
    await page.selectOption('[name=graceDays]', '30');
    await see('key-rotate');
    await pressInDialog(developer.keys.rotate);
    await page.getByText(developer.keys.createdText).waitFor();
    const next = await page.locator('.secret code').textContent();
    await press(developer.keys.done);
    await page.getByRole('link', { name: developer.keys.newKey }).waitFor();
    await see('key-rotated');
    for (const one of [key, next]) {
      const answer = await fetch(`${site.url}/v1/emissoes/operacoes/none`, { headers: { 'x-api-key': one ?? '' } });
      expect(answer.status).toBe(404);
    }

    await open('/desenvolvedor/requisicoes?status=4');
    await heading(developer.requests.title);
    const logged = page.getByRole('cell', { name: '/v1/emissoes/operacoes/{ticker}' }).first();
    while (!(await logged.isVisible())) {
      await press(developer.requests.reload);
      await page.waitForTimeout(500);
    }
    await see('requests');
    await page.selectOption('[name=status]', '5');
    await press(developer.requests.submit);
    await page.getByText(developer.requests.empty).waitFor();

    await open('/desenvolvedor/webhooks');
    await heading(developer.webhooks.title);
    await page.getByText(developer.webhooks.empty).waitFor();
    await see('webhooks-empty');
    await press(developer.webhooks.create);
    await page.fill('[role=dialog] [name=url]', 'https://127.0.0.1/hook');
    await page.locator('[role=dialog] .check').first().click();
    await pressInDialog(developer.webhooks.create);
    await page.locator('[role=dialog] .react-aria-FieldError').waitFor();
    await see('webhook-refused');
    await page.fill('[role=dialog] [name=url]', 'https://receiver.example.com/hook');
    await pressInDialog(developer.webhooks.create);
    await page.getByText(developer.webhooks.secretText).waitFor();
    await press(developer.webhooks.stored);
    await heading('Webhook');
    await page.getByText(developer.webhooks.deliveriesEmpty).waitFor();
    await see('webhook');
    await press(developer.webhooks.test);
    await page.getByText(developer.webhooks.tested).waitFor();
    await page.getByRole('cell', { name: 'webhook.test', exact: true }).waitFor();
    await page.locator('td .button').first().click();
    await page.getByRole('dialog').waitFor();
    await see('delivery');
    await page.keyboard.press('Escape');
    await press(developer.webhooks.resend);
    await page.locator('[role=dialog] .check').last().click();
    await see('resend');
    await pressInDialog(developer.webhooks.resend);
    await page.getByRole('heading', { name: developer.webhooks.redeliveries }).waitFor();
    await see('webhook-redeliveries');
    await press(developer.webhooks.rotate);
    await page.selectOption('[name=overlapHours]', '168');
    await see('secret-rotate');
    await pressInDialog(developer.webhooks.rotate);
    await page.getByText(developer.webhooks.secretText).waitFor();
    await press(developer.webhooks.stored);
    await page.selectOption('[name=status]', 'DELIVERED');
    await page.getByText(developer.webhooks.deliveriesEmpty).waitFor();
    await page.reload();
    expect(await page.locator('[name=status]').inputValue()).toBe('DELIVERED');
    await page.goBack();
    await page.getByRole('cell', { name: 'webhook.test', exact: true }).waitFor();

    await open('/desenvolvedor/emissoes');
    await page.fill('[name=search]', 'shopping');
    await press(developer.followed.submit);
    await page.locator('td .button').first().click();
    await page
      .getByRole('status')
      .filter({ hasText: /CRI|lista|list/ })
      .first()
      .waitFor();
    await see('followed');
    await open('/desenvolvedor/eventos');
    await heading(developer.live.title);
    await page.getByText(developer.live.receiving).waitFor();
    await see('live-events-empty');
    await publishPrice(site.platform, '1000.12345678');
    await page.getByText(/1[.,]000[.,]12345678/).waitFor();
    await press(developer.live.pause);
    await publishPrice(site.platform, '1001.12345678');
    await page.getByText(developer.live.isPaused('1')).waitFor();
    await press(developer.live.resume);
    await page.getByText(/1[.,]001[.,]12345678/).waitFor();
    await see('live-events');
    await page.goto(`${site.url}${base.replace('/painel', '')}/docs/rest/operationDetail`);
    await page.locator('a[href*="/testar?operation=operationDetail"]').click();
    await heading(developer.tryIt.title);
    await page.fill('[name=key]', `${next ?? ''}x`);
    await page.fill('[name=parameter-ticker]', 'cri-shopping-serra-azul');
    await press(developer.tryIt.send);
    await page.locator('#answer').getByText('401', { exact: true }).waitFor();
    await page.fill('[name=key]', next ?? '');
    await press(developer.tryIt.send);
    await page.locator('#answer').getByText('200', { exact: true }).waitFor();
    await page.locator('#answer').getByText('/emissoes/cri-shopping-serra-azul').first().waitFor();
    await see('try-it');
    await page.selectOption('[name=operation]', 'patrimonyList');
    await page.locator('[name=parameter-limit]').waitFor();
    await press(developer.tryIt.send);
    await page.locator('#answer').getByText('200', { exact: true }).waitFor();
    await page.goBack();
    await page.waitForURL(/docs/);
    await open('/desenvolvedor/ferramentas');
    await heading(developer.tools.title);
    await see('tools');

    await open('/conta/seguranca');
    await press(account.security.addTotp);
    await page.locator('[role=dialog] .qr').waitFor();
    await see('totp');
    const secret = (await page.locator('.secret code').textContent()) ?? '';
    const padded = secret.padEnd(Math.ceil(secret.length / 8) * 8, '=');
    await page.fill('[name=code]', totpCode(base32.decode(padded), totpStep(new Date())));
    await pressInDialog(account.security.confirm);
    await page.getByText(account.security.codesText).waitFor();
    await see('recovery-codes');
    const [code = ''] = ((await page.locator('.secret code').textContent()) ?? '').split('\n');
    await press(account.security.codesStored);
    await page.getByText(account.security.replaceCodes).waitFor();
    await see('security');
    await open('/conta/sessoes');
    await heading(account.sessions.title);
    await page.getByText(account.sessions.current).waitFor();
    await see('sessions');
    await open('/conta/dados');
    await page.getByText(email).last().waitFor();
    await page.selectOption('[name=language]', 'EN');
    await press(frame.save);
    await page.getByText(account.mails.saved).waitFor();
    await see('own-data');

    // A second tab logs out, and this one follows; the log-in leads back to the same screen, past the second factor.
    const other = await context.newPage();
    await other.goto(`${site.url}${base}/desenvolvedor/chaves`);
    await other.getByRole('button', { name: frame.logOut }).click();
    await heading(account.logIn.title);
    await other.close();
    await page.fill('[name=email]', email);
    await page.fill('[name=password]', password);
    await press(account.logIn.submit);
    await heading(account.secondFactor.title);
    await see('second-factor');
    await press(frame.stepUp.useRecovery);
    await page.fill('[name=recoveryCode]', code);
    await press(frame.stepUp.confirm);
    await heading(account.data.title);

    await open('/desenvolvedor/chaves');
    await page
      .getByRole('button', { name: `${developer.keys.revoke} Production`, exact: true })
      .first()
      .click();
    await see('key-revoke');
    await pressInDialog(developer.keys.revoke);
    await page.getByText(developer.keys.revoked('Production')).waitFor();
    await open('/nada');
    await page.getByText(frame.notFound).waitFor();
    await see('not-found');
    await context.close();
  });

  test('says that the server is away, and goes on when it is back', async () => {
    const { context, page } = await watch(browser, site.url, { viewport: { width: 1440, height: 900 } });
    await page.goto(`${site.url}/en/painel/cadastro`);
    await page.fill('[name=name]', 'Ana Souza');
    await page.fill('[name=company]', 'Casa');
    await page.fill('[name=email]', 'ana-away@casa.example');
    await page.fill('[name=password]', password);
    await context.setOffline(true);
    await page.getByRole('button', { name: accountEn.register.submit, exact: true }).click();
    await page.getByText(frameEn.down.text).waitFor();
    await context.setOffline(false);
    await page.getByText(frameEn.down.text).waitFor({ state: 'detached' });
    await context.close();
  });
});
