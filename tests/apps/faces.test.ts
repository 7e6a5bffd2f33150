import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { newOperator } from '../kit/operator.js';
import { until } from '../kit/until.js';
import { watch } from './panel-kit.js';
import {
  describeInBrowser,
  englishDesk,
  enterAsAccount,
  enterAsOperator,
  enterAsTrader,
  openPanelAround,
  openView,
  portugueseDesk,
  portuguesePhone,
  type View,
} from './panel-views.js';

/*
 * Twelve faces of the house, in docs/faces. `FACES=keep npm test -- tests/apps/faces` writes them as they are now: look at them before they are committed.
 */

interface Face {
  readonly name: string;
  readonly view: View;
  readonly path: string;
  readonly who?: keyof typeof entrances;
}

const desk = { ...portugueseDesk, options: { ...portugueseDesk.options, colorScheme: 'light' } } as const;
const faces: readonly Face[] = [
  { name: 'operations', view: desk, path: '/emissoes' },
  { name: 'operations-phone', view: portuguesePhone, path: '/emissoes' },
  { name: 'operation', view: englishDesk, path: '/en/emissoes/CRI-AURORA' },
  { name: 'comparison', view: portugueseDesk, path: '/comparar?codigo=CRI-SERRAAZUL&codigo=CRA-MOGIANA' },
  { name: 'assets', view: desk, path: '/tokenizacao/ativos' },
  { name: 'log-in-phone', view: portuguesePhone, path: '/painel/negociacao/mercados' },
  { name: 'market', view: englishDesk, path: '/en/painel/negociacao/mercados/BTC/BRL', who: 'trader' },
  { name: 'market-phone', view: portuguesePhone, path: '/painel/negociacao/mercados/BTC/BRL', who: 'trader' },
  { name: 'operator-home', view: desk, path: '/painel/', who: 'operator' },
  { name: 'trading-desk', view: portugueseDesk, path: '/painel/operacao/mesa', who: 'operator' },
  { name: 'batches', view: desk, path: '/painel/originador/lotes', who: 'account' },
  { name: 'home', view: englishDesk, path: '/en/painel/', who: 'account' },
];

/** Where a credential of each kind is asked for. */
const entrances = {
  trader: '/negociacao/mercados',
  operator: '/operacao/mesa',
  account: '/desenvolvedor/chaves',
} as const;

const pictureOf = (name: string) => new URL(`../../docs/faces/${name}.webp`, import.meta.url);

/**
 * Returns what a page shows now, as WebP, and which share of its picture differs from what is kept: of cells of twelve pixels those that differ by a tenth.
 * @param charts where curves are, which are others each day
 */
const compare = (page: Page, shown: string, kept: string | undefined, charts: readonly DOMRect[]) =>
  page.evaluate(
    async ([now, before, curves]) => {
      const draw = async (source: string, width: number) => {
        const image = Object.assign(new Image(), { src: source });
        await image.decode();
        const height = Math.round((image.height / image.width) * width);
        const canvas = Object.assign(document.createElement('canvas'), { width, height });
        const context = canvas.getContext('2d');
        if (context === null) throw new Error('There is no canvas');
        context.imageSmoothingQuality = 'high';
        context.drawImage(image, 0, 0, width, height);
        return { picture: canvas, context, width, height, full: image.width };
      };
      const { full } = await draw(now, 1);
      const cellsOf = async (source: string) => {
        const { context, width, height } = await draw(source, Math.round(full / 12));
        for (const { x, y, width: wide, height: high } of curves)
          context.clearRect(x / 12, y / 12, wide / 12, high / 12);
        return context.getImageData(0, 0, width, height).data;
      };
      const { picture } = await draw(now, Math.min(full, 960));
      const [one, other] = [await cellsOf(now), await cellsOf(before)];
      const cells = Array.from({ length: one.length / 4 }, (_none, at) => at * 4);
      const changed = cells.filter((at) =>
        [0, 1, 2].some((channel) => Math.abs((one[at + channel] ?? 0) - (other[at + channel] ?? 0)) > 25),
      );
      return { picture: picture.toDataURL('image/webp', 0.8), changed: changed.length / cells.length };
    },
    [shown, kept ?? shown, charts] as const,
  );

describeInBrowser('A face looks as its picture shows it', () => {
  const panel = openPanelAround();

  test.each(faces)('$name', async ({ name, view, path, who }) => {
    const { site, browser } = panel;
    const { infrastructure, demo } = site.platform;
    for (const table of ['passkeys', 'recovery_codes'])
      await infrastructure.dataSource.query(`DELETE FROM accounts.${table}`);
    const { page, context } =
      who === undefined ? await watch(browser, site.url, view.options) : await openView(browser, site.url, view);
    if (who !== undefined) await page.goto(`${site.url}${view.base}${entrances[who]}`);
    if (who === 'trader') await enterAsTrader(page, demo().trading, view.texts);
    if (who === 'account') await enterAsAccount(page, demo().account, view.texts);
    if (who === 'operator') await enterAsOperator(page, (await newOperator(infrastructure.context)).key, view.texts);
    await page.goto(`${site.url}${path}`);
    const canvas = await browser.newPage();
    const keeps = process.env['FACES'] === 'keep';
    let earlier = keeps ? undefined : `data:image/webp;base64,${readFileSync(pictureOf(name)).toString('base64')}`;
    // Figures and days are others each time, and move up to 5 % of the cells; an empty list or a page without its style moves 9 % or more.
    const seen = await until(`the face ${name}`, async () => {
      const shown = `data:image/png;base64,${(await page.screenshot()).toString('base64')}`;
      const charts = await page.$$eval('canvas', (all) =>
        all.map((one) => one.getBoundingClientRect().toJSON() as DOMRect),
      );
      const { picture, changed } = await compare(canvas, shown, earlier, charts);
      // One that is kept has to be complete: it no longer changes.
      const isFirst = earlier === undefined;
      if (keeps) earlier = shown;
      if (isFirst || changed > 0.06) throw new Error(`${(changed * 100).toFixed(1)} % of it differs`);
      return picture;
    });
    if (keeps) await writeFile(pictureOf(name), Buffer.from(seen.split(',')[1] ?? '', 'base64'));
    await canvas.close();
    await context.close();
  });
});
