import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { chromium, type Browser, type Page } from 'playwright-core';
import { english as account } from '../../web/panel/account/messages/en.js';
import { english as developer } from '../../web/panel/developer/messages/en.js';
import { english as frame } from '../../web/panel/frame/messages/en.js';
import { testMasterKey } from '../kit/context.js';
import { openTestDatabase, type TestDatabase } from '../kit/database.js';
import { rateLimitVariables } from '../kit/rate-limits.js';
import { build, killGroup, startProgram, type Program } from '../start/program.js';
import { freePort } from '../kit/free-port.js';
import { mailedLink, watch } from './panel-kit.js';

const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
const window = { viewport: { width: 1280, height: 800 } };
const password = 'ponte-velha-1965';
const backMs = 90_000;

const suite = existsSync(executablePath) ? describe : describe.skip;
suite(
  existsSync(executablePath)
    ? 'Pages whose server or session is gone'
    : `Pages whose server or session is gone: skipped, no Chromium at ${executablePath}`,
  () => {
    let database: TestDatabase;
    let program: Program;
    let browser: Browser;
    let dataDir: string;
    let url: string;
    const start = async () => {
      program = startProgram({
        env: {
          NODE_ENV: 'development',
          PORT: new URL(url).port,
          PUBLIC_URL: url,
          DATA_DIR: dataDir,
          DATABASE_URL: database.url,
          DATABASE_POOL: '10',
          MASTER_KEY: testMasterKey.toString('base64'),
          DEMO: 'true',
          ...rateLimitVariables(1_000_000),
        },
      });
      await program.ready;
    };
    beforeAll(async () => {
      await build();
      dataDir = await mkdtemp(join(tmpdir(), 'lastro-away-'));
      url = `http://localhost:${await freePort()}`;
      database = await openTestDatabase({ template: 'demo' });
      [browser] = await Promise.all([chromium.launch({ executablePath, args: ['--no-sandbox'] }), start()]);
    });
    // A test that failed may have left no program behind.
    beforeEach(async () => {
      const { exitCode, signalCode } = program.child;
      if (exitCode !== null || signalCode !== null) await start();
    });
    afterAll(async () => {
      await browser.close();
      await killGroup(program);
      await database.close();
      await rm(dataDir, { recursive: true, force: true });
    });

    const press = (page: Page, text: string) => page.getByRole('button', { name: text, exact: true }).click();
    const pressInDialog = (page: Page, text: string) =>
      page.getByRole('dialog').getByRole('button', { name: text, exact: true }).click();
    const heading = (page: Page, text: string) => page.getByRole('heading', { level: 1, name: text }).waitFor();
    const follow = (page: Page, link: string) => page.getByRole('link', { name: link, exact: true }).click();
    const receiving = (page: Page) => page.getByText(developer.live.receiving).waitFor({ timeout: backMs });
    const logIn = async (page: Page, email: string) => {
      await heading(page, account.logIn.title);
      await page.fill('[name=email]', email);
      await page.fill('[name=password]', password);
      await press(page, account.logIn.submit);
    };

    /** Makes an account with a confirmed e-mail, as its owner would by the REST paths. */
    async function newAccount(): Promise<string> {
      const email = `${crypto.randomUUID()}@casa.example`;
      const post = async (path: string, body: object) => {
        const response = await fetch(`${url}/v1/emissoes/auth/${path}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        });
        expect(response.status).toBe(200);
      };
      await post('register', { name: 'Ana Souza', email, password, company: 'Casa' });
      await post('verify-email', { token: new URL(await mailedLink(url, email)).searchParams.get('token') });
      return email;
    }

    /** A page of the panel of a new account. */
    async function open(path: string, title: string) {
      const email = await newAccount();
      const watched = await watch(browser, url, window);
      await watched.page.goto(`${url}/en/painel${path}`);
      await logIn(watched.page, email);
      await heading(watched.page, title);
      return { ...watched, email };
    }

    /** A page that receives the events of an operation. */
    async function openLive() {
      const opened = await open('/desenvolvedor/emissoes', developer.followed.title);
      const { page } = opened;
      await page.fill('[name=search]', 'shopping');
      await press(page, developer.followed.submit);
      await page.locator('td .button').first().click();
      await follow(page, frame.areas.developer.live);
      await heading(page, developer.live.title);
      await receiving(page);
      return opened;
    }

    test('a screen that is not loaded yet waits for a server that is away, and the panel stays', async () => {
      const { context, page } = await open('/desenvolvedor/chaves', developer.keys.title);
      await killGroup(program);
      await follow(page, frame.areas.developer.webhooks);
      await page.getByText(frame.down.text).waitFor();
      await page.getByRole('alert').getByText(frame.failures.NO_RESPONSE).waitFor();
      await page.getByRole('link', { name: frame.areas.developer.keys, exact: true }).waitFor();
      await start();
      await page.getByRole('heading', { level: 1, name: developer.webhooks.title }).waitFor({ timeout: backMs });
      await page.getByText(frame.down.text).waitFor({ state: 'detached' });
      await context.close();
    });

    test('a page of an earlier version, whose scripts are gone, is loaded again, and once', async () => {
      const { context, page } = await open('/desenvolvedor/chaves', developer.keys.title);
      let loads = 0;
      page.on('request', (request) => (loads += request.isNavigationRequest() ? 1 : 0));
      const gone = /\/assets\/panel\/webhooks-/;
      await context.route(gone, (route) => route.fulfill({ status: 404 }));
      await follow(page, frame.areas.developer.webhooks);
      await page.getByText(frame.crashed).waitFor();
      await follow(page, frame.areas.developer.keys);
      await heading(page, developer.keys.title);
      await follow(page, frame.areas.developer.webhooks);
      await page.getByText(frame.crashed).waitFor();
      expect(loads).toBe(1);
      await context.unroute(gone);
      await page.getByRole('alert').getByRole('button', { name: frame.retry, exact: true }).click();
      await heading(page, developer.webhooks.title);
      await context.close();
    });

    test('a live page whose server is away says that it receives nothing, and goes on when the server is back', async () => {
      const { context, page } = await openLive();
      await killGroup(program);
      await page.getByText(developer.live.notReceiving).waitFor();
      await page.getByText(frame.down.text).waitFor();
      expect(await page.getByText(developer.live.receiving).count()).toBe(0);
      await start();
      await receiving(page);
      await page.getByText(frame.down.text).waitFor({ state: 'detached' });
      await context.close();
    });

    test('a live page whose session was ended elsewhere leads to the log-in, and back', async () => {
      const { context, page, email } = await openLive();
      const other = await watch(browser, url, window);
      await other.page.goto(`${url}/en/painel/conta/sessoes`);
      await logIn(other.page, email);
      await press(other.page, account.sessions.endOthers);
      await pressInDialog(other.page, account.sessions.endOthers);
      await page.getByRole('heading', { level: 1, name: account.logIn.title }).waitFor({ timeout: backMs });
      await logIn(page, email);
      await heading(page, developer.live.title);
      await receiving(page);
      await other.context.close();
      await context.close();
    });

    test('a live page goes on receiving after another tab has renewed the session', async () => {
      const { context, page } = await openLive();
      await database.dataSource.query(`UPDATE accounts.sessions SET proved_at = proved_at - interval '6 minutes'`);
      const again = page.waitForEvent('websocket', { timeout: backMs });
      const other = await context.newPage();
      other.setDefaultTimeout(30_000);
      await other.goto(`${url}/en/painel/desenvolvedor/chaves`);
      await press(other, developer.keys.create);
      await other.fill('[role=dialog] [name=name]', 'Robot');
      await pressInDialog(other, developer.keys.create);
      await other.fill('[role=dialog] [name=password]', password);
      await press(other, frame.stepUp.confirm);
      await other.getByText(developer.keys.createdText).waitFor();
      await again;
      await receiving(page);
      await context.close();
    });
  },
);
