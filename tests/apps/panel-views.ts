import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe } from '@jest/globals';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { writeNumber } from '../../apps/design/typed-number.js';
import { openPanelSite, watch, type Watched } from './panel-kit.js';
import { inEnglish as english, inPortuguese as portuguese } from './panel-texts.js';

/** A size and a language in which people see the panel. */
export interface View {
  readonly name: string;
  /** Tells the views apart, in what a journey leaves behind and in the names of its pictures. */
  readonly key: 'pt-phone' | 'pt-desk' | 'en-phone' | 'en-desk';
  readonly language: 'pt' | 'en';
  readonly base: '/painel' | '/en/painel';
  readonly texts: typeof portuguese;
  readonly options: BrowserContextOptions;
}

const inPortuguese = { language: 'pt', base: '/painel', texts: portuguese } as const;
const inEnglish = { language: 'en', base: '/en/painel', texts: english } as const;
const phone = { width: 360, height: 780 };
const desk = { width: 1440, height: 900 };

export const portuguesePhone: View = {
  name: 'a phone, dark, in Portuguese',
  key: 'pt-phone',
  ...inPortuguese,
  options: { viewport: phone, colorScheme: 'dark' },
};
export const englishDesk: View = {
  name: 'a desk, light, in English',
  key: 'en-desk',
  ...inEnglish,
  options: { viewport: desk, colorScheme: 'light' },
};
const englishPhone: View = {
  name: 'a phone, light, in English',
  key: 'en-phone',
  ...inEnglish,
  options: { viewport: phone, colorScheme: 'light' },
};
export const portugueseDesk: View = {
  name: 'a desk, dark, in Portuguese',
  key: 'pt-desk',
  ...inPortuguese,
  options: { viewport: desk, colorScheme: 'dark' },
};

const isFull = process.env['PANEL_FULL'] === '1';
/** The views in which every journey is walked: each size and each language once, or with PANEL_FULL=1 all of their combinations. */
export const views: readonly View[] = [portuguesePhone, englishDesk, ...(isFull ? [englishPhone, portugueseDesk] : [])];
/** The views of tests whose promise does not depend on how the panel looks: one, or with PANEL_FULL=1 all. */
export const fewViews: readonly View[] = isFull ? views : [englishDesk];

/** Writes a number as a person types it who reads the page. */
export const typed = ({ language }: View, number: string) =>
  writeNumber(number, language === 'pt' ? 'pt-BR' : language);

export const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

/** Describes tests that need a browser; without one they are skipped, and say why. */
export function describeInBrowser(name: string, tests: () => void): void {
  if (existsSync(executablePath)) describe(name, tests);
  else describe.skip(`${name}: skipped, no Chromium at ${executablePath}`, tests);
}

/** Opens a panel and a browser before the tests of a block, and closes them after it. */
export const openPanelAround = (environment: Readonly<Record<string, string>> = {}) =>
  openAround(() => openPanelSite(environment));

/** The same of any site. */
export function openAround<Site extends Awaited<ReturnType<typeof openPanelSite>>>(open: () => Promise<Site>) {
  let all: { readonly site: Site; readonly browser: Browser } | undefined;
  const opened = () => {
    if (all === undefined) throw new Error('The site opens before the first test');
    return all;
  };
  beforeAll(async () => {
    const launch = chromium.launch({ executablePath, args: ['--no-sandbox'] });
    const [site, browser] = await Promise.all([open(), launch]);
    all = { site, browser };
  });
  afterAll(async () => {
    await opened().browser.close();
    await opened().site.platform.close();
  });
  return {
    get site() {
      return opened().site;
    },
    get browser() {
      return opened().browser;
    },
  };
}

interface OpenedView extends Watched {
  readonly open: (path: string) => ReturnType<Page['goto']>;
  /** Checks what the page shows, and takes its picture into the folder `PANEL_PICTURES` where that is set. */
  readonly see: (screen: string) => Promise<void>;
}

