import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { chromium, type Browser, type Page } from 'playwright-core';
import { inTransaction } from '../../shared/database/transaction.js';
import { newId } from '../../shared/ids.js';
import { createMailQueue } from '../../shared/mail/mail.js';
import { english as accountEn } from '../../web/panel/account/messages/en.js';
import { portuguese as accountPt } from '../../web/panel/account/messages/pt-BR.js';
import { english as operatorEn } from '../../web/panel/operator/messages/en.js';
import { portuguese as operatorPt } from '../../web/panel/operator/messages/pt-BR.js';
import { newOperator } from '../kit/operator.js';
import { openPanelSite, watch } from './panel-kit.js';

const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
/** A folder for a picture of each screen; none are taken without it. */
const pictures = process.env['PANEL_PICTURES'];

const views = [
  {
    name: 'a phone, dark, in Portuguese',
    options: { viewport: { width: 360, height: 780 }, colorScheme: 'dark' },
    base: '/painel',
    texts: { account: accountPt, operator: operatorPt },
  },
  {
    name: 'a desk, in English',
    options: { viewport: { width: 1440, height: 900 }, colorScheme: 'light' },
    base: '/en/painel',
    texts: { account: accountEn, operator: operatorEn },
  },
] as const;

const suite = existsSync(executablePath) ? describe : describe.skip;
suite(
  existsSync(executablePath)
    ? 'The panel of the background work'
    : `The panel of the background work: skipped, no Chromium at ${executablePath}`,
  () => {
    let site: Awaited<ReturnType<typeof openPanelSite>>;
    let browser: Browser;
    beforeAll(async () => {
      [site, browser] = await Promise.all([
        openPanelSite(),
        chromium.launch({ executablePath, args: ['--no-sandbox'] }),
      ]);
    });
    afterAll(async () => {
      await browser.close();
      await site.platform.close();
    });

    const press = (page: Page, text: string) => page.getByRole('button', { name: text, exact: true }).click();
    const pressInDialog = (page: Page, text: string) =>
      page.getByRole('dialog').getByRole('button', { name: text, exact: true }).click();
    const heading = (page: Page, text: string) => page.getByRole('heading', { level: 1, name: text }).waitFor();

    /** Logs an operator in, and adds its passkey. */
    async function enter(page: Page, key: string, { account }: (typeof views)[number]['texts']) {
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
      await heading(page, account.logIn.title);
      await page.selectOption('[name=kind]', 'operator');
      await page.fill('[name=operatorKey]', key);
      await press(page, account.logIn.submit);
      await heading(page, account.security.title);
      await press(page, account.security.addPasskey);
      await page.fill('[role=dialog] [name=name]', 'Laptop');
      await pressInDialog(page, account.security.addPasskey);
      await press(page, account.security.codesStored);
    }

    /** Adds a message that failed, and waits for a later attempt or was given up. */
    async function addMail(isGivenUp: boolean): Promise<string> {
      const { context, keyRing } = site.platform.infrastructure;
      const to = `ana.souza.${newId()}@casa.example`;
      return inTransaction(context, async (tx) => {
        await createMailQueue(keyRing)(tx, { to, subject: 'Redefinição de senha', text: 'x', html: 'x', links: [] });
        const { id } = await tx.manager.one<{ id: string }>(
          `UPDATE shared.mails SET attempts = 2, next_attempt_at = now() + interval '1 hour',
             failed_at = CASE WHEN $2 THEN now() END, last_error = '550 5.1.1 <' || recipient || '> does not exist'
           WHERE recipient = $1 RETURNING id`,
          [to, isGivenUp],
        );
        return id;
      });
    }

    const addWebhooks = async () => {
      const { manager } = site.platform.infrastructure.context;
      await manager.execute(
        `INSERT INTO webhooks.subscriptions (id, owner_id, url, events, secret, status, failing, created_at, deactivated_at,
           deactivated_why)
         SELECT gen_random_uuid(), 'conta-' || state, 'https://' || state || '.example/segredo?token=abc', '{payment.completed}',
           '', CASE state WHEN 'gone' THEN 'deactivated' ELSE 'active' END, state = 'failing', now(),
           CASE state WHEN 'gone' THEN now() END, CASE state WHEN 'gone' THEN 'GONE' END
         FROM unnest('{healthy,gone,failing}'::text[]) AS state
         WHERE NOT EXISTS (SELECT FROM webhooks.subscriptions WHERE owner_id = 'conta-gone')`,
      );
    };

    test.each(views)('shows and steers jobs, queues and webhooks on $name', async ({ name, options, base, texts }) => {
      const { work: text, webhooks } = texts.operator;
      const { context: ownContext } = site.platform.infrastructure;
      const operator = await newOperator(ownContext);
      const [waiting, givenUp] = [await addMail(false), await addMail(true)];
      await addWebhooks();
      const { page, context, check } = await watch(browser, site.url, options);
      const see = async (screen: string) => {
        await page.waitForTimeout(200);
        if (pictures !== undefined)
          await page.screenshot({ path: `${pictures}/${screen}-${name.split(',')[0] ?? ''}.png`, fullPage: true });
        await check();
      };
      const open = (path: string) => page.goto(`${site.url}${base}${path}`);
      const mail = (act: string, id: string) => `${act}: ${text.names['mail'] ?? ''} ${id}`;
      await open('/operacao/trabalhos');
      await enter(page, operator.key, texts);

      await open('/operacao/trabalhos');
      await heading(page, text.title);
      await page.getByText(waiting).waitFor();
      await see('work');
      // Whose messages they are, and what is in them, is shown to nobody.
      expect(await page.content()).not.toMatch(/ana\.souza|Redefinição/);

      await press(page, mail(text.hold, waiting));
      await page.fill('[role=dialog] [name=reason]', 'Endereço errado');
      await see('work-quarantine');
      await pressInDialog(page, text.hold);
      await page.getByText(text.heldNow).waitFor();
      await press(page, mail(text.retry, givenUp));
      await pressInDialog(page, text.retry);
      await page.getByText(text.retried.one).waitFor();
      await press(page, mail(text.release, waiting));
      await see('work-release');
      await pressInDialog(page, text.release);
      await page.getByText(text.released).waitFor();
      await page.getByText(waiting).waitFor({ state: 'detached' });

      await press(page, `${text.run}: shared.retention`);
      await see('work-run');
      await pressInDialog(page, text.run);
      await page.getByText(text.ran('shared.retention')).waitFor();
      const ended = () =>
        ownContext.manager.countRows(
          `SELECT count(*)::integer FROM shared.job_ticks WHERE job = 'shared.retention' AND error IS NULL
               AND finished_at > now() - interval '1 minute'`,
        );
      while ((await ended()) === 0) await page.waitForTimeout(50);
      await press(page, text.refresh);
      await page.getByText(text.outcomes.SUCCEEDED).first().waitFor();
      await see('work-done');

      await open('/operacao/webhooks');
      await heading(page, webhooks.title);
      await page.getByText('gone.example').waitFor();
      await see('webhooks');
      expect(await page.content()).not.toContain('segredo');
      await page.selectOption('[name=state]', 'FAILING');
      await page.getByText('gone.example').waitFor({ state: 'detached' });
      await page.getByText('failing.example').waitFor();
      await context.close();
    });

    test('an operator who only reads sees them, and acts on nothing', async () => {
      const { texts, options } = views[1];
      const { work: text } = texts.operator;
      const id = await addMail(false);
      const { key } = await newOperator(site.platform.infrastructure.context, ['read']);
      const { page, context, check } = await watch(browser, site.url, options);
      await page.goto(`${site.url}/en/painel/operacao/trabalhos`);
      await enter(page, key, texts);
      await page.goto(`${site.url}/en/painel/operacao/trabalhos`);
      await heading(page, text.title);
      await page.getByText(id).waitFor();
      for (const name of [text.run, text.retry, text.retryAll, text.hold])
        expect(await page.getByRole('button', { name: new RegExp(`^${name}`) }).count()).toBe(0);
      await check();
      await context.close();
    });
  },
);
