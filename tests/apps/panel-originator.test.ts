import { readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { voidRecord } from '../../shared/import/void.js';
import { tokenizationImport } from '../../subgraphs/tokenization/import/domain.js';
import { newOperator } from '../kit/operator.js';
import { until } from '../kit/until.js';
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
  pressInDialog,
  views,
  openPanelAround,
} from './panel-views.js';

const header = 'externalId;debtorDocument;faceValue;dueDate';

describeInBrowser("The originator's panel", () => {
  const panel = openPanelAround({ PROCESSING_GRACE: '0' });

  const badge = (page: Page, text: string) => page.locator('.badge', { hasText: text });
  const choose = (page: Page, name: string, content: string) =>
    page.setInputFiles('[name=file]', { name, mimeType: 'text/csv', buffer: Buffer.from(content) });

  /** An operator writes off the asset of a contract; returns once the originator can read it. */
  const writeOff = async (externalId: string) => {
    const { context: own, dataSource } = panel.site.platform.infrastructure;
    const receivable = async () => {
      const [row] = await dataSource.query<{ id: string; at: Date | null }[]>(
        'SELECT id, written_off_at AS at FROM credit_assignment.receivables WHERE external_id = $1',
        [externalId],
      );
      return row;
    };
    const { headers } = await newOperator(own);
    const response = await fetch(`${panel.site.url}/graphql`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({
        query: 'mutation ($id: ID!) { writeOffAsset(assetId: $id) { status } }',
        variables: { id: (await receivable())?.id },
      }),
    });
    expect(await response.json()).toEqual({ data: { writeOffAsset: { status: 'WRITTEN_OFF' } } });
    await until('the receivable to be settled', async () => (await receivable())?.at !== null);
  };

  test.each(views)('leads from a file with errors to a processed batch on $name', async (view) => {
    const { frame, originator: text } = view.texts;
    const { page, context, open, see } = await openView(panel.browser, panel.site.url, view);
    // Each view is a person of its own: a factor of the view before must not be asked for.
    await panel.site.platform.infrastructure.dataSource.query('DELETE FROM accounts.passkeys');
    await panel.site.platform.infrastructure.dataSource.query('DELETE FROM accounts.recovery_codes');

    await open('/originador/lotes');
    await enterAsAccount(page, panel.site.platform.demo().account, view.texts);

    // One who sends credits and has programs sees both, and the counts beside the pages.
    await open('/');
    await heading(page, view.texts.home.title);
    await page.getByText(view.texts.home.developer.keys).waitFor();
    await see('home-originator');
    await page.keyboard.press('Control+k');
    const search = page.getByRole('dialog').getByRole('searchbox');
    await search.fill('mogiana');
    await page.getByRole('menuitem', { name: 'CRA-MOGIANA' }).waitFor();
    await see('search');
    await search.fill(frame.areas.originator.receivables);
    await page.getByRole('menuitem', { name: frame.areas.originator.receivables }).waitFor();
    await page.keyboard.press('Enter');
    await heading(page, text.receivables.title);
    await open('/');
    await page.getByRole('link', { name: view.texts.home.originator.settlements.one }).click();
    await page.waitForURL(/liquidacoes\?status=REJECTED&from=\d/);

    await open('/originador/lotes');
    await heading(page, text.batches.title);
    await badge(page, text.batches.states.PROCESSED).first().waitFor();
    await see('batches');
    await page.selectOption('[name=status]', 'REJECTED');
    await press(page, text.words.filter);
    await page.waitForURL(/status=REJECTED/);
    await page.getByRole('cell').getByRole('link').first().click();
    await page.getByText(text.batch.reason).waitFor();
    await page.getByRole('heading', { name: text.words.errors }).waitFor();
    await see('rejected');
    await page.goBack();
    await heading(page, text.batches.title);

    const [rejected] = await panel.site.platform.infrastructure.dataSource.query<{ id: string; line: string }[]>(
      `SELECT id, (errors -> 0 ->> 'index')::integer + first_line AS line FROM credit_assignment.credit_batches WHERE status = 'REJECTED' AND rejection_rules IS NOT NULL`,
    );
    await open(`/originador/lotes/${rejected?.id ?? ''}`);
    const sentence =
      view.texts.frame.rules.CONTRACTS_INELIGIBLE ?? 'contracts that do not meet the eligibility criteria';
    const [why = ''] = sentence.split('{');
    await page.getByRole('note').getByText(why).waitFor();
    expect(await page.getByRole('note').locator('[lang=en]').count()).toBe(view.language === 'en' ? 1 : 0);
    // As the check of its file says it.
    await page.locator('#errors').getByRole('columnheader', { name: text.words.line, exact: true }).waitFor();
    await page
      .getByRole('cell', { name: String(rejected?.line), exact: true })
      .first()
      .waitFor();
    await see('rejected-ineligible');

    const own = `PANEL-${view.key}`;
    await open('/originador/enviar');
    await heading(page, text.send.title);
    await see('send');
    const onDisk = join(panel.site.platform.dataDir, `${own}.csv`);
    // With the names of another program: two are guessed, and none stands for one of ours.
    writeFileSync(
      onDisk,
      `numero do contrato;contrato;doc;valor;vencimento;externalId\n7;SÃO;11222333000182;1.000,50;2031-01-31;${own}-1\n"\n`,
    );
    await page.setInputFiles('[name=file]', onDisk);
    await page.getByRole('cell', { name: 'SÃO', exact: true }).waitFor();
    for (const name of ['numero do contrato', 'contrato'])
      expect(await page.getByLabel(`${frame.columns.readAs}: ${name}`, { exact: true }).inputValue()).toBe('');
    await page.getByLabel(`${frame.columns.readAs}: doc`).selectOption('debtorDocument');
    await see('send-columns');
    await press(page, text.send.check);
    await page.getByText(text.send.refused).waitFor();
    await page
      .getByRole('cell', { name: new RegExp(text.fields['debtorDocument'] ?? '') })
      .first()
      .waitFor();
    expect(await page.getByRole('button', { name: text.send.send, exact: true }).count()).toBe(0);
    await see('send-refused');
    const [download] = await Promise.all([page.waitForEvent('download'), press(page, text.send.download)]);
    const back = readFileSync(await download.path(), 'utf8');
    expect(back).toContain(view.language === 'pt' ? ';erros' : ';errors');

    // Corrected under the same name: what was chosen cannot be read any more, which says nothing of the screen.
    const [example] = await Promise.all([page.waitForEvent('download'), press(page, text.send.template)]);
    writeFileSync(onDisk, readFileSync(await example.path()));
    utimesSync(onDisk, 1, 1);
    for (const act of [text.send.download, text.send.check]) {
      await press(page, act);
      await page
        .locator('.field', { has: page.locator('[name=file]') })
        .getByText(frame.fileChanged)
        .waitFor();
    }
    await see('send-changed');
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.locator('[name=file]').click()]);
    await chooser.setFiles(onDisk);
    await press(page, text.send.check);
    await page.getByText(text.send.accepted).waitFor();

    await choose(page, 'lines.ndjson', `${JSON.stringify({ externalId: own, debtorDocument: '1' })}\n`);
    await until('the format', async () => (await page.locator('[name=format]').inputValue()) === 'NDJSON');
    await press(page, text.send.check);
    await page
      .getByRole('cell', { name: text.fields['faceValue'] ?? '' })
      .first()
      .waitFor();

    const due = new Date(Date.now() + 200 * 86_400_000).toISOString().slice(0, 10);
    const [day, month, year] = [due.slice(8), due.slice(5, 7), due.slice(0, 4)];
    await choose(
      page,
      'right.csv',
      `${header}\n${own}-1;11222333000181;1000,50;${day}/${month}/${year}\n${own}-2;52998224725;900;${due}\n`,
    );
    await press(page, text.send.check);
    await page.getByText(text.send.accepted).waitFor();
    await see('send-accepted');
    await press(page, text.send.send);
    await badge(page, text.batches.states.DRAFT).waitFor();
    await page.getByRole('link', { name: `${own}-1` }).waitFor();
    await press(page, text.batch.check);
    await page.getByText(text.batch.eligible).waitFor();
    await see('draft');
    await press(page, text.batch.submit);
    await dialogSays(page, text.batch.submitTitle);
    await see('submit');
    await pressInDialog(page, text.batch.submit);
    // The page hears of each stage by itself.
    await badge(page, text.batches.states.PROCESSED).first().waitFor({ timeout: 60_000 });
    await page.getByText(text.batch.receivableStates.OPEN, { exact: true }).first().waitFor();
    await see('processed');
    // On the note, or on the heading where the page has heard of it before the dialog was done.
    await page.waitForFunction(() => document.activeElement !== document.body);

    await page.getByRole('link', { name: `${own}-2` }).click();
    await heading(page, text.receivables.title);
    await page.getByText(text.receivables.noPayments).waitFor();
    await see('receivables');
    await open('/originador/recebiveis?contrato=CESSAO-1-0001');
    await page.getByRole('cell').first().waitFor();
    await see('receivable-paid');

    await open('/originador/enviar');
    await page.selectOption('[name=kind]', 'settlement');
    // Batches of one day have the same name: their numbers tell them apart.
    const targets = await page.locator('[name=target] option').allTextContents();
    expect(new Set(targets).size).toBe(targets.length);
    const today = new Date(Date.now() - 3 * 3_600_000).toISOString().slice(0, 10);
    await choose(page, 'paid.csv', `externalId;settledAmount;settledDate\n${own}-2;400;${today}\n`);
    await press(page, text.send.check);
    await page.getByText(text.send.accepted).waitFor();
    await press(page, text.send.send);
    await heading(page, new RegExp(text.settlements.name('').trim()));
    await act(page, text.batch.submit);
    await badge(page, text.batches.states.PROCESSED).first().waitFor({ timeout: 60_000 });
    await see('settlement');
    await open('/originador/liquidacoes');
    await heading(page, text.settlements.title);
    await page.getByRole('cell').first().waitFor();
    await see('settlements');

    await writeOff(`${own}-1`);
    await open(`/originador/recebiveis?contrato=${own}-1`);
    await page.getByRole('cell').filter({ hasText: text.words.writtenOff }).waitFor();
    await see('receivable-written-off');

    await open('/originador/extrato');
    await page.getByRole('cell', { name: view.language === 'pt' ? 'A vencer' : 'Not due', exact: true }).waitFor();
    await see('statement');
    const [statement] = await Promise.all([page.waitForEvent('download'), press(page, frame.download)]);
    expect(readFileSync(await statement.path(), 'utf8')).toMatch(
      new RegExp(`${text.statement.assigned};\\d+\\.\\d\\d;\\d+\\r\\n[^]*\\n${text.statement.notDue};\\d+;`),
    );

    await open('/originador/patrimonios');
    await page.getByText(text.estates.minFaceValue).first().waitFor();
    await see('estates');
    await open('/originador/chaves');
    await page.getByText(text.words.valid, { exact: true }).first().waitFor();
    await see('signing-keys');
    await press(page, frame.logOut).catch(() => undefined);
    await context.close();
  });

  // The last one, since the estate stays withdrawn.
  test.each(fewViews)('an estate that is withdrawn takes nothing else with it, on $name', async (view) => {
    const { originator: text, operator } = view.texts;
    const { context: own, dataSource } = panel.site.platform.infrastructure;
    await dataSource.query('DELETE FROM accounts.passkeys');
    await dataSource.query('DELETE FROM accounts.recovery_codes');
    // Of a rejected batch, and with a permit.
    const { importId } = await voidRecord(own, [tokenizationImport], 'patrimonies', ['PAT-RECEBIVEIS'], {
      reason: 'Publicado por engano',
    });
    expect(importId).toBeDefined();
    const { page, context, open, check } = await openView(panel.browser, panel.site.url, view);
    await open('/originador/lotes');
    await enterAsAccount(page, panel.site.platform.demo().account, view.texts);
    await open('/originador/lotes');
    await badge(page, text.batches.states.REJECTED).first().waitFor();
    await check();
    await open('/originador/patrimonios');
    await page.getByText(text.estates.withdrawn).waitFor();
    await page.getByText(text.estates.minFaceValue).first().waitFor();
    await open('/originador/enviar');
    await page.locator('option', { hasText: 'PAT-CONSIGNA' }).waitFor({ state: 'attached' });
    await context.close();

    const { key } = await newOperator(own);
    const desk = await openView(panel.browser, panel.site.url, view);
    await desk.open('/operacao/originadores');
    await enterAsOperator(desk.page, key, view.texts);
    await desk.page.getByRole('link', { name: 'Financeira Demonstração' }).click();
    await desk.page.getByText(operator.onboarding.withdrawnEstate('').slice(0, 20)).waitFor();
    await desk.check();
    await desk.context.close();
  });
});