/** Opens a browser's window on the panel, with a device that makes passkeys and always agrees. */
export async function openView(browser: Browser, url: string, { key, base, options }: View): Promise<OpenedView> {
  const watched = await watch(browser, url, { ...options, acceptDownloads: true });
  const { page, check } = watched;
  await giveAuthenticator(page);
  const see = async (screen: string) => {
    await page.waitForTimeout(200);
    const folder = process.env['PANEL_PICTURES'];
    if (folder !== undefined) await page.screenshot({ path: `${folder}/${screen}-${key}.png`, fullPage: true });
    await check();
  };
  return { ...watched, see, open: (path) => page.goto(`${url}${base}${path}`) };
}

/** Gives a page a device that makes passkeys and always agrees. */
export async function giveAuthenticator(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
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
}

export const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

export const pressInDialog = (page: Page, name: string) =>
  page.getByRole('dialog').getByRole('button', { name, exact: true }).click();

/** Opens a dialog by its button, fills its fields, and confirms it by a button of the same name, or of another one. */
export async function act(page: Page, name: string, fields: Readonly<Record<string, string>> = {}, confirm = name) {
  await press(page, name);
  for (const [field, value] of Object.entries(fields)) await page.fill(`[role=dialog] [name="${field}"]`, value);
  await pressInDialog(page, confirm);
}

export const dialogSays = (page: Page, text: string | RegExp) =>
  page.getByRole('dialog').getByText(text).first().waitFor();

export const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor();

/** Follows a link of the navigation, which on a phone is behind its button. */
export async function follow(page: Page, name: string, { frame }: View['texts']): Promise<void> {
  const link = page.getByRole('link', { name, exact: true });
  const menu = page.getByRole('button', { name: frame.menu, exact: true });
  if ((await menu.isVisible()) && !(await link.isVisible())) await menu.click();
  await link.click();
}

/** Adds the first passkey of somebody who is led to add one, and puts the recovery codes aside. */
export async function addPasskey(page: Page, { account }: View['texts']): Promise<void> {
  await heading(page, account.security.title);
  await press(page, account.security.addPasskey);
  await page.fill('[role=dialog] [name=name]', 'Laptop');
  await pressInDialog(page, account.security.addPasskey);
  await press(page, account.security.codesStored);
}

export async function enterAsOperator(page: Page, key: string, texts: View['texts']): Promise<void> {
  const { account } = texts;
  await heading(page, account.logIn.title);
  await page.fill('[name=email]', key);
  await press(page, account.logIn.submit);
  await addPasskey(page, texts);
}

export async function enterAsAccount(
  page: Page,
  { email, password }: { readonly email: string; readonly password: string },
  texts: View['texts'],
): Promise<void> {
  const { account } = texts;
  await heading(page, account.logIn.title);
  await page.fill('[name=email]', email);
  await page.fill('[name=password]', password);
  await press(page, account.logIn.submit);
  await addPasskey(page, texts);
}

export async function enterAsTrader(
  page: Page,
  { apiKey, secretKey }: { readonly apiKey: string; readonly secretKey: string },
  texts: View['texts'],
): Promise<void> {
  const { account } = texts;
  await heading(page, account.logIn.title);
  await page.fill('[name=email]', apiKey);
  await page.fill('[name=password]', secretKey);
  await press(page, account.logIn.submit);
  await addPasskey(page, texts);
}

/** Opens the panel in a view as somebody new: a second factor of the view before must not be asked for. */
export async function enterTrading(panel: ReturnType<typeof openPanelAround>, view: View) {
  const opened = await openView(panel.browser, panel.site.url, view);
  await panel.site.platform.infrastructure.dataSource.query('DELETE FROM accounts.passkeys');
  await panel.site.platform.infrastructure.dataSource.query('DELETE FROM accounts.recovery_codes');
  await opened.open('/negociacao/mercados');
  await enterAsTrader(opened.page, panel.site.platform.demo().trading, view.texts);
  return opened;
}
