import { expect, test } from '@jest/globals';
import { inTransaction } from '../../shared/database/transaction.js';
import { newId } from '../../shared/kernel/ids.js';
import { createMailQueue } from '../../shared/work/mail/mail.js';
import { newOperator } from '../kit/operator.js';
import { until } from '../kit/until.js';
import {
  act,
  describeInBrowser,
  enterAsOperator,
  fewViews,
  heading,
  openView,
  press,
  pressInDialog,
  views,
  openPanelAround,
} from './panel-views.js';

describeInBrowser('The panel of the background work', () => {
  const panel = openPanelAround();

  /** Adds a message that failed, and waits for a later attempt or was given up. */
  async function addMail(isGivenUp: boolean): Promise<string> {
    const { context, keyRing } = panel.site.platform.infrastructure;
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

  /** Adds webhooks in each state; returns the account of the one that fails. */
  const addWebhooks = async () => {
    const { manager } = panel.site.platform.infrastructure.context;
    const { email } = panel.site.platform.demo().account;
    const id = await manager.value<string>('SELECT id FROM accounts.accounts WHERE email = $1', [email]);
    if (id === undefined) throw new Error('The demo has no account');
    await manager.execute(
      `INSERT INTO webhooks.subscriptions (id, owner_id, url, events, secret, status, failing, created_at, deactivated_at,
           deactivated_why)
         SELECT gen_random_uuid(), CASE state WHEN 'failing' THEN $1 ELSE 'conta-' || state END, 'https://' || state || '.example/segredo?token=abc', '{payment.completed}',
           '', CASE state WHEN 'gone' THEN 'deactivated' ELSE 'active' END, state = 'failing', now(),
           CASE state WHEN 'gone' THEN now() END, CASE state WHEN 'gone' THEN 'GONE' END
         FROM unnest('{healthy,gone,failing}'::text[]) AS state
         WHERE NOT EXISTS (SELECT FROM webhooks.subscriptions WHERE owner_id = 'conta-gone')`,
      [id],
    );
    return { id, email };
  };

  test.each(views)('shows and steers jobs, queues and webhooks on $name', async (view) => {
    const { work: text, accounts, words } = view.texts.operator;
    const { context: ownContext } = panel.site.platform.infrastructure;
    const operator = await newOperator(ownContext);
    const [waiting, givenUp] = [await addMail(false), await addMail(true)];
    const owner = await addWebhooks();
    const { page, context, open, see } = await openView(panel.browser, panel.site.url, view);
    const mail = (act: string, id: string) => `${act}: ${text.names.mail} ${id}`;
    await open('/operacao/trabalhos');
    await enterAsOperator(page, operator.key, view.texts);

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
    await act(page, mail(text.retry, givenUp), {}, text.retry);
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
    await until('the run to end', async () => (await ended()) !== 0);
    await press(page, words.refresh);
    await page.getByText(text.outcomes.SUCCEEDED).first().waitFor();
    await see('work-done');

    await open('/operacao/webhooks');
    await heading(page, words.webhooks);
    await page.getByText('gone.example').waitFor();
    await see('webhooks');
    expect(await page.content()).not.toContain('segredo');
    await page.selectOption('[name=state]', 'FAILING');
    await page.getByText('gone.example').waitFor({ state: 'detached' });
    await page.getByText('failing.example').waitFor();
    // An operator who administers accounts sees whose it is, and goes on from there.
    await page.getByRole('link', { name: owner.email, exact: true }).click();
    await heading(page, accounts.title);
    await page.getByRole('heading', { name: owner.email }).waitFor();
    await context.close();
  });

  test.each(fewViews)('an operator who only reads sees them, and acts on nothing, on $name', async (view) => {
    const { work: text, words } = view.texts.operator;
    const id = await addMail(false);
    const owner = await addWebhooks();
    const { key } = await newOperator(panel.site.platform.infrastructure.context, ['read']);
    const { page, context, open, check } = await openView(panel.browser, panel.site.url, view);
    await open('/operacao/trabalhos');
    await enterAsOperator(page, key, view.texts);
    await open('/operacao/trabalhos');
    await heading(page, text.title);
    await page.getByText(id).waitFor();
    for (const name of [text.run, text.retry, text.retryAll, text.hold])
      expect(await page.getByRole('button', { name: new RegExp(`^${name}`) }).count()).toBe(0);
    await check();
    await open('/operacao/webhooks');
    await heading(page, words.webhooks);
    await page.getByText(owner.id).waitFor();
    expect(await page.content()).not.toContain(owner.email);
    await context.close();
  });
});
