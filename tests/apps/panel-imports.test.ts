import { readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { sha256 } from '../../shared/security/crypto.js';
import { newOperator } from '../kit/operator.js';
import { newestPrice } from './panel-kit.js';
import {
  act,
  describeInBrowser,
  enterAsAccount,
  enterAsOperator,
  heading,
  openView,
  dialogSays,
  press,
  pressInDialog,
  views,
  openPanelAround,
} from './panel-views.js';

describeInBrowser('Imports, keys and receivables in the panel', () => {
  const panel = openPanelAround();

  const saved = async (page: Page, act: () => Promise<void>) => {
    const [download] = await Promise.all([page.waitForEvent('download'), act()]);
    return { name: download.suggestedFilename(), text: readFileSync(await download.path(), 'utf8') };
  };

  test.each(views)(
    'files are checked, imported with a reason, looked through and taken back, and the log is saved, on $name',
    async (view) => {
      const { operator: text, frame } = view.texts;
      const { key } = await newOperator(panel.site.platform.infrastructure.context);
      const { page, context, see, open } = await openView(panel.browser, panel.site.url, view);
      await open('/operacao/importacoes');
      await enterAsOperator(page, key, view.texts);

      const { series, day } = await newestPrice(panel.site.platform);
      const header = 'trancheTicker;date;value';
      const choose = (content: string) =>
        page.setInputFiles('[name=files]', {
          name: 'precos.csv',
          mimeType: 'text/csv',
          buffer: Buffer.from(content),
        });
      await open('/operacao/importacoes');
      await page.getByRole('link', { name: text.imports.upload }).click();
      await heading(page, text.imports.upload);
      await see('import-files');
      const onDisk = join(panel.site.platform.dataDir, 'precos.csv');
      writeFileSync(onDisk, `${header}\nNADA;${day};1,50\n${series};amanha;1,50\n`);
      await page.setInputFiles('[name=files]', onDisk);
      await press(page, text.imports.check);
      await page.getByText(text.imports.refused).waitFor();
      await page.waitForFunction((said) => document.activeElement?.textContent.startsWith(said), text.imports.refused);
      await page.getByRole('cell', { name: 'amanha', exact: true }).waitFor();
      expect(await page.getByRole('button', { name: text.imports.importNow, exact: true }).count()).toBe(0);
      // Every error is in the language of the page.
      expect(await page.locator('main [lang=en]').allTextContents()).toEqual([]);
      await see('import-errors');
      // As it is corrected under the same name.
      utimesSync(onDisk, 1, 1);
      await press(page, text.imports.check);
      await page
        .locator('.field', { has: page.locator('[name=files]') })
        .getByText(frame.fileChanged)
        .waitFor();

      // With the names of another program, in its encoding: what is not ours is chosen, and the rest is not read.
      await page.setInputFiles('[name=files]', {
        name: 'carteira.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from(`Papel;Observação;Quando;PU\r\n${series};conferir é preciso;${day};1,50\r\n`, 'latin1'),
      });
      await page.getByRole('cell', { name: 'conferir é preciso', exact: true }).waitFor();
      await page.getByLabel(`${frame.columns.readAs}: Quando`).selectOption('date');
      await see('import-columns');
      await press(page, text.imports.check);
      await page.getByText(text.imports.refused).waitFor();
      await page.getByText('PRICE_JUMP').first().waitFor();

      // A price of long ago is settled: it needs a reason.
      const prices = await panel.site.platform.infrastructure.dataSource.query<{ date: string }[]>(
        `SELECT date::text FROM issuances.unit_prices p JOIN issuances.series s ON s.id = p.series_id
           WHERE s.ticker = $1 ORDER BY date DESC OFFSET 10 LIMIT 60`,
        [series],
      );
      const days = prices.map(({ date }) => date);
      expect(days).toHaveLength(60);
      await choose(`${header}\n${days.map((one) => `${series};${one};7777,25`).join('\n')}\n`);
      await press(page, text.imports.check);
      await page.getByText(text.imports.needsReason).waitFor();
      await page.fill('[name=reason]', 'Planilha errada');
      await press(page, text.imports.check);
      await page.getByText(text.imports.accepted).waitFor();
      // The errors that it permits remain in view, a jump with its percentage.
      await page.getByText('PRICE_JUMP').first().waitFor();
      await page
        .getByText(/7[.,]777[.,]25/)
        .first()
        .waitFor();
      await see('import-checked');
      await press(page, text.imports.importNow);
      await heading(page, text.imports.one);
      await page.getByText('Planilha errada').waitFor();
      await press(page, frame.more);
      await page
        .getByRole('cell', { name: new RegExp(days[0] ?? 'none') })
        .first()
        .waitFor();
      await see('import-more');
      await act(page, text.imports.revert, { reason: 'Engano' });
      await page.getByText(text.imports.revertedBy).waitFor();
      await page.getByText('Engano').waitFor();
      // The button is gone.
      await page.waitForFunction((title) => document.activeElement?.textContent === title, text.imports.one);

      await open('/operacao/auditoria?action=import');
      await heading(page, text.audit.title);
      await page.getByText('import', { exact: true }).first().waitFor();
      const csv = await saved(page, () => press(page, text.audit.download(text.audit.formats.CSV)));
      expect(csv.name).toBe(`${text.audit.fileName}.csv`);
      expect(csv.text).toMatch(/^\uFEFFat;id;actorKind;/);
      expect(csv.text).toContain('precos.csv');
      const lines = await saved(page, () => press(page, text.audit.download(text.audit.formats.JSONL)));
      const entries = lines.text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as { action: string; at: string });
      expect(entries.every(({ action }) => action === 'import')).toBe(true);
      expect(entries.map(({ at }) => at)).toEqual(entries.map(({ at }) => at).toSorted());
      await see('audit-saved');
      await open('/operacao/auditoria?action=exportAuditLog');
      await page.getByText('exportAuditLog').first().waitFor();
      await context.close();
    },
  );

  test.each(views)('an originator browses its receivables, and replaces its signing key, on $name', async (view) => {
    const { originator: text } = view.texts;
    const { dataSource } = panel.site.platform.infrastructure;
    const login = panel.site.platform.demo().account;
    // Each view is a person of its own: a factor of the view before must not be asked for.
    await dataSource.query('DELETE FROM accounts.passkeys');
    await dataSource.query('DELETE FROM accounts.recovery_codes');
    const { page, context, see, open } = await openView(panel.browser, panel.site.url, view);
    await open('/originador/recebiveis');
    await enterAsAccount(page, login, view.texts);

    await open('/originador/recebiveis');
    await heading(page, text.receivables.title);
    await page.getByRole('cell').first().waitFor();
    await see('receivables-all');
    await page.selectOption('[name=status]', 'SETTLED');
    await press(page, text.words.filter);
    await page.waitForURL(/status=SETTLED/);
    await page.getByRole('cell', { name: text.batch.receivableStates.SETTLED }).first().waitFor();
    expect(await page.getByRole('cell', { name: text.batch.receivableStates.OPEN, exact: true }).count()).toBe(0);
    await page.fill('[name=de]', '2199-01-01');
    await press(page, text.words.filter);
    await page.getByText(text.receivables.empty).waitFor();
    await see('receivables-none');

    await open('/originador/chaves');
    await page.getByText(text.words.valid, { exact: true }).first().waitFor();
    const live = async () =>
      (
        await dataSource.query<{ fingerprint: string }[]>(
          "SELECT encode(fingerprint, 'hex') AS fingerprint FROM credit_assignment.originator_keys WHERE revoked_at IS NULL",
        )
      ).map(({ fingerprint }) => fingerprint);
    const add = page.getByRole('button', { name: new RegExp(`^${text.keys.add}`) }).first();
    await add.click();
    await see('key-way');
    const made = await saved(page, () => pressInDialog(page, text.keys.make));
    const spki = createPublicKey(createPrivateKey(made.text)).export({ type: 'spki', format: 'der' });
    const fingerprint = sha256(spki).toString('hex');
    await dialogSays(page, fingerprint);
    await see('key-made');
    expect(await live()).not.toContain(fingerprint);
    await page.getByRole('dialog').getByText(text.keys.stored).click();
    await pressInDialog(page, text.keys.register);
    await page.getByRole('cell', { name: fingerprint }).waitFor();
    expect(await live()).toContain(fingerprint);

    await add.click();
    await page.selectOption('[role=dialog] [name=way]', 'paste');
    await page.fill('[role=dialog] [name=publicKey]', 'nonsense');
    await pressInDialog(page, text.keys.register);
    await dialogSays(page, /must be one RSA public key|deve ser uma chave pública RSA/i);
    await see('key-refused');
    const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    await page.fill('[role=dialog] [name=publicKey]', publicKey.export({ type: 'spki', format: 'pem' }).toString());
    await pressInDialog(page, text.keys.register);
    await page.getByRole('dialog').waitFor({ state: 'detached' });

    await press(page, `${text.words.revoke} ${fingerprint.slice(0, 8)}`);
    await see('key-revoke');
    await pressInDialog(page, text.words.revoke);
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByText(text.keys.revoked('').trim()).first().waitFor();
    expect(await live()).not.toContain(fingerprint);
    await see('keys-after');
    await context.close();
  });
});
