import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { chromium, type Browser, type Page } from 'playwright-core';
import { testMasterKey } from '../kit/context.js';
import { openTestDatabase, type TestDatabase } from '../kit/database.js';
import { rateLimitVariables } from '../kit/rate-limits.js';
import { build, killGroup, startProgram, type Program } from '../start/program.js';
import { freePort } from '../kit/free-port.js';
import { until } from '../kit/until.js';
import { mailedLink } from './panel-kit.js';
import {
  act,
  describeInBrowser,
  enterAsAccount,
  enterAsTrader,
  executablePath,
  fewViews,
  follow,
  heading,
  openView,
  press,
  pressInDialog,
} from './panel-views.js';

const password = 'ponte-velha-1965';
const backMs = 90_000;

describeInBrowser('Pages whose server or session is gone', () => {
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

  describe.each(fewViews)('on $name', (view) => {
    const { texts } = view;
    const { account, developer, frame, trading } = texts;
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

    /** Returns the credentials of the demo, of which no second factor of another test is asked for. */
    async function asSomebodyNew() {
      await database.dataSource.query('DELETE FROM accounts.passkeys');
      await database.dataSource.query('DELETE FROM accounts.recovery_codes');
      return JSON.parse(readFileSync(join(dataDir, 'demo-credentials.json'), 'utf8')) as {
        readonly account: { readonly email: string; readonly password: string };
        readonly trading: { readonly apiKey: string; readonly secretKey: string };
      };
    }

    async function open(path: string, title: string) {
      const email = await newAccount();
      const watched = await openView(browser, url, view);
      await watched.page.goto(`${url}${view.base}${path}`);
      await logIn(watched.page, email);
      await heading(watched.page, title);
      return { ...watched, email };
    }

    async function openLive() {
      const opened = await open('/desenvolvedor/emissoes', developer.followed.title);
      const { page } = opened;
      await page.fill('[name=search]', 'shopping');
      await press(page, developer.followed.submit);
      await page.locator('td .button').first().click();
      // The page of events reads the list once.
      await page.getByRole('button', { name: new RegExp(`^${developer.followed.unfollow} `) }).waitFor();
      await follow(page, frame.areas.developer.live, texts);
      await heading(page, developer.live.title);
      await receiving(page);
      return opened;
    }

    test('a screen that is not loaded yet waits for a server that is away, and the panel stays', async () => {
      const { context, page } = await open('/desenvolvedor/chaves', developer.keys.title);
      await killGroup(program);
      await follow(page, frame.areas.developer.webhooks, texts);
      await page.getByText(frame.down.text).waitFor();
      await page.getByRole('alert').getByText(frame.failures.NO_RESPONSE).waitFor();
      await page.getByRole('button', { name: frame.logOut, exact: true }).waitFor();
      await start();
      await page.getByRole('heading', { level: 1, name: developer.words.webhooks }).waitFor({ timeout: backMs });
      await page.getByText(frame.down.text).waitFor({ state: 'detached' });
      await context.close();
    });

    test('a page of an earlier version, whose scripts are gone, is loaded again, and once', async () => {
      const { context, page } = await open('/desenvolvedor/chaves', developer.keys.title);
      let loads = 0;
      page.on('request', (request) => (loads += request.isNavigationRequest() ? 1 : 0));
      const gone = /\/assets\/panel\/webhooks-/;
      await context.route(gone, (route) => route.fulfill({ status: 404 }));
      await follow(page, frame.areas.developer.webhooks, texts);
      await page.getByText(frame.crashed).waitFor();
      await follow(page, frame.areas.developer.keys, texts);
      await heading(page, developer.keys.title);
      await follow(page, frame.areas.developer.webhooks, texts);
      await page.getByText(frame.crashed).waitFor();
      expect(loads).toBe(1);
      await context.unroute(gone);
      await page.getByRole('alert').getByRole('button', { name: frame.retry, exact: true }).click();
      await heading(page, developer.words.webhooks);
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
      const other = await openView(browser, url, view);
      await other.page.goto(`${url}${view.base}/conta/sessoes`);
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
      await other.goto(`${url}${view.base}/desenvolvedor/chaves`);
      await act(other, developer.keys.create, { name: 'Robot' });
      await other.fill('[role=dialog] [name=password]', password);
      await press(other, frame.stepUp.confirm);
      await other.getByText(developer.keys.createdText).waitFor();
      await again;
      await receiving(page);
      await context.close();
    });

    test('the page of a batch says that the server is away, and hears of the batch again when the server is back', async () => {
      const { batch: text, batches, send } = texts.originator;
      const { account: owner } = await asSomebodyNew();
      const { context, page, open: goTo } = await openView(browser, url, view);
      await goTo('/originador/enviar');
      await enterAsAccount(page, owner, texts);
      await goTo('/originador/enviar');
      await heading(page, send.title);
      const due = new Date(Date.now() + 200 * 86_400_000).toISOString().slice(0, 10);
      const lines = `externalId;debtorDocument;faceValue;dueDate\nAWAY-${view.key};11222333000181;1000,50;${due}\n`;
      await page.setInputFiles('[name=file]', { name: 'one.csv', mimeType: 'text/csv', buffer: Buffer.from(lines) });
      await press(page, send.check);
      await press(page, send.send);
      const state = (name: string) => page.locator('.badge', { hasText: name });
      await state(batches.states.DRAFT).waitFor();
      await page.getByRole('link', { name: `AWAY-${view.key}` }).waitFor();

      await killGroup(program);
      await page.getByText(frame.down.text).waitFor();
      await state(batches.states.DRAFT).waitFor();
      await start();
      await page.getByText(frame.down.text).waitFor({ state: 'detached', timeout: backMs });

      const other = await context.newPage();
      other.setDefaultTimeout(30_000);
      await other.goto(page.url());
      await act(other, text.cancel);
      await state(batches.states.CANCELLED).waitFor({ timeout: backMs });
      await context.close();
    });

    async function openKeys(page: Page, email: string): Promise<void> {
      await page.goto(`${url}${view.base}/desenvolvedor/chaves`);
      await logIn(page, email);
      await heading(page, developer.keys.title);
      await page.getByText(developer.keys.apiKeysEmpty).waitFor();
    }

    const createKey = async (page: Page, name: string) => {
      await act(page, developer.keys.create, { name: name });
    };

    test('a form that was sent while the program was away is sent again by its owner, once the program is back', async () => {
      const { context, page } = await openView(browser, url, view);
      await openKeys(page, await newAccount());
      await killGroup(program);
      await createKey(page, 'Robot');
      await page.getByText(frame.down.text).waitFor();
      expect(await page.locator('[role=dialog] [name=name]').inputValue()).toBe('Robot');
      await start();
      await page.getByText(frame.down.text).waitFor({ state: 'detached', timeout: 60_000 });
      await pressInDialog(page, developer.keys.create);
      await page.getByText(developer.keys.createdText).waitFor();
      await press(page, developer.keys.done);
      await page.getByRole('link', { name: 'Robot', exact: true }).waitFor();
      expect(await page.getByRole('link', { name: 'Robot', exact: true }).count()).toBe(1);
      await context.close();
    });

    test('prices are stale while the program is away, and live when it is back, on the same page', async () => {
      const { context, page, open } = await openView(browser, url, view);
      const { trading: pair } = await asSomebodyNew();
      await open('/negociacao/mercados');
      await enterAsTrader(page, pair, texts);
      await open('/negociacao/mercados/BTC/BRL');
      await page.getByText(trading.market.live).waitFor();
      await page.locator('.depth tbody tr').nth(3).waitFor();
      await killGroup(program);
      await page.getByText(trading.order.waits).waitFor({ timeout: 60_000 });
      expect(await page.getByRole('button', { name: trading.order.preview, exact: true }).isDisabled()).toBe(true);
      await start();
      await page.getByText(trading.market.live).waitFor({ timeout: 90_000 });
      await page.locator('.depth tbody tr').nth(3).waitFor();
      expect(await page.getByRole('button', { name: trading.order.preview, exact: true }).isDisabled()).toBe(false);
      await context.close();
    });

    test('two tabs are one session: a step-up in one is enough for both, and a log-out in one is seen in the other', async () => {
      const { context, page } = await openView(browser, url, view);
      const email = await newAccount();
      await openKeys(page, email);
      const other = await context.newPage();
      other.setDefaultTimeout(30_000);
      await other.goto(`${url}${view.base}/conta/sessoes`);
      await heading(other, account.sessions.title);

      // As if the log-in were six minutes ago: what needs a proof asks for it.
      await database.dataSource.query(`UPDATE accounts.sessions SET proved_at = proved_at - interval '6 minutes'`);
      // The process keeps what it knows of a session for up to a second, which a request that is under way may begin anew.
      await page.waitForTimeout(2_000);
      await until('the proof to be old', () =>
        page.evaluate(async () => {
          const response = await fetch('/graphql', {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({ query: 'mutation { revokeApiKey(id: "none") }' }),
          });
          return (await response.text()).includes('STEP_UP_REQUIRED');
        }),
      );
      await createKey(page, 'First');
      await page.fill('[role=dialog] [name=password]', password);
      await press(page, frame.stepUp.confirm);
      await page.getByText(developer.keys.createdText).waitFor();
      await press(page, developer.keys.done);

      await follow(other, frame.areas.developer.keys, texts);
      await other.getByRole('link', { name: 'First', exact: true }).waitFor();
      await createKey(other, 'Second');
      await other.getByText(developer.keys.createdText).waitFor();
      await press(other, developer.keys.done);

      await press(other, frame.logOut);
      await heading(other, account.logIn.title);
      await heading(page, account.logIn.title);
      await logIn(page, email);
      await heading(page, developer.keys.title);
      await page.getByRole('link', { name: 'Second', exact: true }).waitFor();
      await context.close();
    });

    test('the back button and a reload keep the page, its filter and what was typed into the address', async () => {
      const { context, page } = await openView(browser, url, view);
      await openKeys(page, await newAccount());
      await createKey(page, 'Robot');
      await press(page, developer.keys.done);
      await page.getByRole('link', { name: 'Robot', exact: true }).click();
      await heading(page, 'Robot');
      const address = page.url();
      await page.reload();
      await heading(page, 'Robot');
      expect(page.url()).toBe(address);
      await page.goBack();
      await heading(page, developer.keys.title);
      await page.goForward();
      await heading(page, 'Robot');
      await follow(page, frame.areas.developer.webhooks, texts);
      await heading(page, developer.words.webhooks);
      await page.goBack();
      await heading(page, 'Robot');
      await context.close();
    });
  });
});
