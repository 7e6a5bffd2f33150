import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { chromium, type Browser, type Page } from 'playwright-core';
import { callerOf, password } from '../accounts/http.js';
import { newOperator } from '../kit/operator.js';
import { openPanelSite } from './panel-kit.js';
import {
  act,
  describeInBrowser,
  executablePath,
  fewViews,
  follow,
  heading,
  openView,
  dialogSays,
  press,
  pressInDialog,
} from './panel-views.js';

const minuteMs = 60_000;

describeInBrowser('Sessions in the panel', () => {
  let site: Awaited<ReturnType<typeof openPanelSite>>;
  let browser: Browser;
  let folder: string;
  let aheadMs = 0;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lastro-safelist-'));
    const list = join(folder, 'list.json');
    await writeFile(list, '{}');
    const clock = { now: () => new Date(Date.now() + aheadMs) };
    const environment = { GRAPHQL_SAFELIST_FILE: list, GRAPHQL_INTROSPECTION: 'false' };
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
    site = await openPanelSite(environment, { clock });
  });
  afterAll(async () => {
    await browser.close();
    await site.platform.close();
    await rm(folder, { recursive: true });
  });

  describe.each(fewViews)('on $name', (view) => {
    const { texts } = view;
    const { account, developer, frame, home, operator } = texts;
    const typeIn = async (page: Page, email: string) => {
      await page.fill('[name=email]', email);
      await page.fill('[name=password]', password);
      await press(page, account.logIn.submit);
    };

    /** A page of somebody who has logged in and sees the keys, beside an empty safelist and without introspection. */
    async function openKeys() {
      const email = `${crypto.randomUUID()}@casa.example`;
      await callerOf(site.platform).member(email);
      const watched = await openView(browser, site.url, view);
      await watched.open('/desenvolvedor/chaves');
      await heading(watched.page, account.logIn.title);
      await typeIn(watched.page, email);
      await heading(watched.page, developer.keys.title);
      await watched.page.getByText(developer.keys.apiKeysEmpty).waitFor();
      return { ...watched, email };
    }

    async function createKey(page: Page) {
      await act(page, developer.keys.create, { name: 'Robot' });
    }

    test('a session that is over leads to the log-in, and back to the same page', async () => {
      const { page, context, email, check } = await openKeys();
      aheadMs += 31 * minuteMs;
      await follow(page, frame.areas.developer.webhooks, texts);
      await heading(page, account.logIn.title);
      await check();
      await typeIn(page, email);
      await heading(page, developer.words.webhooks);
      await context.close();
    });

    test('says in time that a session ends for lack of use, also where the clock of the browser is wrong', async () => {
      const email = `${crypto.randomUUID()}@casa.example`;
      await callerOf(site.platform).member(email);
      const { page, context, open } = await openView(browser, site.url, view);
      // The clock of the server goes on by what other tests have added to it: this one's is half an hour behind at least.
      await page.clock.install({ time: Date.now() + aheadMs - 35 * minuteMs });
      await open('/desenvolvedor/chaves');
      await heading(page, account.logIn.title);
      await typeIn(page, email);
      await heading(page, developer.keys.title);
      aheadMs += 28.5 * minuteMs;
      await page.clock.fastForward(28.5 * minuteMs);
      const stay = page.getByRole('button', { name: frame.idle.stay, exact: true });
      await stay.waitFor();
      await stay.click();
      await stay.waitFor({ state: 'detached' });
      aheadMs += 31 * minuteMs;
      await page.clock.fastForward(31 * minuteMs);
      await heading(page, account.logIn.title);
      await context.close();
    });

    test('an act that needs a proof asks for it, and then goes on', async () => {
      const { page, context, check } = await openKeys();
      aheadMs += 6 * minuteMs;
      await createKey(page);
      await page.getByText(frame.stepUp.text).waitFor();
      await check();
      await page.fill('[role=dialog] [name=password]', 'wrong-password-1');
      await press(page, frame.stepUp.confirm);
      await page.getByRole('dialog').last().getByRole('alert').waitFor();
      await page.waitForFunction(() => document.activeElement?.getAttribute('name') === 'password');
      await page.fill('[role=dialog] [name=password]', password);
      await press(page, frame.stepUp.confirm);
      await page.getByText(developer.keys.createdText).waitFor();
      await press(page, developer.keys.done);
      await page.getByRole('link', { name: 'Robot', exact: true }).waitFor();
      await context.close();
    });

    test('who closes the question for a proof has changed nothing', async () => {
      const { page, context } = await openKeys();
      aheadMs += 6 * minuteMs;
      await createKey(page);
      await page.getByText(frame.stepUp.text).waitFor();
      await page.getByRole('dialog').last().getByRole('button', { name: frame.cancel, exact: true }).click();
      await page.getByText(frame.stepUp.text).waitFor({ state: 'detached' });
      expect(await page.locator('[role=dialog] [name=name]').inputValue()).toBe('Robot');
      await page.keyboard.press('Escape');
      await page.reload();
      await page.getByText(developer.keys.apiKeysEmpty).waitFor();
      // The question goes with the session.
      await createKey(page);
      await page.getByText(frame.stepUp.text).waitFor();
      const other = await context.newPage();
      await other.goto(page.url());
      await press(other, frame.logOut);
      await heading(page, account.logIn.title);
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await context.close();
    });

    test('a passkey is added, and logs in without a password', async () => {
      const { page, context } = await openKeys();
      await follow(page, frame.areas.account.security, texts);
      await act(page, account.security.addPasskey, { name: 'Laptop' });
      await page.getByText(account.security.codesText).waitFor();
      await press(page, account.security.codesStored);
      await page.getByText('Laptop').first().waitFor();
      await press(page, frame.logOut);
      await heading(page, account.logIn.title);
      await press(page, account.logIn.passkey);
      await page.getByRole('button', { name: frame.logOut, exact: true }).waitFor();
      await context.close();
    });

    test('an operator without a second factor is led to add one, sees no page of accounts, and then what was asked for', async () => {
      const { key } = await newOperator(site.platform.infrastructure.context);
      const { page, context, open, check } = await openView(browser, site.url, view);
      const enter = async () => {
        await heading(page, account.logIn.title);
        await page.fill('[name=email]', key);
        await press(page, account.logIn.submit);
      };
      await open('/operacao/auditoria');
      await enter();
      await heading(page, account.security.title);
      await page.getByText(account.security.required).waitFor();
      expect(await page.getByRole('link', { name: frame.areas.developer.keys }).count()).toBe(0);
      await check();
      await act(page, account.security.addPasskey, { name: 'Desk' });
      await press(page, account.security.codesStored);
      await heading(page, operator.audit.title);
      await press(page, frame.logOut);
      await enter();
      await heading(page, account.secondFactor.title);
      await page.getByText(account.secondFactor.leads.OPERATOR).waitFor();
      // There is no application: the way back from a recovery code is the passkey.
      await press(page, frame.stepUp.useRecovery);
      await page.locator('[name=recoveryCode]').waitFor();
      expect(await page.getByText(frame.stepUp.useTotp).count()).toBe(0);
      await press(page, frame.stepUp.passkey);
      await page.getByRole('button', { name: frame.logOut, exact: true }).waitFor();
      await context.close();
    });

    test('the address of an area alone, also of one of others, leads to the home', async () => {
      const { page, context, open } = await openKeys();
      for (const area of ['/conta', '/desenvolvedor', '/operacao', '/negociacao']) {
        await open(area);
        await heading(page, home.title);
      }
      await context.close();
    });

    test('on a phone Escape closes the menu, and the focus is on its button', async () => {
      const { page, context } = await openKeys();
      await page.setViewportSize({ width: 360, height: 780 });
      const link = page.getByRole('link', { name: frame.areas.developer.webhooks, exact: true });
      await press(page, frame.menu);
      await link.focus();
      await page.keyboard.press('Escape');
      await link.waitFor({ state: 'hidden' });
      expect(await page.evaluate<string>('document.activeElement.textContent')).toBe(frame.menu);
      await context.close();
    });

    test('a webhook without events is refused by a sentence of the panel, at the events', async () => {
      const { page, context } = await openKeys();
      await follow(page, frame.areas.developer.webhooks, texts);
      await press(page, developer.webhooks.create);
      await page.fill('[role=dialog] [name=url]', 'https://receiver.example.com/hook');
      await page.locator('[role=dialog] .check').first().waitFor();
      await pressInDialog(page, developer.webhooks.create);
      await dialogSays(page, frame.chooseOne);
      await page.locator('[role=dialog] .check').first().click();
      await page.getByRole('dialog').getByText(frame.chooseOne).waitFor({ state: 'detached' });
      await context.close();
    });
  });
});
