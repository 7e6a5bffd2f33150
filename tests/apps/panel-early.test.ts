import { describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { callerOf, password } from '../accounts/http.js';
import { newOperator } from '../kit/operator.js';
import { until } from '../kit/until.js';
import { describeInBrowser, heading, openView, press, views, openPanelAround } from './panel-views.js';

/** The places of everything that a reader sees of the log-in, by what it is. */
const places = `JSON.stringify([...document.querySelectorAll('header a, h1, main label, main input, main select, main button, main a')].map((one) => {
  const { x, y, width, height } = one.getBoundingClientRect();
  return [one.localName, one.textContent.trim(), ...[x, y, width, height].map(Math.round)].join(' ');
}))`;

describeInBrowser('The log-in that the page of the panel comes with', () => {
  const panel = openPanelAround();

  describe.each(views)('on $name', (view) => {
    const { account, home } = view.texts;

    /** Opens the log-in, whose script comes when `bring` is called. */
    async function openHeld() {
      const watched = await openView(panel.browser, panel.site.url, view);
      const { page } = watched;
      let bring: () => void = () => undefined;
      const held = new Promise<void>((resolve) => {
        bring = resolve;
      });
      await page.route(/\/assets\/panel\/main-/, async (route) => {
        await held;
        await route.continue();
      });
      // The page is not complete without the script: its opening ends later.
      const opening = watched.open('/entrar');
      await heading(page, account.logIn.title);
      const release = async () => {
        bring();
        await opening;
      };
      return { ...watched, bring: release };
    }

    /** Sends the form with the Enter key as soon as its own script of some hundred bytes takes note of it. */
    async function send(page: Page): Promise<void> {
      await until('the form to be sent', async () => {
        await page.keyboard.press('Enter');
        return page.locator('#early-log-in button.busy').count();
      });
    }

    /** Waits until the panel has taken the place of the form. */
    const taken = (page: Page) => page.locator('#early-log-in').waitFor({ state: 'detached' });

    async function member(): Promise<string> {
      const email = `${crypto.randomUUID()}@casa.example`;
      await callerOf(panel.site.platform).member(email);
      return email;
    }

    test('looks like the one of the panel, so that nothing moves when that comes', async () => {
      const { page, context, bring, check } = await openHeld();
      await check();
      const before = await page.evaluate<string>(places);
      await bring();
      await taken(page);
      expect(JSON.parse(await page.evaluate<string>(places))).toEqual(JSON.parse(before));
      await check();
      await context.close();
    });

    test('keeps what was typed, and the caret where it was', async () => {
      const email = await member();
      const { page, context, bring } = await openHeld();
      await page.locator('[name=email]').pressSequentially(email);
      await page.locator('[name=password]').pressSequentially(password.slice(0, 5));
      await bring();
      await taken(page);
      expect(await page.inputValue('[name=email]')).toBe(email);
      await page.keyboard.type(password.slice(5));
      await page.keyboard.press('Enter');
      await heading(page, home.title);
      await context.close();
    });

    test('logs in somebody who has sent it before the script came', async () => {
      const email = await member();
      const { page, context, bring } = await openHeld();
      await page.fill('[name=email]', email);
      await page.fill('[name=password]', password);
      await send(page);
      expect(page.url()).not.toContain('?');
      await bring();
      await heading(page, home.title);
      await context.close();
    });

    test('says that a password is wrong that was sent before the script came', async () => {
      const { page, context, bring } = await openHeld();
      await page.fill('[name=email]', await member());
      await page.fill('[name=password]', 'senha-errada-1');
      await send(page);
      await bring();
      await page.getByText(account.logIn.wrong).waitFor();
      expect(await page.inputValue('[name=password]')).toBe('senha-errada-1');
      await context.close();
    });

    test('knows by a key who logs in, and asks for nothing else', async () => {
      const { key } = await newOperator(panel.site.platform.infrastructure.context);
      const { page, context, bring } = await openHeld();
      await page.fill('[name=email]', key);
      await bring();
      await taken(page);
      expect(await page.locator('input').count()).toBe(1);
      expect(await page.getAttribute('[name=email]', 'type')).toBe('password');
      await press(page, account.logIn.submit);
      await heading(page, account.security.title);
      await context.close();
    });
  });
});
